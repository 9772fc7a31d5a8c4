/// Whose a session token is, as far as a client can tell.
package enum TokenSubject {
    /// The subject of a JSON Web Token (RFC 7519); `nil` if it names none, or is another kind of token.
    ///
    /// That tells users of one phone from each other, and proves nothing: that is for the server.
    package static func of(_ token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let claims = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONReader.read(claims))?["sub"]?.string
    }
}
