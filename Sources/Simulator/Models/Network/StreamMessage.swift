public import AppServer

/// One whole message of a reliable stream, with its size before TLS and TCP.
public struct StreamMessage: Sendable, Equatable {
    /// What it says.
    public enum Content: Sendable, Equatable {
        /// From a client to the room server.
        case signalRequest(SignalRequest)
        /// From the room server to a client.
        case signalResponse(SignalResponse)
        /// From an app to its own server.
        case httpRequest(HTTPRequest)
        /// From an app's own server to the app.
        case httpResponse(HTTPResponse)
    }

    /// What it says.
    public var content: Content
    /// Its size in bytes.
    public var byteCount: Int

    /// Makes a message.
    public init(_ content: Content, byteCount: Int) {
        self.content = content
        self.byteCount = byteCount
    }
}
