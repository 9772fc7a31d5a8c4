import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session sees to it that a mute or unmute takes effect")
struct RealtimeSessionSwitchTests {
    /// A session that is muted at 2 s, its room object's statistics showing voice until then.
    private func muted() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        let voice = Story.statistics(1, consents: 1, received: 50, sent: 50)
        try story.expect(voice, at: .milliseconds(1_500))
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(2))
        return story
    }

    private func hear(
        _ story: inout Transcript<RealtimeSession>,
        seconds: Range<Int64>,
        sent: Int64 = 75
    ) throws {
        for second in seconds {
            try story.expect(
                Story.statistics(1, consents: second, received: 50 * second, sent: sent),
                at: .milliseconds(second * 1_000 + 500)
            )
        }
    }

    private func hearBoth(
        _ story: inout Transcript<RealtimeSession>,
        seconds: Range<Int64>
    ) throws {
        for second in seconds {
            try hear(&story, seconds: second..<second + 1, sent: 75 + 50 * second)
        }
    }

    private let another: [Effect] =
        [
            .writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue)),
            Story.order(1, .stopRenderer), Story.order(1, .release),
        ] + Story.connect(2, operation: 5) + [.handOverOffline, Story.status(.reconnecting)]

    @Test("An unmute after which nothing is sent is repaired within 2 s (RS-11)")
    func unmuteSendsNothing() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(5_100)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(5_100))
        // Too soon: the engine may only be starting.
        try hear(&story, seconds: 5..<6)
        let silent = Story.statistics(1, consents: 6, received: 300, sent: 75)
        try story.expect(silent, at: .milliseconds(6_500)) { Story.microphone(1, 6, false) }
        try story.expect(Story.microphoneFinished(1, 6), at: .milliseconds(6_500)) {
            Story.microphone(1, 7, true)
        }
    }

    @Test("An unmute after which voice is sent is left alone")
    func unmuteSends() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(5_100)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(5_100))
        for second in 5..<30 as Range<Int64> {
            try hear(&story, seconds: second..<second + 1, sent: 75 + 50 * second)
        }
    }

    @Test("A mute after which voice goes on is given again, and the third time the room goes")
    func muteSends() throws {
        var story = try muted()
        // The rest of the second in which the mute fell.
        try hear(&story, seconds: 2..<3, sent: 75)
        func sendOn(_ second: Int64, @EffectList<Effect> _ expected: () -> [Effect]) throws {
            let voice = Story.statistics(
                1,
                consents: second,
                received: 50 * second,
                sent: 50 * second
            )
            try story.expect(voice, at: .milliseconds(second * 1_000 + 500), expected)
        }
        try sendOn(3) { Story.microphone(1, 5, false) }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(3_500))
        try sendOn(4) { Story.microphone(1, 6, false) }
        try story.expect(Story.microphoneFinished(1, 6), at: .milliseconds(4_500))
        try sendOn(5) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 7)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("A muted track may send what comfort noise needs (RFC 6716)")
    func comfortNoise() throws {
        var story = try muted()
        for second in 2..<30 as Range<Int64> {
            try hear(&story, seconds: second..<second + 1, sent: 75 + 3 * second)
        }
    }

    @Test("After a change of the interface an unmute goes to another room object at once (RS-11)")
    func interfaceChanged() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(5))
        try hear(&story, seconds: 5..<10)
        try story.expect(.muteChanged(isMuted: false), at: .seconds(10)) { another }
    }

    @Test("What the SDK has not complained of in 20 s lives: an unmute is an order again")
    func pingsAnswered() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(5))
        try hear(&story, seconds: 5..<25)
        try story.expect(.muteChanged(isMuted: false), at: .seconds(25)) {
            Story.microphone(1, 5, true)
        }
    }

    /// A session whose SDK has resumed, and that is muted and unmuted after that.
    ///
    /// It asks whether TCP gets through.
    private func asking() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try story.expect(.muteChanged(isMuted: true), at: .seconds(3)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(3))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(3_500)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(3_500)) {
            Story.fetch(6, resume: "room-1")
        }
        return story
    }

    /// A session to which the app's own server has answered then.
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
        let room = RoomID(number: 1)
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: start) {
            Effect.writeLog(.reconnect(room, .reconnectStarted(.quick)))
            Story.status(.reconnecting)
        }
        let end = start + .milliseconds(200)
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: end) {
            Effect.writeLog(.reconnect(room, .reconnectCompleted(.quick)))
            expected()
            Story.status(.reconnected)
        }
    }

    @Test("An unmute after a resume has signalling opened anew, once, and is then repeated (K-01c)")
    func unmutedAfterResume() throws {
        var story = try reopened()
        try resume(&story, at: .milliseconds(3_600)) { Story.microphone(1, 7, false) }
        try story.expect(Story.microphoneFinished(1, 7), at: .milliseconds(3_900)) {
            Story.microphone(1, 8, true)
        }
        try story.expect(Story.microphoneFinished(1, 8), at: .milliseconds(3_900))
        try hear(&story, seconds: 4..<5)
    }

    @Test("Every unmute of its own asks for it, as nothing else would tell that signalling died")
    func unmutedTwiceAfterResume() throws {
        var story = try reopened()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(4)) {
            Story.microphone(1, 7, false)
        }
        try story.expect(Story.microphoneFinished(1, 7), at: .seconds(4))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(4_100)) {
            Story.microphone(1, 8, true)
        }
        try story.expect(Story.microphoneFinished(1, 8), at: .milliseconds(4_100)) {
            Story.fetch(9, resume: "room-1")
        }
        // Whatever the server says: TCP gets through.
        try story.expect(Story.answered(9, .refused(statusCode: 503)), at: .milliseconds(4_200)) {
            Story.order(1, .resume)
        }
    }

    @Test("Where TCP gets nothing through nothing is opened anew: the downlink lives (D-21)")
    func unmutedWithoutTCP() throws {
        var story = try asking()
        // The notice that the link is restored goes first.
        try story.expectWake(at: .milliseconds(4_200)) { Story.status(.connected) }
        // Who may be heard by nobody does not read that they are.
        try story.expectWake(at: .milliseconds(4_500)) { Story.status(.reconnecting) }
        try hearBoth(&story, seconds: 4..<8)
        try story.expectWake(at: .milliseconds(8_500)) {
            Effect.cancelAPI(OperationID(number: 6))
            Story.fetch(7, resume: "room-1")
        }
        try story.expect(Story.answered(7, .failed(.connectionLost)), at: .milliseconds(8_600))
        try hearBoth(&story, seconds: 9..<13)
        try story.expectWake(at: .milliseconds(13_500)) { Story.fetch(8, resume: "room-1") }
        // However late: something got through.
        try story.expect(Story.answered(8, Story.credentials()), at: .seconds(16)) {
            Story.order(1, .resume)
        }
        // An object that says nothing upon it is not waited for.
        try story.expectWake(at: .seconds(17)) { Story.status(.connected) }
    }

    @Test("An unmute is repeated however late signalling is opened anew (K-01b)")
    func unmutedLongBeforeTCP() throws {
        var story = try asking()
        try story.expectWake(at: .milliseconds(4_200)) { Story.status(.connected) }
        try story.expectWake(at: .milliseconds(4_500)) { Story.status(.reconnecting) }
        try hearBoth(&story, seconds: 4..<8)
        for turn in 0..<4 as Range<Int64> {
            let second = 8 + 5 * turn
            try story.expectWake(at: .milliseconds(second * 1_000 + 500)) {
                Effect.cancelAPI(OperationID(number: UInt32(6 + turn)))
                Story.fetch(UInt32(7 + turn), resume: "room-1")
            }
            try hearBoth(&story, seconds: second + 1..<second + 5)
        }
        try story.expect(Story.answered(10, Story.credentials()), at: .seconds(28)) {
            Story.order(1, .resume)
        }
        let room = RoomID(number: 1)
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(28_100)) {
            Effect.writeLog(.reconnect(room, .reconnectStarted(.quick)))
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .milliseconds(28_300)) {
            Effect.writeLog(.reconnect(room, .reconnectCompleted(.quick)))
            Story.microphone(1, 11, false)
            Story.status(.reconnected)
        }
    }

    @Test("After a resume and a change of the interface, too, TCP is asked for first (D-21)")
    func interfaceChangedAfterResume() throws {
        var story = try Story.connected()
        try resume(&story, at: .seconds(2))
        try story.expect(.muteChanged(isMuted: true), at: .seconds(3)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(3))
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(3_200))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(3_500)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(3_500)) {
            Story.fetch(6, resume: "room-1")
        }
        try story.expect(Story.answered(6, Story.credentials()), at: .milliseconds(3_700)) {
            Story.order(1, .resume)
        }
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

    @Test("Media that fell silent and came back by itself may have left signalling behind")
    func mediaMoved() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        for second in 5..<7 as Range<Int64> {
            let silence = Story.statistics(1, consents: 4, received: 200, sent: 75)
            try story.expect(silence, at: .milliseconds(second * 1_000 + 500))
        }
        try hear(&story, seconds: 7..<8)
        try story.expect(.muteChanged(isMuted: false), at: .seconds(8)) { another }
    }

    @Test("An unmute that fell into such a silence is taken elsewhere when the silence ends")
    func unmutedMeanwhile() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(4_600)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(4_600))
        for second in 5..<7 as Range<Int64> {
            let sent = 75 + 50 * (second - 4)
            let silence = Story.statistics(1, consents: 4, received: 200, sent: sent)
            try story.expect(silence, at: .milliseconds(second * 1_000 + 500))
        }
        let back = Story.statistics(1, consents: 5, received: 210, sent: 225)
        try story.expect(back, at: .milliseconds(7_500)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 6)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }
}
