import SansIO
import Testing
import VoiceActivity

@Suite("Talk gate")
struct TalkGateTests {
    @Test("A spurt goes out with its pre-roll, the release and an end (S-VAD-003, S-VAD-004)")
    func wholeSpurt() {
        let timeline = GateTimeline(heard: "............xxxxxx..................")
        #expect(timeline.states == "IIIIIIIIIIIIAATTTTRRRRRRRRRRRRRRRIII")
        #expect(timeline.sent == ".....SbbbbbbbbooooooooooooooooooE...")
        #expect(timeline.moves == ["Attack", "Talking", "Release", "Idle"])
        #expect(timeline.order == timeline.order.sorted())
    }

    @Test("An attack of 60 ms is speech in three consecutive frames, the deciding one included")
    func attack() {
        let configuration = TalkGate.Configuration()
        #expect(configuration.attack == .milliseconds(60))
        for frames in 1...5 {
            let heard = "...." + String(repeating: "x", count: frames) + "."
            let states = GateTimeline(heard: heard, configuration: configuration).states
            #expect(
                states.firstIndex(of: "T") == (frames < 3 ? nil : states.dropFirst(6).startIndex)
            )
        }
    }

    @Test("Speech of two frames is no spurt (S-VAD-003)")
    func attackWithdrawn() {
        let timeline = GateTimeline(heard: "....xx...x.xx...")
        #expect(timeline.states == "IIIIAAIIIAIAAIII")
        #expect(timeline.sent == "................")
    }

    @Test("An attack of 40 ms wants speech in two frames")
    func shortAttack() {
        var configuration = TalkGate.Configuration()
        configuration.attack = .milliseconds(40)
        let timeline = GateTimeline(heard: "....xxx", configuration: configuration)
        #expect(timeline.states == "IIIIATT")
        #expect(timeline.sent == "Sbbbboo")
    }

    @Test("Speech during the release goes on with the spurt (S-VAD-003)")
    func releaseWithdrawn() {
        let timeline = GateTimeline(heard: "xxx....xxx..............x.")
        #expect(timeline.states == "AATRRRRTTTRRRRRRRRRRRRRRTR")
        #expect(timeline.sent == "Sbooooooooooooooooooooooo" + "o")
        #expect(
            timeline.moves == [
                "Attack", "Talking", "Release", "Talking", "Release", "Talking", "Release",
            ]
        )
    }

    @Test("The release lasts as long as it is set", arguments: [200, 300, 400])
    func releaseLength(milliseconds: Int) {
        var configuration = TalkGate.Configuration()
        configuration.release = .milliseconds(milliseconds)
        let timeline = GateTimeline(
            heard: "xxx" + String(repeating: ".", count: 25),
            configuration: configuration
        )
        #expect(timeline.states.count(where: { $0 == "R" }) == milliseconds / 20)
        #expect(timeline.sent.firstIndex(of: "E") == timeline.states.lastIndex(of: "R"))
    }

    @Test("Speech right after the release never sends a frame twice (S-VAD-004)")
    func preRollStopsAtLastSpurt() {
        let timeline = GateTimeline(heard: "xxx...............xxxx...xxx")
        #expect(timeline.states == "AATRRRRRRRRRRRRRRRIAATRRRTTT")
        #expect(timeline.sent == "SboooooooooooooooESbboooooo" + "o")
        #expect(timeline.order == Array(0..<28))
    }

    @Test("No pre-roll sends the deciding frame first", arguments: [0, 20])
    func noPreRoll(milliseconds: Int) {
        var configuration = TalkGate.Configuration()
        configuration.preRoll = .milliseconds(milliseconds)
        let timeline = GateTimeline(heard: "....xxxx", configuration: configuration)
        #expect(timeline.sent == "......so")
    }

    @Test("The longest pre-roll is 500 ms")
    func longestPreRoll() {
        var configuration = TalkGate.Configuration()
        configuration.preRoll = .milliseconds(500)
        let heard = String(repeating: ".", count: 40) + "xxx"
        let timeline = GateTimeline(heard: heard, configuration: configuration)
        #expect(
            timeline.sent == String(repeating: ".", count: 18) + "S"
                + String(repeating: "b", count: 23) + "o"
        )
    }

    @Test("A missed frame ends the spurt with a mark of its own, and speech begins a new one")
    func gapInTalk() {
        let timeline = GateTimeline(heard: "..xxxx xxxx")
        #expect(timeline.states == "IIAATT AATT")
        #expect(timeline.sent == "Sbbboo Sboo")
        #expect(timeline.endMarks == [5])
        #expect(timeline.moves == ["Attack", "Talking", "Idle", "Attack", "Talking"])
    }

    @Test("A missed frame breaks off the attack and forgets the pre-roll")
    func gapInAttack() {
        let timeline = GateTimeline(heard: "....xx x.xxx")
        #expect(timeline.states == "IIIIAA AIAAT")
        #expect(timeline.sent == "...... Sbbbo")
        #expect(timeline.endMarks.isEmpty)
    }

    @Test("A gap after the last frame of a release needs no second end mark")
    func gapAfterEnd() {
        let timeline = GateTimeline(heard: "xxx...............  x")
        #expect(timeline.sent == "SboooooooooooooooE  .")
        #expect(timeline.endMarks.isEmpty)
    }

    @Test("The stop ends a spurt with a mark and frees what waits")
    func stopInTalk() {
        let talking = GateTimeline(heard: "..xxxx", stopsAtEnd: true)
        #expect(talking.endMarks == [5])
        #expect(talking.moves.last == "Idle")
        let attack = GateTimeline(heard: "..xx", stopsAtEnd: true)
        #expect(attack.endMarks.isEmpty)
    }

    @Test("A frame that is not newer than all before it is discarded")
    func oldFrame() {
        var gate = MachineDriver(TalkGate())
        var effects: [TalkGate.Effect] = []
        for index in [5, 5, 3, 6] {
            gate.send(.frameCaptured(.at(index, isSpeech: true)), at: .zero) { effects.append($0) }
        }
        #expect(
            effects == [
                .stateChanged(.attack(speechFrames: 1)),
                .discard(FrameHandle(slot: 5)),
                .discard(FrameHandle(slot: 3)),
            ]
        )
        #expect(gate.machine.state == .attack(speechFrames: 2))
    }
}
