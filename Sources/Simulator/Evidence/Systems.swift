/// The systems whose records are told apart: a value, so that a test can add one of its own.
///
/// Where something is listed, it is in the order of the kinds' numbers and systems; the order in which
/// systems are registered never shows.
public struct Systems: Sendable {
    /// The systems that the product ships.
    public static let shipped = Systems(EvidenceSystem.shipped)

    private let systems: [EvidenceSystem]
    /// The forms of all records.
    public let forms: RegisteredForms
    /// The hashes of the kinds' names, kept because every run needs them.
    let kindHashes: KindTable<UInt64>

    /// Registers systems; their identities, and the kinds and names of their forms, must be unique.
    public init(_ systems: [EvidenceSystem]) {
        precondition(
            Set(systems.map(\.id)).count == systems.count,
            "two systems share an identity"
        )
        self.systems = systems
        forms = RegisteredForms(systems.flatMap(\.forms))
        kindHashes = KindTable(forms) { NameHash.of($0.text.name) }
    }

    /// These systems and more.
    public static func + (systems: Systems, more: [EvidenceSystem]) -> Systems {
        Systems(systems.systems + more)
    }
}

extension EvidenceSystem {
    /// The systems that the product ships.
    public static let shipped: [EvidenceSystem] = [
        .world, .people, .phone, .network, .voice, .session,
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
    public static var voice: SystemID { SystemID(4) }
    /// The voice session.
    @inlinable
    public static var session: SystemID { SystemID(5) }
}
