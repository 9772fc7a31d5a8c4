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
        /// Why the request before it failed, if it did.
        var cause: APIError?
    }

    /// A room object that is connecting.
    struct Attempt: Sendable, Equatable {
        let room: RoomID
        let operation: OperationID
        var until: Instant
        /// The remote tracks that came before the connect was answered.
        var remoteTracks = 0
    }

    /// Credentials and until when they can be used, by the phone's clock.
    struct Ticket: Sendable, Equatable {
        let credentials: RoomCredentials
        let expiresAt: WallTime
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
    /// How many remote audio tracks are subscribed; a new one may come before the old one goes.
    var remoteTracks: Int
    /// Since when no remote track has come, if none has since the object connected.
    var speechlessSince: Instant?
    /// Whether a quick reconnect was completed: after one the SDK sends no signal pings any more, so that
    /// it never notices when signalling dies again (client-sdk-swift 2.16, `Core/SignalClient.swift`).
    var hasResumed = false
    /// Whether signalling may be dead with nobody to notice: the interface changed after a resume.
    var isUnheard = false
    /// Whether voice was ever carried both ways.
    var hasLived = false
    /// Whether the renderer hears it.
    var isRendering = false
    /// Since when the SDK has been reconnecting, if it is.
    var resumingSince: Instant?
    /// Until when the user reads that the link is restored.
    var restoredUntil: Instant?
    /// The latest statistics.
    var statistics = RoomStatistics()
    /// When they came; growth in the next ones is later.
    var statisticsAt: Instant
    /// Whether the next statistics only say where counting begins.
    var awaitsBaseline = false

    init(id: RoomID, link: Link, remoteTracks: Int, at now: Instant) {
        self.id = id
        self.link = link
        self.remoteTracks = remoteTracks
        statisticsAt = now
        speechlessSince = remoteTracks > 0 ? nil : now
    }

    /// Since when a track has been missing that a connect should bring, either way.
    var unopenedSince: Instant? {
        guard let ours = microphone.unopenedSince else { return speechlessSince }
        return speechlessSince.map { min($0, ours) } ?? ours
    }

    /// Counts anew how long tracks are missing: what went before proves nothing.
    mutating func restartOpening(at now: Instant) {
        microphone.restartOpening(at: now)
        if speechlessSince != nil { speechlessSince = now }
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
    mutating func note(_ latest: RoomStatistics, at now: Instant) -> Bool {
        let previous = statistics
        statistics = latest
        statisticsAt = now
        guard !awaitsBaseline else {
            awaitsBaseline = false
            return false
        }
        return latest.consentResponses > previous.consentResponses
            || latest.packetsReceived > previous.packetsReceived
    }
}
