public import SansIO

/// One line of the trace: what happened, when, to whom.
///
/// Records carry integers only. What the four values mean is said once, by the kind's `TraceForm`.
@frozen
public struct TraceRecord: Sendable, Equatable, BitwiseCopyable {
    /// When it happened.
    public var instant: Instant
    /// What happened.
    public var kind: TraceKind
    /// Who it happened to: an index into the run's `TraceDirectory`.
    public var component: ComponentIndex
    /// Whom else it concerns, or `ComponentIndex.none`.
    public var subject: ComponentIndex
    /// The form's values, in the form's order; unused ones are 0.
    public var values: SIMD4<Int64>

    @usableFromInline
    package init(
        _ kind: TraceKind,
        at instant: Instant,
        of component: ComponentIndex,
        about subject: ComponentIndex,
        _ values: SIMD4<Int64>
    ) {
        self.instant = instant
        self.kind = kind
        self.component = component
        self.subject = subject
        self.values = values
    }
}

/// A component's index in the run's `TraceDirectory`.
@frozen
public struct ComponentIndex: Sendable, Hashable, BitwiseCopyable {
    /// The index, from 0.
    public var index: UInt32

    /// No component.
    @inlinable
    public static var none: ComponentIndex { ComponentIndex(UInt32.max) }

    /// Names the component at `index`; traps below 0 and above 2^32 − 1, which is none.
    @inlinable
    public init(_ index: some BinaryInteger) {
        self.index = UInt32(index)
    }
}

/// The names of a run's components, and the systems that its records come from.
///
/// Digests and metrics are keyed by name, never by index.
public struct TraceDirectory: Sendable, Equatable {
    /// The names, unique, in the order of their indices.
    public var names: [String]
    /// The systems whose records the trace may hold.
    public let systems: Systems
    /// Those of them of which the run has neither an app nor a server: what they measure has no occasion.
    package let absent: Set<SystemID>

    /// Makes a directory of `names`, in which all systems may take part.
    public init(names: [String], systems: Systems) {
        self.init(names: names, systems: systems, absent: [])
    }

    /// Makes a directory of `names`, in which some systems take no part.
    package init(names: [String], systems: Systems, absent: Set<SystemID>) {
        self.names = names
        self.systems = systems
        self.absent = absent
    }

    /// The name at `index`, or `-` for no component.
    public func name(of index: ComponentIndex) -> String {
        index == .none ? "-" : names[Int(index.index)]
    }

    /// For each component the phone that it is an app of, or itself.
    ///
    /// An app is called after its phone: `mika-phone.session` is one of `mika-phone`'s.
    public var owners: [ComponentIndex] {
        var indices: [String: Int] = [:]
        for (index, name) in names.enumerated() { indices[name] = index }
        return names.enumerated().map { index, name in
            ComponentIndex(Self.owner(of: name).flatMap { indices[$0] } ?? index)
        }
    }

    /// The name of the phone that an app of this name would be on.
    public static func owner(of name: String) -> String? {
        name.lastIndex(of: ".").map { String(name[..<$0]) }
    }

    /// What is known of the kinds of its records.
    package var forms: RegisteredForms { systems.forms }

    /// Compares the names; what systems there are is not part of what happened.
    public static func == (left: TraceDirectory, right: TraceDirectory) -> Bool {
        left.names == right.names
    }
}
