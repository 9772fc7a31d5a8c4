import GroupSecurity
import KodamaEvidence

/// What a phone made of an invite.
enum InviteOutcome: Int64, Sendable, CaseIterable {
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
    init(_ refusal: InviteRefusal) {
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
struct InviteAnswered: TraceForm {
    static let kind = TraceKind(.intercom, 25)
    static let text = TraceFormText(
        "invite.answered",
        .milestone,
        "A phone was handed an invite, and followed it or said why not.",
        .words("outcome", InviteOutcome.self),
        "bytes"
    )
    /// What it made of it.
    var outcome: TraceWord<InviteOutcome>
    /// How long the invite is.
    var bytes: Int64
}

struct PacketRefused: TraceForm {
    static let kind = TraceKind(.intercom, 26)
    static let text = TraceFormText(
        "packet.refused",
        .control,
        "An app refused a packet that came by a connection with the subject.",
        .words("reason", PacketRefusal.self)
    )
    /// Why.
    var reason: TraceWord<PacketRefusal>
}
