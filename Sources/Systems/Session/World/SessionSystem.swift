package import KodamaEvidence
package import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld

/// Voice sessions in a world: the room server, the agents, the app's own server, and the apps.
package final class SessionSystem: WorldSystem {
    package static func serverNames(in plan: WorldPlan) -> [String] { Deployment.serverNames }

    package let rooms: RoomService
    package let agents: AgentPool
    package let api: APIService
    private let mode: VoiceMode

    package init(in setting: Setting, servers indices: [ComponentIndex]) {
        let plan = setting.plan
        mode = plan.voice
        agents = AgentPool(plan.services.agent, mode: plan.voice, index: indices[1])
        rooms = RoomService(of: plan, index: indices[0], agents: agents)
        api = APIService(of: plan, seed: setting.seed, index: indices[2])
        agents.rooms = rooms
    }

    package var servers: [any Component] { [rooms, agents, api] }

    package func app(
        _ settings: SessionAppPlan,
        _ installation: Installation
    ) -> any PhoneApp {
        let app = SessionApp(
            settings,
            installation,
            mode: mode,
            servers: (rooms, agents, api)
        )
        rooms.serve(app)
        return app
    }

    package func begin(on stage: inout Stage) {
        rooms.armWake(on: &stage)
    }
}
