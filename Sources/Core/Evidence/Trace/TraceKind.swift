/// What a record tells of: a system, and a number that the system has given it.
@frozen
public struct TraceKind: Sendable, Hashable, BitwiseCopyable {
    /// The system's byte, then the number.
    @usableFromInline
    package let code: UInt16

    /// Makes the kind that `system` has given `number`.
    @inlinable
    public init(_ system: SystemID, _ number: UInt8) {
        code = UInt16(system.byte) << 8 | UInt16(number)
    }

    /// The system whose record it is.
    @inlinable
    public var system: SystemID { SystemID(UInt8(truncatingIfNeeded: code >> 8)) }

    /// The number within the system.
    @inlinable
    public var number: UInt8 { UInt8(truncatingIfNeeded: code) }
}

/// How much of the story a record tells.
public enum TraceLevel: Int, Sendable, Comparable, CaseIterable {
    /// Tens per run: the story.
    case milestone
    /// Thousands per run: states, packets of control.
    case control
    /// Every frame.
    case media
    /// Every packet that a link is given; made only for who asks for it, and in no digest.
    case packets

    /// Orders levels from the coarsest to the finest.
    public static func < (left: TraceLevel, right: TraceLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
