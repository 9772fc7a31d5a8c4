@testable import KodamaIntercom
@testable import KodamaSimulation
import GroupSecurity
import SansIO
import SansIOTesting

/// Two phones' sessions, face to face over a radio that a test can cut.
struct NearbyPair {
    /// What happened at one of the two.
    struct News: Equatable {
        var at: Instant
        var phone: Int
        var effect: NearbyEffect
    }

    private(set) var sessions: [NearbySession]
    private(set) var now = Instant.zero
    private(set) var news: [News] = []
    /// What each phone has sent to all who listen, from the beginning.
    private(set) var sent: [(at: Instant, phone: Int, message: NearbyMessage)] = []
    /// Whether what is sent now arrives.
    var isCut = false
    private var onWay: [(due: Instant, to: Int, message: NearbyMessage)] = []

    static let info: [UInt8] = [1, 2, 3]

    init(_ configuration: NearbyConfiguration = NearbyConfiguration(), seed: UInt64 = 1) {
        sessions = (0..<2).map { phone in
            NearbySession(
                configuration: configuration,
                host: UInt32(phone),
                random: RandomStream(seed: seed, purpose: "nearby", entity: "\(phone)")
            )
        }
    }

    mutating func hear(_ event: NearbyEvent, at phone: Int) {
        perform(sessions[phone].handle(event, at: now), of: phone)
    }

    mutating func beginBoth() {
        for phone in 0..<2 { hear(.began(info: Self.info), at: phone) }
    }

    static let group: GroupCredential = {
        var entropy = Entropy(seed: 1, label: "nearby")
        return GroupCredential(id: GroupID(high: 1, low: 2), secret: GroupSecret(entropy: &entropy))
    }()

    /// A phone shows a sign of the group's in a period.
    mutating func show(in period: Int64, at phone: Int) {
        var entropy = Entropy(seed: UInt64(bitPattern: period), label: "sign of \(phone)")
        let period = SignPeriod(number: period)
        let sign = Self.group.hash.sign(in: period, drawing: &entropy)
        let sought = SoughtGroup(hash: Self.group.hash, period: period)
        hear(.began(info: sign, group: sought), at: phone)
    }

    mutating func run(to end: Duration) {
        let end = Instant.zero.advanced(by: end)
        while true {
            var next = onWay.map(\.due).min()
            for session in sessions {
                guard let deadline = session.deadline?.instant else { continue }
                next = min(next ?? deadline, deadline)
            }
            guard let next, next <= end else { break }
            now = next
            let due = onWay.filter { $0.due <= now }
            onWay.removeAll { $0.due <= now }
            for packet in due {
                hear(.received(packet.message, from: UInt32(1 - packet.to)), at: packet.to)
            }
            for phone in 0..<2 {
                guard let deadline = sessions[phone].deadline, deadline.instant <= now else {
                    continue
                }
                perform(sessions[phone].wake(at: now), of: phone)
            }
        }
        now = end
    }

    /// What happened at a phone, without what was sent.
    func news(of phone: Int) -> [News] { news.filter { $0.phone == phone } }

    private mutating func perform(_ effects: [NearbyEffect], of phone: Int) {
        for effect in effects {
            if case .transmit(let message, _) = effect {
                sent.append((now, phone, message))
                guard !isCut else { continue }
                onWay.append((now.advanced(by: .milliseconds(8)), 1 - phone, message))
            } else {
                news.append(News(at: now, phone: phone, effect: effect))
            }
        }
    }
}
