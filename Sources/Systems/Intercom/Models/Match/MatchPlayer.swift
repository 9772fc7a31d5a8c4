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
    /// When the agenda looks at it; `nil` if it doesn't.
    var planned: Instant?
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
