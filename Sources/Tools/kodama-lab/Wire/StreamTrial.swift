import KodamaCommand
import KodamaNetwork
import KodamaSimulation
import SansIO

/// A client and a server with a connection over a link, in simulated time: requests and their answers.
struct StreamTrial {
    /// A request and the answer that the server gives as soon as it has it.
    struct Question {
        var instant: Instant
        var requestBytes: Int
        var answerBytes: Int

        /// Reads `TIME:BYTES:BYTES`.
        init(_ text: String) throws {
            let parts = try Failure.parts(text, like: "1s:500:20000", time: 0)
            instant = Instant(nanoseconds: parts[0])
            (requestBytes, answerBytes) = (Int(parts[1]), Int(parts[2]))
        }
    }

    private struct Message: StreamContent {
        var question: Int
    }

    private enum Step {
        case ask(Int)
        case arrive(StreamSegment, LoneLink.Way)
        case wake
    }

    private static let end = Instant(nanoseconds: 300_000_000_000)

    private var link: LoneLink
    private let questions: [Question]
    private var sides = [StreamConnection(role: .client), StreamConnection(role: .server)]
    private var steps: [(instant: Instant, number: Int, step: Step)] = []
    private var stepCount = 0
    private var now = Instant.zero
    /// When the client had its connection.
    private(set) var opened = Seconds()
    /// How long after its request each answer was there.
    private(set) var answers: [Seconds]

    init(_ link: LoneLink, _ questions: [Question]) {
        (self.link, self.questions) = (link, questions)
        answers = questions.map { _ in Seconds() }
    }

    /// Runs until all is answered, or for 300 s.
    mutating func run() {
        for index in questions.indices { plan(.ask(index), at: questions[index].instant) }
        tell(.forward, .open)
        while !isAnswered, let next = takeNext(), next.instant <= Self.end {
            now = next.instant
            switch next.step {
            case .ask(let index):
                send(index, questions[index].requestBytes, .forward)
            case .arrive(let segment, let way): tell(way.other, .received(segment))
            case .wake:
                for way in LoneLink.Way.allCases {
                    guard let due = sides[way.rawValue].deadline, due.instant <= now else {
                        continue
                    }
                    tell(way, nil)
                }
            }
        }
    }

    private var isAnswered: Bool {
        opened.nanoseconds != nil && answers.allSatisfy { $0.nanoseconds != nil }
    }

    private mutating func plan(_ step: Step, at instant: Instant) {
        stepCount += 1
        steps.append((instant, stepCount, step))
    }

    /// The next step of those planned, or a wake that one of the sides wants before it.
    private mutating func takeNext() -> (instant: Instant, step: Step)? {
        let wake = sides.compactMap { $0.deadline?.instant }.min()
        let next = steps.indices.min {
            (steps[$0].instant, steps[$0].number) < (steps[$1].instant, steps[$1].number)
        }
        if let wake, next.map({ wake < steps[$0].instant }) ?? true {
            return (max(wake, now), .wake)
        }
        return next.map { index in
            let step = steps.remove(at: index)
            return (step.instant, step.step)
        }
    }

    /// Tells the side from which a way leads.
    private mutating func tell(_ way: LoneLink.Way, _ event: StreamEvent?) {
        for effect in sides[way.rawValue].drive(event, at: now) {
            switch effect {
            case .transmit(let segment, let bytes):
                let outcome = link.send(way, bytes: bytes, .signalling, at: now)
                for arrival in [outcome.arrival, outcome.secondArrival].compactMap(\.self)
                where arrival.corruptedBit == nil {
                    plan(.arrive(segment, way), at: arrival.instant)
                }
            case .opened where way == .forward:
                opened.nanoseconds = now.nanoseconds
            case .delivered(let message):
                guard let content = message.content as? Message else { continue }
                take(content.question, of: way)
            case .opened, .closed: break
            }
        }
    }

    private mutating func send(_ question: Int, _ byteCount: Int, _ way: LoneLink.Way) {
        tell(way, .send(StreamMessage(Message(question: question), byteCount: byteCount)))
    }

    /// A request has reached the server, or its answer the client.
    private mutating func take(_ question: Int, of way: LoneLink.Way) {
        guard way == .forward else {
            return send(question, questions[question].answerBytes, .backward)
        }
        let sent = questions[question].instant.nanoseconds
        answers[question].nanoseconds = now.nanoseconds - sent
    }
}
