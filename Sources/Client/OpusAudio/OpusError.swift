internal import COpus

/// What libopus refused, with its own code and its own words.
public struct OpusError: Error, Sendable, Equatable, CustomStringConvertible {
    /// libopus's error code, such as `OPUS_INVALID_PACKET` (−4); always negative.
    public var code: Int32
    /// What was asked of libopus, such as "decode a packet".
    public var operation: StaticString

    /// Makes the error that libopus's `code` stands for.
    public init(code: Int32, operation: StaticString) {
        self.code = code
        self.operation = operation
    }

    /// libopus's own text for the code, such as "corrupted stream".
    public var reason: String {
        String(cString: opus_strerror(code))
    }

    /// The operation, the reason and the code in one line.
    public var description: String {
        "libopus could not \(operation): \(reason) (\(code))"
    }

    /// Errors are equal when their codes are: the operation is for people.
    public static func == (left: OpusError, right: OpusError) -> Bool {
        left.code == right.code
    }

    /// Throws unless `status` is `OPUS_OK` or a count.
    static func check(_ status: Int32, _ operation: StaticString) throws(OpusError) {
        guard status >= 0 else { throw OpusError(code: status, operation: operation) }
    }
}
