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
    /// What the world is made of, for the sound of apps.
    private let setting: Setting

    package init(in setting: Setting, servers indices: [ComponentIndex]) {
        let plan = setting.plan
        mode = plan.voice
        agents = AgentPool(plan.services.agent, mode: plan.voice, index: indices[1])
        rooms = RoomService(of: plan, index: indices[0], agents: agents)
        api = APIService(of: plan, seed: setting.seed, index: indices[2])
        agents.rooms = rooms
        self.setting = setting
        if plan.voice == .real, let material = setting.material {
            let tap = setting.taps[ServicesPlan.agentsName]
            agents.speech = AgentSpeech(material, people: plan.people.count, tap: tap)
        }
    }

    package var servers: [any Component] { [rooms, agents, api] }

    package func app(
        _ settings: SessionAppPlan,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp {
        let app = SessionApp(
            settings,
            installation,
            mode: mode,
            sound: try sound(of: installation, playout: settings.sdk.playoutDelay),
            servers: (rooms, agents, api)
        )
        rooms.serve(app)
        return app
    }

    /// The sound of an app in rooms, where voices are real.
    package func sound(
        of installation: Installation,
        playout: Duration
    ) throws(WorldError) -> RoomSound? {
        guard mode == .real else { return nil }
        guard setting.material != nil else { throw .noVoices }
        return try RoomSound(
            of: installation.index,
            on: installation.phone.name,
            playout: playout,
            in: setting
        )
    }

    package func begin(on stage: inout Stage) {
        rooms.armWake(on: &stage)
    }
}
