import KodamaEvidence

/// What one app shows of its replica, beside what is so.
struct ReplicaShowing {
    /// What came to an end.
    struct Ended {
        /// A time in which it showed what was not so.
        var wrong: Span?
        /// From when its schema was too old to its word that it is, or to where none could come.
        var outdated: Span?
        /// Whether the word did not come.
        var isUnsaid = false
        /// Whether the run ended it.
        var isOpen = false
    }

    let app: ComponentIndex
    private var status: ShownReplicaStatus?
    /// Whether its rows and the primary's are different.
    private var differs = false
    /// Whether its schema is older than the primary's.
    private var isOutdated = false
    /// Whether somebody could see what it shows.
    private var isSeen = false
    private var wrongSince: Int64?
    private var seenSince: Int64?
    /// For how long somebody could see what it shows, up to the last end of that.
    private(set) var seen: Int64 = 0
    /// For how long of that it was not so.
    private(set) var wrong: Int64 = 0
    /// Since when only its schema has kept it from exchanging rows.
    private var outdatedSince: Int64?
    /// Whether it has shown that since then.
    private var isReported = false

    init(_ app: ComponentIndex) {
        self.app = app
    }

    /// The app shows how its replica stands; `nil` of a process that has begun and shows nothing.
    mutating func show(_ latest: ShownReplicaStatus?, at now: Int64) -> Ended {
        status = latest
        var ended = judge(at: now)
        if latest == .outdated { ended.outdated = report(at: now) }
        return ended
    }

    /// Both sides are the same from now on, or are not.
    mutating func compare(_ isEqual: Bool, at now: Int64) -> Ended {
        differs = !isEqual
        return judge(at: now)
    }

    /// How the app stands from now on, as the records around it say.
    mutating func stand(_ footing: ReplicaFooting, at now: Int64) -> Ended {
        see(footing.isSeen(app), at: now)
        isOutdated = footing.isOutdated(app)
        var ended = judge(at: now)
        let latest = footing.outdatedSince(app)
        guard latest != outdatedSince else { return ended }
        ended.outdated = report(at: now)
        ended.isUnsaid = true
        outdatedSince = latest
        isReported = status == .outdated
        return ended
    }

    /// The run is over.
    mutating func stop(at now: Int64) -> Ended {
        see(false, at: now)
        var ended = judge(at: now)
        ended.outdated = report(at: now)
        (ended.isUnsaid, ended.isOpen) = (true, true)
        return ended
    }

    private mutating func see(_ latest: Bool, at now: Int64) {
        if isSeen, let seenSince { seen += now - seenSince }
        (isSeen, seenSince) = (latest, now)
    }

    private mutating func report(at now: Int64) -> Span? {
        guard let outdatedSince, !isReported else { return nil }
        isReported = true
        return Span(start: outdatedSince, end: now)
    }

    /// Whether what it shows is so; a process that nobody sees shows nothing.
    private mutating func judge(at now: Int64) -> Ended {
        let isWrong =
            switch status {
            case .synced: isSeen && differs
            case .outdated: isSeen && !isOutdated
            default: false
            }
        guard isWrong != (wrongSince != nil) else { return Ended() }
        defer { wrongSince = isWrong ? now : nil }
        if let wrongSince { wrong += now - wrongSince }
        return Ended(wrong: wrongSince.flatMap { $0 < now ? Span(start: $0, end: now) : nil })
    }
}
