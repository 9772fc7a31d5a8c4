/// Ties the answer of a long operation to its request; a counter in the machine that asked.
@frozen
public struct OperationID: Sendable, Hashable, BitwiseCopyable {
    /// The request's number within its machine, from 1.
    public var number: UInt32

    /// Names request `number`.
    @inlinable
    public init(number: UInt32) {
        self.number = number
    }
}
