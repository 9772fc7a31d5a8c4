import SansIO

extension RealtimeSession {
    /// What a session does.
    ///
    /// Legal transitions: `disconnected` → `fetchingToken` or `connecting` → `connected`; from each of
    /// the three to `waiting` when it fails, and from there to an attempt again; from everywhere to
    /// `disconnected` when the conversation is not wanted any more.
    enum State: Sendable, Equatable {
        /// Nothing goes on; the app shows the stage; `resumes` if it goes on in front.
        case disconnected(SessionStage, resumes: Bool)
        /// A token is fetched; the error is what the request before it failed of, if it did.
        case fetchingToken(after: APIError?)
        /// A room object connects.
        case connecting(Attempt)
        /// A room object says that it is connected.
        case connected(LiveRoom)
        /// The next attempt is due at `until`; the error is what its predecessor failed of.
        case waiting(until: Instant, after: APIError?)
    }

    /// A room object that is connecting.
    struct Attempt: Sendable, Equatable {
        let room: RoomID
        let operation: OperationID
        let since: Instant
        var until: Instant
        /// The remote tracks that came before the connect was answered.
        var remoteTracks = 0
        /// When the interface changed first, if it did.
        var pathChangedAt: Instant?
        /// Whether no probe was answered when it began, nor since: its socket has not opened.
        var isInTheDark = false
    }

    /// Why an attempt waits that could begin.
    enum ServerRestraint: Sendable, Equatable {
        /// It does not.
        case none
        /// The server is away.
        case away
        /// The server is back, and all of its sessions know it.
        case spread
    }

    /// Credentials and until when they can be used, by the phone's clock and whatever that shows.
    struct Ticket: Sendable, Equatable {
        let credentials: RoomCredentials
        let expiresAt: WallTime
        let until: Instant
    }
}
