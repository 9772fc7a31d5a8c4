public import SansIO

/// One line of the trace: what happened, when, to whom.
///
/// Records carry integers only. What the four values mean is described once, by the kind.
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
    /// The kind's fields, in the kind's order; unused ones are 0.
    public var values: SIMD4<Int64>

    /// Makes a record.
    @inlinable
    public init(
        _ kind: TraceKind,
        at instant: Instant,
        of component: ComponentIndex,
        subject: ComponentIndex = .none,
        _ values: SIMD4<Int64> = .zero
    ) {
        self.instant = instant
        self.kind = kind
        self.component = component
        self.subject = subject
        self.values = values
    }
}

/// A component's place in the run's `TraceDirectory`.
@frozen
public struct ComponentIndex: Sendable, Hashable, BitwiseCopyable {
    /// The place, from 0.
    public var place: UInt16

    /// No component.
    @inlinable
    public static var none: ComponentIndex { ComponentIndex(place: .max) }

    /// Names the component at `place`.
    @inlinable
    public init(place: UInt16) {
        self.place = place
    }
}

/// The names of a run's components; digests and metrics are keyed by name, never by place.
public struct TraceDirectory: Sendable, Equatable {
    /// The names, unique, in the order of their places.
    public var names: [String]

    /// Makes a directory of `names`.
    public init(names: [String]) {
        self.names = names
    }

    /// The name at `index`, or `-` for no component.
    public func name(of index: ComponentIndex) -> String {
        index == .none ? "-" : names[Int(index.place)]
    }
}
