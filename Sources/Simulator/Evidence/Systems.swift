/// The systems whose records are told apart and measured: a value, so that a test can add one of its own.
///
/// Forms are listed in the order of the kinds' numbers and systems, metrics and invariants in that of
/// the systems' identities and of each meter; the order in which systems are registered never shows.
public struct Systems: Sendable {
    /// The systems that the product ships.
    public static let shipped = Systems(EvidenceSystem.shipped)

    private let systems: [EvidenceSystem]
    /// The forms of all records.
    public let forms: RegisteredForms
    /// Every metric that can be gated, charted or compared, as the meters declare them.
    public private(set) var metrics: [MetricDescription] = []
    /// Everything that must hold, as the meters declare it.
    public private(set) var invariants: [InvariantDescription] = []
    /// The hashes of the kinds' names, kept because every run needs them.
    let kindHashes: KindTable<UInt64>

    /// Registers systems; their identities, the kinds and names of their forms, and the names of their
    /// metrics and invariants must be unique.
    public init(_ systems: [EvidenceSystem]) {
        self.systems = systems.sorted { $0.id.byte < $1.id.byte }
        forms = RegisteredForms(systems.flatMap(\.forms))
        kindHashes = KindTable(forms) { NameHash.of($0.text.name) }
        let meters = self.meters(TraceDirectory(names: [], systems: self))
        metrics = meters.flatMap { $0.metrics.map(\.metric) }
        invariants = meters.flatMap { $0.invariants.map(\.description) }
        Self.refuseTwins(systems.map(\.id), "two systems share an identity")
        Self.refuseTwins(metrics.map(\.name), "two metrics share a name")
        Self.refuseTwins(invariants.map(\.name), "two invariants share a name")
    }

    /// The systems' meters for a run that begins.
    func meters(_ directory: TraceDirectory) -> [any SystemMeter] {
        systems.compactMap { $0.meter?.init(directory) }
    }

    /// The systems' narrators for a run that begins.
    func narrators(_ directory: TraceDirectory) -> [any SystemNarrator] {
        systems.compactMap { $0.narrator?.init(directory) }
    }

    private static func refuseTwins(_ names: [some Hashable], _ message: String) {
        precondition(Set(names).count == names.count, message)
    }

    /// These systems and more.
    public static func + (systems: Systems, more: [EvidenceSystem]) -> Systems {
        Systems(systems.systems + more)
    }
}

extension EvidenceSystem {
    /// The systems that the product ships.
    public static let shipped: [EvidenceSystem] = [
        .world, .people, .phone, .network, .intercom, .session, .calls, .replica,
    ]
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
    /// The intercom.
    @inlinable
    public static var intercom: SystemID { SystemID(4) }
    /// The voice session.
    @inlinable
    public static var session: SystemID { SystemID(5) }
    /// Calls between users.
    @inlinable
    public static var calls: SystemID { SystemID(6) }
    /// Replicas of users' databases.
    @inlinable
    public static var replica: SystemID { SystemID(7) }
}
