import SansIO

/// What users have done to their phones that keeps calls from ringing, or from being heard.
struct CallManners {
    /// The phones on which Do Not Disturb is on.
    private var silenced: [ComponentIndex] = []
    /// The apps that are let through it.
    private var allowed: [ComponentIndex] = []
    /// The phones whose user has a call on hold.
    private var holding: [ComponentIndex] = []

    /// Takes a record of something that was done to a phone.
    mutating func take(_ record: TraceRecord) {
        switch record.kind {
        case FaultBegan.kind where FaultBegan(record).fault.value == .focus:
            silenced.append(record.component)
        case FaultEnded.kind where FaultEnded(record).fault.value == .focus:
            silenced.removeAll { $0 == record.component }
        default: return
        }
    }

    /// The user lets apps through Do Not Disturb, or does no more.
    mutating func allow(_ apps: [ComponentIndex], _ isAllowed: Bool) {
        allowed.removeAll { apps.contains($0) }
        if isAllowed { allowed += apps }
    }

    /// Whether Do Not Disturb keeps an app's calls from ringing.
    func silences(_ app: ComponentIndex, on phone: ComponentIndex) -> Bool {
        silenced.contains(phone) && !allowed.contains(app)
    }

    /// The user of a phone puts a call on hold, or has none any more.
    mutating func hold(on phone: ComponentIndex, _ isHeld: Bool) {
        holding.removeAll { $0 == phone }
        if isHeld { holding.append(phone) }
    }

    /// Whether the user of a phone has a call on hold.
    func holds(on phone: ComponentIndex) -> Bool { holding.contains(phone) }
}
