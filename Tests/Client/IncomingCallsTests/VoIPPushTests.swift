import Foundation
import IncomingCalls
import SansIO
import Testing

@Suite("The payload of a VoIP push (VP-01)")
struct VoIPPushTests {
    private func refusal(_ payload: PayloadValue) -> PayloadRefusal? {
        do throws(PayloadRefusal) {
            _ = try VoIPPush(payload)
            return nil
        } catch { return error }
    }

    /// A valid payload with one member replaced, or taken out.
    private func payload(_ name: String, _ value: PayloadValue?) -> PayloadValue {
        guard case .dictionary(var members) = CallStory.payload() else { return .null }
        members.removeAll { $0.name == name }
        if let value { members.append(PayloadMember(name, value)) }
        return .dictionary(members)
    }

    @Test("A complete payload is a call, with its optional fields and members nobody knows")
    func complete() throws {
        let plain = try VoIPPush(CallStory.payload())
        #expect(
            plain
                == VoIPPush(callId: "c-1", fromUserId: "u-7", fromDisplayName: "花子", room: "call-x")
        )
        let video = try VoIPPush(payload("hasVideo", .bool(true)))
        #expect(video.hasVideo)
        let ends = try VoIPPush(payload("expiresAt", .integer(1_800_000_045)))
        #expect(ends.expiresAt?.secondsSince1970 == 1_800_000_045)
        #expect(refusal(payload("version", .object(["major": .integer(2)]))) == nil)
        // A flag of Scotland, a family, a Persian name with its joiner.
        for name in ["🏴󠁧󠁢󠁳󠁣󠁴󠁿", "👨‍👩‍👧", "علی\u{200C}رضا"] {
            #expect(refusal(payload("fromDisplayName", .string(name))) == nil, "\(name)")
        }
    }

    @Test("Each required field that is missing is named")
    func missing() {
        for field in [
            PayloadField.aps, .type, .callId, .fromUserId, .fromDisplayName, .room,
        ] {
            #expect(refusal(payload(field.rawValue, nil)) == .missing(field))
            #expect(refusal(payload(field.rawValue, .null)) == .wrongType(field))
            #expect(refusal(payload(field.rawValue, .integer(5))) == .wrongType(field))
        }
        #expect(refusal(payload("aps", .dictionary([]))) == .missing(.contentAvailable))
    }

    @Test("A user's number is not taken for their identity: it is a text everywhere (D-02)")
    func numericUser() {
        #expect(refusal(payload("fromUserId", .integer(7))) == .wrongType(.fromUserId))
        #expect(refusal(payload("fromUserId", .string("7"))) == nil)
    }

    @Test("Values that a field may not have are named, each by its reason")
    func values() {
        let cases: [(String, PayloadValue, PayloadRefusal)] = [
            ("aps", .object(["content-available": .integer(0)]), .wrongValue(.contentAvailable)),
            ("aps", .object(["content-available": .bool(true)]), .wrongType(.contentAvailable)),
            ("aps", .object(["content-available": .double(1)]), .wrongType(.contentAvailable)),
            ("type", .string("call.ended"), .wrongValue(.type)),
            ("callId", .string(""), .blank(.callId)),
            ("callId", .string("a b"), .forbiddenCharacter(.callId)),
            ("callId", .string("é"), .forbiddenCharacter(.callId)),
            ("callId", .string(String(repeating: "c", count: 65)), .tooLong(.callId)),
            ("room", .string(String(repeating: "r", count: 129)), .tooLong(.room)),
            ("fromUserId", .string("\u{200D}"), .blank(.fromUserId)),
            ("fromDisplayName", .string(" \u{3000}"), .blank(.fromDisplayName)),
            ("fromDisplayName", .string("a\u{202E}b"), .forbiddenCharacter(.fromDisplayName)),
            ("fromDisplayName", .string("a\nb"), .forbiddenCharacter(.fromDisplayName)),
            (
                "fromDisplayName", .string(String(repeating: "花", count: 86)),
                .tooLong(.fromDisplayName)
            ),
            ("hasVideo", .integer(1), .wrongType(.hasVideo)),
            ("hasVideo", .null, .wrongType(.hasVideo)),
            ("expiresAt", .double(1.5), .wrongType(.expiresAt)),
            ("expiresAt", .integer(0), .wrongValue(.expiresAt)),
            ("expiresAt", .integer(10_000_000_000), .wrongValue(.expiresAt)),
        ]
        for (name, value, reason) in cases {
            #expect(refusal(payload(name, value)) == reason, "\(name): \(value)")
        }
    }

    @Test("Payloads that are no object, too deep, too many-valued or too large are refused")
    func shape() {
        #expect(refusal(.array([CallStory.payload()])) == .notAnObject)
        func deep(_ levels: Int) -> PayloadValue {
            (0..<levels).reduce(.null) { inner, _ in .array([inner]) }
        }
        #expect(refusal(payload("x", deep(6))) == nil)
        #expect(refusal(payload("x", deep(7))) == .tooDeep)
        let nulls = { PayloadValue.array(Array(repeating: .null, count: $0)) }
        #expect(refusal(payload("x", nulls(503))) == nil)
        #expect(refusal(payload("x", nulls(504))) == .tooManyValues)
        let long = { PayloadValue.string(String(repeating: "x", count: $0)) }
        #expect(refusal(payload("x", long(4_900))) == nil)
        #expect(refusal(payload("x", long(5_120))) == .tooLarge)
        guard case .dictionary(let members) = CallStory.payload() else { return }
        #expect(refusal(.dictionary(members + [members[2]])) == .repeated(.callId))
    }

    @Test("An end signal names its call and reason, and nothing else is one (D-03)")
    func endSignal() throws {
        let signal = try EndSignal(CallStory.endSignal("c-1", "answeredElsewhere"))
        #expect(signal == EndSignal(callId: "c-1", reason: .answeredElsewhere))
        #expect(throws: PayloadRefusal.wrongValue(.reason)) {
            try EndSignal(CallStory.endSignal("c-1", "because"))
        }
        #expect(throws: PayloadRefusal.wrongValue(.type)) { try EndSignal(CallStory.payload()) }
    }

    /// How many payloads each of the ten seeds tries: 300, or a tenth of `KODAMA_PAYLOADS`.
    private static let payloadsPerSeed: Int = {
        let environment = ProcessInfo.processInfo.environment
        return environment["KODAMA_PAYLOADS"].flatMap { Int($0) }.map { $0 / 10 } ?? 300
    }()

    @Test(
        "Of mutated payloads none is accepted or refused that a slow validator would not",
        arguments: 0..<10 as Range<UInt64>
    )
    func mutations(seed: UInt64) {
        var mutations = PayloadMutations(seed: seed)
        var accepted = 0
        var reasons: Set<PayloadRefusal> = []
        for _ in 0..<Self.payloadsPerSeed {
            let payload = mutations.next()
            let expected = SlowPayloadValidator.call(in: payload)
            let call = try? VoIPPush(payload)
            if call != expected {
                Issue.record("\(payload): \(String(describing: expected)) expected")
                return
            }
            if call != nil { accepted += 1 }
            if let reason = refusal(payload) { reasons.insert(reason) }
        }
        #expect(accepted > Self.payloadsPerSeed / 10)
        #expect(accepted < Self.payloadsPerSeed * 9 / 10)
        #expect(reasons.count > 20, "few reasons: \(reasons)")
    }
}
