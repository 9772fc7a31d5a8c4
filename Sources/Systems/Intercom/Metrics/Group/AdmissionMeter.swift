import GroupSecurity
import KodamaEvidence

/// What phones let in and what not: invites, and packets of connections that stand.
struct AdmissionMeter {
    private var joined = Measure.count(
        "group.invites.joined",
        "Invites that a phone followed into a group.",
        "S-INV-001, A-F-020…022",
        occasions: .atOnce
    )
    private var alreadyIn = Measure.count(
        "group.invites.already_in",
        "Invites to the group that a phone is in already.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var refused = Measure.count(
        "group.invites.refused",
        "Invites that a phone refused, for whichever reason.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var tampered = Measure.count(
        "group.invites.refused.tampered",
        "Invites refused because they were broken or changed, or not signed by their inviter.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var early = Measure.count(
        "group.invites.refused.early",
        "Invites refused because their time has not come, by the phone's clock.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var expired = Measure.count(
        "group.invites.refused.expired",
        "Invites refused because their time is over.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var foreign = Measure.count(
        "group.invites.refused.foreign",
        "Invites refused because they lead to another group than the one that the phone is in.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var own = Measure.count(
        "group.invites.refused.own",
        "Invites refused because the phone's own member made them.",
        "A-NF-002",
        occasions: .atOnce
    )
    private var packets = Measure.count(
        "group.packets.refused",
        "Packets that came by a connection and were not accepted, for whichever reason.",
        "A-NF-003",
        occasions: .atOnce
    )
    private var forged = Measure.count(
        "group.packets.refused.forged",
        "Packets that came by a connection and were not made with its keys, or were changed.",
        "A-NF-003",
        occasions: .atOnce
    )
    private var replayed = Measure.count(
        "group.packets.refused.replayed",
        "Authentic packets that came once more, or too late to know.",
        "A-NF-003",
        occasions: .atOnce
    )
    private var uncounted = Measure.count(
        "group.packets.uncounted",
        """
        Of the packets that reached an app changed on their way, or as noise: those that it did not \
        refuse and count, each once.
        """,
        "S-SEC-004, A-NF-003",
        occasions: .atOnce
    )
    private var cut = Measure.count(
        "group.connections.cut",
        "Connections that an app cut because too much was refused.",
        "S-SEC-004",
        occasions: .atOnce
    )
    private var unopened = Measure.count(
        "group.unopened",
        "Of the groups that were chosen, made or entered: those not opened, or not kept, since the keychain refused.",
        "S-GRP-002",
        occasions: .atOnce
    )

    var metrics: [any AnyMeasure] {
        [
            joined, alreadyIn, refused, tampered, early, expired, foreign, own, packets, forged,
            replayed, uncounted, cut, unopened,
        ]
    }

    mutating func record(_ record: TraceRecord) {
        let occurrence = Occurrence(record)
        switch record.kind {
        case InviteAnswered.kind:
            guard let outcome = InviteAnswered(record).outcome.value else { return }
            let isRefused = outcome != .joined && outcome != .alreadyIn
            joined.add(outcome == .joined ? 1 : 0, at: occurrence)
            alreadyIn.add(outcome == .alreadyIn ? 1 : 0, at: occurrence)
            refused.add(isRefused ? 1 : 0, at: occurrence)
            tampered.add([.broken, .tampered].contains(outcome) ? 1 : 0, at: occurrence)
            early.add(outcome == .notYetValid ? 1 : 0, at: occurrence)
            expired.add(outcome == .expired ? 1 : 0, at: occurrence)
            foreign.add(outcome == .foreignGroup ? 1 : 0, at: occurrence)
            own.add(outcome == .ownInvite ? 1 : 0, at: occurrence)
        case PacketRefused.kind:
            guard let reason = PacketRefused(record).reason.value else { return }
            packets.add(1, at: occurrence)
            forged.add(reason == .forged || reason == .malformed ? 1 : 0, at: occurrence)
            replayed.add(reason == .replayed || reason == .stale ? 1 : 0, at: occurrence)
        case SpoiltArrived.kind:
            uncounted.add(SpoiltArrived(record).isCounted.isSet ? 0 : 1, at: occurrence)
        case GroupJoined.kind: unopened.add(0, at: occurrence)
        case GroupUnopened.kind where GroupUnopened(record).trouble.value != .inAnother:
            unopened.add(1, at: occurrence)
        case ConnectionUp.kind: connected(occurrence)
        case ConnectionCut.kind: cut.add(1, at: occurrence)
        default: return
        }
    }

    /// A connection stands: that nothing is refused by it, and it is not cut, is known from now on.
    private mutating func connected(_ occurrence: Occurrence) {
        packets.add(0, at: occurrence)
        forged.add(0, at: occurrence)
        replayed.add(0, at: occurrence)
        uncounted.add(0, at: occurrence)
        cut.add(0, at: occurrence)
    }
}
