import KodamaEvidence

/// A time during which the user wants the conversation and two-way audio is absent.
struct Absence: Sendable {
    /// What a wait for two-way audio came to, with the time that it took.
    enum Wait: Sendable {
        /// There was audio.
        case ended(Span)
        /// The wish or the run was over before.
        case censored(Span)
        /// It does not count, for a reason.
        case excluded(Span, String)
    }

    /// How it came about.
    enum Origin: Sendable {
        /// The app was launched.
        case launch
        /// The user came back or asked anew.
        case resume
        /// There was two-way audio, and it was lost.
        case loss
    }

    /// A time without a usable path; shorter usable times than `SessionBounds.usableMin` do not end it.
    struct Outage: Equatable, Sendable {
        var lost: Int64
        /// `Span.future` if it outlasts the run.
        var usable: Int64

        var length: Int64 { usable - lost }
    }

    var origin: Origin
    /// When it counts from: the path's loss if that led to it, else when the audio stopped.
    var start: Int64
    /// When the audio stopped, or began to be wanted.
    var silentFrom: Int64
    /// When there was a path first: at its beginning, or when the outage ended that it began in.
    var pathFrom: Int64
    /// When both sides heard each other again, or the wish or the run ended.
    var end: Int64
    /// Whether it ended without audio: its length is the least that it would have been.
    var isOpen: Bool
    /// Whether it was the run's end that it ended with.
    var isCutByRun = false
    /// When in it the app could only wait for its user.
    var awaited: Spans
    /// Whether at its end the app could only wait for its user, or to be asked for again.
    var awaitsUser = false
    /// When in it the app waited for its own server, which was gone, or for the room server, which
    /// let nobody in.
    var unserved: Spans
    /// The outages in it, in order.
    var outages: [Outage]
    /// The longest time in it during which the path was usable, and the one that it ended with, without
    /// the time that the app waited for its own server, which was gone, or could only wait for its user.
    var servedTimes: (longest: Int64, last: Int64)

    /// What the app could not do without, and had not.
    struct Excuses: Sendable {
        /// When there was no usable path.
        var outages: Spans
        /// When the app waited for its own server, which was gone.
        var unserved: Spans
        /// When it waited for the room server, which let nobody in.
        var refused: Spans
        /// When it could only wait for its user.
        var awaited: Spans
        /// When it could not read who it is or start its engine, and waited to be asked for again.
        var unread: Spans
        /// When no agent was called to its rooms, and none was there.
        var unattended: Spans
        /// When it held no room and the radio by which the system has it connect was dead.
        var stranded: Spans
        /// How long sound may be under way.
        var delay = AudioLine.delayMax
    }

    /// Of an app that waits for its user at the end, less than this of its own time is none (K-02).
    private static let ownTimeMin: Int64 = 3_000_000_000

    /// The app's own time from `from` to its end; time in `excused` is not its own either.
    ///
    /// One that ended without audio is censored: it would have taken longer. A user who gives up before the path
    /// is back has waited for nothing of the app's.
    func time(from: Int64, excused: Spans = Spans()) -> Wait {
        if isOpen, !isCutByRun, from >= end {
            let none = Span(start: end, end: end)
            return .excluded(none, "wanted no more before the path was back")
        }
        let awaited = awaited.union(excused)
        let length = max(0, end - from) - awaited.intersection(Span(start: from, end: end)).length
        let span = Span(start: from, end: from + length)
        if isOpen, length < Self.ownTimeMin, self.awaited.all.last?.end == end {
            return .excluded(span, "the app waited for its user at the end")
        }
        return isOpen ? .censored(span) : .ended(span)
    }

    /// The whole reconnect, up to its end or to where it is cut off.
    var whole: Int64? { origin == .loss ? end - start : nil }

    /// K-01a: from path lost, or from the stop without one, to two-way audio; one for each outage.
    var reconnects: [Wait] {
        guard origin == .loss else { return [] }
        guard !outages.isEmpty else { return [time(from: start)] }
        return outages.enumerated().map { index, outage in
            let from = index == 0 ? start : outage.lost
            let length = min(outage.usable, end) - outage.lost
            return length <= SessionBounds.shortOutageMax
                ? time(from: from)
                : .excluded(Span(start: from, end: end), "no path for more than 15 s")
        }
    }

    /// K-01b: from path usable to two-way audio, one for each outage; 0 if the audio was sooner.
    ///
    /// A path is usable when it leads to what the conversation needs. The room server's absence is an
    /// outage of it; that of the app's own server is one for an app that asks it for a token in
    /// vain, and a room server that is full or closed for one that it turns away.
    var recoveries: [Wait] {
        outages.map { outage in
            let span = Span(start: outage.lost, end: end)
            guard min(outage.usable, end) - outage.lost <= SessionBounds.outageMax else {
                return .excluded(span, "no path for more than 10 min")
            }
            // Without a path to the run's end, none of the recovery's own time has passed.
            if isCutByRun, outage.usable >= end { return .censored(Span(start: end, end: end)) }
            return time(from: max(outage.usable, silentFrom), excused: unserved)
        }
    }

    /// Whether path and both servers were there for the audio to come back, and it did not.
    var isUnrecovered: Bool {
        servedTimes.longest >= SessionBounds.unrecoveredMax
            || isOpen && servedTimes.last >= SessionBounds.unrecoveredAtEnd
    }
}

extension Absence {
    /// The absences of one wish, in order: the times of `silence` in it, with what excuses them.
    static func all(
        in wish: UserWishes.Wish,
        silence: Spans,
        _ excuses: Excuses,
        runEnd: Int64
    ) -> [Absence] {
        let outages = excuses.outages
        let keptOut = excuses.unserved.union(excuses.refused)
        let excused = outages.union(keptOut).union(excuses.awaited)
            .union(excuses.unread).union(excuses.unattended).union(excuses.stranded)
        var absences: [Absence] = []
        var heardLast = wish.span.start
        for span in silence.intersection(wish.span).all {
            let isFirst = span.start == wish.span.start
            let down = outages.all.filter { $0.start < span.end && $0.end > span.start }
            let mergedDown = merged(down)
            let spanning = mergedDown.first.flatMap { $0.lost <= span.start ? $0.usable : nil }
            var absence = Absence(
                origin: !isFirst ? .loss : wish.origin == .launch ? .launch : .resume,
                start: span.start,
                silentFrom: span.start,
                pathFrom: min(spanning ?? span.start, span.end),
                end: span.end,
                isOpen: span.end == wish.span.end,
                isCutByRun: span.end == wish.span.end && span.end == runEnd,
                awaited: excuses.awaited.intersection(span),
                awaitsUser: excuses.awaited.union(excuses.unread).intersection(span).all.last?.end
                    == span.end,
                unserved: keptOut.intersection(span),
                outages: mergedDown,
                servedTimes: usable(in: span, excused)
            )
            // Sound under way when the path went away was captured before.
            if absence.origin == .loss, let lost = down.first?.start, lost >= heardLast,
                lost <= span.start + excuses.delay
            {
                absence.start = lost
            }
            absences.append(absence)
            heardLast = span.end
        }
        return absences
    }

    private static func merged(_ outages: [Span]) -> [Outage] {
        var merged: [Outage] = []
        for outage in outages {
            if let last = merged.indices.last,
                outage.start - merged[last].usable < SessionBounds.usableMin
            {
                merged[last].usable = outage.end
            } else {
                merged.append(Outage(lost: outage.start, usable: outage.end))
            }
        }
        return merged
    }

    private static func usable(in span: Span, _ outages: Spans) -> (longest: Int64, last: Int64) {
        let usable = outages.complement(in: span).all
        let longest = usable.map(\.length).max() ?? 0
        guard let last = usable.last, last.end == span.end else { return (longest, 0) }
        return (longest, last.length)
    }
}
