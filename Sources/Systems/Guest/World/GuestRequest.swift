import AppServer
import KodamaNetwork
import KodamaSession
import SansIO
import TextFormats

/// A guest's request to a server of the world: HTTP/1.1 over TCP and TLS, on a connection of its own.
struct GuestRequest: Equatable, APIOrder {
    /// The guest's name for it.
    let name: String
    /// The component that is asked.
    let server: String
    let message: HTTPRequest
    /// After how long without an answer it fails.
    let timeout: Duration

    /// The `timeoutInterval` of Foundation's `URLRequest`, unless it is set: 60 s.
    private static let usualTimeout = Duration.seconds(60)
    /// An hour.
    private static let timeoutMaxNanoseconds: Int64 = 3_600_000_000_000
    /// The longest target that a server has to take (RFC 9112 §3).
    private static let pathBytesMax = 8_000
    private static let headersMax = 64
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    /// Fields that describe the connection or the body, which the client itself writes.
    private static let ownFields: Set = [
        "host", "content-length", "transfer-encoding", "connection",
    ]

    var httpMessage: StreamMessage { message.message }

    /// Reads an order.
    init(_ order: GuestEffect.Order) throws(GuestFault) {
        name = try order.text("http")
        guard (1...GuestEffect.nameBytesMax).contains(name.utf8.count) else {
            throw GuestFault(
                "it names a request by \(name.utf8.count) bytes; a name has 1 to "
                    + "\(GuestEffect.nameBytesMax)"
            )
        }
        server = try order.text("to")
        let method = order["method"] == nil ? "GET" : try order.text("method")
        guard Self.methods.contains(method) else {
            throw GuestFault(
                "it asks by '\(method)'; methods are \(Self.methods.joined(separator: ", "))"
            )
        }
        let path = try order.text("path")
        guard path.hasPrefix("/"), path.utf8.count <= Self.pathBytesMax,
            path.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw GuestFault(
                "it asks for the path '\(path.prefix(80))'; a path begins with '/' and has up to "
                    + "\(Self.pathBytesMax) visible ASCII characters, others as %XX"
            )
        }
        let body = order["body"] == nil ? "" : try order.text("body")
        guard body.utf8.count <= GuestEffect.messageBytesMax else {
            throw GuestFault(
                "it sends a body of \(body.utf8.count) bytes; a body has at most "
                    + "\(GuestEffect.messageBytesMax)"
            )
        }
        let nanoseconds = try order.integer("timeout", isNeeded: false)
        guard (1...Self.timeoutMaxNanoseconds).contains(nanoseconds ?? 1) else {
            throw GuestFault(
                "it waits \(nanoseconds ?? 0) ns for an answer; a time-out is positive and has at most "
                    + "\(Self.timeoutMaxNanoseconds)"
            )
        }
        timeout = nanoseconds.map(Duration.nanoseconds) ?? Self.usualTimeout
        message = HTTPRequest(
            method: method,
            target: path,
            headers: try Self.fields(order["headers"]),
            body: body
        )
    }

    private static func fields(_ value: JSON?) throws(GuestFault) -> [HTTPField] {
        guard let value else { return [] }
        guard case .object(let members) = value, members.count <= headersMax else {
            throw GuestFault("'headers' of an order is no object of up to \(headersMax) texts")
        }
        var fields: [HTTPField] = []
        for member in members {
            guard isToken(member.name), !ownFields.contains(member.name.lowercased()) else {
                throw GuestFault(
                    "it sends the header '\(member.name)'; a header's name is a token of RFC 9110, and "
                        + ownFields.sorted().joined(separator: ", ") + " are the connection's own"
                )
            }
            guard let text = member.value.string, !text.utf8.contains(where: { $0 < 0x20 }) else {
                throw GuestFault("the header '\(member.name)' is no text of one line")
            }
            fields.append(HTTPField(member.name, text))
        }
        return fields
    }

    /// Whether a text is a token (RFC 9110 §5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
