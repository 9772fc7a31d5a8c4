import IncomingCalls
import SansIO
import SansIOTesting
import Testing

@Suite("The memory of call ids (VP-02)")
struct CallMemoryTests {
    private let launch = CallStory.launch

    @Test("It holds the latest ids up to its count, and each for its life")
    func bounds() {
        var memory = CallMemory(limits: .init(countMax: 3, life: .seconds(100)))
        for number in 0..<5 {
            memory.remember("c-\(number)", nil, at: launch.advanced(by: .seconds(number)))
        }
        #expect(memory.entries.map(\.callId) == ["c-2", "c-3", "c-4"])
        #expect(memory.entry(of: "c-2", at: launch.advanced(by: .seconds(101))) != nil)
        #expect(memory.entry(of: "c-2", at: launch.advanced(by: .seconds(102))) == nil)
        // A clock that was put back forgets nothing, and the count still bounds it.
        #expect(memory.entry(of: "c-4", at: launch.advanced(by: .seconds(-9_999))) != nil)
    }

    @Test("Without limits it grows, as the source design's does")
    func unbounded() {
        var memory = CallMemory(limits: nil)
        for number in 0..<2_000 { memory.remember("c-\(number)", nil, at: launch) }
        #expect(memory.entries.count == 2_000)
        #expect(memory.entry(of: "c-0", at: launch.advanced(by: .seconds(90 * 86_400))) != nil)
    }

    @Test("Whatever was remembered is remembered after a relaunch", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = LawRandom(seed: seed)
        let limits = CallMemory.Limits(countMax: 1 + random.below(8), life: .seconds(50))
        var memory = CallMemory(limits: limits)
        var model: [(callId: String, seenAt: WallTime, reason: CallEndReason?)] = []
        var now = launch
        for _ in 0..<400 {
            now = now.advanced(by: .seconds(random.below(20)))
            let callId = "c-\(random.below(12))"
            let reason = random.chance(percent: 50) ? CallEndReason.allCases[random.below(11)] : nil
            let kept = model.first { $0.callId == callId }.flatMap { entry in
                entry.seenAt.advanced(by: .seconds(50)) > now ? entry.reason : nil
            }
            memory.remember(callId, reason, at: now)
            model.removeAll { $0.callId == callId }
            model.removeAll { $0.seenAt.advanced(by: .seconds(50)) <= now }
            model.append((callId, now, reason ?? kept))
            model = model.suffix(limits.countMax)
            if random.chance(percent: 20) {
                memory = CallMemory(restoring: memory.stored, limits: limits)
            }
            now = now.advanced(by: .seconds(random.below(9)))
            for number in 0..<12 {
                let expected = model.first {
                    $0.callId == "c-\(number)" && $0.seenAt.advanced(by: .seconds(50)) > now
                }
                let entry = memory.entry(of: "c-\(number)", at: now)
                #expect(entry?.seenAt == expected?.seenAt)
                #expect(entry?.reason == expected?.reason)
            }
        }
    }

    @Test("The calls that the user is in are known after a relaunch, until they have ended (VP-05)")
    func entered() {
        var memory = CallMemory()
        memory.remember("c-0", nil, at: launch)
        memory.enter("c-1", at: launch)
        memory.enter("c-2", at: launch)
        #expect(memory.entered.map(\.callId) == ["c-1", "c-2"])
        #expect(CallMemory(restoring: memory.stored) == memory)
        memory.remember("c-1", .hungUp, at: launch)
        #expect(CallMemory(restoring: memory.stored).entered.map(\.callId) == ["c-2"])
    }

    @Test("Why the user left a call is known after a relaunch, until the server knows (VP-05)")
    func left() {
        var memory = CallMemory()
        memory.enter("c-1", at: launch)
        memory.leave("c-1", .hungUp, at: launch.advanced(by: .seconds(1)))
        let restored = CallMemory(restoring: memory.stored)
        #expect(restored == memory)
        #expect(restored.entered.map(\.reason) == [.hungUp])
        memory.remember("c-1", .hungUp, at: launch.advanced(by: .seconds(2)))
        #expect(CallMemory(restoring: memory.stored).entered.isEmpty)
    }

    @Test("In whose name the server is still to be told is known after a relaunch, too (VP-05)")
    func user() {
        var memory = CallMemory()
        memory.enter("c-1", by: "u 1 花子", at: launch)
        memory.leave("c-1", .hungUp, at: launch.advanced(by: .seconds(1)))
        memory.enter("c-2", by: "u-2", at: launch)
        let restored = CallMemory(restoring: memory.stored)
        #expect(restored == memory)
        #expect(restored.entered.map(\.user) == ["u 1 花子", "u-2"])
        memory.remember("c-1", .hungUp, at: launch.advanced(by: .seconds(2)))
        memory.remember("c-2", .hungUp, at: launch.advanced(by: .seconds(2)))
        #expect(memory.entries.allSatisfy { $0.user == nil })
        // As it was kept before.
        let former = CallMemory(restoring: "call memory 1\n1 c-1 +hungUp\n1 c-2 +\n")
        #expect(former.entered.map(\.callId) == ["c-1", "c-2"])
        #expect(former.entered.allSatisfy { $0.user == nil })
    }

    @Test("A flipped bit costs one entry at most, and alters none (VP-02)")
    func flippedBits() {
        var memory = CallMemory()
        memory.remember("alpha", nil, at: launch)
        memory.remember("bravo", .declined, at: launch)
        memory.enter("charlie", by: "u1I", at: launch)
        memory.remember("delta", nil, at: launch)
        memory.enter("echo", at: launch)
        let bytes = Array(memory.stored.utf8)
        let feed = UInt8(ascii: "\n")
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << UInt8(bit)
                let text = String(decoding: flipped, as: UTF8.self)
                let kept = CallMemory(restoring: text).entries
                #expect(kept == memory.entries.filter(kept.contains), "byte \(index) bit \(bit)")
                // Without its end a line is one with the next.
                #expect(kept.count >= (bytes[index] == feed ? 3 : 4), "byte \(index) bit \(bit)")
            }
        }
    }

    @Test("A damaged store loses its damaged lines and nothing else")
    func damage() {
        let heading = "call memory 1\n"
        let good = "1800000000000000000 c-1 cancelled\n"
        for bad in [
            "x c-2 -\n", "1 c-2\n", "1 c-2 - -\n", "1  -\n", "1 c 2 -\n", "1 c-2 because\n",
            "99999999999999999999 c-2 -\n", "1 é -\n", "1 c-2 ++\n", "1 c-2 +-\n", "\u{0}\n",
            "1 c-2 - dS0x\n", "1 c-2 + \n", "1 c-2 + d\n", "1 c-2 + dS0x dS0x\n",
        ] {
            let memory = CallMemory(restoring: heading + bad + good + bad)
            #expect(memory.entries.map(\.callId) == ["c-1"], "\(bad)")
        }
        for foreign in ["", "\n", "call memory 2\n" + good, good, "{}"] {
            #expect(CallMemory(restoring: foreign).entries.isEmpty, "\(foreign)")
        }
        let twice = heading + "1 c-1 -\n2 c-1 busy\n"
        #expect(CallMemory(restoring: twice).entries.map(\.reason) == [.busy])
        let many = heading + (0..<9).map { "1 c-\($0) -\n" }.joined()
        let few = CallMemory(restoring: many, limits: .init(countMax: 2))
        #expect(few.entries.map(\.callId) == ["c-7", "c-8"])
    }
}
