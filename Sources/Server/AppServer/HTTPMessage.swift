public import SansIO

/// A request to the app's own server, as it goes over the wire.
public struct HTTPRequest: Sendable, Equatable {
    /// The method, such as `GET`.
    public var method: String
    /// The path with its query.
    public var target: String
    /// The header fields, in order.
    public var headers: [HTTPField]
    /// The body.
    public var body: String

    /// Makes a request.
    public init(method: String, target: String, headers: [HTTPField] = [], body: String = "") {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

/// An answer of the app's own server, as it goes over the wire.
public struct HTTPResponse: Sendable, Equatable {
    /// The status code.
    public var statusCode: Int
    /// The header fields beside those that every answer has.
    public var headers: [HTTPField]
    /// The body.
    public var body: String

    /// Makes an answer.
    public init(statusCode: Int, headers: [HTTPField] = [], body: String) {
        self.statusCode = statusCode
        self.headers = headers
        self.body = body
    }

    /// How long the client is to wait before it asks again, if the server is busy and says so.
    public var retryAfter: RetryAfter? {
        let field = headers.first { $0.name.lowercased() == "retry-after" }
        return RetryAfter(statusCode: statusCode, field: field?.value)
    }
}

/// One header field.
public struct HTTPField: Sendable, Equatable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
