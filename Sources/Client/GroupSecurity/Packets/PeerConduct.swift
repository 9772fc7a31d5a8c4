public import SansIO

/// Counts what a peer sends that is refused, and says when it is enough (S-SEC-004).
///
/// | class | reasons | tolerated |
/// |---|---|---|
/// | foreign | another group, another member | none: cut at once (S-GRP-012) |
/// | deceit | forged, malformed, unknown version, reflected, unreadable | 20, then one a second |
/// | repetition | replayed, stale, too many handshakes | 250, then ten a second |
/// | leftovers | unknown session, epoch or attempt | 500, then fifty a second |
///
/// An attacker can send in a peer's name, so a packet that isn't authentic says nothing of a peer
/// whose authentic packets come beside it: that is dropped and counted, and costs nothing (RFC 9147 section
/// 4.5.2: invalid records are discarded, and the association is preserved).
///
/// Damage that a path does by accident never looks authentic, but Wi-Fi and UDP already drop what is
/// damaged: deceit is rare between honest phones. Copies come when a link repeats a frame whose
/// acknowledgement was lost. Leftovers are the tail of a session that ended: a peer that talks, 50
/// packets a second by two paths, until it has learned of the new one.
///
/// Each class is a virtual schedule (GCRA, ITU-T I.371 annex A): a refusal costs its class a step of
/// time, and the peer is cut when the debt passes the tolerated number of steps. A peer cut is done
/// with; whether it may come back, and when, is the app's decision.
public struct PeerConduct: StateMachine {
    /// A fact about the peer.
    public enum Event: Sendable, Equatable {
        /// A packet in the peer's name was refused, with or without authentic ones beside it.
        case packetRefused(PacketRefusal, besideAuthentic: Bool)
    }

    /// An order to the transport.
    public enum Effect: Sendable, Equatable {
        /// End the connection: it was enough, for this reason last.
        case cut(PacketRefusal)
    }

    /// At most one order.
    public static var effectsPerCallMax: Int { 1 }

    /// How many packets were refused, for which reasons.
    public private(set) var counts = RefusalCounts()
    /// Whether the peer has been cut.
    public private(set) var isFinished = false
    /// Until when each class's debt reaches, in nanoseconds.
    private var debts = [Int64](repeating: .min, count: Class.allCases.count)

    /// Makes the record of an unknown peer.
    public init() {}

    /// Never: only a refusal moves the machine.
    public var deadline: Deadline? { nil }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isFinished, case .packetRefused(let refusal, let besideAuthentic) = event else {
            return
        }
        counts.add(refusal)
        guard refusal.isProven || !besideAuthentic else { return }
        let place = Class(refusal)
        let step = place.stepNanoseconds
        let debt = max(debts[Int(place.rawValue)], turn.now.nanoseconds) + step
        debts[Int(place.rawValue)] = debt
        guard debt - turn.now.nanoseconds > step * place.toleratedCount else { return }
        isFinished = true
        turn.order(.cut(refusal))
    }

    /// Does nothing: there is no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    /// What is judged together.
    private enum Class: UInt8, CaseIterable {
        case foreign
        case deceit
        case repetition
        case leftovers

        init(_ refusal: PacketRefusal) {
            switch refusal {
            case .foreignGroup, .foreignMember: self = .foreign
            case .forged, .malformed, .unknownVersion, .reflected, .unreadable: self = .deceit
            case .replayed, .stale, .tooManyHandshakes: self = .repetition
            case .unknownSession, .unknownEpoch, .unknownAttempt: self = .leftovers
            }
        }

        /// How many refusals at once are borne.
        var toleratedCount: Int64 {
            switch self {
            case .foreign: 0
            case .deceit: 20
            case .repetition: 250
            case .leftovers: 500
            }
        }

        /// How long it takes until one refusal is forgotten.
        var stepNanoseconds: Int64 {
            switch self {
            case .foreign, .deceit: 1_000_000_000
            case .repetition: 100_000_000
            case .leftovers: 20_000_000
            }
        }
    }
}
