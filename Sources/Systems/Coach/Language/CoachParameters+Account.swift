import KodamaLanguage

extension ParameterCatalog {
    /// What the app's own server allows a user.
    static let coachAllowances: [Parameter] = [
        .integer(
            "account.events_max",
            \AllowanceConfiguration.events,
            1...2_000,
            meaning: "How many events of a user the app's own server counts a day.",
            source: "AN-20"
        ),
        .integer(
            "account.reflections_max",
            \AllowanceConfiguration.reflections,
            1...24,
            meaning: "How many reflections of a user it stores a day.",
            source: "AN-20"
        ),
        .integer(
            "account.wake_links_max",
            \AllowanceConfiguration.wakeLinks,
            1...100,
            meaning: "How many links to wake audio it gives a user a day.",
            source: "AN-20"
        ),
    ]
}
