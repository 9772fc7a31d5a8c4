import KodamaLanguage

/// A guest as a scenario puts it on a phone: the label of its program, and what that is told of itself.
struct GuestPlan: AppSettings {
    static let system = "guest"

    /// The label of the program; the command line says which command it is.
    var label: String
    /// What the program is told at its launch, in the scenario's order.
    var settings: [Setting] = []
    /// Whether the user allows its notifications.
    var allowsNotifications = true

    /// One value of the program's configuration.
    struct Setting: Sendable, Equatable {
        var name: String
        var value: String
    }

    var program: String? { label }
}

/// What the timeline can do to a guest.
enum GuestAct: SystemAct {
    /// The user tells it something, in words that it knows.
    case tell(String)
}
