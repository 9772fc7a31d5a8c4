public import KodamaEvidence
public import KodamaLanguage
public import KodamaSimulation
public import KodamaSpeech
public import SansIO

/// One run of one plan with one seed: phones, links and people, and the stage that they act on.
///
/// A world is single-threaded and owns everything it touches. Its records go to a `TraceSink`; it does
/// not know what is measured.
public struct World: ~Copyable {
    /// The names of the components, in the order of their indices.
    public let directory: TraceDirectory
    /// Deliveries so far.
    public private(set) var eventCount = 0

    /// What was said to and by programs beside the simulator so far, by component.
    public var transcripts: [String: [String]] {
        cast.systems.reduce(into: [:]) { all, system in
            all.merge(system.transcripts) { $1 }
        }
    }

    package let end: Instant
    package let cast: Cast
    private let timeline: Timeline
    private let components: [any Component]
    /// Where the weather departs from that of the seed; `nil` once it has, or if it never does.
    private var fork: WeatherFork?
    package var stage: Stage

    /// Builds a world from a plan.
    ///
    /// - Parameters:
    ///   - plan: What to run.
    ///   - seed: The seed of every draw.
    ///   - material: The voices; needed for real audio only.
    ///   - taps: Listeners at the speakers of phones, by name.
    ///   - tieShuffleSeed: Shuffles simultaneous deliveries, to find code that depends on their order.
    ///   - recordsPackets: Whether every packet that a link is given leaves a record.
    ///   - fork: Where the weather departs from that of the seed, if it does.
    /// - Throws: That voices or the codec are missing.
    public init(
        plan: WorldPlan,
        seed: UInt64,
        material: SpeechMaterial?,
        taps: [String: any SpeakerTap] = [:],
        tieShuffleSeed: UInt64? = nil,
        recordsPackets: Bool = false,
        fork: WeatherFork? = nil
    ) throws(WorldError) {
        let cast = try Cast(
            of: plan,
            seed: seed,
            fork: fork,
            material: material,
            taps: taps
        )
        let named = cast.components
        precondition(
            named.count < Delivery.componentsMax,
            "a world of \(named.count) components is larger than \(Delivery.componentsMax)"
        )
        self.fork = fork
        self.cast = cast
        directory = TraceDirectory(
            names: named.map(\.name),
            systems: plan.systems.evidence,
            absent: plan.absentSystems()
        )
        // The timeline is behind the stage: it has no records of its own.
        timeline = Timeline(
            of: plan,
            seed: seed,
            fork: fork,
            cast: cast,
            systems: directory.systems,
            index: ComponentIndex(named.count)
        )
        components = named + [timeline]
        end = Instant.zero.advanced(by: plan.duration)
        let network = Network(
            directions: Cast.directions(of: plan, seed: seed),
            radios: cast.phones.map(\.radios),
            keepsBytes: plan.voice == .real,
            linkIndices: recordsPackets ? cast.links.map(\.index) : nil
        )
        stage = Stage(seed: seed, network: network, tieShuffleSeed: tieShuffleSeed)
    }

    /// The entries of the plan's timeline, by index, that have waited for a record in vain so far.
    public var waitingEntries: [Int] { timeline.waitingEntries }

    /// Runs to the plan's end.
    ///
    /// - Parameter sink: Takes the records.
    /// - Throws: A livelock, or a program's fault.
    public mutating func run(into sink: inout some TraceSink) throws(WorldError) {
        sink.begin(directory)
        begin()
        var limits = DeliveryLimits(componentCount: components.count)
        while let delivery = stage.next(before: end) {
            if let excess = limits.excess(at: stage.now) {
                throw excess.error(at: stage.now, for: name(of: delivery))
            }
            eventCount += 1
            if let fork, fork.instant <= stage.now { changeWeather(to: fork) }
            components[delivery.receiver].deliver(delivery, on: &stage)
            settle()
            stage.flush(into: &sink)
        }
        stage.end(at: end)
        for link in cast.links { link.noteCarried(on: &stage) }
        for system in cast.systems { system.end(on: &stage) }
        if let fault = cast.systems.lazy.compactMap(\.fault).first { throw fault }
        stage.note(RunEnded(), of: .none)
        stage.flush(into: &sink, all: true)
    }

    private mutating func begin() {
        timeline.begin(on: &stage)
        for person in cast.people { person.scheduleSpeech(on: &stage) }
        for link in cast.links { link.move(on: &stage) }
        for phone in cast.phones { phone.begin(on: &stage) }
        for system in cast.systems { system.begin(on: &stage) }
        settle()
    }

    /// Lets links draw by the fork's seed; the schedules of faults and speech already follow it.
    private mutating func changeWeather(to fork: WeatherFork) {
        self.fork = nil
        for link in cast.links { link.draw(by: fork.seed, on: &stage) }
    }

    /// Delivers unread events until none is left, then advances the timeline.
    @inline(__always)
    private mutating func settle() {
        stage.settle()
        if stage.hasTriggered { timeline.scheduleTriggered(on: &stage) }
    }

    private func name(of delivery: Delivery) -> String {
        let component = components[delivery.receiver]
        return component === timeline ? timeline.describe(delivery) : component.name
    }
}

/// Receives what a phone's speaker plays.
public protocol SpeakerTap: AnyObject {
    /// Takes the next samples at 48 kHz, of which the first leaves the speaker at `instant`.
    ///
    /// A phone makes no samples while its app doesn't run.
    func take(_ samples: UnsafeBufferPointer<Int16>, at instant: Instant)
}
