import KodamaEvidence
import KodamaLanguage

extension [DataNeed] {
    /// What the metrics and invariants of voice between phones cannot do without.
    static let intercom: [DataNeed] = [
        .app(
            IntercomAppPlan.self,
            of: ["voice.*", "handover.*", "group.*"],
            except: ["voice.round_trip.time", "voice.turns.unanswered", "voice.answers.unheard"]
        ),
        DataNeed(of: secured) { $0.securedIntercomLack },
        DataNeed(of: ["group.invites.*"]) { $0.hasInvites ? nil : "nobody invites" },
        DataNeed(of: muted) { $0.mutesIntercom ? nil : "nobody mutes an intercom" },
        DataNeed(of: ["voice.edge.*"]) { plan in
            plan.voice == .real ? nil : "'voice: \(plan.voice.rawValue)' makes no sound"
        },
        .talk(of: spoken),
        DataNeed(of: heard) { plan in
            plan.hasListeners ? nil : "no two phones of one group can reach each other"
        },
    ]

    /// What happens only where members prove who they are.
    private static let secured: [NamePattern] = [
        "handover.*", "group.invites.*", "group.packets.*", "group.connections.*",
        "group.internet_missing.*", "group.card.*", "group.owner.*", "group.members.shown",
    ]

    /// What is measured of mutes.
    private static let muted: [NamePattern] = [
        "voice.conduct.breaches", "voice.nobody-overhears", "group.card.mute.time",
    ]

    /// What is measured of speech.
    private static let spoken: [NamePattern] = [
        "voice.mouth_to_ear.*", "voice.delay.*", "voice.onset.*", "voice.speech.*",
        "voice.concealed.run.time", "voice.mos.estimated", "group.first_word.time",
    ]

    /// What is measured where frames arrive.
    private static let heard: [NamePattern] = [
        "voice.mouth_to_ear.*", "voice.delay.*", "voice.onset.clipped.listener.time",
        "voice.speech.gap.time", "voice.duplicates.played", "voice.order.broken", "voice.late",
        "voice.concealed*", "voice.repaired", "voice.stretched", "voice.edge.*",
        "voice.cross_group.played", "voice.mos.estimated", "group.first_word.time",
    ]
}

extension WorldPlan {
    /// What it lacks where no intercom is secured, in a clause.
    var securedIntercomLack: String? {
        hasSecuredIntercom ? nil : "no phone has the intercom with 'secured: true'"
    }

    /// Whether somebody invites somebody: invites lead anybody into any group.
    var hasInvites: Bool {
        timeline.contains { entry in
            guard case .makeInvite = entry.act as? IntercomAct else { return false }
            return true
        }
    }

    /// Whether somebody mutes an intercom.
    fileprivate var mutesIntercom: Bool {
        timeline.contains { ($0.act as? IntercomAct) == IntercomAct.mute }
    }

    /// Whether two phones may be in one group and have a way to each other.
    fileprivate var hasListeners: Bool {
        var apps: [String: IntercomAppPlan] = [:]
        var groups: Set<String> = []
        let hasInvites = hasInvites
        var onlineCount = 0
        for phone in phones {
            guard let app = phone.settings(of: IntercomAppPlan.self) else { continue }
            apps[phone.name] = app
            guard app.isSecured, !phone.radios.isEmpty else { continue }
            onlineCount += 1
            if let group = app.group, !groups.insert(group).inserted { return true }
        }
        if hasInvites, onlineCount > 1 { return true }
        return links.contains { link in
            guard let one = apps[link.first], let other = apps[link.second] else { return false }
            return hasInvites || one.group != nil && one.group == other.group
        }
    }
}
