import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld

/// Coaches in a world: phones on night tables, and the agents of sessions.
///
/// The app's own server gives tokens and nothing else here yet: nothing is preloaded or synced.
final class CoachSystem: WorldSystem {
    static let required: [any WorldSystem.Type] = [SessionSystem.self]

    private let seed: UInt64
    private let session: SessionSystem
    private var apps: [CoachApp] = []

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        seed = setting.seed
        session = setting.system(SessionSystem.self)
    }

    func app(_ settings: CoachAppPlan, _ installation: Installation) -> any PhoneApp {
        let app = CoachApp(settings, installation, seed: seed, over: session)
        if settings.isOnline { session.rooms.serve(app) }
        apps.append(app)
        return app
    }

    func begin(on stage: inout Stage) {
        for app in apps { app.begin(on: &stage) }
    }
}
