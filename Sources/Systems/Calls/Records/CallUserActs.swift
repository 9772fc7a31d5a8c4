import KodamaEvidence

/// What users do in an app that calls, beside what the system's call screen offers.
extension UserAct {
    static let dial = UserAct("dial", number: 18, "calls somebody")
    static let logOutOfCalls = UserAct(
        "log-out-of-calls",
        number: 33,
        "logs out of the calling app"
    )
    static let signInToCalls = UserAct(
        "sign-in-to-calls",
        number: 34,
        "signs in to the calling app"
    )

    /// All of these.
    static let calls: [UserAct] = [
        .dial, .logOutOfCalls, .signInToCalls,
    ]
}
