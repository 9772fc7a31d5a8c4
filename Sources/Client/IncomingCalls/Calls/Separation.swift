import SansIO

/// How long the two sides of a call have been without each other's media, and how long they may be.
///
/// While our own media are lost nobody can say where the other side is. Their losses add up until the
/// two have been together for `togetherTime`: over a link that comes and goes nobody talks, and the
/// other side may have left long ago.
struct Separation: Sendable, Equatable {
    /// How long a conversation outlives the other side's media; an assumption.
    ///
    /// The room server lets go of them some 20 s after their last packet (livekit,
    /// `pkg/rtc/participant.go`): a path that failed for a minute is back by then, and an app that
    /// died tells only when it is launched again.
    static let alonePatience = Duration.seconds(60)
    /// How long a conversation outlives our own media: as long as the other side waits.
    ///
    /// They see us go when the room server does, and have `alonePatience` from then on.
    static let apartPatience = Duration.seconds(80)
    /// How long after the return of our own media the other side has to be seen at the latest.
    ///
    /// Their time may have run out unseen; nearly everybody is back by then (K-01b).
    static let returnPatience = Duration.seconds(10)
    /// How long the two have to be together for what went before to be forgotten; an assumption.
    static let togetherTime = Duration.seconds(3)

    /// Until when the other side is given to come at all; `nil` once they were heard.
    var meetUntil: Instant?
    /// When the call ends if the other side's media stay away.
    private var aloneUntil: Instant?
    /// When it ends if our own media stay away.
    private var apartUntil: Instant?
    /// Since when the other side's media are away.
    private(set) var awaySince: Instant?
    /// Whether the other side's media were ever there.
    private(set) var hasMet = false
    /// Since when our own media are lost.
    private var apartSince: Instant?
    /// Since when the other side has been seen, our own media being there.
    private var togetherSince: Instant?
    /// From when on the other side has had more time, since our own media returned.
    private var lentSince: Instant?
    /// What has been used up of `apartPatience` and `returnPatience` since the two were together.
    private var apartSpent = Duration.zero
    private var lentSpent = Duration.zero

    /// When the two have been without each other for long enough.
    var deadline: Deadline? {
        apartUntil.map { Deadline($0, "no way back") }
            ?? aloneUntil.map { Deadline($0, "nobody there") }
    }

    /// Waits for somebody who is away: who was heard may come back, others have the time of a join.
    mutating func seen(isPresent: Bool, at now: Instant) {
        guard isPresent else {
            let joins = meetUntil.flatMap { $0 > now ? $0 : nil }
            aloneUntil = aloneUntil ?? joins ?? now.advanced(by: Self.alonePatience)
            awaySince = awaySince ?? now
            togetherSince = nil
            return
        }
        hasMet = true
        aloneUntil = nil
        awaySince = nil
        lentSince = nil
        guard apartSince == nil else { return }
        let since = togetherSince ?? now
        togetherSince = since
        guard now >= since.advanced(by: Self.togetherTime) else { return }
        apartSpent = .zero
        lentSpent = .zero
    }

    /// The other side was heard: it came.
    mutating func heard() {
        meetUntil = nil
        hasMet = true
    }

    /// Our own media were lost, or are back.
    mutating func interrupted(_ isInterrupted: Bool, at now: Instant) {
        guard isInterrupted != (apartSince != nil) else { return }
        togetherSince = nil
        if let apartSince {
            apartSpent += apartSince.duration(to: now)
            self.apartSince = nil
            apartUntil = nil
            lend(at: now)
        } else {
            if let lentSince, lentSince < now { lentSpent += lentSince.duration(to: now) }
            lentSince = nil
            apartSince = now
            apartUntil = now.advanced(by: max(.zero, Self.apartPatience - apartSpent))
        }
    }

    /// Gives the other side what is left of the time to be seen upon the return of our own media.
    private mutating func lend(at now: Instant) {
        let earliest = now.advanced(by: max(.zero, Self.returnPatience - lentSpent))
        guard let due = aloneUntil, due < earliest else { return }
        aloneUntil = earliest
        lentSince = max(now, due)
    }
}
