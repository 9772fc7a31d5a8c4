import KodamaEvidence
import SansIO

/// What users have done to their phones that keeps calls from ringing, or from being heard.
struct CallManners {
    /// A call at an app.
    private struct Part: Hashable {
        let call: Int64
        let app: ComponentIndex
    }

    /// The apps that are let through Do Not Disturb.
    private var allowed: Set<ComponentIndex> = []
    /// The calls that are on hold.
    private var held: Set<Part> = []

    /// The user lets apps through Do Not Disturb, or does no more.
    mutating func allow(_ apps: [ComponentIndex], _ isAllowed: Bool) {
        if isAllowed { allowed.formUnion(apps) } else { allowed.subtract(apps) }
    }

    /// Whether Do Not Disturb lets an app's calls ring.
    func allows(_ app: ComponentIndex) -> Bool { allowed.contains(app) }

    /// A call is put on hold at an app, by its user or for another call.
    mutating func hold(_ call: Int64, at app: ComponentIndex) {
        held.insert(Part(call: call, app: app))
    }

    /// It is taken back.
    mutating func release(_ call: Int64, at app: ComponentIndex) {
        held.remove(Part(call: call, app: app))
    }

    /// Whether a call is on hold at an app.
    func holds(_ call: Int64, at app: ComponentIndex) -> Bool {
        held.contains(Part(call: call, app: app))
    }
}
