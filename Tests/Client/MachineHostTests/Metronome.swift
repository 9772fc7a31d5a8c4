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

    mutating func handle(_ event: Event, at now: Instant, into effects: inout EffectBuffer<Effect>)
    {
        switch event {
        case .started(let period):
            self.period = period
            next = now.advanced(by: period)
        case .stopped: next = nil
        case .counted(let number): effects.append(.heard(number))
        case .echoAsked(let number):
            effects.append(.echo(number))
            effects.append(.heard(-number))
        }
    }

    mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let next, let period, now >= next else { return }
        beats += 1
        effects.append(.beat(beats, at: now))
        self.next = now.advanced(by: period)
    }
}
