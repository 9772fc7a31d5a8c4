import AppServer
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld

/// Calls in a world: the push service, the app server's provider of pushes, and the apps.
///
/// The app's own server and the room server are those of sessions.
final class CallSystem: WorldSystem {
    static func serverNames(in plan: WorldPlan) -> [String] { CallServicesPlan.componentNames }
    static let required: [any WorldSystem.Type] = [SessionSystem.self]

    /// The app's bundle identifier, and the topic of its VoIP pushes.
    static let bundleID = "example.kodama.calls"
    static let topic = bundleID + ".voip"
    /// How long something takes between two servers: 10 ms one way, an assumption for two sites of one
    /// continent.
    static let serverDelay = Duration.milliseconds(10)

    let session: SessionSystem
    let desk: CallDesk
    private let push: PushServer
    private let provider: PushSender

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        session = setting.system(SessionSystem.self)
        desk = CallDesk(of: session.api)
        push = PushServer(
            setting.plan.callServices.push,
            in: setting,
            index: indices[1],
            desk: desk
        )
        provider = PushSender(in: setting, index: indices[0], desk: desk, service: push)
        push.join(provider)
        desk.join(provider)
        session.api.add(desk)
    }

    var servers: [any Component] { [provider, push] }

    func app(
        _ settings: CallAppPlan,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp {
        let sound = try session.sound(of: installation, playout: settings.sdk.playoutDelay)
        let app = CallApp(settings, installation, of: self, sound: sound)
        session.api.signIn(settings.user, to: installation)
        desk.add(app)
        session.rooms.serve(app)
        installation.phone.courier = PushCourier(
            of: installation.phone,
            to: push.socket,
            topics: [installation.id: Self.topic]
        )
        return app
    }

    func begin(on stage: inout Stage) {
        push.armWake(on: &stage)
        provider.armWake(on: &stage)
    }
}
