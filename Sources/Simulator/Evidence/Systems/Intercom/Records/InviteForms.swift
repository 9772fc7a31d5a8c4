public import GroupSecurity

/// What a phone made of an invite.
public enum InviteOutcome: Int64, Sendable, CaseIterable {
    /// It follows it into the group.
    case joined
    /// It is in that group already.
    case alreadyIn
    /// The bytes are no whole invite.
    case broken
    /// The bytes are an invite that was changed, or not signed by its inviter.
    case tampered
    /// Its time has not come.
    case notYetValid
    /// Its time is over.
    case expired
    /// It leads to another group than the one that the phone is in.
    case foreignGroup
    /// The phone's own member made it.
    case ownInvite

    /// What a refusal comes to.
    public init(_ refusal: InviteRefusal) {
        self =
            switch refusal {
            case .oversized, .notAnInvite, .unknownVersion, .malformed: .broken
            case .wrongInviter, .badSignature: .tampered
            case .notYetValid: .notYetValid
            case .expired: .expired
            case .foreignGroup: .foreignGroup
            case .ownInvite: .ownInvite
            }
    }
}

/// A phone was handed an invite, and followed it or not.
public struct InviteAnswered: TraceForm {
    /// What it made of it.
    public var outcome: TraceWord<InviteOutcome>
    /// How long the invite is.
    public var bytes: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 25) }

    /// Its text.
    public static let text = TraceFormText(
        "invite.answered",
        .milestone,
        [.words("outcome", InviteOutcome.self), "bytes"],
        "A phone was handed an invite, and followed it or said why not."
    )

    /// Makes the values of a record.
    @inlinable
    public init(outcome: InviteOutcome, bytes: Int64) {
        self.outcome = TraceWord(outcome)
        self.bytes = bytes
    }
}

/// An app refused a packet that came by a connection with the subject.
public struct PacketRefused: TraceForm {
    /// Why.
    public var reason: TraceWord<PacketRefusal>

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.intercom, 26) }

    /// Its text.
    public static let text = TraceFormText(
        "packet.refused",
        .control,
        [.words("reason", PacketRefusal.self)],
        "An app refused a packet that came by a connection with the subject."
    )

    /// Makes the values of a record.
    @inlinable
    public init(reason: PacketRefusal) {
        self.reason = TraceWord(reason)
    }
}
