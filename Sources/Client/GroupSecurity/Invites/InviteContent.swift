import SansIO

/// An invite without its signature, and the one sequence of bytes that is signed.
///
/// All numbers are big-endian.
///
/// | bytes | content |
/// |---|---|
/// | 1 | version, 1 |
/// | 1 | which optional fields follow: 1 name, 2 created, 4 expires; others 0 |
/// | 16 | the group's id |
/// | 32 | the group's secret |
/// | 64 | the inviter's public keys |
/// | 1 + n | the name: how many bytes of UTF-8, then they |
/// | 8 | created, in seconds since 1970 |
/// | 8 | expires, in seconds since 1970 |
///
/// What is signed begins with a label, so that no signature of another kind fits here.
struct InviteContent: Sendable, Equatable {
    var group: GroupCredential
    var inviter: MemberPublicKey
    var terms: Invite.Terms

    private enum Flags {
        static let name: UInt8 = 1
        static let created: UInt8 = 2
        static let expires: UInt8 = 4
        static let all: UInt8 = 7
    }

    /// The label and the content.
    var signedBytes: [UInt8] { Array("kodama invite signature 1".utf8) + bytes }

    /// The content as it travels in a URL.
    var bytes: [UInt8] {
        var flags: UInt8 = 0
        var optional: [UInt8] = []
        if let name = terms.name {
            flags |= Flags.name
            optional += [UInt8(name.utf8.count)] + Array(name.utf8)
        }
        if let created = terms.created {
            flags |= Flags.created
            optional += created.secondsSince1970.bigEndianBytes
        }
        if let expires = terms.expires {
            flags |= Flags.expires
            optional += expires.secondsSince1970.bigEndianBytes
        }
        return [UInt8(Invite.version), flags] + group.id.bytes + group.secret.bytes + inviter.bytes
            + optional
    }

    /// Puts content together.
    init(group: GroupCredential, inviter: MemberPublicKey, terms: Invite.Terms) {
        self.group = group
        self.inviter = inviter
        self.terms = terms
    }

    /// Reads content and leaves what follows it.
    ///
    /// - Throws: `unknownVersion`, or `malformed` with the field.
    init(reading rest: inout ArraySlice<UInt8>) throws(InviteRefusal) {
        let version = try Self.part(1, .version, of: &rest)[0]
        guard version == Invite.version else { throw .unknownVersion(Int64(version)) }
        let flags = try Self.part(1, .version, of: &rest)[0]
        guard flags & ~Flags.all == 0 else { throw .malformed(.field(.version)) }
        let id = GroupID(bytes: try Self.part(16, .group, of: &rest))
        guard let secret = GroupSecret(try Self.part(GroupSecret.byteCount, .secret, of: &rest))
        else { throw .malformed(.field(.secret)) }
        guard let keys = MemberPublicKey(try Self.part(MemberPublicKey.byteCount, .keys, of: &rest))
        else { throw .malformed(.field(.keys)) }
        group = GroupCredential(id: id, secret: secret)
        inviter = keys
        terms = Invite.Terms()
        if flags & Flags.name != 0 {
            let count = Int(try Self.part(1, .name, of: &rest)[0])
            let utf8 = try Self.part(count, .name, of: &rest)
            let name = String(decoding: utf8, as: UTF8.self)
            guard name.utf8.elementsEqual(utf8) else { throw .malformed(.field(.name)) }
            terms.name = name
        }
        if flags & Flags.created != 0 { terms.created = try Self.time(.created, of: &rest) }
        if flags & Flags.expires != 0 { terms.expires = try Self.time(.expires, of: &rest) }
    }

    private static func time(
        _ field: Invite.Field,
        of rest: inout ArraySlice<UInt8>
    ) throws(InviteRefusal) -> WallTime {
        let seconds = Int64(bigEndianBytes: try part(8, field, of: &rest))
        guard let time = WallTime(inviteSeconds: seconds) else { throw .malformed(.field(field)) }
        return time
    }

    private static func part(
        _ count: Int,
        _ field: Invite.Field,
        of rest: inout ArraySlice<UInt8>
    ) throws(InviteRefusal) -> [UInt8] {
        guard rest.count >= count else { throw .malformed(.field(field)) }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}

extension WallTime {
    /// The time that an invite says; `nil` if it lies before 1970 or beyond what can be said.
    init?(inviteSeconds seconds: Int64) {
        guard (0...Invite.Terms.secondsMax).contains(seconds) else { return nil }
        self.init(nanosecondsSince1970: seconds * 1_000_000_000)
    }
}
