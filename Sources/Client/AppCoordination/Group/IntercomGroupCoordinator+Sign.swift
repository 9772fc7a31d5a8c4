import GroupSecurity
import SansIO

/// Which sign a phone shows nearby.
struct ShownSign: Sendable, Equatable {
    let period: SignPeriod
    /// When the period is over by the present clock.
    let end: Instant
}

// What a phone shows nearby changes every quarter of an hour, so that nobody follows a group by ear.

extension IntercomGroupCoordinator {
    /// Shows a sign of the present period.
    mutating func showSign(of hash: GroupHash, in turn: inout Turn<Effect>) {
        let period = SignPeriod(of: clock.reading(at: turn.now))
        shownSign = ShownSign(period: period, end: end(of: period, after: turn.now))
        let sign = hash.sign(in: period, drawing: &signEntropy)
        turn.order(.seekNearby(hash, period, showing: sign))
    }

    mutating func renewSignIfDue(in turn: inout Turn<Effect>) {
        guard let shownSign, shownSign.end <= turn.now, let group else { return }
        showSign(of: group.credential.hash, in: &turn)
    }

    /// The clock was set: what is shown may be of another period now.
    mutating func setClock(to time: WallTime, in turn: inout Turn<Effect>) {
        clock = WallClock(showing: time, at: turn.now)
        guard let shown = shownSign, let group else { return }
        let isSame = SignPeriod(of: time) == shown.period
        guard isSame else { return showSign(of: group.credential.hash, in: &turn) }
        shownSign = ShownSign(period: shown.period, end: end(of: shown.period, after: turn.now))
    }

    /// When a clock that stands within a period shows its end; one that can show no later time never does.
    private func end(of period: SignPeriod, after now: Instant) -> Instant {
        let never = Instant(nanoseconds: .max)
        let end = clock.instant(showing: period.end) ?? never
        return end > now ? end : never
    }
}
