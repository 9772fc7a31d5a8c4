/// One whole message of a reliable stream, with its size before TLS and TCP.
public struct StreamMessage: Sendable, Equatable {
    /// What it says.
    public var content: any StreamContent
    /// Its size in bytes.
    public var byteCount: Int

    /// Makes a message.
    public init(_ content: any StreamContent, byteCount: Int) {
        self.content = content
        self.byteCount = byteCount
    }

    /// Compares what is said and its size.
    public static func == (left: StreamMessage, right: StreamMessage) -> Bool {
        left.byteCount == right.byteCount && left.content.equals(right.content)
    }
}

/// What a message of a stream may say: each protocol over streams has types of its own.
public protocol StreamContent: Sendable, Equatable {}

extension StreamContent {
    fileprivate func equals(_ other: any StreamContent) -> Bool { self == other as? Self }
}
