import KodamaNetwork
import KodamaPhone

/// What a match service and the framework on a phone send each other, beside the app's own data.
enum MatchMessage: PacketPayload, Equatable {
    static var cargo: PacketCargo { .match }

    /// A player looks for all who show the same; repeated as long as that is so. `session` is drawn anew
    /// whenever the framework begins, `request` counts how often the app has asked, and `closed` are the
    /// connections that it has closed.
    case seeking(
        player: UInt64,
        session: UInt64,
        info: [UInt8],
        request: UInt32,
        closed: [UInt64]
    )
    /// The player has left.
    case leaving(player: UInt64)
    /// To whom the player is connected, as of its request of this number.
    case roster(request: UInt32, [MatchConnection])

    /// Its bytes on the wire by assumption: IPv4, UDP, DTLS and 32 bytes of the service's own.
    var wireBytes: Int {
        switch self {
        case .seeking(_, _, let info, _, let closed): 97 + 24 + info.count + 8 * closed.count
        case .leaving: 97
        case .roster(_, let connections): 97 + 16 * connections.count
        }
    }
}

/// A connection between two players of a match.
struct MatchConnection: Sendable, Hashable {
    /// Its number, which no other ever has.
    var number: UInt64
    /// Who is at the other end.
    var player: UInt64

    /// Names a connection.
    init(number: UInt64, player: UInt64) {
        self.number = number
        self.player = player
    }
}

/// A fact for a match service.
enum MatchServiceEvent: Sendable, Equatable {
    /// A player's framework sent something.
    case received(MatchMessage, from: SocketAddress)
}

/// An order of a match service.
enum MatchServiceEffect: Sendable, Equatable {
    /// Send this to a player's framework.
    case transmit(MatchMessage, to: SocketAddress)
}

/// What a match service does with a player's data.
enum MatchRelay: Sendable, Equatable {
    /// It goes on to the other player after so long.
    case passes(to: SocketAddress, after: Duration)
    /// It is thrown away.
    case refused(MatchRefusal)
}

/// Why a match service throws data away.
enum MatchRefusal: Int64, Sendable, Hashable, CaseIterable {
    /// No such connection stands, or it is not this player's.
    case unknown
    /// The message is longer than the service carries unreliably.
    case tooLarge
    /// The player sends more messages a second than the service carries.
    case tooMany
}

/// A fact for the match framework on a phone.
enum MatchClientEvent: Sendable, Equatable {
    /// The app looks for all who show the same; asked again, it looks anew for those who are missing.
    case sought(info: [UInt8])
    /// The app wants none of it any more.
    case stopped
    /// The phone has a way to the Internet, or none.
    case reachabilityChanged(isOnline: Bool)
    /// The service sent something.
    case received(MatchMessage)
    /// The app closed a connection; `isCut` keeps its player out for a while.
    case closed(connection: UInt64, isCut: Bool)
}

/// An order of the match framework on a phone, or news for the app.
enum MatchClientEffect: Sendable, Equatable {
    /// Send this to the service.
    case transmit(MatchMessage)
    /// Data passes between this player and another one.
    case connected(connection: UInt64, to: UInt64)
    /// A connection is gone.
    case lost(connection: UInt64)
    /// The service cannot be reached; nobody is looked for any more unless connections stand.
    case failed
}
