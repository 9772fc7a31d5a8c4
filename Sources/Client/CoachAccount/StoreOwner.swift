import TextFormats

/// Tells whose a coach's store is from who is signed in (AN-08, AN-09).
///
/// A store has one owner, as a replica's file has: the first user who signs in claims it, with what was written
/// before. What is in it is sent in sessions of its owner alone. For another user the app opens another store.
public struct StoreOwner: Sendable, Equatable {
    /// What a sign-in means for the store.
    public enum Outcome: Sendable, Equatable {
        /// The store is this user's.
        case own
        /// It was nobody's, and is this user's from now on.
        case claimed(by: String)
        /// It is not this user's; `nil` if the session does not say whose it is.
        case foreign(String?)
    }

    /// The owner, by the name in their session; `nil` while the store is nobody's.
    public private(set) var user: String?
    /// The owner's session; `nil` unless the owner is signed in.
    public private(set) var session: String?

    /// Makes the owner of a store that was just opened, before the session is known.
    ///
    /// - Parameter user: Whose the store says that it is.
    public init(_ user: String?) { self.user = user }

    /// Takes the session of a user who has signed in.
    public mutating func signedIn(_ session: String) -> Outcome {
        self.session = nil
        guard let subject = TokenSubject.of(session) else { return .foreign(nil) }
        guard user == nil || owns(subject) else { return .foreign(subject) }
        self.session = session
        guard user == nil else { return .own }
        user = subject
        return .claimed(by: subject)
    }

    /// Forgets the session.
    public mutating func signedOut() { session = nil }

    /// Whether the store is this user's, to the byte.
    public func owns(_ writer: String?) -> Bool {
        guard let user, let writer else { return false }
        return user.utf8.elementsEqual(writer.utf8)
    }
}
