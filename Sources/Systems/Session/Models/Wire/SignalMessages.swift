package import KodamaNetwork
import KodamaPhone

/// What a client says over the signal connection (LiveKit protocol, `livekit_rtc.proto`).
package enum SignalRequest: Sendable, Equatable {
    /// The upgrade request of the WebSocket with its join parameters; `participant` only to resume.
    case join(token: String, resuming: UInt32?)
    /// An offer for the publisher's transport; `id` ties the answer to it.
    case offer(id: UInt32, IceCredentials, restartsIce: Bool)
    /// The answer to the server's offer `id` for the subscriber's transport.
    case answer(id: UInt32, IceCredentials)
    /// Announces the microphone's track; `cid` is the client's number for it.
    case addTrack(cid: UInt32, isMuted: Bool)
    /// Mutes or unmutes a published track.
    case mute(track: UInt32, isMuted: Bool)
    /// What the client has, after a resume: its published tracks.
    case syncState(publishedTracks: [UInt32])
    /// Leaves; `CLIENT_INITIATED` unless the client says otherwise.
    case leave(DisconnectReason)
    /// A ping of the signal connection.
    case ping(number: UInt32)
}

/// What the server says over the signal connection.
package enum SignalResponse: Sendable, Equatable {
    /// The upgrade was refused with an HTTP status; the connection closes.
    case refused(statusCode: Int)
    /// The client has joined.
    case join(JoinResponse)
    /// The client has resumed.
    case reconnect(ReconnectResponse)
    /// An offer for the subscriber's transport; `tracks` are the remote tracks it carries.
    case offer(id: UInt32, IceCredentials, restartsIce: Bool, tracks: [UInt32])
    /// The answer to the client's offer `id` for the publisher's transport.
    case answer(id: UInt32, IceCredentials)
    /// The track `cid` is published as `track`.
    case trackPublished(cid: UInt32, track: UInt32)
    /// Who came, changed or left; nothing has become of whoever is missing.
    case participants([RemoteParticipant])
    /// Somebody else's track is muted or not.
    case mute(track: UInt32, isMuted: Bool)
    /// Leave, and what to do next.
    case leave(LeaveRequest)
    /// A token to use from now on.
    case refreshToken(String)
    /// The answer to a ping.
    case pong(number: UInt32)
}

/// What a client learns when it has joined.
package struct JoinResponse: Sendable, Equatable {
    /// The participant's session number, new with each join.
    var participant: UInt32
    /// The room's name.
    var room: String
    /// Who else is there.
    var others: [RemoteParticipant]
    /// How often the client pings.
    var pingInterval: Duration
    /// How long an answer may take.
    var pingTimeout: Duration
    /// Where the server takes media.
    var mediaAddress: SocketAddress
    /// Where it takes media by TCP, if it does (RFC 6544).
    var streamAddress: SocketAddress?

    /// Makes a response.
    init(
        participant: UInt32,
        room: String,
        others: [RemoteParticipant],
        pingInterval: Duration,
        pingTimeout: Duration,
        mediaAddress: SocketAddress,
        streamAddress: SocketAddress? = nil
    ) {
        self.participant = participant
        self.room = room
        self.others = others
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.mediaAddress = mediaAddress
        self.streamAddress = streamAddress
    }
}

/// What a client learns when it has resumed.
package struct ReconnectResponse: Sendable, Equatable {
    /// Where the server takes media.
    var mediaAddress: SocketAddress
    /// Where it takes media by TCP, if it does.
    var streamAddress: SocketAddress?

    /// Makes a response.
    init(mediaAddress: SocketAddress, streamAddress: SocketAddress? = nil) {
        self.mediaAddress = mediaAddress
        self.streamAddress = streamAddress
    }
}

/// Somebody else in the room.
package struct RemoteParticipant: Sendable, Equatable {
    /// The session number.
    var participant: UInt32
    /// The identity.
    var identity: String
    /// The published audio tracks.
    var tracks: [UInt32]
    /// Those of them that are muted (`TrackInfo.muted`).
    package var mutedTracks: [UInt32]
    /// Whether they have left: the state DISCONNECTED.
    var hasLeft: Bool

    /// Makes a participant.
    init(
        participant: UInt32,
        identity: String,
        tracks: [UInt32],
        mutedTracks: [UInt32] = [],
        hasLeft: Bool = false
    ) {
        self.participant = participant
        self.identity = identity
        self.tracks = tracks
        self.mutedTracks = mutedTracks
        self.hasLeft = hasLeft
    }
}

/// What the server asks of a client that is to leave.
package struct LeaveRequest: Sendable, Equatable {
    /// What to do next.
    enum Action: Int64, Sendable, Hashable, CaseIterable {
        /// Stay away.
        case disconnect
        /// Resume.
        case resume
        /// Join anew.
        case reconnect
    }

    /// What to do next.
    var action: Action
    /// Why.
    var reason: DisconnectReason

    /// Makes a request.
    init(_ action: Action, _ reason: DisconnectReason) {
        self.action = action
        self.reason = reason
    }
}

/// Why a participant left (LiveKit protocol, `livekit_models.proto`, `DisconnectReason`).
package enum DisconnectReason: Int64, Sendable, Hashable, CaseIterable {
    case unknownReason
    case clientInitiated
    case duplicateIdentity
    case serverShutdown
    case participantRemoved
    case roomDeleted
    case stateMismatch
    case joinFailure
    case migration
    case signalClose
    case roomClosed
    case userUnavailable
    case userRejected
    case sipTrunkFailure
    case connectionTimeout
}

extension SignalRequest: StreamContent {}
extension SignalResponse: StreamContent {}
