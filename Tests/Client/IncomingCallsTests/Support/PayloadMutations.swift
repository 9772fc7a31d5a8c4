import IncomingCalls
import SansIOTesting

/// Draws payloads that are almost calls: a valid one, changed in up to four ways.
struct PayloadMutations {
    var random: LawRandom

    init(seed: UInt64) {
        random = LawRandom(seed: seed)
    }

    private static let names = [
        "aps", "content-available", "type", "callId", "fromUserId", "fromDisplayName", "room",
        "hasVideo", "expiresAt", "reason", "callid", "ｔype", "",
    ]

    /// Scalars that a text may stumble over, beside ordinary ones.
    private static let scalars: [Unicode.Scalar] =
        Array("aZ0-_ é花😀".unicodeScalars)
        + [
            0x0, 0x1B, 0x7F, 0x85, 0xA0, 0xAD, 0x301, 0x61C, 0x180E, 0x200B, 0x200C, 0x200D,
            0x200E, 0x2028, 0x202E, 0x2060, 0x2065, 0x2067, 0x206F, 0x3000, 0xF8FF, 0xFDD0,
            0xFEFF, 0xFFF9, 0xFFFC, 0xFFFD, 0xFFFE, 0x1FFFF, 0xE0067, 0x10FFFF,
        ].compactMap { Unicode.Scalar(UInt32($0)) }

    mutating func next() -> PayloadValue {
        var members: [PayloadMember] = [
            PayloadMember("aps", .object(["content-available": .integer(1)])),
            PayloadMember("type", .string("call.incoming")),
            PayloadMember("callId", .string("c-\(random.below(1_000))")),
            PayloadMember("fromUserId", .string("user")),
            PayloadMember("fromDisplayName", .string("花子")),
            PayloadMember("room", .string("room_1")),
        ]
        if random.chance(percent: 50) {
            members.append(PayloadMember("hasVideo", .bool(random.chance(percent: 50))))
        }
        if random.chance(percent: 50) {
            members.append(PayloadMember("expiresAt", .integer(1_800_000_045)))
        }
        for _ in 0..<random.below(5) { mutate(&members) }
        guard random.chance(percent: 99) else { return value(depth: 0) }
        return .dictionary(members)
    }

    private mutating func mutate(_ members: inout [PayloadMember]) {
        let index = members.isEmpty ? 0 : random.below(members.count)
        let isAny = !members.isEmpty
        switch random.below(12) {
        case 0 where isAny: members.remove(at: index)
        case 1 where isAny && random.chance(percent: 30): members.append(members[index])
        case 2 where isAny: members[index].name = name()
        case 3 where isAny: members[index].value = value(depth: 0)
        case 4 where isAny: members.swapAt(index, random.below(members.count))
        case 5: members.append(PayloadMember(name(), value(depth: 0)))
        case 6: members.append(PayloadMember("extra\(random.below(9))", value(depth: 0)))
        case 7: members.append(PayloadMember("deep", nested(random.below(10))))
        case 8 where isAny: members[index].value = .string(text())
        case 9: members.append(PayloadMember("many", wide()))
        case 10: changeAPS(&members)
        default:
            for index in members.indices {
                guard case .string(let text) = members[index].value,
                    random.chance(percent: 30)
                else { continue }
                members[index].value = .string(changed(text))
            }
        }
    }

    private mutating func name() -> String { Self.names[random.below(Self.names.count)] }

    private mutating func changeAPS(_ members: inout [PayloadMember]) {
        let inner = value(depth: 3)
        let aps: PayloadValue =
            switch random.below(4) {
            case 0: .object(["content-available": inner])
            case 1: .object(["content-available": .integer(1), "alert": inner])
            case 2: .object(["content-available": .integer(1), "content-available": inner])
            default: inner
            }
        if let index = members.firstIndex(where: { $0.name == "aps" }) {
            members[index].value = aps
        }
    }

    private mutating func value(depth: Int) -> PayloadValue {
        switch random.below(depth > 3 ? 7 : 9) {
        case 0: return .null
        case 1: return .bool(random.chance(percent: 50))
        case 2: return .integer([0, 1, -1, 10_000_000_000, .max, .min][random.below(6)])
        case 3: return .integer(Int64(bitPattern: random.next()))
        case 4: return .double([1, 0.5, .nan, .infinity][random.below(4)])
        case 5: return .string(text())
        case 6: return .string("call.incoming")
        case 7:
            return .array((0..<random.below(4)).map { _ in value(depth: depth + 1) })
        default:
            let count = random.below(4)
            return .dictionary(
                (0..<count).map { _ in PayloadMember(name(), value(depth: depth + 1)) }
            )
        }
    }

    private mutating func text() -> String {
        let count = random.chance(percent: 90) ? random.below(12) : random.below(300)
        return (0..<count).reduce(into: "") { text, _ in
            text.unicodeScalars.append(Self.scalars[random.below(Self.scalars.count)])
        }
    }

    /// Appends something, or grows a text to one of the lengths at which something changes.
    private mutating func changed(_ text: String) -> String {
        switch random.below(3) {
        case 0:
            return text + String(Self.scalars[random.below(Self.scalars.count)])
        case 1:
            let lengths = [63, 64, 65, 127, 128, 129, 255, 256, 257, 5_000]
            let length = lengths[random.below(lengths.count)]
            return text + String(repeating: "x", count: max(0, length - text.utf8.count))
        default:
            var scalars = Array(text.unicodeScalars)
            let index = random.below(scalars.count + 1)
            scalars.insert(Self.scalars[random.below(Self.scalars.count)], at: index)
            return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
        }
    }

    private func nested(_ depth: Int) -> PayloadValue {
        (0..<depth).reduce(.bool(true)) { inner, level in
            level % 2 == 0 ? .array([inner]) : .object(["in": inner])
        }
    }

    private mutating func wide() -> PayloadValue {
        .array(Array(repeating: .null, count: [8, 490, 500, 505, 520][random.below(5)]))
    }
}
