import KodamaEvidence

/// The app shows its user the sign-in.
///
/// Whether there is need to is the world's view: what the app's server granted last, and whether
/// the user has logged out since.
struct SignInShown: TraceForm {
    static let kind = TraceKind(.session, 63)
    static let text = TraceFormText(
        "sign_in.shown",
        .control,
        "The app shows the sign-in to a user who is not signed in, or is (1).",
        "signed_in"
    )
    /// Whether the user is signed in nevertheless.
    var isSignedIn: TraceFlag
}
