import AppCoordination
import GroupSecurity
import GroupStore
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO

/// Invites on their way from people to people: the very bytes that the inviter's phone made.
final class InviteTray {
    private var deliveries: [Address: InviteDelivery] = [:]

    private struct Address: Hashable {
        let from: String
        let to: String
    }

    /// The latest that one made for the other.
    subscript(from: String, to: String) -> InviteDelivery? {
        get { deliveries[Address(from: from, to: to)] }
        set { deliveries[Address(from: from, to: to)] = newValue }
    }
}

extension GroupApp {
    /// What the phone's clock shows; true time for an app that was never told.
    func time(at now: Instant) -> WallTime {
        guard let clock else { return plan.wallClock.advanced(by: Instant.zero.duration(to: now)) }
        return clock.shown.advanced(by: clock.at.duration(to: now))
    }

    /// The user makes an invite; without a group, or with the app away, there is none.
    func makeInvite(
        for guest: String,
        by channel: InviteChannel,
        validFor validity: Duration?,
        on stage: inout Stage
    ) {
        invites[phone.name, guest] = nil
        guard isAwake, let group else {
            return note(InviteUnmade(lack: TraceWord(isAwake ? .group : .app)), on: &stage)
        }
        let now = time(at: stage.now)
        let terms = Invite.Terms(
            name: settings.group,
            created: now,
            expires: validity.map { now.advanced(by: $0) }
        )
        let invite = try? Invite(to: group, from: identity, terms: terms)
        guard let invite else { return }
        invites[phone.name, guest] =
            switch channel {
            case .airdrop: .json(invite.json)
            case .qr, .message: .url(invite.url())
            }
        hear(.inviteMade(validFor: validity), on: &stage)
        let record = InviteRecord(made: now, expires: terms.expires)
        library.hear(.invited(record, to: group.id), on: &stage)
    }

    /// An invite comes to this phone, whose user opens it: a link or a file opens its app.
    func takeInvite(from host: String, isAltered: Bool, on stage: inout Stage) {
        guard var delivery = invites[host, phone.name] else { return }
        if isAltered {
            var draws = stage.draws("altered-invite", of: phone.name)
            draws.index = UInt64(stage.now.nanoseconds)
            delivery.flipBit(&draws)
        }
        openedInvites.append(delivery)
        if phase == .running, phone.seat.ask({ $0.isInFront(id) }) {
            readInvites(on: &stage)
            stage.readMail()
        } else {
            phone.undergo(PhoneAct.openApp(IntercomAppPlan.system), on: &stage)
        }
    }

    /// The app reads the invites that its user has opened, once it runs.
    func readInvites(on stage: inout Stage) {
        guard !openedInvites.isEmpty, phase == .running else { return }
        while !openedInvites.isEmpty {
            let delivery = openedInvites.removeFirst()
            invitedBytes.append(delivery.byteCount)
            tell(.inviteReceived(delivery, at: time(at: stage.now)), on: &stage)
        }
    }

    /// The app answered an invite: the phone keeps the group that it leads to.
    func keep(_ answer: InviteAnswer, on stage: inout Stage) {
        let outcome: InviteOutcome =
            switch answer {
            case .joined: .joined
            case .alreadyIn: .alreadyIn
            case .refused(let refusal): InviteOutcome(refusal)
            }
        let bytes = Int64(invitedBytes.removeFirst())
        note(InviteAnswered(outcome: TraceWord(outcome), bytes: bytes), on: &stage)
        guard case .joined(let credential, let name, let inviter) = answer else { return }
        noteEntry(into: credential, on: &stage)
        let title = name.flatMap(DisplayName.init)
        library.tell(.joined(credential, name: title, at: time(at: stage.now)), on: &stage)
        remember(inviter, called: nil, on: &stage)
    }
}

extension InviteDelivery {
    /// How long it is.
    fileprivate var byteCount: Int {
        switch self {
        case .json(let bytes): bytes.count
        case .url(let url): url.utf8.count
        }
    }

    /// Changes one bit; in a URL one character's, which stays one of ASCII.
    fileprivate mutating func flipBit(_ draws: inout RandomStream) {
        let index = Int(draws.uniform(below: UInt64(byteCount)))
        switch self {
        case .json(var bytes):
            bytes[index] ^= 1 << UInt8(draws.uniform(below: 8))
            self = .json(bytes)
        case .url(let url):
            var bytes = Array(url.utf8)
            bytes[index] ^= 1 << UInt8(draws.uniform(below: 7))
            self = .url(String(decoding: bytes, as: UTF8.self))
        }
    }
}
