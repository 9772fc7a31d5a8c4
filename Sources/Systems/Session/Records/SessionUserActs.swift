import KodamaEvidence

/// What users do in an app that has sessions.
extension UserAct {
    static let connect = UserAct("connect", number: 7, "asks for the conversation")
    static let disconnect = UserAct("disconnect", number: 8, "ends the conversation")
    static let signIn = UserAct("sign-in", number: 12, "signs in")
    static let logOut = UserAct("log-out", number: 13, "logs out")

    /// All of these.
    static let session: [UserAct] = [
        .connect, .disconnect, .signIn, .logOut,
    ]
}

extension UserActed {
    /// Whether the user asks for the conversation, in the app or by a notification.
    var asksForConversation: Bool { action == .connect || action == .tapNotification }
}
