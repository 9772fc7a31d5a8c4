/// Where a machine puts its effects: appended by the machine, drained by the driver, kept for reuse.
@frozen
public struct EffectBuffer<Effect> {
    /// The effects of the current call, in the order in which they are to be performed.
    public var effects: [Effect] = []

    /// Makes an empty buffer.
    @inlinable
    public init() {}

    /// Orders one more effect.
    @inlinable
    public mutating func append(_ effect: Effect) {
        effects.append(effect)
    }

    /// Forgets the effects and keeps the memory.
    @inlinable
    public mutating func removeAll() {
        effects.removeAll(keepingCapacity: true)
    }
}

extension EffectBuffer: Sendable where Effect: Sendable {}

/// A machine may keep buffers for its inner machines; empty between calls, they compare equal.
extension EffectBuffer: Equatable where Effect: Equatable {}
