import SansIO
import TextFormats

extension Invite {
    /// What the JSON form says of its kind.
    static let type = "kodama-invite"

    /// The invite as JSON (RFC 8259) in UTF-8, for AirDrop.
    public var json: [UInt8] {
        let object = JSON.object(of: [
            (Field.type.rawValue, .string(Self.type)),
            (Field.version.rawValue, .integer(Int64(Self.version))),
            (Field.group.rawValue, .string(group.id.text)),
            (Field.secret.rawValue, .string(Base64URL.encode(group.secret.bytes))),
            (Field.inviter.rawValue, .string(inviter.memberID.description)),
            (Field.keys.rawValue, .string(Base64URL.encode(inviter.bytes))),
            (Field.name.rawValue, terms.name.map(JSON.string)),
            (Field.created.rawValue, terms.created.map { .integer($0.secondsSince1970) }),
            (Field.expires.rawValue, terms.expires.map { .integer($0.secondsSince1970) }),
            (Field.signature.rawValue, .string(Base64URL.encode(signature))),
        ])
        return Array(object.text.utf8)
    }

    /// Reads an invite from JSON and checks its signature.
    ///
    /// Space between the parts and the members' order do not matter; every value has one spelling,
    /// and no name occurs twice or is unknown.
    ///
    /// - Parameter json: The text in UTF-8.
    /// - Throws: Why it is not accepted.
    public init(json: [UInt8]) throws(InviteRefusal) {
        guard json.count <= Self.encodedCountMax else { throw .oversized(byteCount: json.count) }
        let object: JSON
        do throws(JSONFault) {
            object = try JSONReader.read(json)
        } catch {
            throw .malformed(.text(offset: error.offset))
        }
        guard case .object(let members) = object, object[Field.type.rawValue] == .string(Self.type)
        else { throw .notAnInvite }
        guard let version = object[Field.version.rawValue]?.integer else {
            throw .malformed(.field(.version))
        }
        guard version == Self.version else { throw .unknownVersion(version) }
        if let unknown = members.first(where: { Field(rawValue: $0.name) == nil }) {
            throw .malformed(.unknownField(unknown.name))
        }
        try self.init(members: object)
    }

    private init(members object: JSON) throws(InviteRefusal) {
        guard let id = GroupID(text: try object.text(of: .group)) else {
            throw .malformed(.field(.group))
        }
        guard let secret = GroupSecret(try object.bytes(of: .secret)) else {
            throw .malformed(.field(.secret))
        }
        guard let inviter = MemberPublicKey(try object.bytes(of: .keys)) else {
            throw .malformed(.field(.keys))
        }
        guard let memberID = MemberID(text: try object.text(of: .inviter)) else {
            throw .malformed(.field(.inviter))
        }
        let signature = try object.bytes(of: .signature)
        guard signature.count == Self.signatureByteCount else {
            throw .malformed(.field(.signature))
        }
        var terms = Terms()
        if object[Field.name.rawValue] != nil { terms.name = try object.text(of: .name) }
        terms.created = try object.time(of: .created)
        terms.expires = try object.time(of: .expires)
        terms = try terms.checked()
        guard inviter.memberID == memberID else { throw .wrongInviter }
        let content = InviteContent(
            group: GroupCredential(id: id, secret: secret),
            inviter: inviter,
            terms: terms
        )
        try self.init(content, signature: signature)
    }
}

extension JSON {
    fileprivate func text(of field: Invite.Field) throws(InviteRefusal) -> String {
        guard let text = self[field.rawValue]?.string else { throw .malformed(.field(field)) }
        return text
    }

    fileprivate func bytes(of field: Invite.Field) throws(InviteRefusal) -> [UInt8] {
        guard let bytes = Base64URL.decode(try text(of: field)[...]) else {
            throw .malformed(.field(field))
        }
        return bytes
    }

    fileprivate func time(of field: Invite.Field) throws(InviteRefusal) -> WallTime? {
        guard let value = self[field.rawValue] else { return nil }
        guard let time = value.integer.flatMap(WallTime.init(inviteSeconds:)) else {
            throw .malformed(.field(field))
        }
        return time
    }
}
