public import KodamaEvidence
public import KodamaLanguage
public import KodamaSimulation
public import KodamaSpeech
public import KodamaWorld
import SansIO

/// One run of one plan with one seed: builds the world, runs it, folds its records.
public struct SingleRun: Sendable {
    /// What is run.
    public var plan: WorldPlan
    /// The seed of every draw.
    public var seed: UInt64
    /// The voices, for real audio.
    public var material: SpeechMaterial?
    /// The seed that shuffles simultaneous deliveries, or `nil` for their natural order.
    public var tieShuffleSeed: UInt64?
    /// Where the weather departs from that of the seed, if it does.
    public var fork: WeatherFork?
    /// The metrics to measure in part, for gates that bound only some of their samples.
    public var scoped: [ScopedMetric]

    /// Plans a run.
    public init(
        plan: WorldPlan,
        seed: UInt64,
        material: SpeechMaterial?,
        tieShuffleSeed: UInt64? = nil,
        scoped: [ScopedMetric] = []
    ) {
        self.plan = plan
        self.seed = seed
        self.material = material
        self.tieShuffleSeed = tieShuffleSeed
        self.scoped = scoped
    }

    /// Runs to the end and measures.
    ///
    /// - Parameter progress: Told now and then how much more of the run's time has been simulated;
    ///   in all as much as the run is long.
    /// - Returns: What was measured.
    /// - Throws: What kept the world from being built or run.
    public func measure(
        progress: ((Duration) -> Void)? = nil
    ) throws(WorldError) -> RunOutcome {
        var sinks = MeasuringSink(of: plan.duration, scoped, progress)
        let watch = Stopwatch()
        let course = try follow(into: &sinks)
        return outcome(sinks, course, watch)
    }

    /// Runs to the end, measures, and keeps the records.
    ///
    /// - Parameters:
    ///   - name: The scenario's name, for the trace.
    ///   - level: The finest level of records to keep.
    /// - Returns: What was measured, as without keeping anything, and the trace.
    /// - Throws: What kept the world from being built or run.
    public func measure(
        keepingTraceOf name: String,
        level: TraceLevel
    ) throws(WorldError) -> (outcome: RunOutcome, trace: RecordedTrace) {
        let recorder = TraceRecorder(scenario: name, seed: seed, level: level)
        // Packets are left out of digests, or who looks closer would see another run.
        let measuring = CoarseSink(MeasuringSink(of: plan.duration, scoped), level: .media)
        var sinks = SinkPair(recorder, measuring)
        let watch = Stopwatch()
        let course = try follow(into: &sinks, recordsPackets: level >= .packets)
        return (outcome(sinks.second.sink, course, watch), sinks.first.trace)
    }

    /// Runs to the end, measures, and gives every record to another sink as well.
    ///
    /// - Parameter other: Takes the records.
    /// - Returns: What was measured, as without the other sink.
    /// - Throws: What kept the world from being built or run.
    package func measure<Sink: TraceSink>(
        beside other: inout Sink
    ) throws(WorldError) -> RunOutcome {
        var sinks = SinkPair(other, MeasuringSink(of: plan.duration, scoped))
        let watch = Stopwatch()
        let course = try follow(into: &sinks)
        other = sinks.first
        return outcome(sinks.second, course, watch)
    }

    private func outcome(
        _ sinks: MeasuringSink,
        _ course: Course,
        _ watch: Stopwatch
    ) -> RunOutcome {
        RunOutcome(
            evidence: sinks.meter.evidence(seed: seed),
            digest: sinks.digest.run,
            components: sinks.digest.components.map { RunOutcome.Component($0.name, $0.digest) },
            eventCount: course.eventCount,
            simulated: plan.duration,
            processorSeconds: watch.elapsedSeconds,
            waitingEntries: course.waitingEntries,
            transcripts: course.transcripts
        )
    }

    /// Runs to the end into any sink.
    ///
    /// - Parameters:
    ///   - sink: Takes the records.
    ///   - taps: Listeners at the speakers of devices, by name.
    ///   - recordsPackets: Whether every packet that a link is given leaves a record.
    /// - Returns: How many deliveries there were.
    /// - Throws: What kept the world from being built or run.
    @discardableResult
    public func run(
        into sink: inout some TraceSink,
        taps: [String: any SpeakerTap] = [:],
        recordsPackets: Bool = false
    ) throws(WorldError) -> Int {
        try follow(into: &sink, taps: taps, recordsPackets: recordsPackets).eventCount
    }

    /// What the world reports of a run that has ended.
    private struct Course {
        var eventCount: Int
        var waitingEntries: [Int]
        var transcripts: [String: [String]]
    }

    private func follow(
        into sink: inout some TraceSink,
        taps: [String: any SpeakerTap] = [:],
        recordsPackets: Bool = false
    ) throws(WorldError) -> Course {
        var world = try World(
            plan: plan,
            seed: seed,
            material: material,
            taps: taps,
            tieShuffleSeed: tieShuffleSeed,
            recordsPackets: recordsPackets,
            fork: fork
        )
        try world.run(into: &sink)
        return Course(
            eventCount: world.eventCount,
            waitingEntries: world.waitingEntries,
            transcripts: world.transcripts
        )
    }
}

/// What a measured run leaves.
public struct RunOutcome: Sendable {
    /// A component's name and digest.
    public struct Component: Sendable, Equatable {
        /// The name.
        public var name: String
        /// The digest of all records about it.
        public var digest: Digest64

        init(_ name: String, _ digest: Digest64) {
            self.name = name
            self.digest = digest
        }
    }

    /// The metrics and invariants.
    public var evidence: RunEvidence
    /// The digest of the whole trace.
    public var digest: Digest64
    /// The components' digests, sorted by name.
    public var components: [Component]
    /// How many deliveries there were.
    public var eventCount: Int
    /// How long the run was by its own clock.
    public var simulated: Duration
    /// How long it took.
    public var processorSeconds: Double
    /// The entries of the plan's timeline, by index, whose record did not come, or came too late.
    public var waitingEntries: [Int] = []
    /// What was said to and by programs beside the simulator, by component.
    public var transcripts: [String: [String]] = [:]
}

/// What every measured run feeds: digest, metrics, invariants, and the display of its progress.
struct MeasuringSink: TraceSink {
    var digest = TraceDigest()
    var meter: RunMeter
    private let progress: ((Duration) -> Void)?
    /// The simulated time between two reports of progress: a hundredth of the run.
    private let step: Int64
    /// The progress reported last, in nanoseconds.
    private var told: Int64 = 0

    init(
        of duration: Duration,
        _ scoped: [ScopedMetric],
        _ progress: ((Duration) -> Void)? = nil
    ) {
        meter = RunMeter(scoped)
        self.progress = progress
        step = duration.wholeNanoseconds / 100
    }

    mutating func begin(_ directory: TraceDirectory) {
        digest.begin(directory)
        meter.begin(directory)
    }

    mutating func record(_ record: TraceRecord) {
        self.record(contentsOf: [record])
    }

    mutating func record(contentsOf records: [TraceRecord]) {
        digest.record(contentsOf: records)
        meter.record(contentsOf: records)
        guard let progress, let last = records.last else { return }
        let more = last.instant.nanoseconds - told
        guard more >= step || last.kind == RunEnded.kind else { return }
        told += more
        progress(.nanoseconds(more))
    }
}
