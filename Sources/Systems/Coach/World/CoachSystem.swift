import AppServer
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaSpeech
import KodamaWorld
import OpusAudio
import SansIO

/// Coaches in a world: phones on night tables, and the agents of sessions.
///
/// The app's own server gives tokens and takes the reports of accounts.
final class CoachSystem: WorldSystem {
    static let required: [any WorldSystem.Type] = [SessionSystem.self]

    private let seed: UInt64
    /// The voices where they are recorded, and who listens at the speakers.
    private let material: SpeechMaterial?
    private let isReal: Bool
    private let taps: [String: any SpeakerTap]
    private let session: SessionSystem
    private var apps: [CoachApp] = []
    private let ledgers = AccountLedgers()

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        seed = setting.seed
        material = setting.material
        isReal = setting.plan.voice == .real
        taps = setting.taps
        session = setting.system(SessionSystem.self)
    }

    func app(
        _ settings: CoachAppPlan,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp {
        let app = CoachApp(settings, installation, seed: seed, over: session, ledgers)
        if settings.isOnline { session.rooms.serve(app) }
        apps.append(app)
        if settings.hasSound, isReal { app.sound = try sound(of: app) }
        if let user = settings.account {
            let ledger = ledgers.ledger(of: user)
            (app.account.ledger, app.account.first) = (ledger, ledger)
            (app.account.user, app.account.storeUser) = (user, user)
            allow(settings.allowances)
            subscribe(app)
        }
        return app
    }

    private func sound(of app: CoachApp) throws(WorldError) -> CoachSound {
        guard let material else { throw .noVoices }
        do throws(OpusError) {
            return try CoachSound(material, words: app.words, tap: taps[app.phone.name])
        } catch {
            throw .codec(error.description)
        }
    }

    /// Has the app's own server allow its users so much.
    private func allow(_ allowances: AllowanceConfiguration) {
        session.api.settings.coach.metrics.count = Int64(allowances.events)
        session.api.settings.coach.reflections.count = Int64(allowances.reflections)
        session.api.settings.coach.wakeLinks.count = Int64(allowances.wakeLinks)
    }

    /// Opens the subscription of an app's account, if it has one that no other phone has opened.
    private func subscribe(_ app: CoachApp) {
        let billing = app.plan.billing
        guard billing.subscriber != .none, let ledger = app.account.ledger, ledger.billing == nil
        else { return }
        session.api.settings.coach.subscriptions = AppStore.verifier(of: seed)
        let store = AppStore(
            billing,
            originalID: String(ledger.account),
            seed: seed,
            start: session.api.wallTime(at: .zero)
        )
        ledger.billing = Billing(store)
    }

    func begin(on stage: inout Stage) {
        if !ledgers.all.isEmpty { session.api.add(AccountObserver(ledgers, at: session.api)) }
        for app in apps { app.signIn(on: &stage) }
        for app in apps { app.begin(on: &stage) }
    }
}
