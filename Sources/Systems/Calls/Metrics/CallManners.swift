import KodamaEvidence
import SansIO

/// What users have done to their phones that keeps calls from ringing, or from being heard.
struct CallManners {
    /// The apps that are let through Do Not Disturb.
    private var allowed: [ComponentIndex] = []
    /// The calls that are on hold at an app.
    private var held: [(call: Int64, app: ComponentIndex)] = []

    /// The user lets apps through Do Not Disturb, or does no more.
    mutating func allow(_ apps: [ComponentIndex], _ isAllowed: Bool) {
        allowed.removeAll { apps.contains($0) }
        if isAllowed { allowed += apps }
    }

    /// Whether Do Not Disturb lets an app's calls ring.
    func allows(_ app: ComponentIndex) -> Bool { allowed.contains(app) }

    /// A call is put on hold at an app, by its user or for another call.
    mutating func hold(_ call: Int64, at app: ComponentIndex) {
        if !holds(call, at: app) { held.append((call, app)) }
    }

    /// It is taken back.
    mutating func release(_ call: Int64, at app: ComponentIndex) {
        held.removeAll { $0.call == call && $0.app == app }
    }

    /// Whether a call is on hold at an app.
    func holds(_ call: Int64, at app: ComponentIndex) -> Bool {
        held.contains { $0.call == call && $0.app == app }
    }
}
