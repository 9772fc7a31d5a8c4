import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session has signalling opened anew that may have told nobody of an unmute")
struct RealtimeSessionRenewalTests {
    /// A session whose SDK has resumed, and that is muted and unmuted after that.
    ///
    /// It asks whether TCP gets through.
    private func asking() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try Story.mutes(&story, at: .seconds(3), operation: 4)
        try Story.unmutesAfterResume(&story, at: .milliseconds(3_500), operation: 5)
        return story
    }

    /// A session whose question has no answer by 8 s, though it hears its agent.
    private func askingInVain() throws -> Transcript<RealtimeSession> {
        var story = try asking()
        // The notice that the link is restored goes first.
        try story.expectWake(at: .milliseconds(4_200)) { Story.status(.connected) }
        // Who may be heard by nobody does not read that they are.
        try story.expectWake(at: .milliseconds(4_500)) { Story.status(.reconnecting) }
        try Story.hear(&story, seconds: 4..<8)
        return story
    }

    /// A session to which the app's own server has answered at 3.55 s.
    private func reopened() throws -> Transcript<RealtimeSession> {
        var story = try asking()
        try story.expect(Story.answered(6, Story.credentials()), at: .milliseconds(3_550)) {
            Story.order(1, .resume)
        }
        return story
    }

    private func resume(
        _ story: inout Transcript<RealtimeSession>,
        at start: Duration,
        @EffectList<Effect> _ expected: () -> [Effect] = { [] }
    ) throws {
        try Story.reconnects(&story, at: start)
        try Story.resumes(&story, at: start + .milliseconds(200), expected)
    }

    @Test("An unmute after a resume has signalling opened anew, once, and is then repeated (K-01c)")
    func unmutedAfterResume() throws {
        var story = try reopened()
        try resume(&story, at: .milliseconds(3_600)) { Story.microphone(1, 7, false) }
        try story.expect(Story.microphoneFinished(1, 7), at: .milliseconds(3_900)) {
            Story.microphone(1, 8, true)
        }
        try story.expect(Story.microphoneFinished(1, 8), at: .milliseconds(3_900))
        try Story.hear(&story, seconds: 4..<5)
    }

    @Test("Every unmute of its own asks for it, as nothing else would tell that signalling died")
    func unmutedTwiceAfterResume() throws {
        var story = try reopened()
        try Story.mutes(&story, at: .seconds(4), operation: 7)
        try Story.unmutesAfterResume(&story, at: .milliseconds(4_100), operation: 8)
        // Whatever the server says: TCP gets through.
        try story.expect(Story.answered(9, .refused(statusCode: 503)), at: .milliseconds(4_200)) {
            Story.order(1, .resume)
        }
    }

    @Test("Where TCP gets nothing through nothing is opened anew: the downlink lives (D-21)")
    func unmutedWithoutTCP() throws {
        var story = try askingInVain()
        try story.expectWake(at: .milliseconds(8_500)) { Story.fetch(7, resume: "room-1") }
        try story.expect(Story.answered(7, .failed(.connectionLost)), at: .milliseconds(8_600))
        try Story.hear(&story, seconds: 9..<13)
        try story.expectWake(at: .milliseconds(13_500)) {
            Effect.cancelAPI(OperationID(number: 6))
            Story.fetch(8, resume: "room-1")
        }
        // However late: something got through.
        try story.expect(Story.answered(8, Story.credentials()), at: .seconds(16)) {
            Story.order(1, .resume)
        }
        // An object that says nothing upon it is not waited for.
        try story.expectWake(at: .seconds(17)) { Story.status(.connected) }
    }

    @Test("An unmute is repeated however late signalling is opened anew (K-01b)")
    func unmutedLongBeforeTCP() throws {
        var story = try askingInVain()
        for turn in 0..<4 as Range<Int64> {
            let second = 8 + 5 * turn
            let late: [Effect] =
                turn == 0 ? [] : [.cancelAPI(OperationID(number: UInt32(5 + turn)))]
            try story.expectWake(at: .milliseconds(second * 1_000 + 500)) {
                late
                Story.fetch(UInt32(7 + turn), resume: "room-1")
            }
            try Story.hear(&story, seconds: second + 1..<second + 5)
        }
        try story.expect(Story.answered(10, Story.credentials()), at: .seconds(28)) {
            Effect.cancelAPI(OperationID(number: 9))
            Story.order(1, .resume)
        }
        let room = RoomID(number: 1)
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(28_100)) {
            Effect.writeLog(.reconnect(room, .reconnectStarted(.quick)))
        }
        try Story.resumes(&story, at: .milliseconds(28_300)) { Story.microphone(1, 11, false) }
    }

    @Test("After a resume and a change of the interface, too, TCP is asked for first (D-21)")
    func interfaceChangedAfterResume() throws {
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try Story.mutes(&story, at: .seconds(3), operation: 4)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(3_200)) {
            Story.fetch(5, resume: "room-1")
        }
        // The unmute does not wait for the pace of a doubt.
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(3_500)) {
            Story.microphone(1, 6, true)
        }
        try story.expect(Story.microphoneFinished(1, 6), at: .milliseconds(3_500)) {
            Effect.cancelAPI(OperationID(number: 5))
            Story.fetch(7, resume: "room-1")
        }
        try story.expect(Story.answered(7, Story.credentials()), at: .milliseconds(3_700)) {
            Story.order(1, .resume)
        }
    }

    @Test(
        "Who joined muted and unmutes after a resume is answered, and nothing else is asked (RS-11)"
    )
    func publishedAfterResume() throws {
        var story = Story.begin()
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .zero)
        try story.expect(.muteChanged(isMuted: true), at: .zero)
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .milliseconds(300)) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .milliseconds(900))
        try story.expect(Story.connectFinished(1, 2), at: .seconds(1)) {
            Effect.writeLog(.connected(RoomID(number: 1)))
            Story.order(1, .startRenderer)
            Story.microphone(1, 3, false)
            Story.status(.connected)
        }
        try story.expect(Story.microphoneFinished(1, 3), at: .seconds(1))
        try resume(&story, at: .seconds(2))
        try story.expect(.muteChanged(isMuted: false), at: .seconds(3)) {
            Story.microphone(1, 4, true)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .milliseconds(3_200))
    }

    @Test(
        "What speaks for dead signalling has it opened anew at once, and the user reads nothing of it (RS-11)"
    )
    func doubted() throws {
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try Story.hear(&story, seconds: 3..<5)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(4_700)) {
            Story.fetch(4, resume: "room-1")
        }
        try story.expect(Story.answered(4, Story.credentials()), at: .milliseconds(4_900)) {
            Story.order(1, .resume)
        }
        let room = RoomID(number: 1)
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(4_900)) {
            Effect.writeLog(.reconnect(room, .reconnectStarted(.quick)))
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .milliseconds(5_200)) {
            Effect.writeLog(.reconnect(room, .reconnectCompleted(.quick)))
        }
        // Once is enough.
        try Story.hear(&story, seconds: 5..<60)
    }

    @Test("Who mutes again, or leaves, waits for no answer")
    func mutedWhileAsking() throws {
        var story = try asking()
        var muted = story
        try muted.expect(.muteChanged(isMuted: true), at: .seconds(4)) {
            Story.microphone(1, 7, false)
            Effect.cancelAPI(OperationID(number: 6))
        }
        try story.expect(.disconnectRequested, at: .seconds(4)) {
            Effect.cancelAPI(OperationID(number: 6))
            Story.order(1, .stopRenderer)
            Story.order(1, .disconnect(OperationID(number: 7)))
            Effect.writeLog(.disconnected(RoomID(number: 1), nil))
            Story.status(.disconnected)
        }
    }

    @Test("A call that ends after a resume has signalling opened anew, as an unmute has (RS-15)")
    func callEndsAfterResume() throws {
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try story.expect(.audioAccessChanged(.taken), at: .seconds(3)) {
            Story.order(1, .stopRenderer)
            Story.microphone(1, 4, false)
            Story.status(.audioTaken)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(3))
        try story.expect(.audioAccessChanged(.available), at: .seconds(4)) {
            Story.order(1, .startRenderer)
            Story.microphone(1, 5, true)
            Story.status(.reconnected)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .seconds(4)) {
            Story.fetch(6, resume: "room-1")
        }
        try story.expect(Story.answered(6, Story.credentials()), at: .milliseconds(4_050)) {
            Story.order(1, .resume)
        }
    }

    @Test("Where every answer is late the path is slow: nothing is opened anew, or asked for ever")
    func slowPath() throws {
        var story = try askingInVain()
        try story.expectWake(at: .milliseconds(8_500)) { Story.fetch(7, resume: "room-1") }
        try Story.hear(&story, seconds: 8..<10)
        // One may have met the end of an outage.
        try story.expect(Story.answered(6, Story.credentials()), at: .seconds(10))
        try Story.hear(&story, seconds: 10..<13)
        try story.expectWake(at: .milliseconds(13_500)) { Story.fetch(8, resume: "room-1") }
        try story.expect(Story.answered(7, Story.credentials()), at: .seconds(15)) {
            Effect.cancelAPI(OperationID(number: 8))
            Story.status(.connected)
        }
        try Story.hear(&story, seconds: 15..<40)
    }

    @Test("Where a token takes 10 s it is waited for, and one late answer is enough (D-06)")
    func knownSlowPath() throws {
        func hear(_ story: inout Transcript<RealtimeSession>, seconds: Range<Int64>) throws {
            for second in seconds {
                let statistics = Story.statistics(
                    1,
                    consents: second,
                    received: 50 * second,
                    sent: 75 + 50 * second,
                    roundTrip: .seconds(2)
                )
                try story.expect(statistics, at: .milliseconds(second * 1_000 + 500))
            }
        }
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try Story.mutes(&story, at: .seconds(3), operation: 4)
        let statistics = Story.statistics(1, consents: 3, received: 150, roundTrip: .seconds(2))
        try story.expect(statistics, at: .milliseconds(3_400))
        try Story.unmutesAfterResume(&story, at: .milliseconds(3_500), operation: 5)
        try story.expectWake(at: .milliseconds(4_200)) { Story.status(.connected) }
        try story.expectWake(at: .milliseconds(4_500)) { Story.status(.reconnecting) }
        // No other request takes its place after 5 or 10 s.
        try hear(&story, seconds: 4..<14)
        try story.expect(Story.answered(6, Story.credentials()), at: .milliseconds(13_550)) {
            Story.status(.connected)
        }
        try hear(&story, seconds: 14..<40)
    }

    /// A session that asks since 3.5 s, and whose hosts have both answered a probe.
    private func askingWithProbes() throws -> Transcript<RealtimeSession> {
        var story = try Story.resumedWithProbes()
        try Story.mutes(&story, at: .seconds(3), operation: 4)
        try Story.unmutesAfterResume(&story, at: .milliseconds(3_500), operation: 5)
        try story.expectWake(at: .milliseconds(4_500)) { Story.status(.reconnecting) }
        try story.expectWake(at: .milliseconds(4_600))
        try Story.hear(&story, seconds: 5..<8)
        return story
    }

    @Test("The SDK tries while the app's own server is away (K-01b)", arguments: [true, false])
    func serverAway(isAway: Bool) throws {
        var story = try askingWithProbes()
        try story.expectWake(at: .milliseconds(8_500)) {
            Story.fetch(7, resume: "room-1")
            Effect.probe(OperationID(number: 4), .roomServer)
        }
        for turn in 0..<2 as Range<UInt32> {
            let start = Duration.milliseconds(8_500 + 1_000 * Int64(turn))
            let asked = 4 + 2 * turn
            let answer = start + .milliseconds(50)
            try story.expect(.probeAnswered(OperationID(number: asked)), at: answer)
            try story.expectWake(at: start + .milliseconds(500)) {
                Effect.probe(OperationID(number: asked + 1), .other)
            }
            if !isAway {
                let other = OperationID(number: asked + 1)
                try story.expect(.probeAnswered(other), at: start + .milliseconds(550))
            }
            try story.expectWake(at: start + .seconds(1)) {
                Effect.probe(OperationID(number: asked + 2), .roomServer)
            }
        }
        let resume: [Effect] = isAway ? [Story.order(1, .resume)] : []
        try story.expect(.probeAnswered(OperationID(number: 8)), at: .milliseconds(10_550)) {
            resume
        }
        guard isAway else { return }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(10_600)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Effect.cancelAPI(OperationID(number: 6))
            Effect.cancelAPI(OperationID(number: 7))
        }
    }

    /// A session that asked, and whose SDK reconnects since 4 s.
    private func reconnecting() throws -> Transcript<RealtimeSession> {
        var story = try asking()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(4)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Effect.cancelAPI(OperationID(number: 6))
            Story.status(.reconnecting)
        }
        return story
    }

    @Test("Once the SDK's token has run out the unheard user gets another room object (K-01b)")
    func tokenRunOut() throws {
        var story = try reconnecting()
        try story.expectWake(at: .milliseconds(4_200))
        // Eleven minutes after the resume no token that came with it is taken any more.
        try Story.hear(&story, seconds: 4..<662)
        try story.expect(Story.voice(662), at: .milliseconds(662_500)) {
            Story.fetch(7, resume: "room-1")
        }
        try Story.hear(&story, seconds: 663..<664)
        // TCP gets through, but no room object could join.
        try story.expect(Story.answered(7, .refused(statusCode: 503)), at: .milliseconds(663_600))
        try Story.hear(&story, seconds: 664..<667)
        try story.expectWake(at: .milliseconds(667_500)) { Story.fetch(8, resume: "room-1") }
        try story.expect(Story.answered(8, Story.credentials()), at: .milliseconds(667_600)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 9)
            Effect.handOverOffline
        }
    }

    @Test("An SDK that gets in after all ends the question")
    func resumesAfterAll() throws {
        var story = try reconnecting()
        try Story.hear(&story, seconds: 4..<662)
        try story.expect(Story.voice(662), at: .milliseconds(662_500)) {
            Story.fetch(7, resume: "room-1")
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(664)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectCompleted(.quick)))
            Story.microphone(1, 8, false)
            Effect.cancelAPI(OperationID(number: 7))
            Story.status(.reconnected)
        }
    }
}
