import FlyingFox

/// What keeps the studio's address to the page that it gave out: its token, its host and its origin.
///
/// A page of another origin may send requests to this machine; a name that leads here by DNS rebinding gives
/// it another Host (RFC 9110, 7.2), and a WebSocket tells the page's Origin (RFC 6455, 10.2).
struct RequestGuard: Sendable {
    /// 128 random bits in hexadecimal, the first part of every path.
    let token: String
    /// The port on which the studio listens.
    let port: UInt16
    /// Whether it listens for other machines too.
    let isOpen: Bool

    /// What may be had.
    enum Path: Equatable {
        case page, socket
    }

    /// Why a request is refused.
    struct Refusal: Error, Equatable {
        var status: Int
        var sentence: String
    }

    /// What a request may have.
    ///
    /// - Parameters:
    ///   - method: Its method.
    ///   - path: Its path.
    ///   - host: The Host that it names.
    ///   - origin: The Origin of the page that sends it, if a page does.
    /// - Returns: What it asks for.
    /// - Throws: Why it gets nothing.
    func path(
        method: String,
        path: String,
        host: String?,
        origin: String?
    ) throws(Refusal) -> Path {
        guard let host, isOwn(host) else {
            throw Refusal(
                status: 403,
                sentence:
                    "This studio has another address: open the one that 'kodama studio' printed."
            )
        }
        guard origin == nil || origin == "http://\(host)" else {
            throw Refusal(
                status: 403,
                sentence: "A page of another origin gets nothing from this studio."
            )
        }
        guard method == "GET" else {
            throw Refusal(status: 405, sentence: "The studio is read with GET.")
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let first = parts.first, isToken(first) else {
            throw Refusal(
                status: 403,
                sentence:
                    "The address lacks its token: open the one that 'kodama studio' printed, and paste "
                    + "a link that somebody shared under 'Open a link'."
            )
        }
        switch parts.dropFirst().joined(separator: "/") {
        case "": return .page
        case "socket":
            guard origin != nil else {
                throw Refusal(status: 403, sentence: "Only the studio's own page opens its socket.")
            }
            return .socket
        default: throw Refusal(status: 404, sentence: "There is nothing of that name.")
        }
    }

    /// Whether a host is this machine by an address, or by the one name that leads nowhere else.
    private func isOwn(_ host: String) -> Bool {
        guard host.hasSuffix(":\(port)") else { return false }
        let name = host.dropLast("\(port)".count + 1)
        if name == "localhost" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 4, !parts.contains(nil) else { return false }
        return isOpen || parts[0] == 127
    }

    /// Compares all of it, so that the time tells nothing.
    private func isToken(_ text: Substring) -> Bool {
        let (one, other) = (Array(token.utf8), Array(text.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
