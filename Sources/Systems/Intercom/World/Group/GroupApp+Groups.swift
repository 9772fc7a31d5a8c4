import AppCoordination
import GroupSecurity
import GroupStore
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import PeerTransport
import RealtimeVoice
import SansIO

// What the user does with the list of groups (S-UI-002).

extension GroupApp {
    /// The list of groups is shown; the user takes the first, if there is one (S-GRP-003).
    func choose(among groups: [GroupRecord], on stage: inout Stage) {
        guard group == nil, let first = groups.first else { return }
        library.tell(.chosen(first.id, at: time(at: stage.now)), on: &stage)
    }

    /// The user makes a group; whoever is in one has to leave it first.
    func makeGroup(on stage: inout Stage) {
        guard isAwake else { return }
        guard group == nil else {
            return note(GroupUnopened(trouble: TraceWord(.inAnother)), on: &stage)
        }
        var entropy = Entropy(seed: seed, label: "group \(madeCount) made on \(phone.name)")
        madeCount += 1
        let draws = RandomStream(seed: seed, purpose: "made-group", entity: phone.name)
        let made = GroupCredential(
            id: GroupID(
                high: draws.bits(at: 2 * UInt64(madeCount)),
                low: draws.bits(at: 2 * UInt64(madeCount) + 1)
            ),
            secret: GroupSecret(entropy: &entropy)
        )
        library.hear(.joined(made, name: nil, at: time(at: stage.now)), on: &stage)
    }

    /// A group is open: whoever is not in it yet goes in, with those who are known from before and the
    /// invites that nobody has come by so far.
    func enter(
        _ credential: GroupCredential,
        known: [KnownMember],
        awaiting invites: [InviteRecord],
        on stage: inout Stage
    ) {
        guard group == nil else { return }
        noteEntry(into: credential, on: &stage)
        tell(.groupChosen(credential, known: known), on: &stage)
        let (now, patience) = (time(at: stage.now), settings.grouping.configuration.guestPatience)
        for invite in invites {
            guard let rest = invite.remaining(at: now, patience: patience) else { continue }
            tell(.inviteMade(validFor: rest), on: &stage)
        }
    }

    /// The user is in a group from now on.
    func noteEntry(into credential: GroupCredential, on stage: inout Stage) {
        group = credential
        note(GroupJoined(group: credential.id.traceNumber), on: &stage)
        note(MemberIdentified(number: Int64(identity.publicKey.memberID.high >> 1)), on: &stage)
    }
}
