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

    private func another(operation: UInt32 = 5) -> [Effect] {
        [
            .writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue)),
            Story.order(1, .stopRenderer), Story.order(1, .release),
        ] + Story.connect(2, operation: operation)
            + [.handOverOffline, Story.status(.reconnecting)]
    }

    /// The session asks whether TCP gets through, and another room object takes over once it does.
    private func asks(
        _ story: inout Transcript<RealtimeSession>,
        answeredAt instant: Duration,
        operation: UInt32 = 6
    ) throws {
        try story.expect(Story.answered(operation, Story.credentials()), at: instant) {
            another(operation: operation + 1)
        }
    }

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

    /// A user who unmutes five seconds after their phone went from Wi-Fi to cellular.
    private func unmutedOnCellular() throws -> Transcript<RealtimeSession> {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(5))
        try hear(&story, seconds: 5..<10)
        try Story.unmutesAfterResume(&story, at: .seconds(10), operation: 5)
        return story
    }

    @Test(
        "After a change of the interface an unmute goes to another room object once TCP gets through (RS-11)"
    )
    func interfaceChanged() throws {
        var story = try unmutedOnCellular()
        try asks(&story, answeredAt: .milliseconds(10_200))
    }

    @Test("Where TCP gets nothing through an unmute leaves the agent's voice alone (D-21)")
    func interfaceChangedFiltered() throws {
        var story = try unmutedOnCellular()
        try Story.hear(&story, seconds: 10..<11)
        var muted = story
        try story.expectWake(at: .seconds(11)) { Story.status(.reconnecting) }
        try Story.hear(&story, seconds: 11..<15)
        try story.expectWake(at: .seconds(15)) { Story.fetch(7, resume: "room-1") }
        // The SDK's pings find it.
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(16)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Effect.cancelAPI(OperationID(number: 6))
            Effect.cancelAPI(OperationID(number: 7))
        }
        // Who mutes again waits for nobody.
        try muted.expect(.muteChanged(isMuted: true), at: .milliseconds(10_800)) {
            Story.microphone(1, 7, false)
            Effect.cancelAPI(OperationID(number: 6))
        }
    }

    @Test("Where answers are slow, the SDK's pings are as soon to find dead signalling (D-21)")
    func interfaceChangedSlowly() throws {
        var story = try unmutedOnCellular()
        try Story.hear(&story, seconds: 10..<11)
        try story.expectWake(at: .seconds(11)) { Story.status(.reconnecting) }
        try Story.hear(&story, seconds: 11..<15)
        try story.expectWake(at: .seconds(15)) { Story.fetch(7, resume: "room-1") }
        try story.expect(Story.answered(6, Story.credentials()), at: .milliseconds(15_200))
        try Story.hear(&story, seconds: 15..<20)
    }

    @Test("An open track that fails thrice leaves a room whose agent is heard only by TCP (D-21)")
    func failsThrice() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<3)
        try story.expect(.muteChanged(isMuted: false), at: .seconds(3)) {
            Story.microphone(1, 5, true)
        }
        let failed = Effect.writeLog(.microphoneFailed(RoomID(number: 1), .invalidState))
        let failure = Story.microphoneFinished(1, 5, .invalidState)
        try story.expect(failure, at: .milliseconds(3_100)) { failed }
        for turn in 0..<2 as Range<Int64> {
            try story.expectWake(at: .milliseconds(4_100 + 1_000 * turn)) {
                Story.microphone(1, UInt32(6 + turn), true)
            }
            let failure = Story.microphoneFinished(1, UInt32(6 + turn), .invalidState)
            let asked = turn == 1 ? [Story.fetch(8, resume: "room-1")] : []
            try story.expect(failure, at: .milliseconds(4_100 + 1_000 * turn)) {
                failed
                asked
            }
        }
        try asks(&story, answeredAt: .milliseconds(5_300), operation: 8)
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

    @Test("Of two changes of the interface the later says how long signalling is doubted (RS-11)")
    func changedTwice() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(5))
        try hear(&story, seconds: 5..<20)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(20))
        try hear(&story, seconds: 20..<30)
        var late = story
        try Story.unmutesAfterResume(&story, at: .seconds(30), operation: 5)
        try asks(&story, answeredAt: .milliseconds(30_200))
        try hear(&late, seconds: 30..<40)
        try late.expect(.muteChanged(isMuted: false), at: .seconds(40)) {
            Story.microphone(1, 5, true)
        }
    }

    @Test("A silence that began before the interface changed shortens no doubt (RS-11)")
    func changedDuringSilence() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<4)
        for second in 4..<8 as Range<Int64> {
            let silence = Story.statistics(1, consents: second, received: 150, sent: 75)
            try story.expect(silence, at: .milliseconds(second * 1_000 + 500))
        }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(8))
        try hear(&story, seconds: 8..<25)
        try Story.unmutesAfterResume(&story, at: .seconds(25), operation: 5)
        try asks(&story, answeredAt: .milliseconds(25_200))
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
        try Story.unmutesAfterResume(&story, at: .seconds(8), operation: 5)
        try asks(&story, answeredAt: .milliseconds(8_200))
    }

    /// Statistics of each of these seconds, with so many changes of pairs.
    private func hear(
        _ story: inout Transcript<RealtimeSession>,
        seconds: Range<Int64>,
        pairChanges: Int64,
        sent: Int64 = 75,
        roundTrip: Duration? = nil
    ) throws {
        for second in seconds {
            let statistics = Story.statistics(
                1,
                consents: second,
                received: 50 * second,
                sent: sent,
                pairChanges: pairChanges,
                roundTrip: roundTrip
            )
            try story.expect(statistics, at: .milliseconds(second * 1_000 + 500))
        }
    }

    @Test("Media that moved too quickly to fall silent may have left signalling behind (RS-11)")
    func pairChanged() throws {
        for before in [false, true] {
            var story = try muted()
            try hear(&story, seconds: 2..<10, pairChanges: 2)
            if before {
                try story.expect(.muteChanged(isMuted: false), at: .milliseconds(9_600)) {
                    Story.microphone(1, 5, true)
                }
                try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(9_600))
                let moved = Story.statistics(
                    1,
                    consents: 10,
                    received: 500,
                    sent: 125,
                    pairChanges: 3
                )
                try story.expect(moved, at: .milliseconds(10_500)) {
                    Story.fetch(6, resume: "room-1")
                }
                try asks(&story, answeredAt: .milliseconds(10_700))
            } else {
                try hear(&story, seconds: 10..<12, pairChanges: 3)
                try Story.unmutesAfterResume(&story, at: .seconds(12), operation: 5)
                try asks(&story, answeredAt: .milliseconds(12_200))
            }
        }
    }

    @Test("Pairs that new transports find say nothing of signalling")
    func pairsSettle() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<5, pairChanges: 2)
        try hear(&story, seconds: 5..<8, pairChanges: 3)
        try story.expect(.muteChanged(isMuted: false), at: .seconds(8)) {
            Story.microphone(1, 5, true)
        }
    }

    @Test("On a slow path they are found later, and say no more of it (RS-11)")
    func pairsSettleSlowly() throws {
        for (roundTrip, isDoubted) in [(Duration?.none, true), (.milliseconds(2_100), false)] {
            var story = try muted()
            try hear(&story, seconds: 2..<10, pairChanges: 2, roundTrip: roundTrip)
            try hear(&story, seconds: 10..<11, pairChanges: 3, roundTrip: roundTrip)
            if isDoubted {
                try Story.unmutesAfterResume(&story, at: .seconds(11), operation: 5)
            } else {
                try story.expect(.muteChanged(isMuted: false), at: .seconds(11)) {
                    Story.microphone(1, 5, true)
                }
            }
        }
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
        try story.expect(back, at: .milliseconds(7_500)) { Story.fetch(6, resume: "room-1") }
        try asks(&story, answeredAt: .milliseconds(7_700))
    }

    @Test("So is one that fell between the end of voice and the next statistics (RS-11, K-01c)")
    func unmutedBeforeTheyTell() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<4)
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(4_200)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(4_200))
        // Voice ended at 4.1 s.
        for second in 4..<7 as Range<Int64> {
            let sent = 75 + 50 * (second - 3)
            let voice = Story.statistics(1, consents: 4, received: 180, sent: sent)
            try story.expect(voice, at: .milliseconds(second * 1_000 + 500))
        }
        let back = Story.statistics(1, consents: 5, received: 190, sent: 275)
        try story.expect(back, at: .milliseconds(7_500)) { Story.fetch(6, resume: "room-1") }
        try asks(&story, answeredAt: .milliseconds(7_700))
    }

    @Test("A late notice of the path does not hide when signalling may have died (RS-11)")
    func noticedLate() throws {
        var story = try muted()
        try hear(&story, seconds: 2..<4)
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(4_200)) {
            Story.microphone(1, 5, true)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(4_200))
        let last = Story.statistics(1, consents: 4, received: 180, sent: 125)
        try story.expect(last, at: .milliseconds(4_500))
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(4_600))
        let silence = Story.statistics(1, consents: 4, received: 180, sent: 175)
        try story.expect(silence, at: .milliseconds(5_500))
        let back = Story.statistics(1, consents: 5, received: 190, sent: 225)
        try story.expect(back, at: .milliseconds(6_500)) { Story.fetch(6, resume: "room-1") }
        try asks(&story, answeredAt: .milliseconds(6_700))
    }
}
