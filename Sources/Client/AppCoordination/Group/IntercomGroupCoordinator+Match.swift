import PeerTransport
import SansIO

// Two who were parted in a match of more than two are connected again only after both have asked anew
// (D-10). A pair does so for itself as long as both are in. A service may notice later than that, and then
// nobody would ask: the search has, once, and goes on. And it may part two of whom one never knew that they were
// connected: what the others say of who is in tells that one to ask.

extension IntercomGroupCoordinator {
    /// A transport lost a connection: who is out and may have been behind it is asked for.
    mutating func loseLink(_ link: LinkID, in turn: inout Turn<Effect>) {
        let lost = group?.links.first { $0.id == link }
        dropLink(link, in: &turn)
        guard let lost, lost.path == .internet else { return }
        group?.part(from: lost.member)
        guard let state = group, state.isSearching, state.internetAsked != turn.now,
            lost.member.map({ state.index(of: $0) == nil }) ?? state.missesParted
        else { return }
        // Whoever never proves itself may come and go often, and is not asked for each time.
        let pause = configuration.handover.internetRetryDelay
        if lost.member == nil, let due = state.internetAsked?.advanced(by: pause), turn.now < due {
            group?.newMatchDue = min(state.newMatchDue ?? due, due)
        } else {
            connectInternet(in: &turn)
        }
    }

    /// Somebody is met in the match: others who were lost from it have some time to come as well.
    ///
    /// The service may have learned of the loss from this phone alone, after its last asking.
    mutating func meetInMatch(_ member: MemberID, at now: Instant) {
        group?.endParting(from: member)
        let isComplete = !(group?.missesParted ?? false)
        let patience = configuration.handover.internetTimeout
        group?.newMatchDue = isComplete ? nil : now.advanced(by: patience)
    }

    /// Others have met somebody whom this phone hasn't: who is so near has some time to come as well.
    mutating func awaitUnmet(at now: Instant) {
        guard let state = group, state.newMatchDue == nil, !state.membership.unmet.isEmpty else {
            return
        }
        let patience = configuration.handover.internetTimeout
        group?.newMatchDue = now.advanced(by: patience)
    }

    /// Those who have not come are asked for anew; whom others reach, again and again.
    mutating func askAnewIfDue(in turn: inout Turn<Effect>) {
        guard let due = group?.newMatchDue, due <= turn.now else { return }
        group?.newMatchDue = nil
        guard let state = group, state.isSearching, state.missesParted else { return }
        connectInternet(in: &turn)
        awaitUnmet(at: turn.now)
    }
}
