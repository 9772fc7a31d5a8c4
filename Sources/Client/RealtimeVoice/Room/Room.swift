public import SansIO

/// Names one room object of the SDK; the session may let go of one and make another.
@frozen
public struct RoomID: Sendable, Hashable, BitwiseCopyable {
    /// The object's number within its session, from 1.
    public var number: UInt32

    /// Names room object `number`.
    @inlinable
    public init(number: UInt32) {
        self.number = number
    }
}

/// What the session orders of a room object of the LiveKit SDK.
public enum RoomCommand: Sendable, Equatable {
    /// Makes the object and registers the session as its delegate, before anything else (RS-04).
    case create
    /// Connects; answered by `RoomCallback.connectFinished`.
    case connect(OperationID, url: String, token: String, ConnectOptions)
    /// Publishes the microphone's track, or mutes it; answered by `.microphoneFinished`.
    case setMicrophone(OperationID, isEnabled: Bool)
    /// Lets the remote audio renderer hear the remote track.
    case startRenderer
    /// Takes the renderer off the remote track and stops it.
    case stopRenderer
    /// Leaves the room, with a leave for the server if it can be told: `CLIENT_INITIATED`, upon which
    /// an agent closes its session.
    ///
    /// Answered by `.disconnectFinished`.
    case disconnect(OperationID)
    /// Opens signalling anew and keeps everything else: a quick reconnect, told by its callbacks.
    ///
    /// An object that reconnects already, or is not connected, does nothing.
    ///
    /// In the SDK `Room.debug_simulate(scenario: .quickReconnect)` does it (client-sdk-swift,
    /// `Core/Room+Debug.swift`).
    case resume
    /// Lets go of the object without a leave: its sockets close, and a later connect of the same
    /// identity evicts what the server still holds, which leaves the agent alone.
    ///
    /// The SDK has no such call; its `disconnect()` sends a leave first (client-sdk-swift,
    /// `Core/Room.swift`). A binding MUST cut the object's connection before it lets go, or else every
    /// retry while signalling lives ends the agent's session.
    case release
}

/// What a room object of the LiveKit SDK tells its delegate, or answers.
public enum RoomCallback: Sendable, Equatable {
    /// `connect` returned or threw.
    case connectFinished(OperationID, RoomError?)
    /// `setMicrophone` returned or threw.
    case microphoneFinished(OperationID, RoomError?)
    /// `disconnect` returned.
    case disconnectFinished(OperationID)
    /// `room(_:didUpdateConnectionState:from:)`.
    case connectionStateChanged(ConnectionState, from: ConnectionState)
    /// `roomDidConnect`.
    case connected
    /// `room(_:didFailToConnectWithError:)`.
    case failedToConnect(RoomError)
    /// `room(_:didDisconnectWithError:)`; without an error if the app asked for it.
    case disconnected(RoomError?)
    /// `roomIsReconnecting`; a full reconnect only.
    case reconnecting
    /// `roomDidReconnect`; a full reconnect only.
    case reconnected
    /// `room(_:didStartReconnectWithMode:)`.
    case reconnectStarted(ReconnectMode)
    /// `room(_:didUpdateReconnectMode:)`.
    case reconnectModeChanged(ReconnectMode)
    /// `room(_:didCompleteReconnectWithMode:)`; known to come after a failure too.
    case reconnectCompleted(ReconnectMode)
    /// `room(_:participantDidConnect:)`.
    case remoteParticipantConnected
    /// `room(_:participantDidDisconnect:)`.
    case remoteParticipantDisconnected
    /// `room(_:participant:didSubscribeTrack:)` of an audio track.
    case remoteAudioSubscribed
    /// `room(_:participant:didUnsubscribeTrack:)` of an audio track.
    case remoteAudioUnsubscribed
    /// The statistics of all tracks, summed by the binding, once a second.
    ///
    /// The SDK tells them by `track(_:didUpdateStatistics:simulcastStatistics:)`, and those of remote tracks
    /// only with `RoomOptions.reportRemoteTrackStatistics` (client-sdk-swift, `Track/Track.swift`).
    case statistics(RoomStatistics)
}

/// The SDK's connection states (client-sdk-swift, `Types/ConnectionState.swift`).
public enum ConnectionState: Int64, Sendable, Hashable, CaseIterable {
    case disconnected
    case connecting
    case reconnecting
    case connected
    case disconnecting
}

/// How the SDK reconnects (client-sdk-swift, `Types/ReconnectMode.swift`).
public enum ReconnectMode: Int64, Sendable, Hashable, CaseIterable {
    /// Resume: same participant, ICE restarted.
    case quick
    /// Restart: everything is closed and joined anew.
    case full
}

/// Why a room operation failed or a room was left (client-sdk-swift, `Errors.swift`).
public enum RoomError: Int64, Sendable, Hashable, CaseIterable, Error {
    /// The server refused the token or the request: HTTP 4xx except 404 and 429, first connect only.
    case validation
    /// HTTP 404.
    case serviceNotFound
    /// HTTP 5xx or 429, a transport error that is no refusal, or any failure of a reconnect.
    case network
    /// A time-out of a step.
    case timedOut
    /// An order that the object's state does not allow.
    case invalidState
    /// Another participant joined with the same identity.
    case duplicateIdentity
    /// The server was stopped.
    case serverShutdown
    /// The participant was removed.
    case participantRemoved
    /// The room was deleted.
    case roomDeleted
    /// The server's idea of the participant and the client's differ.
    case stateMismatch
    /// The join did not complete.
    case joinFailure
    /// Signal pings stayed unanswered.
    case serverPingTimedOut
    /// Any other reason of the server's.
    case unknown
    /// The app gave up the operation.
    case cancelled
    /// The host reset the socket before it said anything; first connect only.
    ///
    /// To the SDK a transport error. Below it, down `LiveKitError.internalError`, lies the system's
    /// `NSURLErrorCannotConnectToHost` or `NSURLErrorNetworkConnectionLost`, whose stream error is
    /// `ECONNREFUSED` or `ECONNRESET` (client-sdk-swift, `Core/SignalClient.swift`). Versions that
    /// keep no such error leave a binding with `network`: a refusing server is then not told from a
    /// dead path.
    case refused
}

/// What the SDK's statistics say once a second; counts run since the object was made.
///
/// The fields are WebRTC's: `candidate-pair.responsesReceived` (consent checks, RFC 7675),
/// `candidate-pair.requestsReceived`, `inbound-rtp.packetsReceived`, `outbound-rtp.packetsSent` and `bytesSent`,
/// `candidate-pair.currentRoundTripTime`.
public struct RoomStatistics: Sendable, Equatable {
    /// Consent checks that the other side answered, over all transports.
    public var consentResponses: Int64 = 0
    /// Checks that the server sent to the transport by which voice comes in, over all of its pairs.
    ///
    /// `nil` where the binding does not count them.
    public var serverChecks: Int64?
    /// How often a transport went over to another pair of addresses, over all of them
    /// (`selectedCandidatePairChanges`, W3C Identifiers for WebRTC's Statistics API, §8.19).
    ///
    /// `nil` where the binding does not count them.
    public var pairChanges: Int64?
    /// Audio packets that came in; `nil` where the binding does not count them.
    public var packetsReceived: Int64?
    /// Audio packets that went out.
    public var packetsSent: Int64 = 0
    /// Their payload in bytes; `nil` where the binding does not count it.
    public var bytesSent: Int64?
    /// The latest round trip of a consent check, if there was one.
    public var roundTrip: Duration?
    /// How many others the room object believes to be in the room (`Room.remoteParticipants`); `nil` where
    /// the binding does not say.
    public var othersPresent: Int?
    /// How many remote audio tracks are subscribed and not known to be muted (`TrackPublication.isMuted`);
    /// `nil` where the binding does not say.
    public var audibleTracks: Int?

    /// Makes statistics of nothing.
    public init() {}
}
