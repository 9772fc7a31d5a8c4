/// What the keychain keeps for the app.
public enum SecureKey: Int64, Sendable, Hashable, CaseIterable {
    /// The device's identity (RS-03).
    case deviceIdentity
    /// The login's session token (RS-12).
    case sessionToken
}

/// How the keychain answered a read.
public enum SecureAnswer: Sendable, Equatable {
    /// What is kept, if anything.
    case value(String?)
    /// It cannot be read.
    case failed
}
