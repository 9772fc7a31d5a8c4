/// Names one audio frame in the driver's frame pool.
///
/// Machines pass handles on and never see bytes. A handle that enters a machine leaves it exactly
/// once: sent, played or discarded (law L11); the driver then frees the slot.
@frozen
public struct FrameHandle: Sendable, Hashable, BitwiseCopyable {
    /// The slot in the driver's pool.
    public var slot: UInt32

    /// Names slot `slot`.
    @inlinable
    public init(slot: UInt32) {
        self.slot = slot
    }
}
