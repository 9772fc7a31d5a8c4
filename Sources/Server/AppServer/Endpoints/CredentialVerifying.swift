public import SansIO

/// Says whose a credential is: the part of signing in that this target does not do itself.
///
/// Not checked here, and so an implementation's duty: for passkeys the assertion's signature under
/// the user's stored public key, origin, relying party, user presence and signature counter (Web
/// Authentication Level 3, §7.2); for Apple's tokens the signature under Apple's published keys, issuer,
/// audience, expiry and nonce (Sign in with Apple REST API, "Verifying a user"). Checked here: that
/// the challenge is ours, in time and used once.
public protocol CredentialVerifying: Sendable {
    /// Whose assertion this is, and to which challenge; `nil` if it is not genuine.
    func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey?
    /// Whose identity token of Apple's this is; `nil` if it is not genuine.
    func appleUser(identityToken: String, at now: WallTime) -> String?
}

/// What a genuine assertion says.
public struct VerifiedPasskey: Sendable, Equatable {
    /// The user.
    public var user: String
    /// The challenge that was signed.
    public var challenge: String

    /// Makes the outcome of a verification.
    public init(user: String, challenge: String) {
        self.user = user
        self.challenge = challenge
    }
}

/// Accepts nobody; for servers without login.
public struct NoCredentials: CredentialVerifying {
    /// Makes a verifier that accepts nobody.
    public init() {}

    /// Accepts no assertion.
    public func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? { nil }

    /// Accepts no token.
    public func appleUser(identityToken: String, at now: WallTime) -> String? { nil }
}
