import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session follows the SDK's reconnecting")
struct RealtimeSessionReconnectTests {
    private func log(_ callback: RoomCallback) -> Effect {
        .writeLog(.reconnect(RoomID(number: 1), callback))
    }

    @Test("A quick reconnect shows, though the SDK calls itself connected throughout (D-06)")
    func quick() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectModeChanged(.quick)), at: .seconds(3)) {
            log(.reconnectModeChanged(.quick))
        }
        try story.expect(Story.statistics(1, consents: 4), at: .seconds(4))
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(5)) {
            log(.reconnectCompleted(.quick))
            Story.status(.reconnected)
        }
        try story.expectWake(at: .seconds(7)) { Story.status(.connected) }
    }

    /// A session whose voice is back at 9.5 s while the SDK, from 9 s on, brings signalling back.
    private func heardAgain() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        for second in 2...7 as ClosedRange<Int64> {
            try story.expect(
                Story.statistics(1, consents: 2, received: 100),
                at: .seconds(second)
            )
        }
        try story.expectWake(at: .seconds(8)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(9)) {
            log(.reconnectStarted(.quick))
        }
        try story.expect(
            Story.statistics(1, consents: 3, received: 150),
            at: .milliseconds(9_500)
        ) { Effect.takeBackOnline }
        try story.expect(
            Story.statistics(1, consents: 4, received: 200),
            at: .milliseconds(10_500)
        ) { Story.status(.reconnected) }
        return story
    }

    @Test("Voice that is back shows, however long signalling takes to follow (D-06, D-21)")
    func voiceFirst() throws {
        var story = try heardAgain()
        try story.expectWake(at: .milliseconds(12_500)) { Story.status(.connected) }
        for second in 13...40 as ClosedRange<Int64> {
            try story.expect(
                Story.statistics(1, consents: second, received: second * 50),
                at: .seconds(second)
            )
        }
        // Nothing is new to the user.
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .milliseconds(40_500)) {
            log(.reconnectCompleted(.quick))
        }
    }

    @Test(
        "Voice that goes on both ways for 6 s shows, however long signalling is away (D-06, D-21)"
    )
    func voiceThroughout() throws {
        var story = try Story.connected()
        for round in 0..<2 as Range<Int64> {
            let start = 2 + 100 * round
            try story.expect(
                Story.statistics(1, consents: start, received: start * 50),
                at: .seconds(start)
            )
            try Story.reconnects(&story, at: .milliseconds(start * 1_000 + 500))
            for second in start + 1...start + 17 {
                if second == start + 10 {
                    try story.expectWake(at: .seconds(second)) { Story.status(.connected) }
                }
                try story.expect(
                    Story.statistics(1, consents: second, received: second * 50),
                    at: .seconds(second)
                ) { second == start + 8 ? [Story.status(.reconnected)] : [] }
            }
            // Nothing is new to the user.
            let end = Duration.milliseconds(start * 1_000 + 17_500)
            try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: end) {
                log(.reconnectCompleted(.quick))
            }
            for second in start + 18..<start + 100 {
                try story.expect(
                    Story.statistics(1, consents: second, received: second * 50),
                    at: .seconds(second)
                )
            }
        }
    }

    @Test("Checks that nobody answers any more keep the status from saying that both hear (K-01c)")
    func voiceOneWay() throws {
        var story = try Story.connected()
        try story.expect(Story.statistics(1, consents: 2, received: 50), at: .seconds(2))
        try Story.reconnects(&story, at: .milliseconds(2_500))
        for second in 3...30 as ClosedRange<Int64> {
            try story.expect(
                Story.statistics(1, consents: 2, received: second * 50),
                at: .seconds(second)
            )
        }
    }

    @Test("Who unmutes while signalling is away does not read that they are heard (K-01c, D-06)")
    func unmuteUntold() throws {
        var story = try heardAgain()
        try story.expectWake(at: .milliseconds(12_500)) { Story.status(.connected) }
        try story.expect(.muteChanged(isMuted: true), at: .seconds(13)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(13))
        try story.expect(.muteChanged(isMuted: false), at: .seconds(14)) {
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(15)) {
            log(.reconnectCompleted(.quick))
            Story.microphone(1, 5, true)
            Story.status(.connected)
        }
    }

    @Test("Voice that ends again while signalling is away shows at once (D-06)")
    func voiceEndsAgain() throws {
        var story = try heardAgain()
        try story.expect(
            Story.statistics(1, consents: 5, received: 200),
            at: .milliseconds(11_500)
        ) { Story.status(.reconnecting) }
    }

    @Test("A full reconnect loses voice, and counts as done at the first sign of life (D-06)")
    func full() throws {
        var story = try Story.connected()
        try story.expect(Story.statistics(1, consents: 2, received: 9), at: .seconds(2))
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnecting), at: .seconds(4)) {
            log(.reconnecting)
            Effect.handOverOffline
        }
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(4)) {
            Story.order(1, .stopRenderer)
        }
        try story.expect(Story.says(1, .reconnected), at: .seconds(5)) { log(.reconnected) }
        try story.expect(Story.says(1, .reconnectCompleted(.full)), at: .seconds(5)) {
            log(.reconnectCompleted(.full))
            Story.microphone(1, 4, true)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .seconds(5)) {
            Story.order(1, .startRenderer)
        }
        try story.expect(Story.statistics(1, consents: 3, received: 9), at: .seconds(6))
        try story.expect(Story.statistics(1, consents: 4, received: 50), at: .seconds(7)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expectWake(at: .seconds(9)) { Story.status(.connected) }
    }

    @Test("A full reconnect after which the agent's track stays away is no return (RS-11)")
    func fullWithoutAgent() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.full)), at: .seconds(3)) {
            log(.reconnectStarted(.full))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnecting), at: .seconds(3)) {
            log(.reconnecting)
            Effect.handOverOffline
        }
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(3)) {
            Story.order(1, .stopRenderer)
        }
        try story.expect(Story.says(1, .reconnectCompleted(.full)), at: .seconds(4)) {
            log(.reconnectCompleted(.full))
            Story.microphone(1, 4, true)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(4))
        try story.expect(Story.statistics(1, consents: 3), at: .seconds(5))
        try story.expect(Story.statistics(1, consents: 4), at: .seconds(6)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(Story.statistics(1, consents: 7), at: .seconds(7))
        try story.expectWake(at: .seconds(8)) { Story.status(.connected) }
        try story.expect(Story.statistics(1, consents: 9), at: .seconds(9))
        try story.expectWake(at: .seconds(10)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .seconds(12)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.connect(2, operation: 5)
        }
    }

    @Test("What one transport answers while a full reconnect goes on is no sign of life (RS-11)")
    func halfAnswered() throws {
        var story = try Story.connected()
        try story.expect(Story.statistics(1, consents: 2, received: 9), at: .seconds(2))
        try story.expect(Story.says(1, .reconnectStarted(.full)), at: .seconds(3)) {
            log(.reconnectStarted(.full))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnecting), at: .seconds(3)) {
            log(.reconnecting)
            Effect.handOverOffline
        }
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(3)) {
            Story.order(1, .stopRenderer)
        }
        for second in 4...6 as ClosedRange<Int64> {
            try story.expect(Story.statistics(1, consents: second), at: .seconds(second))
        }
        // It failed, and the SDK says that it has succeeded.
        try story.expect(Story.says(1, .reconnectCompleted(.full)), at: .seconds(7)) {
            log(.reconnectCompleted(.full))
            Story.microphone(1, 4, true)
        }
        var answered = RoomStatistics()
        answered.consentResponses = 7
        answered.othersPresent = 1
        try story.expect(.room(RoomID(number: 1), .statistics(answered)), at: .seconds(9))
        try story.expectWake(at: .seconds(13)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.connect(2, operation: 5)
        }
    }

    @Test("A completion without a transport is not believed; another room object follows (Z2)")
    func emptySuccess() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnecting), at: .seconds(3)) {
            log(.reconnecting)
            Effect.handOverOffline
        }
        let claim = RoomCallback.connectionStateChanged(.connected, from: .reconnecting)
        try story.expect(Story.says(1, claim), at: .seconds(4))
        try story.expect(Story.says(1, .reconnected), at: .seconds(4)) { log(.reconnected) }
        try story.expect(Story.says(1, .reconnectCompleted(.full)), at: .seconds(4)) {
            log(.reconnectCompleted(.full))
            Story.microphone(1, 4, true)
        }
        try story.expectWake(at: .seconds(10)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 5)
        }
    }

    @Test("A completion after the final failure changes nothing (Z4)")
    func completionAfterFailure() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(3)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectCompleted(.full)), at: .seconds(3))
    }

    @Test("Voice that stays alive through a loss of signalling is not handed over (AN-05)")
    func signallingOnly() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        for second in 4..<60 as Range<Int64> {
            if second == 12 {
                try story.expectWake(at: .seconds(12)) { Story.status(.connected) }
            }
            try story.expect(
                Story.statistics(1, consents: second, received: second * 50),
                at: .seconds(second)
            ) { second == 10 ? [Story.status(.reconnected)] : [] }
        }
    }

    @Test("An SDK that reconnects for ever without voice is replaced in time")
    func patience() throws {
        var story = try Story.connected()
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        for second in stride(from: 8, to: 22, by: 2) {
            try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(second)) {
                log(.reconnectStarted(.quick))
            }
            try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(second + 1)) {
                log(.reconnectCompleted(.quick))
            }
        }
        try story.expectWake(at: .seconds(23)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test("Without a watchdog the SDK's word is all there is (D-07)")
    func unwatched() throws {
        var configuration = Story.configuration
        configuration.watchdog.isEnabled = false
        var story = try Story.connected(configuration)
        #expect(story.machine.deadline == nil)
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(30)) {
            log(.reconnectStarted(.quick))
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(60)) {
            log(.reconnectCompleted(.quick))
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
    }
}
