@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Session metrics: what the app says, what the agent does")
struct SessionTruthTests {
    typealias Media = SessionScene.Media

    @Test("A status that lies counts for as long as it does (K-01c)", arguments: Media.allCases)
    func lies(media: Media) {
        var scene = SessionScene(media)
        scene.talk(1_000..<10_000, 20_000..<30_000, 31_000..<200_000)
        scene.show(.connecting, at: 200)
        scene.show(.connected, at: 900)
        scene.show(.reconnecting, at: 14_000)
        scene.show(.reconnected, at: 19_000)
        scene.show(.connected, at: 19_500)
        let findings = scene.findings(until: 100_000)
        // Before the first sound 160 ms; until the watchdog spoke; from its all-clear; the last gap.
        #expect(
            findings.milliseconds("session.false_connected.time") == [160, 1_060, 1_060, 4_000]
        )
    }

    @Test("A lie of an instant is one, and the truth is none")
    func short() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 20_000..<200_000)
        scene.show(.connected, at: 1_060)
        scene.show(.reconnecting, at: 10_001)
        scene.show(.reconnected, at: 20_060)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.false_connected.time") == [1])
    }

    @Test("A lie about one side counts, one about a conversation that nobody wants does not")
    func sides() {
        var scene = SessionScene()
        scene.hear(.fromPhone, [1_000..<200_000])
        scene.hear(.toPhone, [1_000..<10_000, 12_000..<20_000, 30_000..<200_000])
        scene.show(.connected, at: 1_060)
        scene.act(.leaveApp, at: 20_000)
        scene.act(.openApp, at: 31_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.false_connected.time") == [2_060])
    }

    @Test("A turn lasts from the end of speech to the first answer before the next speech (K-09)")
    func turns() {
        var scene = SessionScene()
        scene.talk(1_000..<200_000)
        scene.add(SpeechBegan(spurt: 1), at: 2_000)
        scene.add(AnswerHeard(turn: 1, heard: .ns(2_600_000_000)), at: 2_500)
        scene.add(SpeechEnded(spurt: 1), at: 4_000)
        scene.add(AnswerHeard(turn: 2, heard: .ns(5_500_000_000)), at: 5_480)
        scene.add(AnswerHeard(turn: 3, heard: .ns(6_000_000_000)), at: 6_000)
        // An answer that is awaited for 9.9 s until the user speaks again, and for 1.2 s until it is missing.
        scene.add(SpeechBegan(spurt: 2), at: 8_000)
        scene.add(SpeechEnded(spurt: 2), at: 9_000)
        scene.add(SpeechBegan(spurt: 3), at: 18_900)
        scene.add(SpeechEnded(spurt: 3), at: 20_000)
        scene.add(SpeechBegan(spurt: 4), at: 31_000)
        scene.add(AnswerHeard(turn: 4, heard: .ns(31_600_000_000)), at: 31_500)
        scene.add(SpeechEnded(spurt: 4), at: 95_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("voice.round_trip.time") == [1_500, 5_000, 10_000, 11_100])
        #expect(findings.occasions("voice.round_trip.time")?.censoredCount == 3)
        #expect(findings.proportion("voice.turns.unanswered") == [2, 4])
    }

    @Test("Turns to an agent that never answers are unanswered, however often the user asks (K-09)")
    func neverAnswered() {
        func findings(answered: [Int64]) -> Findings {
            var scene = SessionScene()
            scene.talk(1_000..<200_000)
            for turn in 0..<10 {
                let start = Int64(2_000 + turn * 5_000)
                scene.add(SpeechBegan(spurt: Int64(turn)), at: start)
                for heard in answered where (start..<start + 1_000).contains(heard) {
                    scene.add(AnswerHeard(turn: 1, heard: .ns(heard * 1_000_000)), at: heard)
                }
                scene.add(SpeechEnded(spurt: Int64(turn)), at: start + 1_000)
            }
            return scene.findings(until: 52_000)
        }
        // Of ten turns 5 s apart the last two have less than 10 s of silence until the end.
        let never = findings(answered: [])
        #expect(never.proportion("voice.turns.unanswered") == [8, 10])
        #expect(never.occasions("voice.turns.unanswered")?.censoredCount == 2)
        // What comes when the user speaks already ends what was awaited.
        let late = findings(answered: (1...9).map { Int64(2_500 + $0 * 5_000) })
        #expect(late.proportion("voice.turns.unanswered") == [0, 10])
        #expect(late.occasions("voice.turns.unanswered")?.censoredCount == 10)
    }

    @Test("A turn that the user muted in the middle is no turn, one before or after is (K-09)")
    func mutedTurn() {
        var scene = SessionScene()
        scene.talk(1_000..<200_000)
        for (spurt, start) in [5_000, 30_000, 60_000].enumerated() {
            scene.add(SpeechBegan(spurt: Int64(spurt)), at: Int64(start))
            if spurt == 1 { scene.act(.mute, at: 31_000) }
            scene.add(SpeechEnded(spurt: Int64(spurt)), at: Int64(start) + 3_000)
            if spurt == 1 { scene.act(.unmute, at: 35_000) }
        }
        let findings = scene.findings(until: 100_000)
        #expect(findings.proportion("voice.turns.unanswered") == [2, 2])
    }

    @Test("Of an answer what is said while nothing comes to the phone is unheard (K-09)")
    func answers() {
        var scene = SessionScene()
        scene.hear(.fromPhone, [1_000..<200_000])
        scene.hear(.toPhone, [1_000..<11_000, 13_000..<20_100, 20_280..<31_960])
        // Two of four seconds, then too little for a loss, then half an answer after a goodbye, up to
        // which all but what was under way was heard.
        let answers: [Range<Int64>] = [10_000..<14_000, 20_000..<21_000, 30_000..<34_000]
        for (turn, answer) in answers.enumerated() {
            scene.add(AnswerBegan(turn: Int64(turn)), at: answer.lowerBound)
            if turn == 2 { scene.act(.disconnect, at: 32_000) }
            scene.add(
                AnswerEnded(turn: Int64(turn), interrupted: TraceFlag(false)),
                at: answer.upperBound
            )
        }
        let findings = scene.findings(until: 100_000)
        #expect(findings.proportion("voice.answers.unheard") == [2_000_000_000, 7_000_000_000])
        #expect(findings.value("voice.answers.unheard")?.samples == 3)
    }

    @Test("An agent that goes while it is wanted is counted, one said goodbye to is not (D-05)")
    func silenced() {
        var scene = SessionScene()
        scene.add(AgentJoined(), at: 1_000)
        scene.talk(1_000..<200_000)
        scene.act(.disconnect, at: 5_000)
        scene.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 5_000)
        scene.act(.connect, at: 5_020)
        scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 5_100)
        scene.add(AgentJoined(), at: 7_000)
        #expect(scene.findings(until: 8_000).total("session.agent.silenced") == 0)
        // Control Centre: the rule to leave on inactive ends a conversation that is wanted.
        scene.add(SceneChanged(phase: .inactive), at: 10_000)
        scene.add(RoomLeft(room: 2, manner: TraceWord(.disconnect)), at: 10_000)
        scene.add(AgentClosed(reason: TraceWord(.clientInitiated)), at: 10_100)
        #expect(scene.findings(until: 11_000).total("session.agent.silenced") == 1)
        #expect(scene.broken(until: 11_000) == [:])
        scene.add(AgentJoined(), at: 12_000)
        scene.add(AgentClosed(reason: TraceWord(.connectionTimeout)), at: 13_000)
        #expect(scene.findings(until: 14_000).total("session.agent.silenced") == 2)
        #expect(scene.findings(until: 14_000).value("session.agent.silenced")?.samples == 3)
        #expect(scene.broken(until: 14_000) == ["session.agent-survives": 1])
    }

    @Test("Ends that the app did not ask for are reported ends")
    func reports() {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 100)
        scene.add(RoomDisconnected(room: 1, error: TraceWord(.network)), at: 200)
        scene.add(ConnectBegan(room: 2), at: 300)
        scene.add(RoomDisconnected(room: 2, error: TraceWord(nil)), at: 400)
        let findings = scene.findings(until: 1_000)
        #expect(findings.total("session.disconnects.reported") == 1)
        #expect(findings.value("session.disconnects.reported")?.samples == 2)
    }
}
