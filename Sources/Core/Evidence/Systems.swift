/// The systems whose records are told apart and measured: a value, so that a test can add one of its own.
///
/// Forms are listed in the order of the kinds' numbers and systems, metrics and invariants in that of
/// the systems' identities and of each meter; the order in which systems are registered never shows.
public struct Systems: Sendable {
    /// The core's own records and measures: the run, people, phones and the network.
    public static let core = Systems(EvidenceSystem.core)

    private let systems: [EvidenceSystem]
    /// The forms of all records.
    public let forms: RegisteredForms
    /// Every metric that can be gated, charted or compared, as the meters declare them.
    public private(set) var metrics: [MetricDescription] = []
    /// Everything that must hold, as the meters declare it.
    public private(set) var invariants: [InvariantDescription] = []
    /// What can be done to radios, servers and phones.
    package let faults: DeclaredWords<WorldFault>
    /// What users can do.
    package let acts: DeclaredWords<UserAct>
    /// The hashes of the kinds' names, kept because every run needs them.
    package let kindHashes: KindTable<UInt64>

    /// Registers systems; their identities, the kinds and names of their forms, and the names of their
    /// metrics and invariants must be unique.
    public init(_ systems: [EvidenceSystem]) {
        self.init(unchecked: systems)
        Self.refuseTwins(systems.map(\.id), "two systems share an identity")
        for conflict in [faults.conflict, acts.conflict] {
            precondition(conflict == nil, conflict ?? "")
        }
        Self.refuseTwins(metrics.map(\.name), "two metrics share a name")
        Self.refuseTwins(invariants.map(\.name), "two invariants share a name")
        let shares = Set(metrics.filter { $0.form == .proportion }.map(\.name))
        for metric in chains.flatMap(\.metrics) {
            precondition(shares.contains(metric), "a chain has \(metric), which is no share")
        }
    }

    /// Registers systems of which only identities, kinds and records' names are known to be unique.
    private init(unchecked systems: [EvidenceSystem]) {
        self.systems = systems.sorted { $0.id.byte < $1.id.byte }
        faults = DeclaredWords(of: systems)
        acts = DeclaredWords(of: systems)
        forms = RegisteredForms(systems)
        kindHashes = KindTable(forms) { NameHash.of($0.text.name) }
        let meters = self.meters(TraceDirectory(names: [], systems: self))
        metrics = meters.flatMap { $0.metrics.map(\.metric) }
        invariants = meters.flatMap { $0.invariants.map(\.description) } + [.occasionsAddUp]
    }

    /// What each of these systems measures, in words, whose identities, kinds and records' names are unique
    /// among them and the core's; the core's own comes first.
    package static func measured(by systems: [EvidenceSystem]) -> [[String]] {
        let directory = TraceDirectory(
            names: [],
            systems: Systems(unchecked: EvidenceSystem.core + systems)
        )
        let words = (EvidenceSystem.core + systems).map { system -> [String] in
            guard let meter = system.meter?.init(directory) else { return [] }
            return meter.metrics.map { "the metric '\($0.metric.name)'" }
                + meter.invariants.map { "the invariant '\($0.description.name)'" }
        }
        let cores = EvidenceSystem.core.count
        return [words[..<cores].flatMap(\.self)] + words[cores...]
    }

    /// The systems' meters for a run that begins.
    ///
    /// Those of absent systems know no component, so that they cost nothing, and are given no record.
    package func meters(_ directory: TraceDirectory) -> [any SystemMeter] {
        let nobody = TraceDirectory(names: [], systems: self)
        return systems.compactMap { system in
            system.meter?.init(directory.absent.contains(system.id) ? nobody : directory)
        }
    }

    /// The systems that may take part in a run.
    private func present(in directory: TraceDirectory) -> [EvidenceSystem] {
        systems.filter { !directory.absent.contains($0.id) }
    }

    /// The places among `meters` of those that are given the run's records.
    package func measuring(_ directory: TraceDirectory) -> [Int] {
        systems.filter { $0.meter != nil }.enumerated()
            .filter { !directory.absent.contains($0.element.id) }.map(\.offset)
    }

    /// The systems' narrators for a run that begins; absent systems have nothing to say.
    package func narrators(_ directory: TraceDirectory) -> [any SystemNarrator] {
        let own: [any SystemNarrator] = present(in: directory).compactMap {
            $0.narrator?.init(directory)
        }
        return milestonesOfNoNarrator.isEmpty ? own : own + [MilestoneNarrator(directory)]
    }

    /// The milestones that no narrator knows of: those of systems beside the core that have none.
    var milestonesOfNoNarrator: [RegisteredForms.Entry] {
        let cores = EvidenceSystem.core.map(\.id)
        let silent = Set(systems.filter { $0.narrator == nil }.map(\.id)).subtracting(cores)
        return forms.entries.filter {
            silent.contains($0.kind.system) && $0.text.level == .milestone
        }
    }

    /// What finds the systems' moments that are worth listening to, in a run that begins.
    package func momentFinders(_ directory: TraceDirectory) -> [any MomentFinder] {
        present(in: directory).compactMap { $0.moments?.init(directory) }
    }

    /// The metrics of all systems whose samples are faults that a listener hears.
    package var heardFaults: [HeardFault] { systems.flatMap(\.heardFaults) }

    /// The words of statuses that apps show as warnings.
    package var warnings: Set<String> { Set(systems.flatMap(\.warnings)) }

    /// The shares of the systems' metrics that multiply.
    package var chains: [MetricChain] { systems.flatMap(\.chains) }

    /// How the systems' frames show in a run's picture.
    package var marks: [MediaMark] { systems.flatMap(\.marks) }

    /// What the systems' records change that a run's picture shows.
    package var states: [LaneState] { systems.flatMap(\.states) }

    private static func refuseTwins(_ names: [some Hashable], _ message: String) {
        precondition(Set(names).count == names.count, message)
    }

    /// These systems and more.
    public static func + (systems: Systems, more: [EvidenceSystem]) -> Systems {
        Systems(systems.systems + more)
    }
}

extension EvidenceSystem {
    /// What the core itself records and measures.
    package static let core: [EvidenceSystem] = [.world, .people, .phone, .network]
}

extension SystemID {
    /// The run itself.
    @inlinable
    public static var world: SystemID { SystemID(0) }
    /// What people say and do.
    @inlinable
    public static var people: SystemID { SystemID(1) }
    /// The phone and its processes.
    @inlinable
    public static var phone: SystemID { SystemID(2) }
    /// Links, packets and paths.
    @inlinable
    public static var network: SystemID { SystemID(3) }
}
