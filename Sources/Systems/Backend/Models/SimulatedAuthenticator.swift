public import AppServer
public import SansIO

/// Stands for a user's authenticator, and for the server's check of what it signs.
///
/// Assertions are plain texts that name the user; nothing is signed. What the simulation shows of
/// signing in is the server's and the client's own logic around it.
public struct SimulatedAuthenticator: CredentialVerifying {
    /// Makes one; all are alike.
    public init() {}

    /// What the authenticator answers to a challenge.
    public static func assertion(user: String, challenge: String) -> String {
        "passkey/\(user)/\(challenge)"
    }

    /// Takes an assertion apart.
    public func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? {
        let parts = assertion.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "passkey", !parts[1].isEmpty else { return nil }
        return VerifiedPasskey(user: String(parts[1]), challenge: String(parts[2]))
    }

    /// Nobody: no user signs in with Apple here.
    public func appleUser(identityToken: String, at now: WallTime) -> String? { nil }
}
