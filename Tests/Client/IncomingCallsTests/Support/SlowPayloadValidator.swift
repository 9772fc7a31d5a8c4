import IncomingCalls
import SansIO

/// Says what VP-01 says, slowly: the whole tree is spread out first, and every rule is a list.
///
/// It shares no code with the parser, and where it can, no way of saying a rule: Unicode's own
/// properties stand here for the parser's ranges.
enum SlowPayloadValidator {
    /// The call that a payload announces; `nil` if it announces none.
    static func call(in payload: PayloadValue) -> VoIPPush? {
        guard case .dictionary(let members) = payload, isOfSize(payload),
            case .dictionary(let aps)? = only("aps", members),
            only("content-available", aps) == .integer(1),
            only("type", members) == .string("call.incoming"),
            case .string(let callId)? = only("callId", members), isName(callId, 64),
            case .string(let user)? = only("fromUserId", members), isPerson(user, 128),
            case .string(let name)? = only("fromDisplayName", members), isPerson(name, 256),
            case .string(let room)? = only("room", members), isName(room, 128)
        else { return nil }
        var push = VoIPPush(callId: callId, fromUserId: user, fromDisplayName: name, room: room)
        let videos = all("hasVideo", members)
        if !videos.isEmpty {
            guard videos == [.bool(true)] || videos == [.bool(false)] else { return nil }
            push.hasVideo = videos == [.bool(true)]
        }
        let ends = all("expiresAt", members)
        if !ends.isEmpty {
            guard ends.count == 1, case .integer(let seconds) = ends[0], seconds > 0,
                seconds < 10_000_000_000
            else { return nil }
            push.expiresAt = WallTime(
                nanosecondsSince1970: seconds > 9_223_372_036 ? .max : seconds * 1_000_000_000
            )
        }
        return push
    }

    private static func all(_ name: String, _ members: [PayloadMember]) -> [PayloadValue] {
        members.filter { Array($0.name.utf8) == Array(name.utf8) }.map(\.value)
    }

    private static func only(_ name: String, _ members: [PayloadMember]) -> PayloadValue? {
        let found = all(name, members)
        return found.count == 1 ? found[0] : nil
    }

    private static func isOfSize(_ payload: PayloadValue) -> Bool {
        var waiting = [(payload, 1)]
        var texts: [String] = []
        var depths: [Int] = []
        while let (value, depth) = waiting.popLast() {
            depths.append(depth)
            switch value {
            case .string(let text): texts.append(text)
            case .array(let elements): waiting += elements.map { ($0, depth + 1) }
            case .dictionary(let members):
                texts += members.map(\.name)
                waiting += members.map { ($0.value, depth + 1) }
            case .integer, .double, .bool, .null: break
            }
        }
        return depths.allSatisfy { $0 <= 8 } && depths.count <= 512
            && texts.joined().utf8.count <= 5_120
    }

    private static let nameCharacters = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".unicodeScalars
    )

    private static func isName(_ text: String, _ bytesMax: Int) -> Bool {
        !text.unicodeScalars.isEmpty && text.utf8.count <= bytesMax
            && Set(text.unicodeScalars).isSubset(of: nameCharacters)
    }

    private static let spaces: Set<UInt32> = [
        0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
        0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
        0x3000,
    ]
    private static let invisible = Set<UInt32>([0x180E, 0x200B, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB])
        .union(0x2060...0x206F)

    private static func isPerson(_ text: String, _ bytesMax: Int) -> Bool {
        guard Array(text.utf8).count <= bytesMax else { return false }
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            let category = properties.generalCategory
            return category != .control && category != .lineSeparator
                && category != .paragraphSeparator && !properties.isBidiControl
                && !properties.isNoncharacterCodePoint && !invisible.contains(scalar.value)
        }
        let visible = text.unicodeScalars.filter {
            !spaces.contains($0.value) && ![0x200C, 0x200D].contains($0.value)
        }
        return isClean && !visible.isEmpty
    }
}
