public import AppServer
public import SansIO

/// A request to the push service, as it goes over the wire but for the provider token.
public struct PushRequest: Sendable, Equatable {
    /// The header fields, those of HTTP/2 among them, without `authorization`.
    public var fields: [HTTPField]
    /// The body: the notification's payload.
    public var body: String
    /// When the provider token was issued, its claim `iat`; `nil` without a token.
    ///
    /// The token's text stays outside: ES256 signatures are random, and nothing random may reach a trace.
    public var providerTokenIssuedAt: WallTime?

    /// Makes a request.
    public init(fields: [HTTPField], body: String, providerTokenIssuedAt: WallTime?) {
        self.fields = fields
        self.body = body
        self.providerTokenIssuedAt = providerTokenIssuedAt
    }

    /// Makes the request by which a push provider sends an order.
    public init(_ order: PushOrder, id: UniqueID, providerTokenIssuedAt: WallTime?) {
        self.init(
            fields: order.headers(id: id),
            body: order.payload,
            providerTokenIssuedAt: providerTokenIssuedAt
        )
    }
}
