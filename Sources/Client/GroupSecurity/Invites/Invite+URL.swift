import TextFormats

extension Invite {
    /// What stands before the content if an app names nothing else.
    ///
    /// An app with a web site puts that site's link here, ending in `#`: what follows a `#` is not
    /// sent to the server (RFC 3986 section 3.5), so the secret stays between the phones.
    public static let urlBase = "kodama://invite#"

    /// The invite as a URL, for a message or a QR code: base64url of content and signature.
    ///
    /// - Parameter base: What stands before the content.
    /// - Returns: About 250 characters, at most 370 with the longest name and the usual base.
    public func url(base: String = urlBase) -> String {
        let content = InviteContent(group: group, inviter: inviter, terms: terms)
        return base + Base64URL.encode(content.bytes + signature)
    }

    /// Reads an invite from a URL and checks its signature.
    ///
    /// - Parameters:
    ///   - url: The URL as it came; nothing in it may differ from how it was written.
    ///   - base: What must stand before the content.
    /// - Throws: Why it is not accepted.
    public init(url: String, base: String = urlBase) throws(InviteRefusal) {
        guard url.utf8.count <= Self.encodedCountMax else {
            throw .oversized(byteCount: url.utf8.count)
        }
        guard url.utf8.starts(with: base.utf8) else { throw .notAnInvite }
        let text = Substring(url.utf8.dropFirst(base.utf8.count))
        guard let bytes = Base64URL.decode(text) else {
            throw .malformed(.text(offset: base.utf8.count + Base64URL.validPrefixCount(of: text)))
        }
        var rest = bytes[...]
        let content = try InviteContent(reading: &rest)
        guard rest.count >= Self.signatureByteCount else { throw .malformed(.field(.signature)) }
        guard rest.count == Self.signatureByteCount else { throw .malformed(.end) }
        try self.init(content, signature: Array(rest))
    }

    /// The length of an Ed25519 signature (RFC 8032 section 5.1.6).
    static let signatureByteCount = 64
}
