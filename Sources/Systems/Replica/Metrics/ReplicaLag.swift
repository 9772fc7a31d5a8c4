import KodamaEvidence

/// How long one app's rows and its primary's differ while it can exchange them.
struct ReplicaLag {
    /// What came to an end.
    struct Ended {
        /// From a return to the same rows on both sides.
        var lag: Span?
        /// Whether something else ended it: it would have lasted longer.
        var isCut = false
        /// A time in which they differed, and whether the run ended it.
        var difference: Span?
        var isOpen = false
    }

    /// Before this time, K-18's, a lag that something else than the run or the same rows ended is left out.
    static let due: Int64 = 5_000_000_000

    let app: ComponentIndex
    /// Whether both sides are equal; `nil` before the app has opened its file.
    private var isEqual: Bool?
    /// Since when it has been able to exchange rows.
    private var since: Int64?
    /// Whether it has not had the same rows since then.
    private var isReturning = false
    private var differsSince: Int64?

    init(_ app: ComponentIndex) {
        self.app = app
    }

    /// Since when the app has been able to exchange rows, if it is now.
    mutating func stand(since latest: Int64?, at now: Int64) -> Ended {
        guard latest != since else { return Ended() }
        // A new beginning without an end: what was before did not count.
        let ended = latest == nil ? stop(at: now) : Ended()
        since = latest
        isReturning = latest != nil && isEqual != true
        differsSince = isEqual == false ? latest : nil
        return ended
    }

    /// Both sides are the same from now on, or are not.
    mutating func compare(_ latest: Bool, at now: Int64) -> Ended {
        let before = isEqual
        isEqual = latest
        guard let since, before != latest else { return Ended() }
        guard latest else {
            differsSince = now
            return Ended()
        }
        let isLag = isReturning && before == false
        isReturning = false
        return Ended(
            lag: isLag ? Span(start: since, end: now) : nil,
            difference: endDifference(at: now)
        )
    }

    /// The app can exchange rows no more, or the run is over.
    mutating func stop(at now: Int64, isRunOver: Bool = false) -> Ended {
        var ended = Ended(difference: endDifference(at: now), isOpen: isRunOver)
        if let since, isReturning, isEqual == false {
            ended.lag = Span(start: since, end: now)
            ended.isCut = true
        }
        since = nil
        isReturning = false
        return ended
    }

    private mutating func endDifference(at now: Int64) -> Span? {
        defer { differsSince = nil }
        return differsSince.flatMap { $0 < now ? Span(start: $0, end: now) : nil }
    }
}
