import KodamaEvidence
import SansIO

/// What screens show of a group, held against who is in it and whose microphone is off.
///
/// A card is right when it shows as reached whoever can be heard, soon after they join and no longer
/// after they have left, when it says whose microphone is off, and when all screens name one owner.
/// Phones that are cut off from each other cannot agree on one, however long their cards stand: each side
/// has an owner of its own (S-OWN-003). A screen whose app is held stands still, and is right or wrong of nobody.
struct CardMeter {
    /// What one app's screen shows of another.
    private struct Card {
        let screen: ComponentIndex
        let subject: ComponentIndex
        /// Whether it says that the subject is reached, by whatever path.
        var isReached = false
        /// Whether it says that the subject's microphone is off.
        var saysMuted = false
        /// Since when that has been wrong of somebody who is reached.
        var wrongSince: Int64?
        /// Since when both are in the group, until the card first says so.
        var awaitedSince: Int64?
        /// Since when something could pass between the two, while it can.
        var reachableSince: Int64?
        /// Since when it says so of somebody who has left.
        var staleSince: Int64?
        /// Since when the screens of the two, each of which shows the other as reached, name two owners.
        var disputeSince: Int64?
        /// The longest such time, once they have reached each other.
        var longestDispute: Span?
        /// All such times together.
        var disputeTime: Int64 = 0
        /// Since when each shows the other as reached, and for how long they did before.
        var mutualSince: Int64?
        var mutualTime: Int64 = 0
    }

    private var shown = Measure.time(
        "group.card.shown.time",
        """
        For each two phones of a group: from the later one's joining until the card of one first says on \
        the other's screen that it is reached.
        """,
        "A-F-005, S-UI-001",
        excluding: ["no way between the two"]
    )
    private var stale = Measure.time(
        "group.card.stale.time",
        """
        For each phone that leaves its group, or whose app ends, and each screen that shows it as \
        reached: until it no longer does, or its app is held.
        """,
        "A-F-005, S-UI-001"
    )
    private var dispute = Measure.time(
        "group.owner.dispute.time",
        """
        For each two phones that ever reached each other: the longest time in which their screens named \
        two owners, while something could pass between them and both apps ran.
        """,
        "S-OWN-002, S-OWN-003"
    )
    private var disputeShare = Measure.share(
        "group.owner.dispute.share",
        "Share of all such times in those in which each of the two showed the other as reached.",
        "S-OWN-002, S-OWN-003",
        occasions: .atOnce
    )
    private var size = Measure.number(
        "group.members.shown",
        "How many members a screen shows as reached, its own phone's among them, after each change.",
        "S-GRP-001, S-UI-001",
        better: .higher,
        occasions: .atOnce
    )
    private var refused = Measure.count(
        "group.members.refused",
        "Phones that were not let into their group because as many were in it as may be.",
        "S-GRP-001",
        occasions: .atOnce
    )

    private var wrong = Measure.time(
        "group.card.mute.time",
        """
        For each time that a member's microphone is turned off or on, or that a screen begins to show \
        a member as reached whose microphone is off: how long the card was wrong, on each other \
        member's screen that shows the member as reached, while its app runs.
        """,
        "S-UI-001"
    )

    private var ways: PhoneWays
    /// The group of each app that is in one, and the apps in each in the order in which they joined.
    private var groups: [ComponentIndex: Int64] = [:]
    private var members: [Int64: [ComponentIndex]] = [:]
    /// The apps that have such a screen.
    private var screens: Set<ComponentIndex> = []
    /// The apps in groups whose processes are held.
    private var held: Set<ComponentIndex> = []
    /// The apps whose microphone is off.
    private var muted: Set<ComponentIndex> = []
    private var cards: [Card] = []
    /// Where the card of a screen and a subject is.
    private var places: [ComponentIndex: [ComponentIndex: Int]] = [:]
    /// Where the cards are on an app's screen or of an app, ascending.
    private var placesOfApp: [ComponentIndex: [Int]] = [:]
    /// The apps with cards, by their phones.
    private var appsOfPhone: [Int: [ComponentIndex]] = [:]
    /// How many cards of each screen say that their subject is reached.
    private var reachedCounts: [ComponentIndex: Int] = [:]
    /// Whom each screen names as the owner.
    private var owners: [ComponentIndex: ComponentIndex] = [:]

    init(_ directory: TraceDirectory) {
        ways = PhoneWays(directory)
    }

    var metrics: [any AnyMeasure] { [shown, stale, dispute, disputeShare, size, refused] }

    var muteMetrics: [any AnyMeasure] { [wrong] }

    mutating func record(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case GroupJoined.kind: join(record.component, GroupJoined(record).group, at: now)
        case GroupLeft.kind: leave(record.component, at: now)
        case MicrophoneMuted.kind:
            if MicrophoneMuted(record).isMuted.isSet {
                muted.insert(record.component)
            } else {
                muted.remove(record.component)
            }
            reviewMutes(of: record.component, at: now)
        case CardShown.kind: show(CardShown(record), record)
        case GroupHeld.kind: hold(record.component, GroupHeld(record).isHeld.isSet, at: now)
        case MemberRefused.kind: refused.add(1, at: Occurrence(record))
        case MemberIdentified.kind: screens.insert(record.component)
        case RunEnded.kind: end(at: now)
        default:
            guard let change = ways.take(record) else { return }
            let concerned = cards(concernedBy: change)
            compareOwners(concerned, at: now)
            reviewReach(concerned, at: now)
        }
    }

    /// Where the cards are of those who have a way that changed.
    private func cards(concernedBy change: PhoneWays.Change) -> [Int] {
        switch change {
        case .phone(let phone): return (appsOfPhone[phone] ?? []).flatMap { cards(of: $0) }
        case .link(let link):
            guard let ends = ways.links.ends[link] else { return [] }
            return (appsOfPhone[ends.0] ?? []).flatMap { one in
                (appsOfPhone[ends.1] ?? []).flatMap { other in
                    [places[one]?[other], places[other]?[one]].compactMap(\.self)
                }
            }
        }
    }

    private mutating func join(_ app: ComponentIndex, _ group: Int64, at now: Int64) {
        guard !isMember(app) else { return }
        for member in members[group] ?? [] {
            change(app, of: member) { $0.awaitedSince = $0.isReached ? nil : now }
            change(member, of: app) { $0.awaitedSince = $0.isReached ? nil : now }
        }
        held.remove(app)
        reviewReach(cards(of: app), at: now)
        for index in cards(of: app) where cards[index].subject == app { settle(index, at: now) }
        groups[app] = group
        members[group, default: []].append(app)
        reviewMutes(of: app, at: now)
        refused.add(0, at: Occurrence(Span(start: now, end: now), of: app))
    }

    private mutating func leave(_ app: ComponentIndex, at now: Int64) {
        if let group = groups.removeValue(forKey: app) {
            members[group]?.removeAll { $0 == app }
        }
        owners[app] = nil
        reachedCounts[app] = nil
        reviewMutes(of: app, at: now)
        for index in cards(of: app) {
            if cards[index].screen == app {
                // Its own screen is closed.
                settle(index, at: now)
                cards[index].isReached = false
                cards[index].saysMuted = false
                leaveUnshown(index, at: now)
            } else if cards[index].subject == app {
                leaveUnshown(index, at: now)
                reviewStale(index, at: now)
            }
        }
        compareOwners(cards(of: app), at: now)
    }

    /// The process of an app in a group is held, or runs again: what its screen shows from then on counts anew.
    private mutating func hold(_ app: ComponentIndex, _ isHeld: Bool, at now: Int64) {
        if isHeld { held.insert(app) } else { held.remove(app) }
        reviewMutes(of: app, at: now)
        for index in cards(of: app) where cards[index].screen == app {
            settle(index, at: now)
            if !isMember(cards[index].subject) { reviewStale(index, at: now) }
        }
        compareOwners(cards(of: app), at: now)
    }

    /// A card of somebody who is not in the group is stale if it says that they are reached, on a screen that can
    /// change.
    private mutating func reviewStale(_ index: Int, at now: Int64) {
        guard cards[index].isReached, !held.contains(cards[index].screen) else { return }
        cards[index].staleSince = now
    }

    private mutating func show(_ card: CardShown, _ record: TraceRecord) {
        let now = record.instant.nanoseconds
        let (screen, subject) = (record.component, record.subject)
        let wasOwner = owner(on: screen) == subject
        if card.isOwner.isSet != wasOwner {
            owners[screen] = card.isOwner.isSet ? subject : nil
            compareOwners(cards(of: screen), at: now)
        }
        guard screen != subject, subject != .none else { return }
        let isReached = card.connection.value?.isReached ?? false
        let isMember = isMember(subject)
        let index = index(screen, of: subject)
        let wasReached = cards[index].isReached
        cards[index].isReached = isReached
        cards[index].saysMuted = card.isMuted.isSet
        reviewMute(index, record, wasReached: wasReached)
        guard wasReached != isReached else { return }
        reachedCounts[screen, default: 0] += isReached ? 1 : -1
        if cards[index].isReached {
            if let since = cards[index].awaitedSince {
                let wait = Span(start: since, end: now)
                shown.add(now - since, at: Occurrence(wait, of: screen, about: subject, record))
            }
            cards[index].awaitedSince = nil
            if !isMember { cards[index].staleSince = now }
        } else {
            settle(index, at: now)
        }
        compareOwners([index, places[subject]?[screen]].compactMap(\.self), at: now)
        let count = reachedCounts[screen, default: 0]
        size.add(Int64(count) + 1, at: Occurrence(record))
    }

    private mutating func end(at now: Int64) {
        for index in cards.indices {
            settle(index, at: now, isOpen: true)
            closeMute(index, at: now, isOpen: true)
            leaveUnshown(index, at: now)
            let isOpen = cards[index].disputeSince != nil
            closeDispute(index, at: now)
            closeMutual(index, at: now)
            let card = cards[index]
            guard let span = card.longestDispute else { continue }
            let occurrence = Occurrence(span, of: card.screen, about: card.subject)
            dispute.add(span.length, isOpen: isOpen, at: occurrence)
            disputeShare.add(card.disputeTime, of: card.mutualTime, at: occurrence)
        }
    }

    /// A card that was due will not be shown any more: the run is over, or one of the two has left.
    ///
    /// It was due for as long as something could last pass between the two.
    private mutating func leaveUnshown(_ index: Int, at now: Int64) {
        guard let since = cards[index].awaitedSince else { return }
        let card = cards[index]
        cards[index].awaitedSince = nil
        guard screens.contains(card.screen) else { return }
        let span = Span(start: max(since, card.reachableSince ?? now), end: now)
        let occurrence = Occurrence(span, of: card.screen, about: card.subject)
        if card.reachableSince == nil {
            shown.exclude("no way between the two", at: occurrence)
        } else {
            shown.censor(span.length, at: occurrence)
        }
    }

    /// Looks again at whether something can pass between those whose cards are due.
    private mutating func reviewReach(_ indices: [Int], at now: Int64) {
        for index in indices where cards[index].awaitedSince != nil {
            let (one, other) = (cards[index].screen, cards[index].subject)
            let isReachable = ways.reaches(one, other)
            cards[index].reachableSince = isReachable ? cards[index].reachableSince ?? now : nil
        }
    }

    private mutating func closeMutual(_ index: Int, at now: Int64) {
        if let since = cards[index].mutualSince { cards[index].mutualTime += now - since }
        cards[index].mutualSince = nil
    }

    /// A card that was wrong of somebody who is gone is so no more.
    private mutating func settle(_ index: Int, at now: Int64, isOpen: Bool = false) {
        guard let since = cards[index].staleSince else { return }
        cards[index].staleSince = nil
        let span = Span(start: since, end: now)
        let (screen, subject) = (cards[index].screen, cards[index].subject)
        stale.add(now - since, isOpen: isOpen, at: Occurrence(span, of: screen, about: subject))
    }

    /// Looks again at what all cards of an app, and all on its screen, say of microphones.
    private mutating func reviewMutes(of app: ComponentIndex, at now: Int64) {
        for index in cards(of: app) { reviewMute(index, at: now) }
    }

    /// Looks at a card that is shown so from now on; one that is right at once counts as well.
    private mutating func reviewMute(_ index: Int, _ record: TraceRecord, wasReached: Bool) {
        reviewMute(index, at: record.instant.nanoseconds)
        guard !wasReached, tellsOfMutes(index), cards[index].wrongSince == nil else { return }
        if muted.contains(cards[index].subject) { wrong.add(0, at: Occurrence(record)) }
    }

    private mutating func reviewMute(_ index: Int, at now: Int64) {
        let isMuted = muted.contains(cards[index].subject)
        if tellsOfMutes(index), cards[index].saysMuted != isMuted {
            cards[index].wrongSince = cards[index].wrongSince ?? now
        } else {
            closeMute(index, at: now)
        }
    }

    private mutating func closeMute(_ index: Int, at now: Int64, isOpen: Bool = false) {
        guard let since = cards[index].wrongSince else { return }
        cards[index].wrongSince = nil
        let span = Span(start: since, end: now)
        let (screen, subject) = (cards[index].screen, cards[index].subject)
        wrong.add(now - since, isOpen: isOpen, at: Occurrence(span, of: screen, about: subject))
    }

    /// Whether a card is of somebody whom its phone reaches in its group.
    private func tellsOfMutes(_ index: Int) -> Bool {
        let screen = cards[index].screen
        guard cards[index].isReached, !held.contains(screen), let group = groups[screen] else {
            return false
        }
        return groups[cards[index].subject] == group
    }

    private mutating func compareOwners(_ indices: [Int], at now: Int64) {
        for index in indices {
            let (one, other) = (cards[index].screen, cards[index].subject)
            guard one.index < other.index else { continue }
            let isMutual =
                cards[index].isReached
                && places[other]?[one].map { cards[$0].isReached } ?? false
            let isHeld = held.contains(one) || held.contains(other)
            let isDisputed =
                isMutual && !isHeld && owner(on: one) != owner(on: other) && !ways.isCut(one, other)
            if isMutual {
                cards[index].mutualSince = cards[index].mutualSince ?? now
            } else {
                closeMutual(index, at: now)
            }
            if isMutual, cards[index].longestDispute == nil {
                cards[index].longestDispute = Span(start: now, end: now)
            }
            if isDisputed {
                cards[index].disputeSince = cards[index].disputeSince ?? now
            } else {
                closeDispute(index, at: now)
            }
        }
    }

    private mutating func closeDispute(_ index: Int, at now: Int64) {
        guard let since = cards[index].disputeSince else { return }
        cards[index].disputeSince = nil
        cards[index].disputeTime += now - since
        if let longest = cards[index].longestDispute, longest.end - longest.start >= now - since {
            return
        }
        cards[index].longestDispute = Span(start: since, end: now)
    }

    private func owner(on screen: ComponentIndex) -> ComponentIndex? { owners[screen] }

    /// Where the cards are on an app's screen or of an app.
    private func cards(of app: ComponentIndex) -> [Int] { placesOfApp[app] ?? [] }

    private func isMember(_ app: ComponentIndex) -> Bool { groups[app] != nil }

    private mutating func index(_ screen: ComponentIndex, of subject: ComponentIndex) -> Int {
        if let index = places[screen]?[subject] { return index }
        let index = cards.count
        cards.append(Card(screen: screen, subject: subject))
        places[screen, default: [:]][subject] = index
        for app in [screen, subject] {
            if placesOfApp[app] == nil, let phone = ways.links.owners.place(of: app) {
                appsOfPhone[phone, default: []].append(app)
            }
            placesOfApp[app, default: []].append(index)
        }
        return index
    }

    private mutating func change(
        _ screen: ComponentIndex,
        of subject: ComponentIndex,
        _ change: (inout Card) -> Void
    ) {
        change(&cards[index(screen, of: subject)])
    }
}
