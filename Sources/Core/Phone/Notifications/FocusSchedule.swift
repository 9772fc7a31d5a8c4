package import SansIO

/// The hours at which the user's Focus is on, and what the user switches by hand.
package struct FocusSchedule: StateMachine {
    /// Hours of every day at which a Focus is on.
    package struct Window: Sendable, Equatable {
        /// Which Focus it is.
        package var focus: Focus
        /// When it begins.
        package var start: ClockTime
        /// When it ends; before the start, it does so on the next day.
        package var end: ClockTime

        /// Describes a window.
        package init(_ focus: Focus, from start: ClockTime, to end: ClockTime) {
            self.focus = focus
            self.start = start
            self.end = end
        }

        func contains(_ time: CivilTime) -> Bool {
            let midnight = CivilTime(day: time.day, .midnight).reading.nanosecondsSince1970
            let minute = (time.reading.nanosecondsSince1970 - midnight) / 60_000_000_000
            let (from, to) = (Int64(start.minuteOfDay), Int64(end.minuteOfDay))
            return from <= to ? from <= minute && minute < to : from <= minute || minute < to
        }
    }

    /// A fact for the schedule.
    package enum Event: Sendable, Equatable {
        /// The user switches to a Focus or to none, until the next window begins or ends.
        case switchedByHand(Focus?)
        /// The clock or its zone changed.
        case clockChanged(LocalClock.Change)
    }

    /// An order from the schedule.
    package enum Effect: Sendable, Equatable {
        /// A Focus begins, changes or ends.
        case focusChanged(Focus?)
    }

    /// One Focus is on at a time.
    package static var effectsPerCallMax: Int { 1 }

    /// A phone never ends.
    package var isFinished: Bool { false }

    private let windows: [Window]
    private var clock: LocalClock
    /// The Focus that is on.
    package private(set) var focus: Focus?
    private var next: CivilTime?

    /// Makes a schedule; of windows that overlap, the first counts.
    ///
    /// - Parameters:
    ///   - windows: When a Focus is on.
    ///   - clock: The phone's clock.
    package init(_ windows: [Window], clock: LocalClock) {
        self.windows = windows
        self.clock = clock
        let time = clock.local(at: .zero)
        focus = windows.first { $0.contains(time) }?.focus
        next = boundary(after: time)
    }

    /// The next beginning or end of a window.
    package var deadline: Deadline? { next.map { Deadline(clock.instant(of: $0), "Focus") } }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .switchedByHand(let focus): change(to: focus, in: &turn)
        case .clockChanged(let change):
            clock.apply(change, at: turn.now)
            follow(in: &turn)
        }
    }

    /// Begins or ends what the hour says.
    package mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        follow(in: &turn)
    }

    private mutating func follow(in turn: inout Turn<Effect>) {
        let time = clock.local(at: turn.now)
        next = boundary(after: time)
        change(to: windows.first { $0.contains(time) }?.focus, in: &turn)
    }

    private mutating func change(to focus: Focus?, in turn: inout Turn<Effect>) {
        guard focus != self.focus else { return }
        self.focus = focus
        turn.order(.focusChanged(focus))
    }

    private func boundary(after time: CivilTime) -> CivilTime? {
        windows.flatMap { [time.next($0.start), time.next($0.end)] }.min()
    }
}
