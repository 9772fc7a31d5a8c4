import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld

/// The guests of a run, and the relay between them; the app's own server, which they ask, is that of sessions.
final class GuestSystem: WorldSystem {
    static func serverNames(in plan: WorldPlan) -> [String] { [GuestRelay.componentName] }
    static let required: [any WorldSystem.Type] = [SessionSystem.self]

    let seed: UInt64
    let programs: Programs
    let relay: GuestRelay
    let session: SessionSystem
    private let setting: Setting
    private var apps: [GuestApp] = []
    /// Why the run counts for nothing: the first fault of a guest, after which none hears anything.
    private(set) var fault: WorldError?

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        self.setting = setting
        seed = setting.seed
        programs = setting.plan.systems.programs
        relay = GuestRelay(index: indices[0])
        session = setting.system(SessionSystem.self)
    }

    var servers: [any Component] { [relay] }

    func app(_ settings: GuestPlan, _ installation: Installation) -> any PhoneApp {
        let app = GuestApp(settings, installation, in: self)
        apps.append(app)
        return app
    }

    func end(on stage: inout Stage) {
        for app in apps { app.endProcess() }
    }

    var transcripts: [String: [String]] {
        Dictionary(uniqueKeysWithValues: apps.map { ($0.name, $0.transcript) })
    }

    /// Lets the run count for nothing.
    func fail(_ message: String) {
        guard fault == nil else { return }
        fault = .program(message)
        for app in apps { app.endProcess() }
    }

    /// The other phones with a guest, in the order of the scenario.
    func others(of phone: String) -> [GuestPeer] {
        let plan = setting.plan
        return plan.phones.indices.compactMap { position in
            let name = plan.phones[position].name
            guard name != phone, let app = setting.app(of: GuestPlan.self, onPhoneAt: position)
            else { return nil }
            return GuestPeer(
                name: name,
                socket: .peer(setting.phones[position].index, app: app),
                direction: direction(from: phone, to: name)
            )
        }
    }

    /// The direction of the link from one phone to another, if there is one.
    private func direction(from name: String, to other: String) -> Int? {
        for (link, ends) in setting.plan.links.enumerated() {
            if ends.first == name, ends.second == other { return 2 * link }
            if ends.second == name, ends.first == other { return 2 * link + 1 }
        }
        return nil
    }
}

/// Another phone with a guest, as one reaches it.
struct GuestPeer {
    let name: String
    /// Where datagrams over the link go.
    let socket: SocketAddress
    /// The link's outgoing direction, if there is a link.
    let direction: Int?
}
