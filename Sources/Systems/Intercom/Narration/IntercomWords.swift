import KodamaEvidence

extension TraceWord<InviteOutcome> {
    /// That an app was handed an invite, and what it made of it.
    var sentence: String {
        let reason: String
        switch value {
        case .joined: return "the app follows an invite into its group"
        case .alreadyIn: return "an invite leads to the group that the app is in already"
        case .broken: reason = "it is no whole invite"
        case .tampered: reason = "it was changed, or is not signed by its inviter"
        case .notYetValid: reason = "it is not valid yet"
        case .expired: reason = "its time is over"
        case .foreignGroup: reason = "it leads to another group than the one that the app is in"
        case .ownInvite: reason = "the phone's own user made it"
        case nil: reason = "nobody knows why"
        }
        return "the app refuses an invite: \(reason)"
    }
}

extension LinkChange? {
    /// What happened to a link, after its name.
    var pastTense: String {
        switch self {
        case .stopped: "stopped"
        case .slowed: "became slow"
        case .jammed: "was held up"
        case .changed, nil: "changed"
        case .restored: "was as before"
        }
    }
}
