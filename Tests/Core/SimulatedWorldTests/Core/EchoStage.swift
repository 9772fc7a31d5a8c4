@testable import KodamaEvidence
@testable import KodamaSimulation
@testable import KodamaWorld
import SansIO

/// A machine that repeats what it hears, and wants to be woken when it is told to.
struct Echo: StateMachine {
    enum Event: Equatable {
        /// Order these texts.
        case said([String])
        /// Wake so long after the start.
        case wakeAt(Duration?)
    }

    static let effectsPerCallMax = 8
    var isFinished: Bool { false }
    /// How many texts it was given; a driver may ask while they are performed.
    private(set) var heardCount = 0
    private(set) var deadline: Deadline?

    mutating func handle(_ event: Event, in turn: inout Turn<String>) {
        switch event {
        case .said(let texts):
            heardCount += texts.count
            for text in texts { turn.order(text) }
        case .wakeAt(let time):
            deadline = time.map { Deadline(Instant.zero.advanced(by: $0), "told to") }
        }
    }

    mutating func wake(in turn: inout Turn<String>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        self.deadline = nil
        turn.order("woken")
    }
}

/// A component that writes down what it performs, and passes some of it on.
final class EchoHost: Component, Host, Reviewed {
    enum Word: UInt8 {
        case wake
        case speak
    }

    let name: String
    let index: ComponentIndex
    var seat = Seat(Echo())
    var isTouched = false
    var isAwake = true
    /// What every host on the stage performed, in order.
    let diary: Diary
    /// What follows from a text.
    var reactions: [String: (EchoHost, inout Stage) -> Void] = [:]
    /// What a review does.
    var reviewed: (EchoHost, inout Stage) -> Void = { _, _ in }
    private var source: EventSource

    init(_ name: String, index: Int, diary: Diary) {
        self.name = name
        self.index = ComponentIndex(index)
        self.diary = diary
        source = EventSource(component: index)
    }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        case .speak: hear(.said(["spoke \(argument)"]), on: &stage)
        }
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        diary.wakesScheduled += 1
        schedule(.wake, at: instant, by: &source, on: &stage)
    }

    func perform(_ effect: String, on stage: inout Stage) {
        diary.lines.append("\(name): \(effect)")
        reactions[effect]?(self, &stage)
    }

    func review(on stage: inout Stage) {
        diary.lines.append("\(name) reviewed")
        reviewed(self, &stage)
    }
}

/// What happened on a stage of echoes.
final class Diary {
    var lines: [String] = []
    var wakesScheduled = 0
}

extension Stage {
    /// A stage without a network.
    static func empty() -> Stage {
        Stage(
            seed: 1,
            network: Network(
                directions: [],
                radios: [],
                keepsBytes: false,
                linkIndices: nil
            ),
            tieShuffleSeed: nil
        )
    }

    /// Delivers everything that is pending.
    mutating func play(to components: [any Component]) {
        settle()
        while let delivery = next(before: Instant(nanoseconds: .max - 2)) {
            components[delivery.receiver].deliver(delivery, on: &self)
            settle()
        }
    }
}
