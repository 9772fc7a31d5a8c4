import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSimulation
import KodamaWorld

/// Coaches in a world: phones on night tables.
///
/// There are no servers in it yet, so that nothing is preloaded and the guide is the phone's own.
final class CoachSystem: WorldSystem {
    private let seed: UInt64
    private var apps: [CoachApp] = []

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        seed = setting.seed
    }

    func app(_ settings: CoachAppPlan, _ installation: Installation) -> any PhoneApp {
        let app = CoachApp(settings, installation, seed: seed)
        apps.append(app)
        return app
    }

    func begin(on stage: inout Stage) {
        for app in apps { app.begin(on: &stage) }
    }
}
