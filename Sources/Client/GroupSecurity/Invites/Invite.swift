public import SansIO

/// A token that lets its holder join a group (S-INV-001), signed by a member of it.
///
/// It holds the group's id and secret, the inviter's keys and with them the inviter's id, and a
/// signature; a name, when it was made and when it expires are optional (S-INV-002). It travels as
/// JSON or as a URL of the same content (S-INV-003), and any reader may join: it is a secret.
///
/// The signature binds the content to the inviter's id. It does not say that the inviter is a member;
/// that shows when the joiner meets the group in a handshake. The expiry is kept by honest phones:
/// a phone that has read the secret keeps it.
public struct Invite: Sendable, Equatable {
    /// What an invite says, by the names of the JSON form.
    public enum Field: String, Sendable, CaseIterable {
        /// Always `kodama-invite`.
        case type
        /// The form's version, 1.
        case version
        /// The group's id, a UUID in lower case.
        case group
        /// The group's secret, 32 bytes in base64url.
        case secret
        /// The inviter's id, 32 hexadecimal digits in lower case.
        case inviter
        /// The inviter's public keys, 64 bytes in base64url.
        case keys
        /// What people call the group.
        case name
        /// When the invite was made, in whole seconds since 1970.
        case created
        /// From when on it is no longer valid, in whole seconds since 1970.
        case expires
        /// The inviter's signature, 64 bytes in base64url.
        case signature
    }

    /// What is optional.
    public struct Terms: Sendable, Equatable {
        /// What people call the group: a `DisplayName`.
        public var name: String?
        /// When the invite was made; whole seconds count.
        public var created: WallTime?
        /// From when on it is no longer valid, not before `created`; whole seconds count.
        public var expires: WallTime?

        /// Puts terms together; without any the invite is valid for ever.
        public init(name: String? = nil, created: WallTime? = nil, expires: WallTime? = nil) {
            self.name = name
            self.created = created
            self.expires = expires
        }
    }

    /// The version that is written and read.
    public static let version = 1
    /// The longest JSON or URL that is read, in bytes; those written here stay below 600.
    public static let encodedCountMax = 1_024
    /// By how much clocks of phones may differ: what a token's verifier allows as well (livekit
    /// protocol, `auth/verifier.go`).
    public static let clockLeeway = Duration.seconds(60)

    /// Where the invite leads, with the secret that opens it.
    public let group: GroupCredential
    /// The inviter's public keys.
    public let inviter: MemberPublicKey
    /// Name, creation and expiry.
    public let terms: Terms
    let signature: [UInt8]

    /// Signs an invite.
    ///
    /// - Parameters:
    ///   - group: Where it leads.
    ///   - identity: The inviter's identity.
    ///   - terms: Name, creation and expiry; parts of seconds are cut.
    /// - Throws: `malformed` with the field of the terms that breaks its rule.
    public init(
        to group: GroupCredential,
        from identity: MemberIdentity,
        terms: Terms = Terms()
    ) throws(InviteRefusal) {
        self.group = group
        inviter = identity.publicKey
        self.terms = try terms.checked()
        let content = InviteContent(group: group, inviter: inviter, terms: self.terms)
        signature = identity.signature(of: content.signedBytes)
    }

    /// Takes over what was read.
    ///
    /// - Throws: `badSignature`, or `malformed` if the terms break a rule.
    init(_ content: InviteContent, signature: [UInt8]) throws(InviteRefusal) {
        guard content.inviter.isValidSignature(signature, of: content.signedBytes) else {
            throw .badSignature
        }
        group = content.group
        inviter = content.inviter
        terms = try content.terms.checked()
        self.signature = signature
    }

    /// Says whether the invite may be followed now; its form and signature were checked on reading.
    ///
    /// When it was made counts only where it has an end: a clock that shows an earlier time is wrong, or
    /// the inviter's is, and it is unknown whether the end has come. One without an end needs no clock.
    ///
    /// - Parameters:
    ///   - now: What the phone's clock shows; differences up to `clockLeeway` are forgiven.
    ///   - member: The member that would join; a member does not follow its own invite.
    ///   - group: The group that is asked for, if a certain one is.
    /// - Throws: `ownInvite`, `foreignGroup`, `notYetValid` or `expired`, whichever comes first here.
    public func check(
        at now: WallTime,
        joining member: MemberID,
        expecting group: GroupID? = nil
    ) throws(InviteRefusal) {
        guard inviter.memberID != member else { throw .ownInvite }
        guard group == nil || group == self.group.id else { throw .foreignGroup(self.group.id) }
        let leeway = Self.clockLeeway.components.seconds
        let second = now.secondsSince1970
        if let created = terms.created, terms.expires != nil,
            second + leeway < created.secondsSince1970
        {
            throw .notYetValid(from: created)
        }
        if let expires = terms.expires, second - leeway >= expires.secondsSince1970 {
            throw .expired(at: expires)
        }
    }
}

extension Invite.Terms {
    /// The greatest time that can be said: whole seconds, whose nanoseconds fit 64 bits.
    static let secondsMax = Int64.max / 1_000_000_000

    /// The terms in whole seconds.
    ///
    /// - Throws: `malformed` with the field that breaks its rule.
    func checked() throws(InviteRefusal) -> Invite.Terms {
        if let name, DisplayName(name) == nil { throw .malformed(.field(.name)) }
        var terms = self
        terms.created = try Self.whole(created, .created)
        terms.expires = try Self.whole(expires, .expires)
        if let created = terms.created, let expires = terms.expires, expires < created {
            throw .malformed(.field(.expires))
        }
        return terms
    }

    private static func whole(
        _ time: WallTime?,
        _ field: Invite.Field
    ) throws(InviteRefusal) -> WallTime? {
        guard let time else { return nil }
        guard time.nanosecondsSince1970 >= 0 else { throw .malformed(.field(field)) }
        return WallTime(nanosecondsSince1970: time.secondsSince1970 * 1_000_000_000)
    }
}
