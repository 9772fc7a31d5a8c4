import KodamaEvidence
import SansIO

/// The samples of one metric in one run, those beyond a limit first of all.
public struct SampleList: Sendable, Equatable {
    private let metric: String
    private var samples: [KeptSample]
    /// When the windows of gates' scopes are open.
    private let stretches: [GateScope: Span]
    /// How many samples there are, where gates bound only some, of those.
    private var count: Int
    private var unit = MetricUnit.count
    /// The rules that the samples told are beyond; empty where none bounds single samples.
    private var rules: [String] = []

    /// As many are told where no rule says which.
    private static let countMax = 20
    /// Samples of one pair that begin within so long of each other are told together: frames of one
    /// lag, say.
    private static let nextMax: Int64 = 1_000_000_000
    /// Two are read as fast as what stands for them.
    private static let togetherMin = 3
    /// Whether more is asked for rather than less, by a gate or else by the metric, so that the least is the worst.
    private var wantsMore = false
    /// Whether the run has others, which are not asked for.
    private var isPart = false
    /// What the samples of a count come to, where gates bound it.
    private var sum: Sum?
    /// Halfway between two gates that bound the metric from both sides.
    private var centre: Int64?
    /// How many samples are told that were open at their end, and beyond no limit by then.
    private var openCount = 0

    /// What the samples of a count come to in this run.
    private struct Sum: Equatable {
        var total: Int64
        /// Whether a gate is missed by it, of a sum over all runs by what one adds on average.
        var isMissed: Bool
        /// Whether one is missed for too little.
        var isShort: Bool
    }

    init(_ metric: String, _ samples: [KeptSample], _ stretches: [GateScope: Span] = [:]) {
        self.metric = metric
        self.samples = samples
        self.stretches = stretches
        count = samples.reduce(0) { $0 + $1.count }
    }

    /// Keeps the samples that are asked for.
    mutating func keep(where isAsked: (LocatedSample) -> Bool) {
        let all = samples.count
        samples.removeAll { !isAsked($0.sample) }
        isPart = samples.count < all
        count = samples.reduce(0) { $0 + $1.count }
    }

    /// Keeps what is beyond the limits of gates: of times and scores each sample on the wrong side, of
    /// counts and shares each that adds to the wrong side; without a gate the worst by the metric's direction.
    ///
    /// - Parameters:
    ///   - gates: The gates; of a sum over all runs with what one run adds.
    ///   - unit: What the metric counts in.
    ///   - form: The form of its findings.
    ///   - direction: Which way it is better.
    ///   - keepsOpen: Whether what was open at its end stays too where it may have come beyond an upper limit.
    mutating func keep(
        beyond gates: [Gate],
        in unit: MetricUnit,
        _ form: MetricForm,
        better direction: MetricDirection,
        keepsOpen: Bool = false
    ) {
        self.unit = unit
        let own = gates.filter { $0.metric == metric && $0.statistic != .count }
        rules = own.map(\.ruleText)
        wantsMore = own.first?.wantsMore ?? (direction == .higher)
        guard own.isEmpty else {
            let bounded = samples.filter { kept in own.contains { isBounded(kept, by: $0) } }
            count = bounded.reduce(0) { $0 + $1.count }
            if form == .count { sum = weighed(bounded, own) }
            if form == .distribution { centre = Self.centre(between: own) }
            let beyond = bounded.map { kept in
                own.contains { isBounded(kept, by: $0) && isBeyond(kept, $0, form) }
            }
            let mayBe = bounded.map { kept in
                keepsOpen && kept.isOpen
                    && own.contains { isBounded(kept, by: $0) && $0.isTurnedByMore }
            }
            let told = bounded.indices.filter { beyond[$0] || mayBe[$0] }
            openCount = told.filter { !beyond[$0] }.count
            samples = told.map { bounded[$0] }
            return
        }
        switch form {
        case .distribution: break
        case .proportion: samples = samples.filter { badness(of: $0) != 0 }
        case .count: if !wantsMore { samples.removeAll { $0.amount == 0 } }
        }
        guard samples.count > Self.countMax else { return }
        let least = samples.map { badness(of: $0) }.sorted()[samples.count - Self.countMax]
        samples = Array(samples.filter { badness(of: $0) >= least }.prefix(Self.countMax))
    }

    /// What the samples of a count come to, and how gates take it.
    private func weighed(_ bounded: [KeptSample], _ gates: [Gate]) -> Sum {
        var sum = Sum(
            total: bounded.reduce(Int64(0)) { $0.plus($1.amount) },
            isMissed: false,
            isShort: false
        )
        for gate in gates {
            let total = bounded.filter { isBounded($0, by: gate) }.reduce(Int64(0)) {
                $0.plus($1.amount)
            }
            guard gate.isMissed(byOne: total) else { continue }
            sum.isMissed = true
            var least = gate
            if gate.comparison == .equal { least.comparison = .atLeast }
            sum.isShort = sum.isShort || least.wantsMore && least.isMissed(byOne: total)
        }
        return sum
    }

    /// Halfway between the limits of gates that bound single samples from both sides; `nil` where they don't.
    private static func centre(between gates: [Gate]) -> Int64? {
        let limits = gates.filter { $0.unit == $0.metricUnit }
        guard let low = limits.filter(\.wantsMore).map(\.limit).max(),
            let high = limits.filter({ !$0.wantsMore }).map(\.limit).min()
        else { return nil }
        return low / 2 + high / 2
    }

    /// How far a sample lies on the wrong side: of a share that should be great by what it lacks of the whole.
    private func badness(of kept: KeptSample) -> Int64 {
        if let centre, kept.whole == 0 {
            return Int64(clamping: kept.amount.minus(centre).magnitude)
        }
        return wantsMore ? kept.whole &- kept.amount : kept.amount
    }

    /// Whether a sample lies in the gate's scope.
    private func isBounded(_ kept: KeptSample, by gate: Gate) -> Bool {
        guard let scope = gate.scope, let stretch = stretches[scope] else { return true }
        return scope.counts(Span(start: kept.sample.from, end: kept.sample.until), in: stretch)
    }

    /// Whether a sample is on the wrong side of a gate's limit, or of what a share is counted above; of a count
    /// whether it adds to it, or nothing where it is too small.
    private func isBeyond(_ kept: KeptSample, _ gate: Gate, _ form: MetricForm) -> Bool {
        switch form {
        case .distribution:
            guard case .shareAbove(let threshold) = gate.statistic else {
                return !gate.comparison.holds(kept.amount, gate.limit)
            }
            return (kept.amount > threshold) != gate.wantsMore
        case .proportion: return gate.wantsMore ? kept.amount < kept.whole : kept.amount > 0
        case .count: return (kept.amount == 0) == (sum?.isShort ?? false)
        }
    }

    /// How many of all samples are told, by what a count is made of where one is bounded.
    private var share: String {
        let all = "\(samples.count - openCount) of \(counted(count, "sample"))"
        let open = openCount > 0 ? ", \(openCount) open that may be" : ""
        guard let sum else { return "\(all) beyond the limit\(open)" }
        let side = sum.isMissed ? "beyond the limit" : "within the limit"
        let part = sum.isShort ? "nothing from \(all)" : "from \(all)"
        let left = openCount > 0 ? ", \(openCount) open" : ""
        return "\(unit.text(sum.total)) in this run, \(side), \(part)\(left)"
    }

    /// What is told.
    var head: String {
        guard count > 0 || !samples.isEmpty else {
            let place = isPart ? "there" : "in this run"
            return ([metric] + rules).joined(separator: " ") + ": no sample \(place)"
        }
        let all = "\(samples.count) of \(counted(count, "sample"))"
        guard !rules.isEmpty else {
            let none = wantsMore ? "nothing missing in" : "nothing in"
            guard !samples.isEmpty else {
                return "\(metric): \(none) \(counted(count, "sample"))"
            }
            return "\(metric): \(all), the \(wantsMore ? "least" : "greatest")"
        }
        return "\(metric) \(rules.joined(separator: ", ")): \(share)"
    }

    /// What is told, for programs.
    struct Told: Encodable {
        struct Sample: Encodable {
            var value: Int64?
            var isOpen: Bool?
            var fromNanoseconds: Int64
            var untilNanoseconds: Int64
            var component: String?
            var subject: String?
        }
        var metric: String
        var unit: String
        var rules: [String]
        var sampleCount: Int
        var samples: [Sample]
    }

    /// What is told, for programs.
    var told: Told {
        Told(
            metric: metric,
            unit: unit.rawValue,
            rules: rules,
            sampleCount: count,
            samples: samples.map { kept in
                Told.Sample(
                    value: kept.whole > 0 ? nil : kept.amount,
                    isOpen: kept.isOpen ? true : nil,
                    fromNanoseconds: kept.sample.from,
                    untilNanoseconds: kept.sample.until,
                    component: kept.sample.component,
                    subject: kept.sample.subject
                )
            }
        )
    }

    /// As many are drawn.
    private static let drawnCountMax = 200

    /// The samples beyond a gate's limit as a lane, the greatest where they are too many; where none is,
    /// the worst one.
    func lane(of gate: Gate, in unit: MetricUnit, _ form: MetricForm) -> RunStory.Lane? {
        var beyond = self
        beyond.keep(beyond: [gate], in: unit, form, better: .neutral)
        func isLess(_ one: KeptSample, _ other: KeptSample) -> Bool {
            gate.wantsMore ? one.amount > other.amount : one.amount < other.amount
        }
        let isHeld = beyond.samples.isEmpty || beyond.sum?.isMissed == false
        let drawn =
            beyond.samples.isEmpty
            ? samples.filter { isBounded($0, by: gate) }.max(by: isLess).map { [$0] } ?? []
            : beyond.samples.sorted { isLess($1, $0) }.prefix(Self.drawnCountMax)
        guard !drawn.isEmpty else { return nil }
        let tone: RunStory.Tone = isHeld ? .neutral : .bad
        let owners = drawn.map { kept in
            kept.sample.component.map { TraceDirectory.owner(of: $0) ?? $0 } ?? ""
        }
        // Each phone has a row of its own, so that samples at one instant do not cover each other.
        let isAlone = owners.distinct.count == 1
        let rows = owners.distinct.sorted().map { owner in
            let own = zip(drawn, owners).filter { $0.1 == owner }.map(\.0)
            let bands = own.map { kept in
                RunStory.Band(
                    from: kept.sample.from,
                    until: kept.sample.until,
                    label: Self.label(of: kept, in: unit),
                    tone: tone
                )
            }
            return RunStory.Row(
                label: owner.isEmpty || isAlone ? (isHeld ? "worst" : "beyond it") : owner,
                bands: bands.sorted { ($0.from, $0.until) < ($1.from, $1.until) },
                marks: [],
                counts: []
            )
        }
        let all = "\(beyond.samples.count) of \(counted(beyond.count, "sample"))"
        let part =
            beyond.sum == nil
            ? "beyond it" : beyond.sum?.isShort == true ? "add nothing" : "add to it"
        return RunStory.Lane(name: "\(metric) \(gate.ruleText): \(all) \(part)", rows: rows)
    }

    /// A sample's size, where it has one, and where it arose.
    private static func label(of kept: KeptSample, in unit: MetricUnit) -> String {
        let size = kept.whole > 0 ? "" : unit.text(kept.amount) + (kept.isOpen ? " or more" : "")
        return size + (kept.sample.component.map { " at \($0)" } ?? "")
    }

    /// Samples that are told together, or one.
    private struct Stretch {
        var samples: [KeptSample]
        var from: Int64
        var until: Int64

        init(_ kept: KeptSample) {
            (samples, from, until) = ([kept], kept.sample.from, kept.sample.until)
        }

        /// Whether a sample of the same two follows closely.
        func isContinued(by kept: KeptSample) -> Bool {
            let (sample, first) = (kept.sample, samples[0].sample)
            return sample.component == first.component && sample.subject == first.subject
                && sample.from >= from && sample.from.minus(until) <= SampleList.nextMax
        }

        mutating func take(_ kept: KeptSample) {
            samples.append(kept)
            until = max(until, kept.sample.until)
        }
    }

    /// The samples, those that follow each other closely together unless each is to be told.
    private func stretches(isWhole: Bool) -> [Stretch] {
        guard !isWhole else { return samples.map(Stretch.init) }
        var all: [Stretch] = []
        for kept in samples {
            if let index = all.lastIndex(where: { $0.isContinued(by: kept) }) {
                all[index].take(kept)
            } else {
                all.append(Stretch(kept))
            }
        }
        return all.flatMap { stretch in
            stretch.samples.count < Self.togetherMin
                ? stretch.samples.map(Stretch.init) : [stretch]
        }
    }

    /// Each sample, or stretch of them, with what led to it and what happened until its end.
    func lines(_ sentences: [Sentence], isWhole: Bool) -> [String] {
        stretches(isWhole: isWhole).flatMap { stretch in
            let near = sentences[RunStory.Account.near(stretch.from, stretch.until, sentences)]
            return ["", words(stretch)]
                + Explanation.lines(Array(near), isWhole: isWhole).map { "  " + $0 }
        }
    }

    /// The worst of the samples that are told together, and how many they are.
    private func words(_ stretch: Stretch) -> String {
        let worst = stretch.samples.reduce(stretch.samples[0]) { worst, kept in
            badness(of: kept) > badness(of: worst) ? kept : worst
        }
        let size = unit.text(worst.amount) + (worst.isOpen ? " or more" : "")
        let words =
            [worst.whole > 0 ? nil : size, worst.sample.occasion].compactMap(\.self)
            .joined(separator: " ") + (worst.isOpen ? ", open at its end" : "")
        guard stretch.samples.count > 1 else { return words }
        let times = [stretch.from, stretch.until].map(RunStory.Account.text)
        let rank = worst.whole > 0 ? "the first" : "the worst"
        return "\(words): \(rank) of \(stretch.samples.count) from \(times[0]) to \(times[1])"
    }

    /// The sentences that are told with some sample, of all in the order of time.
    func told(of sentences: [Sentence]) -> [Sentence] {
        var isTold = Array(repeating: false, count: sentences.count)
        for stretch in stretches(isWhole: false) {
            for index in RunStory.Account.near(stretch.from, stretch.until, sentences) {
                isTold[index] = true
            }
        }
        return zip(sentences, isTold).filter(\.1).map(\.0)
    }
}

extension Gate {
    /// Whether its figure must be great rather than small.
    fileprivate var wantsMore: Bool { comparison == .atLeast || comparison == .above }

    /// Whether more than is known of what was open could turn it.
    fileprivate var isTurnedByMore: Bool { !wantsMore && !allowsCensored }

    /// Whether what one run adds to a sum misses it, of a sum over all runs what one adds on average.
    fileprivate func isMissed(byOne total: Int64) -> Bool {
        plan?.sum == nil ? !comparison.holds(total, limit) : missesShare(total)
    }
}
