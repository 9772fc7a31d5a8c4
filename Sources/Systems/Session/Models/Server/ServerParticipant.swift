import AppServer
import KodamaNetwork
import KodamaPhone
import SansIO

/// What the server keeps of one participant who is no agent (livekit/livekit, `pkg/rtc/participant.go`).
struct ServerParticipant: Timed {
    /// A published track.
    struct Track: Sendable, Equatable {
        var number: UInt32
        var clientID: UInt32
        var isMuted: Bool
    }

    /// An offer of the server's that waits for its answer.
    struct Offer: Sendable, Equatable {
        var id: UInt32
        var generation: UInt16
        var tracks: [UInt32]
        var answerBy: Instant
    }

    /// A participant publishes at most so many tracks; a track's number names its participant.
    static let tracksMax: UInt32 = 16

    /// The session number.
    let number: UInt32
    /// The number of the room.
    let room: UInt32
    /// What the token said.
    let claims: AccessToken.Claims

    /// The number of the signal connection, if there is one.
    var connection: UInt32?
    /// When the client said anything last: what was told it before it is taken to know.
    var signalledAt = Instant.zero
    var publisher: ServerTransport
    var subscriber: ServerTransport
    var tracks: [Track] = []
    var tracksMade: UInt32 = 0

    /// Whether the primary transport was connected once: ACTIVE.
    var isActive = false
    /// Until when that must have happened; `nil` if it need not.
    var activeBy: Instant?
    /// When a participant whose media failed is closed.
    var cleanupAt: Instant?
    /// When the subscriber's transport is closed to let a migration go on.
    var migratesAt: Instant?
    /// When a fresh token is due.
    var refreshAt: Instant?

    /// The offer that waits for its answer.
    var offer: Offer?
    var offersMade: UInt32 = 0
    /// The generation that was offered last.
    var offeredGeneration: UInt16 = 0
    /// Whether another offer is due as soon as this can be.
    var owesOffer = false
    /// The remote tracks that were agreed.
    var subscribedTracks: [UInt32] = []
    /// The number of the client's latest offer.
    var publisherOffer: UInt32 = 0

    init(
        number: UInt32,
        room: UInt32,
        claims: AccessToken.Claims,
        configuration: RoomServerConfiguration
    ) {
        self.number = number
        self.room = room
        self.claims = claims
        publisher = ServerTransport(configuration)
        subscriber = ServerTransport(configuration)
    }

    /// The identity: how rooms tell participants apart.
    var identity: String { claims.identity }

    /// A permission that the token does not name is given (livekit/protocol, `auth/grants.go`).
    var mayPublish: Bool { claims.video.canPublish ?? true }

    /// As for publishing.
    var maySubscribe: Bool { claims.video.canSubscribe ?? true }

    /// Whether ICE of any transport was ever connected.
    var hasConnected: Bool { publisher.hasConnected || subscriber.hasConnected }

    /// One of the two peer connections.
    subscript(target: TransportTarget) -> ServerTransport {
        _read {
            switch target {
            case .publisher: yield publisher
            case .subscriber: yield subscriber
            }
        }
        _modify {
            switch target {
            case .publisher: yield &publisher
            case .subscriber: yield &subscriber
            }
        }
    }

    var deadline: Deadline? {
        var earliest = Deadline.earliest(publisher.deadline, subscriber.deadline)
        earliest = .earliest(earliest, cleanupAt.map { Deadline($0, "clean-up") })
        earliest = .earliest(earliest, activeBy.map { Deadline($0, "join") })
        earliest = .earliest(earliest, (offer?.answerBy).map { Deadline($0, "negotiation") })
        earliest = .earliest(earliest, migratesAt.map { Deadline($0, "migration") })
        return .earliest(earliest, refreshAt.map { Deadline($0, "token refresh") })
    }

    /// The number of the participant that published a track.
    static func number(publishing track: UInt32) -> UInt32 { track / tracksMax }

    /// The number of a participant's track, counted from 0.
    static func track(_ index: UInt32, of number: UInt32) -> UInt32 { number * tracksMax + index }
}
