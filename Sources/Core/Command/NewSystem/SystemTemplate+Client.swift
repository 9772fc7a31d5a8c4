// The client machine of the system that 'new-system' writes, and its test.

extension SystemTemplate {
    static let client = #"""
        import SansIO

        /// Asks a server for something at intervals, and asks again while no answer comes.
        ///
        /// A machine: events in, effects out, and a deadline at which it wants to be woken. Time comes with each
        /// call, chance with the seed.
        public struct __Name__Requester: StateMachine {
            /// What the app can tune.
            public struct Configuration: Sendable, Equatable {
                /// The time from one request to the next.
                public var interval = Duration.seconds(1)
                /// How long an answer is waited for at first; each time after it twice as long, half of it drawn.
                public var patience = Duration.milliseconds(500)
                /// The longest wait for an answer.
                public var patienceMax = Duration.seconds(4)
                /// How often one thing is asked for before the user is told that it failed.
                public var attemptsMax = 10

                /// The figures that hold unless a scenario sets others.
                public init() {}
            }

            /// What happens.
            public enum Event: Sendable, Equatable {
                /// The app runs.
                case launched
                /// The user wants so many answers at once; those for which there is no room are not asked for.
                case wanted(count: Int)
                /// The answer to a request came.
                case answered(number: Int64)
            }

            /// What the app is to do.
            public enum Effect: Sendable, Equatable {
                /// Send a request, for the first time or again.
                case send(number: Int64)
                /// Show an answer.
                case show(number: Int64, asked: Instant, attempts: Int)
                /// Say that none came.
                case fail(number: Int64, attempts: Int)
            }

            /// What was asked for and is waited for.
            private struct Request: Sendable, Equatable {
                let number: Int64
                let asked: Instant
                var attempts = 0
                var backoff = Backoff()
                var due: Instant
            }

            /// The most requests that are waited for at once.
            public static let requestsMax = 64
            /// In one call each request can be sent or fail, and one more begin.
            public static let effectsPerCallMax = requestsMax + 1

            private let configuration: Configuration
            private var generator: SeededGenerator
            private var requests: [Request] = []
            private var nextRequest: Instant?
            private var lastNumber: Int64 = 0

            /// Makes the machine of a process that is launched.
            ///
            /// - Parameters:
            ///   - configuration: What is tuned.
            ///   - seed: What its waits are drawn from.
            public init(_ configuration: Configuration, seed: UInt64) {
                self.configuration = configuration
                generator = SeededGenerator(seed: seed)
            }

            /// Never: the process ends without asking it.
            public var isFinished: Bool { false }

            /// The next request, or the end of the shortest wait.
            public var deadline: Deadline? {
                requests.reduce(nextRequest.map { Deadline($0, "request") }) { earliest, request in
                    Deadline.earliest(earliest, Deadline(request.due, "patience"))
                }
            }

            /// Takes what happened.
            public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
                switch event {
                case .launched:
                    guard nextRequest == nil else { return }
                    ask(in: &turn)
                    nextRequest = turn.now.advanced(by: configuration.interval)
                case .wanted(let count):
                    for _ in 0..<max(0, min(count, Self.requestsMax)) { ask(in: &turn) }
                case .answered(let number):
                    // An answer that came twice, or too late, has been waited for no longer.
                    guard let index = requests.firstIndex(where: { $0.number == number }) else { return }
                    let request = requests.remove(at: index)
                    turn.order(
                        .show(number: number, asked: request.asked, attempts: request.attempts)
                    )
                }
            }

            /// Asks again for what is due, and for the next thing.
            public mutating func wake(in turn: inout Turn<Effect>) {
                for index in requests.indices where requests[index].due <= turn.now {
                    guard requests[index].attempts < configuration.attemptsMax else { continue }
                    send(index, in: &turn)
                }
                for request in requests where request.due <= turn.now {
                    turn.order(.fail(number: request.number, attempts: request.attempts))
                }
                requests.removeAll { $0.due <= turn.now }
                if let next = nextRequest, next <= turn.now {
                    ask(in: &turn)
                    nextRequest = turn.now.advanced(by: configuration.interval)
                }
            }

            private mutating func ask(in turn: inout Turn<Effect>) {
                guard requests.count < Self.requestsMax else { return }
                lastNumber += 1
                requests.append(Request(number: lastNumber, asked: turn.now, due: turn.now))
                send(requests.count - 1, in: &turn)
            }

            private mutating func send(_ index: Int, in turn: inout Turn<Effect>) {
                requests[index].attempts += 1
                let wait = requests[index].backoff.next(
                    first: configuration.patience,
                    longest: configuration.patienceMax,
                    by: &generator
                )
                requests[index].due = turn.now.advanced(by: wait)
                turn.order(.send(number: requests[index].number))
            }
        }

        """#

    static let test = #"""
        import SansIO
        import SansIOTesting
        import Testing

        @testable import __Name__Client

        @Suite("The client machine of __name__")
        struct __Name__RequesterTests {
            @Test("What is not answered is asked for again, and its answer shown once")
            func asksAgain() throws {
                var machine = __Name__Requester(.init(), seed: 1)
                #expect(machine.handle(.launched, at: .zero) == [.send(number: 1)])
                let due = try #require(machine.deadline?.instant)
                #expect(machine.wake(at: due) == [.send(number: 1)])
                let shown = machine.handle(.answered(number: 1), at: due)
                #expect(shown == [.show(number: 1, asked: .zero, attempts: 2)])
                #expect(machine.handle(.answered(number: 1), at: due) == [])
            }

            @Test("After the last attempt the user is told that it failed")
            func givesUp() throws {
                var configuration = __Name__Requester.Configuration()
                configuration.attemptsMax = 3
                configuration.interval = .seconds(60)
                var machine = __Name__Requester(configuration, seed: 1)
                var effects = machine.handle(.launched, at: .zero)
                while let due = machine.deadline?.instant, due < Instant.zero.advanced(by: .seconds(60)) {
                    effects += machine.wake(at: due)
                }
                let sent = [__Name__Requester.Effect](repeating: .send(number: 1), count: 3)
                #expect(effects == sent + [.fail(number: 1, attempts: 3)])
            }

            @Test("The machine keeps the laws of machines", arguments: 1...20 as ClosedRange<UInt64>)
            func laws(seed: UInt64) throws {
                try checkLaws(seed: seed, steps: 500) {
                    __Name__Requester(.init(), seed: seed)
                } event: { random, _ in
                    switch random.below(10) {
                    case 0: .launched
                    case 1: .wanted(count: Int(random.below(100)))
                    default: .answered(number: Int64(random.below(500)))
                    }
                }
            }
        }

        """#
}
