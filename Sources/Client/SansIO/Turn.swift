/// One call of a machine: the present, and the effects that the machine orders in this call.
///
/// `MachineDriver` keeps one turn for all calls of its machine, so that the memory of the effects is used
/// again.
@frozen
public struct Turn<Effect> {
    @usableFromInline var present: Instant
    /// The effects ordered so far, in the order in which they are to be performed.
    public var effects: [Effect] = []

    /// Makes a turn at `now` in which nothing has been ordered yet.
    @inlinable
    public init(at now: Instant) {
        present = now
    }

    /// The present: the same through the whole call, and never before the previous call's.
    @inlinable
    public var now: Instant { present }

    /// Orders one more effect.
    @inlinable
    public mutating func order(_ effect: Effect) {
        effects.append(effect)
    }
}

extension Turn: Sendable where Effect: Sendable {}

/// Memory for what an inner machine orders, kept from call to call where calls are many.
///
/// It is no state: whatever it holds, two memories are equal.
@frozen
public struct EffectMemory<Effect>: Equatable {
    @usableFromInline var effects: [Effect] = []

    /// Makes a memory that holds nothing.
    @inlinable
    public init() {}

    /// Takes back what has been followed, to use its memory again.
    @inlinable
    public mutating func reclaim(_ followed: consuming [Effect]) {
        followed.removeAll(keepingCapacity: true)
        effects = followed
    }

    /// Always true.
    @inlinable
    public static func == (left: EffectMemory, right: EffectMemory) -> Bool { true }
}

extension EffectMemory: Sendable where Effect: Sendable {}
