import PeerTransport
public import SansIO

/// What the call screen shows: six cards that stay where they are (S-UI-001).
///
/// The first is this phone's own. A member that was in the group before has a card from the start, which
/// says that it is sought; if cards run out, present members go first, then those
/// seen last. Any other member gets a free card when it comes, and keeps it until its goodbye;
/// a member that starts again has the same one.
public struct IntercomCards: Sendable, Equatable {
    /// How a member is reached.
    public enum Connection: UInt8, Sendable, Hashable, CaseIterable {
        /// Neither path carries yet, or any more.
        case connecting = 0
        /// By radio.
        case local = 1
        /// Over the Internet.
        case internet = 2
        /// By both, while the path changes.
        case both = 3
        /// Not at all: the member belongs to the group, is not in, and has not said goodbye.
        case searching = 4
    }

    /// How far the user is on the way from the list of groups to the call (S-UI-002).
    public enum Step: Sendable, Hashable {
        /// In no group: the list of groups is shown.
        case groups
        /// In a group, with no other member reached yet, or any more.
        case connecting
        /// A member is reached.
        case call
    }

    /// A member's card.
    public struct Card: Sendable, Equatable {
        /// The member's id.
        public var id: MemberID
        /// What the member is called, if it says so.
        public var name: DisplayName?
        /// How the member is reached; `nil` on this phone's own card.
        public var connection: Connection?
        /// Whether the member's voice is coming, or this phone's is going.
        public var isTalking: Bool
        /// Whether the member's microphone is off.
        public var isMuted: Bool
        /// Whether the member owns the group.
        public var isOwner: Bool
    }

    /// Six, one for each seat; `nil` for an empty one.
    public private(set) var cards: [Card?] = Array(repeating: nil, count: GroupSize.membersMax)
    /// Whether the Internet is wanted and cannot be had (A-F-009).
    public internal(set) var isInternetUnavailable = false

    /// Makes six empty cards.
    public init() {}

    /// How far the user is; it follows from the cards.
    public var step: Step {
        let shown = cards.compactMap(\.self)
        guard !shown.isEmpty else { return .groups }
        let isSomebodyReached = shown.contains { card in
            switch card.connection {
            case nil, .searching, .connecting: false
            case .local, .internet, .both: true
            }
        }
        return isSomebodyReached ? .call : .connecting
    }

    /// The card of a member, if it has one.
    public subscript(id: MemberID) -> Card? { cards.compactMap(\.self).first { $0.id == id } }

    /// Shows a card at its seat, or at the first free one; a card without a seat is not shown.
    mutating func show(_ card: Card) {
        let seat = cards.firstIndex { $0?.id == card.id } ?? cards.firstIndex { $0 == nil }
        if let seat { cards[seat] = card }
    }

    /// Frees the seats of all who are not among these.
    mutating func keep(_ ids: [MemberID]) {
        for seat in cards.indices {
            if let id = cards[seat]?.id, !ids.contains(id) { cards[seat] = nil }
        }
    }
}
