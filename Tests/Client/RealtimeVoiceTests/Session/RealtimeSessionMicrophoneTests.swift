import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session keeps the microphone as the user wants it")
struct RealtimeSessionMicrophoneTests {
    private func log(_ callback: RoomCallback) -> Effect {
        .writeLog(.reconnect(RoomID(number: 1), callback))
    }

    @Test("Orders follow one another; the last wish wins")
    func oneAtATime() throws {
        var story = try Story.connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(.muteChanged(isMuted: false), at: .seconds(2))
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2))
        try story.expect(.muteChanged(isMuted: false), at: .seconds(2))
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(2)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(2))
        try story.expect(Story.microphoneFinished(1, 5), at: .seconds(2))
    }

    @Test("Muted before a new room object, muted in it; opened later, published")
    func newRoomObject() throws {
        var story = try Story.connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(3)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .milliseconds(3_200)) { Story.connect(2, operation: 5) }
        try story.expect(Story.connectFinished(2, 5), at: .seconds(4)) {
            Effect.writeLog(.connected(RoomID(number: 2)))
            Story.microphone(2, 6, false)
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(4_500))
        try story.expect(Story.microphoneFinished(2, 6), at: .seconds(5)) {
            Story.microphone(2, 7, true)
        }
    }

    @Test("Opened while the SDK reconnects, it is ordered when that has ended (issue 367)")
    func duringReconnect() throws {
        var story = try Story.connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(2))
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        try story.expect(.muteChanged(isMuted: false), at: .seconds(4))
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(5)) {
            log(.reconnectCompleted(.quick))
            Story.microphone(1, 5, true)
            Story.status(.reconnected)
        }
    }

    @Test(
        "Opened just before the loss was noticed, it is closed and opened again after (issue 367)"
    )
    func beforeNotice() throws {
        var story = try Story.connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(2))
        try story.expect(.muteChanged(isMuted: false), at: .seconds(3)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .seconds(3))
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(23)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(24)) {
            log(.reconnectCompleted(.quick))
            Story.microphone(1, 6, false)
            Story.status(.reconnected)
        }
        try story.expect(Story.microphoneFinished(1, 6), at: .seconds(24)) {
            Story.microphone(1, 7, true)
        }
    }

    @Test(
        "Only published, it is left alone; muted, it is never opened to be sure; unmuted since, it is repeated"
    )
    func leftAlone() throws {
        var story = try Story.connected()
        func quickReconnect(at second: Int) throws {
            try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(second)) {
                log(.reconnectStarted(.quick))
                Story.status(.reconnecting)
            }
            let end = Duration.seconds(second + 1)
            try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: end) {
                log(.reconnectCompleted(.quick))
                Story.status(.reconnected)
            }
            try story.expectWake(at: end + .seconds(2)) { Story.status(.connected) }
        }
        try quickReconnect(at: 2)
        try story.expect(.muteChanged(isMuted: true), at: .seconds(6)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(6))
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(6))
        try quickReconnect(at: 7)
        try story.expect(.muteChanged(isMuted: false), at: .seconds(11)) {
            Story.microphone(1, 5, true)
        }
        // Signalling may be dead, but an SDK that finds it well completes nothing.
        try story.expect(Story.microphoneFinished(1, 5), at: .seconds(11)) {
            Story.fetch(6, resume: "room-1")
        }
        let token = Story.credentials()
        try story.expect(Story.answered(6, token), at: .milliseconds(11_100)) {
            Story.order(1, .resume)
        }
        for second in 12..<40 as Range<Int64> {
            try story.expect(Story.statistics(1, consents: second), at: .seconds(second))
        }
        // However long ago, nobody may have been told.
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(40)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(41)) {
            log(.reconnectCompleted(.quick))
            Story.microphone(1, 7, false)
            Story.status(.reconnected)
        }
        try story.expect(Story.microphoneFinished(1, 7), at: .seconds(41)) {
            Story.microphone(1, 8, true)
        }
    }

    @Test("An order that fails or stays unanswered is given again after a second (RS-04)")
    func retried() throws {
        var story = try Story.connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4, .invalidState), at: .seconds(3)) {
            Effect.writeLog(.microphoneFailed(RoomID(number: 1), .invalidState))
        }
        try story.expectWake(at: .seconds(4)) { Story.microphone(1, 5, false) }
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(5))
        for second in 6..<16 as Range<Int64> {
            try story.expect(Story.statistics(1, consents: second), at: .seconds(second))
        }
        try story.expectWake(at: .seconds(16))
        try story.expectWake(at: .seconds(17)) { Story.microphone(1, 6, false) }
    }

    @Test("A mute does not wait for the SDK's reconnecting to end; an unmute does")
    func muteDuringResume() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(2)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Story.status(.reconnecting)
        }
        try story.expect(.muteChanged(isMuted: true), at: .seconds(3)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(3))
        try story.expect(.muteChanged(isMuted: false), at: .seconds(4))
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(5)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectCompleted(.quick)))
            Story.microphone(1, 5, true)
            Story.status(.reconnected)
        }
    }

    @Test("Where signalling may have died unnoticed, the microphone is opened in another room (Z1)")
    func unheard() throws {
        var story = try Story.connected()
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(3))
        try story.expect(.muteChanged(isMuted: true), at: .seconds(4)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(4))
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(4_100))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(4_200)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 5)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("A room object whose microphone fails three times in a row is replaced")
    func hopeless() throws {
        var story = try Story.connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(2)) {
            Story.microphone(1, 4, false)
        }
        let failed = Effect.writeLog(.microphoneFailed(RoomID(number: 1), .timedOut))
        try story.expect(Story.microphoneFinished(1, 4, .timedOut), at: .seconds(2)) { failed }
        try story.expectWake(at: .seconds(3)) { Story.microphone(1, 5, false) }
        try story.expect(Story.microphoneFinished(1, 5, .timedOut), at: .seconds(3)) { failed }
        try story.expectWake(at: .seconds(4)) { Story.microphone(1, 6, false) }
        try story.expect(Story.microphoneFinished(1, 6, .timedOut), at: .seconds(4)) {
            failed
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 7)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("An open track that sends nothing is closed and opened again (android issue 109)")
    func comparesPackets() throws {
        var story = try Story.connected()
        var consents: Int64 = 0
        func report(_ story: inout Transcript<RealtimeSession>, sent: Int64, at second: Int) throws
        {
            consents += 1
            try story.expect(
                Story.statistics(1, consents: consents, sent: sent),
                at: .seconds(second)
            )
        }
        for second in 2...4 { try report(&story, sent: Int64(second) * 50, at: second) }
        for second in 5...7 { try report(&story, sent: 200, at: second) }
        try story.expect(Story.statistics(1, consents: 9, sent: 200), at: .seconds(8)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(8)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .seconds(8))
        consents = 9
        for second in 9...20 { try report(&story, sent: Int64(second) * 50, at: second) }
    }
}
