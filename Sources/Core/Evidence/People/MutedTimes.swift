/// A time in which nothing of somebody may be heard, and the first that was all the same (K-22).
package struct SilencedTime: Sendable, Equatable {
    package var span: Span
    /// The first instant in it that was heard.
    package private(set) var breach: Int64?

    package init(_ span: Span) {
        self.span = span
    }

    /// Something is heard; what lies in the first `grace` of the time may be.
    ///
    /// - Returns: Whether that is a breach.
    @discardableResult
    package mutating func hear(_ heard: Span, after grace: Int64 = 0) -> Bool {
        let late = Span(start: span.start + grace, end: span.end).intersection(heard)
        guard !late.isEmpty else { return false }
        breach = min(breach ?? .max, late.start)
        return true
    }
}

/// When the user of an app had its microphone off.
///
/// A new process knows of no mute: whoever reads what happened unmutes where a process ends.
package struct MutedTimes: Sendable {
    /// The times, in order; the last one has no end while the microphone is off.
    package private(set) var times: [SilencedTime] = []
    package private(set) var isMuted = false

    package init(times: [SilencedTime] = []) {
        self.times = times
    }

    package mutating func mute(at instant: Int64) {
        guard !isMuted else { return }
        isMuted = true
        times.append(SilencedTime(Span(start: instant, end: Span.future)))
    }

    package mutating func unmute(at instant: Int64) {
        guard isMuted else { return }
        isMuted = false
        times[times.count - 1].span.end = instant
    }

    /// A frame is heard; says whether the microphone was off when all of it had been captured.
    ///
    /// Before that an app can neither send it nor throw it away.
    package mutating func hear(frameFrom start: Int64, lasting length: Int64) -> Bool {
        let last = Span(start: start + length - 1, end: start + length)
        guard let index = times.lastIndex(where: { $0.span.start < last.end }) else { return false }
        return times[index].hear(last)
    }
}
