import KodamaEvidence

/// How long one app's rows and its primary's differ, in the time in which it can exchange them.
///
/// That time is counted over every break: what one stretch of it was too short for goes on in the next, so that
/// nothing goes uncounted for being slow.
struct ReplicaLag {
    /// Something that lasted, and how much of that the app could exchange rows.
    struct Stretch {
        var span: Span
        var usable: Int64
    }

    /// What came to an end, or the run did.
    struct Ended {
        /// From a return to the same rows on both sides.
        var lag: Stretch?
        /// A time in which they differed.
        var difference: Stretch?
        /// Whether it was the run that ended.
        var isOpen = false
    }

    private struct Beginning {
        var instant: Int64
        var usable: Int64
    }

    let app: ComponentIndex
    /// Whether both sides are equal; `nil` before the app has opened its file.
    private var isEqual: Bool?
    /// Since when it has been able to exchange rows.
    private var since: Int64?
    /// How long it could before that.
    private(set) var usableBefore: Int64 = 0
    /// When it returned and has not had the same rows since.
    private var lag: Beginning?
    private var difference: Beginning?
    /// How long the rows differed while it could, up to the last end of that; and when it last returned.
    private var differed: Int64 = 0
    private var differedBefore: Int64 = 0

    init(_ app: ComponentIndex) {
        self.app = app
    }

    /// For how long the app has been able to exchange rows in all.
    func usable(at now: Int64) -> Int64 {
        usableBefore + (since.map { max(0, now - $0) } ?? 0)
    }

    /// For how long of that its rows differed from the primary's.
    func differed(at now: Int64) -> Int64 {
        differed + (difference.map { usable(at: now) - $0.usable } ?? 0)
    }

    /// Since when the app has been able to exchange rows, if it is now.
    ///
    /// - Returns: Whether it could not before, though no record said so: that time does not count.
    mutating func stand(since latest: Int64?, at now: Int64) -> Bool {
        guard latest != since else { return false }
        let before = since
        guard let latest else {
            usableBefore = usable(at: now)
            since = nil
            return false
        }
        since = latest
        if let before {
            for beginning in [\Self.lag, \Self.difference]
            where self[keyPath: beginning].map({ $0.instant >= before }) ?? false {
                self[keyPath: beginning] = Beginning(instant: latest, usable: usableBefore)
            }
            differed = differedBefore
        }
        differedBefore = differed
        if isEqual != true, lag == nil {
            lag = Beginning(instant: latest, usable: usableBefore)
        }
        return before != nil
    }

    /// Both sides are the same from now on, or are not.
    mutating func compare(_ latest: Bool, at now: Int64) -> Ended {
        guard latest != isEqual else { return Ended() }
        // What is equal when it is first looked at has nothing to catch up with.
        if isEqual == nil, latest { lag = nil }
        isEqual = latest
        guard !latest else { return end(at: now) }
        difference = Beginning(instant: now, usable: usable(at: now))
        return Ended()
    }

    /// The run is over.
    mutating func stop(at now: Int64) -> Ended {
        if isEqual == nil { lag = nil }
        var ended = end(at: now)
        ended.isOpen = true
        return ended
    }

    private mutating func end(at now: Int64) -> Ended {
        func stretch(_ beginning: Beginning?) -> Stretch? {
            guard let beginning, usable(at: now) > beginning.usable else { return nil }
            let span = Span(start: beginning.instant, end: now)
            return Stretch(span: span, usable: usable(at: now) - beginning.usable)
        }
        let ended = Ended(lag: stretch(lag), difference: stretch(difference))
        differed = differed(at: now)
        (lag, difference) = (nil, nil)
        return ended
    }
}
