import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// A player as the service knows it.
struct MatchPlayer: Sendable, Equatable {
    let id: UInt64
    let session: UInt64
    let info: [UInt8]
    var socket = SocketAddress(
        address: NetworkAddress(host: 0, interface: 0, lease: 0),
        port: 0
    )
    /// How often it has asked.
    var request: UInt32 = 0
    /// When something came from it last, and after how much silence it is dropped; `nil` if never.
    var heard: Instant
    var patience: Duration?
    /// When it is connected, while that takes time.
    var ready: Instant?
    /// Whether others who come are connected to it at once.
    var isReady = false
    var isDropped = false
    /// What its times are drawn from.
    var draws: RandomStream
    /// The second in which it sent last, and how many messages.
    private var second: Int64 = -1
    private var sentCount = 0

    init(id: UInt64, session: UInt64, info: [UInt8], heard: Instant, draws: RandomStream) {
        self.id = id
        self.draws = draws
        self.session = session
        self.info = info
        self.heard = heard
    }

    var deadline: Deadline? {
        guard !isDropped else { return nil }
        return Deadline.earliest(
            ready.map { Deadline($0, "set-up") },
            patience.map { Deadline(heard.advanced(by: $0), "silence") }
        )
    }

    /// Whether nothing but time lies between the two.
    func isSame(as other: MatchPlayer) -> Bool {
        id == other.id && session == other.session && info == other.info
    }

    func isSilent(at now: Instant) -> Bool {
        guard !isDropped, let patience else { return false }
        return heard.advanced(by: patience) <= now
    }

    /// Whether one more message goes in this second.
    mutating func mayUse(_ countMax: Int, at now: Instant) -> Bool {
        let present = now.nanoseconds / 1_000_000_000
        if second != present { (second, sentCount) = (present, 0) }
        sentCount += 1
        return sentCount <= countMax
    }
}

/// Two players who show the same.
struct MatchPair: Sendable, Equatable {
    /// The lesser and the greater of their numbers.
    let first: UInt64
    let second: UInt64
    /// What the way over the service takes.
    let relayDelay: Duration
    /// By which the pair draws the numbers of its connections.
    let stretch: UInt64
    /// The number of their connection, while it stands.
    var number: UInt64?
    /// How often each had asked when they were parted for good.
    var requestsAtParting: (first: UInt32, second: UInt32)?

    func joins(_ player: UInt64) -> Bool { player == first || player == second }

    func other(_ player: UInt64) -> UInt64 { player == first ? second : first }

    static func == (left: MatchPair, right: MatchPair) -> Bool {
        left.first == right.first && left.second == right.second
            && left.relayDelay == right.relayDelay && left.stretch == right.stretch
            && left.number == right.number
            && left.requestsAtParting?.first == right.requestsAtParting?.first
            && left.requestsAtParting?.second == right.requestsAtParting?.second
    }
}
