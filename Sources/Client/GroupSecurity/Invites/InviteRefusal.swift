public import SansIO

/// Why an invite is not accepted, exactly (A-NF-002).
public enum InviteRefusal: Error, Sendable, Equatable {
    /// It is longer than any invite; nothing of it was read.
    case oversized(byteCount: Int)
    /// It is JSON or a URL, but of something else.
    case notAnInvite
    /// It is an invite of a later version.
    case unknownVersion(Int64)
    /// It is broken here.
    case malformed(Part)
    /// The inviter's id does not belong to the inviter's keys.
    case wrongInviter
    /// It was changed after it was signed, or the inviter never signed it.
    case badSignature
    /// It ends, and was made later than this phone's clock shows: one of the two clocks is wrong.
    case notYetValid(from: WallTime)
    /// Its time is over.
    case expired(at: WallTime)
    /// It invites to another group than the one that was asked for.
    case foreignGroup(GroupID)
    /// This phone's own member made it.
    case ownInvite

    /// Where an invite is broken.
    public enum Part: Sendable, Equatable {
        /// The text is no JSON from this byte on, or no base64url.
        case text(offset: Int)
        /// A field is missing or not of its form.
        case field(Invite.Field)
        /// A field has a name that this version does not know.
        case unknownField(String)
        /// Bytes follow behind the last field.
        case end
    }
}

extension InviteRefusal: CustomStringConvertible {
    /// What is wrong and what helps, in one sentence for people.
    public var description: String {
        switch self {
        case .oversized(let count):
            "this has \(count) bytes; an invite has at most \(Invite.encodedCountMax)"
        case .notAnInvite: "this is no invite to a group"
        case .unknownVersion(let version):
            "this invite is of version \(version); this app reads version \(Invite.version), "
                + "so update the app"
        case .malformed(.text(let offset)):
            "the invite is broken at byte \(offset); ask for it again"
        case .malformed(.field(let field)):
            "the invite's '\(field.rawValue)' is missing or broken; ask for it again"
        case .malformed(.unknownField(let name)):
            "the invite has an unknown field '\(name)'; ask for it again"
        case .malformed(.end): "something follows behind the invite; ask for it again"
        case .wrongInviter: "the inviter's id does not fit the inviter's keys; do not trust it"
        case .badSignature: "the invite was changed after it was signed; do not trust it"
        case .notYetValid:
            "the invite is not valid yet; this phone's clock is wrong, or the inviter's is"
        case .expired: "the invite has expired; ask for a new one"
        case .foreignGroup: "the invite is for another group"
        case .ownInvite: "this is your own invite; send it to somebody else"
        }
    }
}
