import SansIO

extension RealtimeSession {
    /// What a session does.
    ///
    /// Legal transitions: `disconnected` → `fetchingToken` or `connecting` → `connected`; from each of
    /// the three to `waiting` when it fails, and from there to an attempt again; from everywhere to
    /// `disconnected` when the conversation is not wanted any more.
    enum State: Sendable, Equatable {
        /// Nothing goes on; the app shows the stage. `resumes` if it goes on in front.
        case disconnected(SessionStage, resumes: Bool)
        /// A token is fetched.
        case fetchingToken(TokenRequest)
        /// A room object connects.
        case connecting(Attempt)
        /// A room object says that it is connected.
        case connected(LiveRoom)
        /// The next attempt is due at `until`; the error is what its predecessor failed of.
        case waiting(until: Instant, after: APIError?)
    }

    /// A token that is being fetched.
    struct TokenRequest: Sendable, Equatable {
        let operation: OperationID
        /// When it was asked for: the token's life is counted from here, which is never too late.
        let since: Instant
        var until: Instant
    }

    /// A room object that is connecting.
    struct Attempt: Sendable, Equatable {
        let room: RoomID
        let operation: OperationID
        var until: Instant
        /// Whether the remote track came before the connect was answered.
        var hasRemoteAudio = false
    }

    /// Credentials and how long they can be used.
    struct Ticket: Sendable, Equatable {
        let credentials: RoomCredentials
        let expiresAt: Instant
    }
}

/// A room object that is connected, and what is known of it.
struct LiveRoom: Sendable, Equatable {
    /// Whether voice can be carried.
    enum Link: Sendable, Equatable {
        /// Signs of life came in; the next one is due before `until`, if anybody watches.
        case live(until: Instant?)
        /// None has come in since `since`; the object is given up at `until`, if ever.
        case lost(since: Instant, until: Instant?)
    }

    let id: RoomID
    var link: Link
    var microphone = MicrophoneControl()
    /// Whether the remote audio track is subscribed.
    var hasRemoteAudio: Bool
    /// Whether the renderer hears it.
    var isRendering = false
    /// Since when the SDK has been reconnecting, if it is.
    var resumingSince: Instant?
    /// Until when the user reads that the link is restored.
    var restoredUntil: Instant?
    /// The latest statistics.
    var statistics = RoomStatistics()
    /// Whether the next statistics only say where counting begins.
    var awaitsBaseline = false

    init(id: RoomID, link: Link, hasRemoteAudio: Bool) {
        self.id = id
        self.link = link
        self.hasRemoteAudio = hasRemoteAudio
    }

    /// Whether no voice can be carried.
    var isLost: Bool {
        switch link {
        case .live: false
        case .lost: true
        }
    }

    /// When the link's state is to be doubted.
    var linkDeadline: Instant? {
        switch link {
        case .live(let until), .lost(_, let until): until
        }
    }

    var deadline: Deadline? {
        var earliest = linkDeadline.map { Deadline($0, isLost ? "give up" : "silence") }
        earliest = .earliest(earliest, restoredUntil.map { Deadline($0, "restored") })
        return .earliest(earliest, microphone.deadline)
    }

    /// Brings the instant at which the link's state is doubted forward, never back.
    mutating func shorten(to until: Instant) {
        switch link {
        case .live(let present): link = .live(until: present.map { min($0, until) })
        case .lost(let since, let present):
            link = .lost(since: since, until: present.map { min($0, until) })
        }
    }

    /// Takes statistics; returns whether they show a sign of life since the ones before.
    mutating func note(_ latest: RoomStatistics) -> Bool {
        let previous = statistics
        statistics = latest
        guard !awaitsBaseline else {
            awaitsBaseline = false
            return false
        }
        return latest.consentResponses > previous.consentResponses
            || latest.packetsReceived > previous.packetsReceived
    }
}
