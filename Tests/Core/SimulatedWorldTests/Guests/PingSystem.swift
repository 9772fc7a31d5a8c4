@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaPhone
@testable import KodamaWorld
import SansIO

// A system that the product does not have: phones that ping one another through a relay. All of it is
// in this file; the shared code knows nothing of it, and gets it as values.

// MARK: The record and the metric

/// A ping reached the app of the phone that it was meant for.
struct PingHeard: TraceForm {
    /// Its number among those of its sender.
    var number: Int64
    /// When it was sent.
    var sent: Instant

    static let kind = TraceKind(SystemID(200), 0)
    static let text = TraceFormText("ping.heard", .milestone, "It came.", "number", "sent_ns")
}

/// How long pings take.
struct PingMeter: SystemMeter {
    private var time = Measure.time(
        "ping.time",
        "From a ping's sending to its arrival.",
        "The test"
    )

    init(_ directory: TraceDirectory) {}

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for record in records where record.kind == PingHeard.kind {
            let way = PingHeard(record).sent.duration(to: record.instant)
            time.add(way.wholeNanoseconds, at: Occurrence(record))
        }
    }

    var metrics: [any AnyMeasure] { [time] }
}

extension EvidenceSystem {
    /// Pings.
    static let ping = EvidenceSystem(SystemID(200), forms: [PingHeard.self], meter: PingMeter.self)
}

// MARK: The words of the language

/// The ping app on a phone.
struct PingAppPlan: AppSettings {
    static let system = "ping"

    /// The phone that is pinged.
    var partner = ""
    var configuration = PingConfiguration()
}

/// What can be tuned.
struct PingConfiguration: Tunable {
    var interval: Duration = .seconds(1)
}

/// What can be done to the app.
enum PingAct: SystemAct {
    /// So many pings go out at once.
    case burst(Int)
}

extension Vocabulary {
    /// Pings.
    static let ping: Vocabulary = {
        var vocabulary = Vocabulary(of: PingAppPlan.system)
        vocabulary.app = AppShape(
            of: PingAppPlan.system,
            "Pings another phone.",
            fields: [Field("partner", .name, .refused, "The phone that is pinged.")],
            read: { body, tuning, _ in
                PingAppPlan(
                    partner: body["partner"]?.text ?? "",
                    configuration: tuning[PingConfiguration.self]
                )
            }
        )
        let phone = NameKind.phoneRunning(PingAppPlan.system)
        let fields = [
            Field("of", .reference(phone), .refused, "Whose."),
            Field("count", .integer(1...100, step: 1), .refused, "How many."),
        ]
        let burst = Verb("burst", "Many pings go out at once.", of: fields) { body, builder in
            let phone = builder.refer(body["of"], to: phone)
            guard let phone, let count = body["count"]?.number else { return nil }
            let app = AppPlan.component(PingAppPlan.system, on: phone)
            return Deed(TimedAct(PingAct.burst(Int(count)), to: app))
        }
        vocabulary.verbs = [burst]
        vocabulary.servers = ["relay"]
        let interval = Parameter.duration(
            "ping.interval",
            \PingConfiguration.interval,
            .milliseconds(100)...(.seconds(60)),
            meaning: "The time between two pings.",
            source: "The test"
        )
        vocabulary.parameters = ParameterCatalog([interval]).scoped(.app(PingAppPlan.system))
        return vocabulary
    }()
}

// MARK: The app and the relay

/// The app: it pings its partner through the relay, again and again.
final class PingApp: PhoneApp {
    enum Word: UInt8 {
        /// The next ping is due.
        case ping
    }

    let installation: Installation
    private let settings: PingAppPlan
    private let system: PingSystem
    private var sentCount: Int64 = 0

    init(_ settings: PingAppPlan, _ installation: Installation, of system: PingSystem) {
        (self.settings, self.installation, self.system) = (settings, installation, system)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        if case .launched = news { schedule(.ping, after: .zero, on: &stage) }
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        guard phase == .running else { return }
        send(on: &stage)
        schedule(.ping, after: settings.configuration.interval, on: &stage)
    }

    func send(on stage: inout Stage) {
        guard let address = phone.addresses.first,
            let partner = system.phones.first(where: { $0.name == settings.partner })?.host
        else { return }
        sentCount += 1
        let now = stage.now
        let ping = MediaFrame(track: partner, sequence: sentCount, captured: now, isSpeech: false)
        let source = SocketAddress(address: address, port: firstPort)
        stage.send(Packet(from: source, to: system.relay.socket, wireBytes: 60, .media(ping)))
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .media(let ping) = packet.content else { return }
        note(PingHeard(number: ping.sequence, sent: ping.captured), on: &stage)
    }

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard case .burst(let count) = act as? PingAct else { return }
        for _ in 0..<count { send(on: &stage) }
    }
}

/// The relay, in the Internet: it passes a ping on to where its receiver was heard from last.
final class PingRelay: Component {
    let name = "relay"
    let index: ComponentIndex
    private var sockets: [UInt32: SocketAddress] = [:]

    init(index: ComponentIndex) {
        self.index = index
    }

    var socket: SocketAddress {
        let address = NetworkAddress(host: index.index, interface: 0, lease: 0)
        return SocketAddress(address: address, port: 7)
    }

    func receive(_ packet: Packet, on stage: inout Stage) {
        sockets[packet.source.address.host] = packet.source
        guard case .media(let ping) = packet.content, let receiver = sockets[ping.track] else {
            return
        }
        stage.send(Packet(from: socket, to: receiver, wireBytes: 60, packet.content))
    }
}

/// The system's part in a world.
final class PingSystem: WorldSystem {
    static func serverNames(in plan: WorldPlan) -> [String] { ["relay"] }
    let relay: PingRelay
    let phones: [Phone]

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        relay = PingRelay(index: indices[0])
        phones = setting.phones
    }

    var servers: [any Component] { [relay] }

    func app(_ settings: PingAppPlan, _ installation: Installation) -> any PhoneApp {
        PingApp(settings, installation, of: self)
    }
}

extension KodamaSystem {
    /// Pings, with all that they bring.
    static let ping = KodamaSystem(
        "ping",
        evidence: .ping,
        vocabulary: .ping,
        host: PingSystem.self
    )
}
