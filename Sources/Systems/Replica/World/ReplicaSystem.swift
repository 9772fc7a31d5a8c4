import AppServer
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld

/// Replicas in a world: the users' primaries at the app's own server, and the apps that replicate them.
///
/// The server is that of sessions.
final class ReplicaSystem: WorldSystem {
    static func serverNames(in plan: WorldPlan) -> [String] { ReplicaServicesPlan.componentNames }
    static let required: [any WorldSystem.Type] = [SessionSystem.self]

    let session: SessionSystem
    let desk: PrimaryDesk

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        session = setting.system(SessionSystem.self)
        desk = PrimaryDesk(of: session.api, index: indices[0])
        let figures = setting.plan.replicaServices
        session.api.settings.databaseTokenTimeToLive = figures.tokenTimeToLive
        session.api.settings.durabilityDelay = figures.durabilityDelay
        session.api.settings.databaseLogChangesMax = figures.logChangesMax
        session.api.add(desk)
    }

    var servers: [any Component] { [desk] }

    func app(_ settings: ReplicaAppPlan, _ installation: Installation) -> any PhoneApp {
        let app = ReplicaApp(settings, installation, of: self)
        if settings.isSignedIn { session.api.signIn(settings.user, to: installation) }
        desk.add(app)
        return app
    }

    func end(on stage: inout Stage) {
        for app in desk.apps { app.noteEnd(on: &stage) }
    }
}
