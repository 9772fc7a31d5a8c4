import KodamaEvidence

/// The app shows its user the sign-in.
///
/// Whether there is need to is the world's view: what the app's server granted last, and whether
/// the user has logged out since.
struct SignInShown: TraceForm {
    /// Whether the user is signed in nevertheless.
    var isSignedIn: TraceFlag

    /// The kind of its records.
    static var kind: TraceKind { TraceKind(.session, 63) }

    /// Its text.
    static let text = TraceFormText(
        "sign_in.shown",
        .control,
        ["signed_in"],
        "The app shows the sign-in to a user who is not signed in, or is (1)."
    )

    /// Makes the values of a record.
    init(isSignedIn: Bool) {
        self.isSignedIn = TraceFlag(isSignedIn)
    }
}
