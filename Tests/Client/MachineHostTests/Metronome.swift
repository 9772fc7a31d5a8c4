import SansIO

/// A machine to be hosted: counts, beats at a period, and can ask for an event while it is at it.
struct Metronome: StateMachine {
    enum Event: Sendable, Equatable {
        case started(period: Duration)
        case stopped
        case counted(Int)
        case echoAsked(Int)
    }

    enum Effect: Sendable, Equatable {
        case beat(Int, at: Instant)
        case echo(Int)
        case heard(Int)
    }

    static var effectsPerCallMax: Int { 2 }
    var isFinished: Bool { false }

    private var period: Duration?
    private var next: Instant?
    private var beats = 0

    var deadline: Deadline? { next.map { Deadline($0, "beat") } }

    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .started(let period):
            self.period = period
            next = turn.now.advanced(by: period)
        case .stopped: next = nil
        case .counted(let number): turn.order(.heard(number))
        case .echoAsked(let number):
            turn.order(.echo(number))
            turn.order(.heard(-number))
        }
    }

    mutating func wake(in turn: inout Turn<Effect>) {
        guard let next, let period, turn.now >= next else { return }
        beats += 1
        turn.order(.beat(beats, at: turn.now))
        self.next = turn.now.advanced(by: period)
    }
}
