public import KodamaEvidence
import KodamaSimulation
public import SansIO

/// The odds that a run fails, by the instant from which on its weather is drawn anew.
///
/// At an instant the run's history is kept, and what links, faults and speech draw for later is drawn
/// anew, many times over. Where the share of failures jumps, the failure became certain; the record
/// there is what made it so.
public struct FailureOdds: Sendable, Equatable {
    /// How likely it is with a part of the history.
    public struct Point: Sendable, Equatable {
        /// Up to when, exclusively, the history is kept; nothing is at 0.
        public var instant: Instant
        /// How many forks failed.
        public var failureCount: Int

        /// How many distinct instants of records the history holds.
        var position: Int
    }

    /// The moment at which the failure became certain.
    public struct Turn: Sendable, Equatable {
        /// The odds without the record.
        public var before: Point
        /// The odds with it.
        public var after: Point
        /// The record as a line of the trace; of simultaneous ones the first of the coarsest level.
        public var record: String
        /// When it happened.
        public var instant: Instant
        /// What an explanation of the run says of that instant.
        public var sentences: [Sentence]
    }

    /// The scenario's name.
    public let scenario: String
    /// The seed.
    public let seed: UInt64
    /// The digest of the run as it was.
    public let digest: Digest64
    /// What failed: a gate's metric and rule, or an invariant.
    public let failure: String
    /// How many forks there are at each instant.
    public let forkCount: Int
    /// The odds, in the order of instants.
    public private(set) var points: [Point]
    /// Where they rise most for good, if they rise by more than chance does.
    public private(set) var turn: Turn?
    /// Where it fails without any of the run's weather: what was left out, and how often it failed then.
    public private(set) var leftOut: [LeftOut] = []
    /// Where leaving no one thing out mends it: the entries and faults that suffice to fail; `nil` elsewhere.
    public private(set) var sufficing: [String]?

    /// What was left out of a run, and how many forks failed without it.
    public struct LeftOut: Sendable, Equatable {
        /// What it was, in words.
        public var words: String
        /// How many forks failed.
        public var failureCount: Int

        /// Whether at most half of the forks fail without it.
        var isNeeded: Bool { failureCount * 2 <= FailureQuestion.leftOutForkCount }
    }

    /// Whether nine of ten forks fail without any of the run's weather: then weather does not decide it.
    public var isCertainFromTheBeginning: Bool {
        turn == nil && (points.first?.failureCount ?? 0) * 10 >= forkCount * 9
    }
}

extension FailureOdds {
    /// Forks a run that fails, and finds where that became certain.
    ///
    /// - Parameters:
    ///   - question: The run and what failed in it.
    ///   - forkCount: How many forks there are at each instant.
    ///   - jobs: How many runs go on at a time; the result does not depend on it.
    ///   - progress: Told how many forks are done, and how many it is likely to take in all.
    /// - Throws: `WorldError`.
    public init(
        _ question: FailureQuestion,
        forkCount: Int = 32,
        jobs: Int,
        progress: @escaping @Sendable (_ done: Int, _ expected: Int) -> Void = { _, _ in }
    ) async throws {
        precondition(forkCount > 0, "odds need forks")
        self.init(question, forkCount: forkCount)
        let instants = question.instants
        func ask(_ positions: [Int]) async throws {
            let known = points.map(\.position)
            let new = positions.filter { !known.contains($0) }
            var counts = Array(repeating: 0, count: new.count)
            let done = points.count * forkCount
            let expected = done + new.count * forkCount + expectedForks(beyond: positions)
            try await inParallel(new.count * forkCount, width: jobs) { job in
                let position = new[job / forkCount]
                return try question.fails(
                    WeatherFork(
                        at: Self.end(of: position, in: instants),
                        of: question.run.seed,
                        number: job % forkCount
                    )
                )
            } deliver: { job, fails in
                counts[job / forkCount] += fails ? 1 : 0
                progress(done + job + 1, expected)
            }
            for (position, count) in zip(new, counts) {
                let instant = Self.end(of: position, in: instants)
                points.append(Point(instant: instant, failureCount: count, position: position))
            }
            points.sort { $0.position < $1.position }
        }
        try await ask([0])
        guard !isCertainFromTheBeginning else {
            leftOut = try await question.leavingOut(jobs: jobs) { done, expected in
                progress(forkCount + done, forkCount + expected)
            }
            if !leftOut.contains(where: \.isNeeded) {
                sufficing = try await question.sufficing(jobs: jobs)
            }
            return
        }
        try await ask(Self.positions(in: 0...instants.count, count: Self.coarseCount))
        while let jump = steepest, points[jump + 1].position - points[jump].position > 1 {
            let range = points[jump].position...points[jump + 1].position
            try await ask(Self.positions(in: range, count: Self.fineCount))
        }
        turn = steepest.flatMap { turn(at: $0, question) }
    }

    /// The number of steps in which the run is sampled first, and then each steepest step.
    private static let coarseCount = 24
    private static let fineCount = 9

    private init(_ question: FailureQuestion, forkCount: Int) {
        scenario = question.scenario
        seed = question.run.seed
        digest = question.explanation.digest
        failure = question.failure
        self.forkCount = forkCount
        points = []
    }

    /// The instant up to which a history holds this number of first instants.
    private static func end(of position: Int, in instants: [Instant]) -> Instant {
        position == 0 ? .zero : instants[position - 1].advanced(by: .nanoseconds(1))
    }

    private static func positions(in range: ClosedRange<Int>, count: Int) -> [Int] {
        let positions = (0...count).map { range.lowerBound + $0 * range.count / (count + 1) }
        return Array(Set(positions + [range.upperBound])).sorted()
    }

    /// How many forks it takes to narrow a step between such positions down to a single instant.
    private func expectedForks(beyond positions: [Int]) -> Int {
        var gap = zip(positions, positions.dropFirst()).map { $1 - $0 }.max() ?? 0
        var forks = 0
        while gap > 1 {
            forks += min(gap - 1, Self.fineCount) * forkCount
            gap = (gap + Self.fineCount) / (Self.fineCount + 1)
        }
        return forks
    }

    /// The point after which the odds rise most for good, the first among equals; `nil` where they
    /// never do.
    ///
    /// A rise counts as far as no later point falls below it again: what does has made nothing certain.
    private var steepest: Int? {
        var steepest: (index: Int, rise: Int)?
        var least = forkCount
        for index in points.indices.dropLast().reversed() {
            least = min(least, points[index + 1].failureCount)
            let rise = least - points[index].failureCount
            if rise > 0, rise >= steepest?.rise ?? 0 { steepest = (index, rise) }
        }
        return steepest?.index
    }

    /// The moment between two points, unless chance may well have made the difference.
    private func turn(at index: Int, _ question: FailureQuestion) -> Turn? {
        let (before, after) = (points[index], points[index + 1])
        let intervals = [before, after].map {
            WilsonInterval(successes: Int64($0.failureCount), trials: Int64(forkCount))
        }
        guard let low = intervals[0], let high = intervals[1],
            low.upperPartsPerMillion < high.lowerPartsPerMillion
        else { return nil }
        let instant = question.instants[after.position - 1]
        return Turn(
            before: before,
            after: after,
            record: question.record(at: instant),
            instant: instant,
            sentences: question.explanation.sentences.filter { $0.at == instant }
        )
    }
}
