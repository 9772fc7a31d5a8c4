import Evidence
import Testing

@Suite("Session metrics: what the app says, what the agent does")
struct SessionTruthTests {
    typealias Media = SessionScene.Media

    @Test("A status that lies counts for as long as it does (K-01c)", arguments: Media.allCases)
    func lies(media: Media) {
        var scene = SessionScene(media)
        scene.talk(1_000..<10_000, 20_000..<30_000, 31_000..<200_000)
        scene.show(10, at: 200)
        scene.show(11, at: 900)
        scene.show(12, at: 14_000)
        scene.show(13, at: 19_000)
        scene.show(11, at: 19_500)
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
        scene.show(11, at: 1_060)
        scene.show(12, at: 10_001)
        scene.show(13, at: 20_060)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.false_connected.time") == [1])
    }

    @Test("A lie about one side counts, one about a conversation that nobody wants does not")
    func sides() {
        var scene = SessionScene()
        scene.hear(0, [1_000..<200_000])
        scene.hear(1, [1_000..<10_000, 12_000..<20_000, 30_000..<200_000])
        scene.show(11, at: 1_060)
        scene.act(.leaveApp, at: 20_000)
        scene.act(.openApp, at: 31_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.false_connected.time") == [2_060])
    }

    @Test("A turn lasts from the end of speech to the first answer before the next speech (K-09)")
    func turns() {
        var scene = SessionScene()
        scene.talk(1_000..<200_000)
        scene.add(.speechBegan, at: 2_000, 1)
        scene.add(.answerHeard, at: 2_500, 1, 2_600_000_000)
        scene.add(.speechEnded, at: 4_000, 1)
        scene.add(.answerHeard, at: 5_480, 2, 5_500_000_000)
        scene.add(.answerHeard, at: 6_000, 3, 6_000_000_000)
        // A pause without an answer, then a turn that is never answered.
        scene.add(.speechBegan, at: 8_000, 2)
        scene.add(.speechEnded, at: 9_000, 2)
        scene.add(.speechBegan, at: 18_900, 3)
        scene.add(.speechEnded, at: 20_000, 3)
        scene.add(.speechBegan, at: 31_000, 4)
        scene.add(.answerHeard, at: 31_500, 4, 31_600_000_000)
        scene.add(.speechEnded, at: 95_000, 4)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("voice.round_trip.time") == [1_500])
        #expect(findings.proportion("voice.turns.unanswered") == [1, 2])
    }

    @Test("Of an answer what is said while nothing comes to the phone is unheard (K-09)")
    func answers() {
        var scene = SessionScene()
        scene.hear(0, [1_000..<200_000])
        scene.hear(1, [1_000..<11_000, 13_000..<20_100, 20_280..<31_960])
        // Two of four seconds, then too little for a loss, then half an answer after a goodbye, up to
        // which all but what was under way was heard.
        let answers: [Range<Int64>] = [10_000..<14_000, 20_000..<21_000, 30_000..<34_000]
        for (turn, answer) in answers.enumerated() {
            scene.add(.answerBegan, at: answer.lowerBound, Int64(turn))
            if turn == 2 { scene.act(.disconnect, at: 32_000) }
            scene.add(.answerEnded, at: answer.upperBound, Int64(turn), 0)
        }
        let findings = scene.findings(until: 100_000)
        #expect(findings.proportion("voice.answers.unheard") == [2_000_000_000, 7_000_000_000])
        #expect(findings.value("voice.answers.unheard")?.samples == 3)
    }

    @Test("An agent that goes while it is wanted is counted, one said goodbye to is not (D-05)")
    func silenced() {
        var scene = SessionScene()
        scene.add(.agentJoined, at: 1_000)
        scene.talk(1_000..<200_000)
        scene.act(.disconnect, at: 5_000)
        scene.add(.roomLeft, at: 5_000, 1, 0)
        scene.act(.connect, at: 5_020)
        scene.add(.agentClosed, at: 5_100, 1)
        scene.add(.agentJoined, at: 7_000)
        #expect(scene.findings(until: 8_000).total("session.agent.silenced") == 0)
        // Control Centre: the rule to leave on inactive ends a conversation that is wanted.
        scene.add(.sceneChanged, at: 10_000, 1)
        scene.add(.roomLeft, at: 10_000, 2, 0)
        scene.add(.agentClosed, at: 10_100, 1)
        #expect(scene.findings(until: 11_000).total("session.agent.silenced") == 1)
        #expect(scene.broken(until: 11_000) == [:])
        scene.add(.agentJoined, at: 12_000)
        scene.add(.agentClosed, at: 13_000, 14)
        #expect(scene.findings(until: 14_000).total("session.agent.silenced") == 2)
        #expect(scene.findings(until: 14_000).value("session.agent.silenced")?.samples == 3)
        #expect(scene.broken(until: 14_000) == ["session.agent-survives": 1])
    }

    @Test("Ends that the app did not ask for are reported ends")
    func reports() {
        var scene = SessionScene()
        scene.add(.connectBegan, at: 100, 1)
        scene.add(.roomDisconnected, at: 200, 1, 2)
        scene.add(.connectBegan, at: 300, 2)
        scene.add(.roomDisconnected, at: 400, 2, -1)
        let findings = scene.findings(until: 1_000)
        #expect(findings.total("session.disconnects.reported") == 1)
        #expect(findings.value("session.disconnects.reported")?.samples == 2)
    }
}
