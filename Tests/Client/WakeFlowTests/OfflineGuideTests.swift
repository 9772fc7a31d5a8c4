import SansIO
import SansIOTesting
import Testing
import WakeFlow

private typealias Effect = OfflineGuide.Effect
private typealias Event = OfflineGuide.Event

@Suite(
    "The offline guide takes over, gives back, and tells what was talked about once (AN-05)"
)
struct OfflineGuideTests {
    /// The disk, the server and both voices, as the guide's orders leave them.
    struct World {
        var guide: OfflineGuide
        var now = Instant.zero
        var disk = OfflineRecord()
        var outbox: [CoachFact] = []
        var log: [OfflineGuide.Effect] = []
        var isAgentMuted = false
        var isAgentTalking = false
        var systemVoice: ScriptLine?
        var talkedOver = 0
        /// How many packets of the agent's have come in, and whether they come.
        var packets: Int64 = 0
        var sends = true

        init(hasClone: Bool = false) {
            guide = OfflineGuide(hasClone: hasClone, seed: 1)
            send(.clockChanged(WallTime(nanosecondsSince1970: 1_800_000_000_000_000_000)))
            send(.conversationBegan(UniqueID(high: 1, low: 2)))
        }

        mutating func send(_ event: OfflineGuide.Event) { perform(guide.drive(event, at: now)) }

        mutating func pass(_ milliseconds: Int64) {
            let end = now.advanced(by: .milliseconds(milliseconds))
            while let due = guide.deadline?.instant, due <= end {
                advance(to: max(now, due))
                perform(guide.drive(nil, at: now))
            }
            advance(to: end)
        }

        private mutating func advance(to instant: Instant) {
            if sends, now < instant { packets += 1 }
            now = instant
        }

        mutating func line(_ number: Int) {
            send(
                .lineOrdered(
                    ScriptLine(number: number, step: number, isRepetition: false, text: "t")
                )
            )
        }

        mutating func perform(_ effects: [OfflineGuide.Effect]) {
            for effect in effects {
                log.append(effect)
                switch effect {
                case .store(let record, let facts):
                    disk = record
                    outbox += facts
                case .muteAgent: isAgentMuted = true
                case .unmuteAgent: isAgentMuted = false
                case .askAgent: isAgentTalking = true
                case .speak(let line): systemVoice = line
                case .stopSpeaking: systemVoice = nil
                case .countAgentPackets: send(.agentPackets(packets))
                default: break
                }
                if systemVoice != nil, !isAgentMuted { talkedOver += 1 }
            }
        }

        mutating func lineEnds(_ number: Int) {
            if systemVoice?.number == number { systemVoice = nil }
            send(.lineFinished(number: number))
        }

        mutating func takeOrders() -> [OfflineGuide.Effect] {
            defer { log = [] }
            return log.filter {
                switch $0 {
                case .store, .countAgentPackets: false
                default: true
                }
            }
        }

        var sent: [OfflineSummary] {
            log.compactMap { if case .sendSummary(_, let summary) = $0 { summary } else { nil } }
        }

        var latestSend: OperationID? {
            log.reversed().lazy.compactMap { effect in
                if case .sendSummary(let operation, _) = effect { operation } else { nil }
            }.first
        }
    }

    @Test("Within half a second of the first sign the phone goes on with the line that was cut off")
    func takesOver() {
        var world = World()
        world.line(3)
        _ = world.takeOrders()
        world.send(.voiceDoubted)
        world.pass(499)
        #expect(world.takeOrders().isEmpty)
        world.pass(1)
        #expect(world.takeOrders().prefix(2).first == .muteAgent)
        #expect(world.systemVoice?.number == 3)
        #expect(world.talkedOver == 0)
    }

    @Test("The session's own word takes over at once, and a sign that went away doesn't")
    func atOnce() {
        var world = World()
        world.line(0)
        world.send(.voiceDoubted)
        world.pass(200)
        world.send(.voiceConfirmed)
        world.pass(5_000)
        #expect(world.systemVoice == nil)
        world.send(.handedOver)
        #expect(world.systemVoice?.number == 0)
        // Only the session takes back what it handed over.
        world.send(.voiceConfirmed)
        world.lineEnds(0)
        #expect(world.guide.mode == .offline)
        world.send(.takenBack)
        #expect(world.guide.mode == .standard)
    }

    @Test("A link that dies without a word is known by the packets that stay away (AN-05)")
    func packetsStayAway() {
        var world = World()
        world.line(0)
        world.pass(3_000)
        #expect(world.systemVoice == nil, "the agent is heard")
        world.sends = false
        world.pass(499)
        #expect(world.systemVoice == nil)
        world.pass(101)
        #expect(world.systemVoice?.number == 0, "half a second and one count later")
        // No packet, no agent, however long it takes.
        world.lineEnds(0)
        world.pass(5_000)
        #expect(world.guide.mode == .offline)
        world.line(1)
        world.sends = true
        world.pass(700)
        #expect(world.guide.mode == .offline, "the phone's line may end first")
        world.lineEnds(1)
        #expect(world.guide.mode == .standard)
        #expect(world.talkedOver == 0)
    }

    @Test("Packets with gaps below half a second are no loss, nor is silence between lines")
    func jitter() {
        var world = World()
        world.line(0)
        for _ in 0..<40 {
            world.sends = false
            world.pass(420)
            world.sends = true
            world.pass(60)
        }
        #expect(world.systemVoice == nil)
        world.lineEnds(0)
        world.sends = false
        world.pass(60_000)
        #expect(world.guide.mode == .standard, "a user who thinks is given the time")
    }

    @Test("The first packet of a conversation may take two seconds, and no longer")
    func firstPacket() {
        var world = World()
        world.sends = false
        world.line(0)
        world.pass(1_999)
        #expect(world.systemVoice == nil)
        world.pass(101)
        #expect(world.systemVoice?.number == 0)
    }

    @Test("An agent that is back and gone again is not waited for")
    func backAndGone() {
        var world = World()
        world.line(0)
        world.pass(200)
        world.sends = false
        world.pass(700)
        world.sends = true
        world.pass(800)
        world.sends = false
        world.pass(4_000)
        #expect(world.guide.mode == .offline && world.guide.isSpeaking)
        #expect(world.talkedOver == 0)
    }

    @Test("Packets that come and go leave the word with the phone, the longer the more often")
    func comeAndGo() {
        var world = World()
        world.line(0)
        world.pass(300)
        for round in 1..<40 {
            world.sends.toggle()
            world.pass(900)
            world.line(round)
        }
        let returns = world.log.count { if case .unmuteAgent = $0 { true } else { false } }
        #expect(returns > 0 && returns <= 2)
    }

    @Test("After a suspension, packets that nobody counted are not missed (L4)")
    func suspended() {
        var world = World()
        world.line(0)
        world.pass(1_000)
        world.now = world.now.advanced(by: .seconds(30))
        world.perform(world.guide.drive(nil, at: world.now))
        world.pass(2_000)
        #expect(world.systemVoice == nil)
    }

    @Test("A line that was heard to its end isn't said again")
    func finishedLine() {
        var world = World()
        world.line(0)
        world.send(.lineFinished(number: 0))
        world.send(.handedOver)
        #expect(world.systemVoice == nil)
        world.line(1)
        #expect(world.systemVoice?.number == 1)
    }

    @Test("The agent is heard again when the system voice has finished, and not before")
    func givesBack() {
        var world = World()
        for line in 0..<2 {
            world.line(line)
            world.send(.handedOver)
            world.send(.takenBack)
            world.pass(1_000)
            #expect(world.isAgentMuted)
            _ = world.takeOrders()
            world.lineEnds(line)
            #expect(world.log.contains(.unmuteAgent(atLine: line)))
            #expect(!world.isAgentMuted)
            #expect(!world.log.contains { if case .askAgent = $0 { true } else { false } })
        }
        #expect(world.talkedOver == 0)
        #expect(world.guide.mode == .standard)
    }

    @Test("A line that goes on for more than 3 s is cut off, and the agent says it again")
    func cutOff() {
        var world = World()
        world.line(0)
        world.send(.handedOver)
        world.send(.takenBack)
        world.pass(2_999)
        #expect(world.systemVoice != nil)
        _ = world.takeOrders()
        world.pass(1)
        let line = ScriptLine(number: 0, step: 0, isRepetition: false, text: "t")
        #expect(
            world.takeOrders().prefix(3) == [
                .stopSpeaking, .unmuteAgent(atLine: 0), .askAgent(line),
            ]
        )
        #expect(world.talkedOver == 0)
    }

    @Test("Voice that is lost again while it is given back stays with the phone")
    func lostAgain() {
        var world = World()
        world.line(0)
        world.send(.handedOver)
        world.send(.takenBack)
        world.send(.handedOver)
        world.pass(10_000)
        #expect(world.isAgentMuted)
        #expect(world.guide.mode == .offline)
        #expect(world.sent.isEmpty)
    }

    @Test("The summary is stored before it is sent, sent until it is accepted, and then no more")
    func summary() throws {
        var world = World()
        world.line(0)
        for stretch in 0..<2 {
            world.send(.handedOver)
            world.send(.heard("OK"))
            world.line(stretch + 1)
            world.lineEnds(stretch + 1)
            world.send(.takenBack)
            #expect(world.disk.unsent.count == 1)
            world.pass(10_000)
            world.pass(2_000)
            #expect(world.sent.count == 2)
            world.send(.summaryAnswered(OperationID(number: 9_999), accepted: true))
            #expect(world.disk.unsent.count == 1)
            let last = try #require(world.latestSend)
            world.send(.summaryAnswered(last, accepted: false))
            world.pass(4_000)
            let again = try #require(world.latestSend)
            #expect(again != last)
            world.send(.summaryAnswered(again, accepted: true))
            #expect(world.disk.unsent.isEmpty)
            #expect(Set(world.sent.map(\.key)).count == 1)
            #expect(world.sent.first?.heard == ["OK"])
            world.pass(1_000_000)
            #expect(world.sent.count == 3)
            _ = world.takeOrders()
        }
        #expect(world.disk.stretches == 2)
    }

    @Test("Voice that is back sends a summary at once, however long it would wait, twice (AN-05)")
    func newHope() throws {
        var world = World()
        world.send(.handedOver)
        world.send(.takenBack)
        for _ in 0..<2 {
            // Unanswered again and again, it waits longer and longer.
            world.pass(1_000_000)
            let last = try #require(world.latestSend)
            world.send(.summaryAnswered(last, accepted: false))
            #expect(world.latestSend == last, "it waits")
            world.send(.handedOver)
            world.send(.takenBack)
            #expect(world.latestSend != last)
        }
        #expect(world.disk.unsent.count == 3)
    }

    @Test("A summary goes out while its user is signed in, and waits while another one is")
    func users() throws {
        var world = World()
        func talk(_ word: String, in world: inout World) {
            world.line(0)
            world.send(.handedOver)
            world.send(.heard(word))
            world.send(.takenBack)
            world.pass(3_000)
        }
        // Nobody has signed in: the first who does has talked.
        talk("first", in: &world)
        #expect(world.disk.unsent.map(\.user) == [nil])
        // By bytes: the same letters, composed otherwise, are another user.
        let users = ["Zo\u{E9}", "Zoe\u{301}"]
        for round in 0..<4 {
            let user = users[round % 2]
            world.send(.userChanged(user))
            world.send(.userChanged(user))
            talk("\(round)", in: &world)
            let held = Array(world.disk.unsent.compactMap(\.user).map { Array($0.utf8) })
            #expect(held.contains(Array(user.utf8)))
            _ = world.takeOrders()
            world.pass(600_000)
            #expect(!world.sent.isEmpty)
            #expect(world.sent.allSatisfy { $0.user.map { Array($0.utf8) } == Array(user.utf8) })
        }
        // The answer takes away what was sent, wherever it stands.
        for user in users {
            world.send(.userChanged(user))
            let count = world.disk.unsent.count
            for _ in 0..<count {
                guard let latest = world.latestSend else { break }
                world.send(.summaryAnswered(latest, accepted: true))
            }
            let bytes = Array(user.utf8)
            #expect(!world.disk.unsent.contains { $0.user.map { Array($0.utf8) } == bytes })
        }
        #expect(world.disk.unsent.isEmpty)
    }

    @Test("A process that dies offline sends what it had kept, under the same key")
    func killed() throws {
        var world = World()
        world.line(0)
        world.send(.handedOver)
        world.send(.heard("OK"))
        let key = try #require(world.disk.open?.key)
        for _ in 0..<2 {
            world.guide = OfflineGuide(restoring: world.disk, seed: 1)
            world.send(.clockChanged(ModelMorning.midnight))
            #expect(world.sent.last?.key == key)
            #expect(world.disk.unsent.map(\.key) == [key])
            #expect(world.disk.open == nil)
        }
        world.guide = OfflineGuide(restoring: world.disk, seed: 1)
        world.send(.conversationBegan(UniqueID(high: 1, low: 2)))
        world.send(.handedOver)
        #expect(world.disk.open?.key != key)
    }

    @Test("The end of the conversation silences the phone and sends the summary")
    func ended() {
        var world = World()
        world.line(0)
        world.send(.handedOver)
        world.send(.conversationEnded)
        #expect(world.systemVoice == nil)
        #expect(world.sent.count == 1)
        world.line(1)
        #expect(world.systemVoice == nil)
    }

    @Test("Voice modes follow the clone, the flag and the link, each told once (AN-04)")
    func modes() {
        var world = World(hasClone: true)
        world.send(.handedOver)
        world.send(.takenBack)
        world.send(.flagsChanged(CoachFlags(usesElevenLabs: false)))
        world.send(.flagsChanged(CoachFlags()))
        world.send(.cloneChanged(isAvailable: false))
        world.send(.cloneChanged(isAvailable: false))
        world.send(.flagsChanged(CoachFlags(usesRealtime: false)))
        let modes = world.log.compactMap { effect -> VoiceMode? in
            if case .voiceModeChanged(let mode) = effect { mode } else { nil }
        }
        #expect(modes == [.clone, .offline, .clone, .standard, .clone, .standard, .offline])
        #expect(world.outbox.count == modes.count)
        #expect(Set(world.outbox.map(\.key)).count == modes.count)
    }

    @Test(
        "A mode that changed before the phone told the time is dated by it, once, not by 1970 (AN-04)"
    )
    func modeBeforeTheTime() {
        let flags = CoachFlags(usesRealtime: false)
        var guide = OfflineGuide(flags: flags, seed: 1)
        func times(_ effects: [OfflineGuide.Effect]) -> [WallTime] {
            effects.flatMap { effect -> [WallTime] in
                if case .store(_, let facts) = effect { facts.map(\.time) } else { [] }
            }
        }
        #expect(guide.drive(.cloneChanged(isAvailable: false), at: .zero).isEmpty)
        let early = guide.drive(.flagsChanged(flags), at: .zero)
        #expect(early.contains { if case .voiceModeChanged(.offline) = $0 { true } else { false } })
        #expect(times(early).isEmpty)
        let second = Instant.zero.advanced(by: .seconds(1))
        let time = WallTime(nanosecondsSince1970: 1_800_000_000_000_000_000)
        #expect(times(guide.drive(.clockChanged(time), at: second)) == [time])
        #expect(times(guide.drive(.clockChanged(time), at: second)).isEmpty)
    }

    @Test(
        "The system voice never talks over the agent, whatever comes",
        arguments: 0..<100 as Range<UInt64>
    )
    func neverOver(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var world = World()
        var number = 0
        for _ in 0..<300 {
            switch random.below(11) {
            case 10: world.sends.toggle()
            case 0: world.send(.voiceDoubted)
            case 1: world.send(.voiceConfirmed)
            case 2: world.send(.handedOver)
            case 3: world.send(.takenBack)
            case 4, 5:
                number += 1
                world.line(number)
            case 6, 7: world.lineEnds(number)
            case 8:
                guard random.chance(percent: 20) else { continue }
                world.send(.conversationEnded)
                world.isAgentMuted = false
                world.send(.conversationBegan(UniqueID(high: random.next(), low: 3)))
            default: world.pass(Int64(random.below(4_000)))
            }
            #expect((world.systemVoice != nil) == world.guide.isSpeaking)
            #expect(world.isAgentMuted == (world.guide.mode == .offline))
        }
        #expect(world.talkedOver == 0)
        let keys = world.disk.unsent.map(\.key)
        #expect(Set(keys).count == keys.count)
    }
}
