import TextFormats

/// What opens the user's own database at the primary (RP-01), and kept in secure storage only (RP-06).
///
/// Its description hides the token, so that it can stand in any log.
public struct ReplicaCredential: Sendable, Equatable, CustomStringConvertible {
    /// The database, as the server's URL names it.
    public var database: String
    /// The token that every request to it carries.
    public var token: String

    /// Makes a credential.
    public init(database: String, token: String) {
        self.database = database
        self.token = token
    }

    /// The database, without the token.
    public var description: String { "credential of \(database)" }

    /// The text that secure storage keeps, with the session that the credential was given for.
    ///
    /// A credential that outlives its user's sign-out, because the app was ended in the middle of it
    /// or the storage refused, then serves nobody.
    func text(session: String) -> String {
        JSON.object(of: [
            ("database", .string(database)), ("session", .string(session)),
            ("token", .string(token)),
        ]).text
    }

    /// Reads what secure storage kept; `nil` if it is no credential, or one of another session.
    init?(text: String, session: String) {
        guard let json = try? JSONReader.read(text.utf8), json["session"]?.string == session,
            let database = json["database"]?.string, let token = json["token"]?.string,
            !database.isEmpty, !token.isEmpty
        else { return nil }
        self.init(database: database, token: token)
    }
}
