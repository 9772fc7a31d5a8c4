import RealtimeVoice
import SansIO
import SansIOTesting

/// A story's room object that reconnects, and the mutes and the voice around it.
extension SessionStory {
    /// The SDK begins a quick reconnect, which the user reads.
    static func reconnects(
        _ story: inout Transcript<RealtimeSession>,
        at instant: Duration
    ) throws(TranscriptMismatch) {
        try story.expect(says(1, .reconnectStarted(.quick)), at: instant) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            status(.reconnecting)
        }
    }

    /// It is through, and the session does what is expected before the user reads it.
    static func resumes(
        _ story: inout Transcript<RealtimeSession>,
        at instant: Duration,
        @EffectList<Effect> _ expected: () -> [Effect] = { [] }
    ) throws(TranscriptMismatch) {
        try story.expect(says(1, .reconnectCompleted(.quick)), at: instant) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectCompleted(.quick)))
            expected()
            status(.reconnected)
        }
    }

    /// A session with probes that is connected at 1 s, and whose SDK has resumed at 2.6 s.
    ///
    /// Both hosts have answered; probes 1 to 3 are used up.
    static func resumedWithProbes(
        opensMicrophone: Bool = true
    ) throws(TranscriptMismatch) -> Transcript<RealtimeSession> {
        var configuration = configuration
        configuration.probe.isEnabled = true
        var story = try connected(configuration, opensMicrophone: opensMicrophone)
        try story.expect(.probeAnswered(OperationID(number: 1)), at: .milliseconds(1_050))
        try story.expect(says(1, .reconnectStarted(.quick)), at: .seconds(2)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            status(.reconnecting)
            Effect.probe(OperationID(number: 2), .roomServer)
        }
        try story.expect(.probeAnswered(OperationID(number: 2)), at: .milliseconds(2_050))
        try story.expectWake(at: .milliseconds(2_500)) {
            Effect.probe(OperationID(number: 3), .other)
        }
        try story.expect(.probeAnswered(OperationID(number: 3)), at: .milliseconds(2_550))
        try resumes(&story, at: .milliseconds(2_600))
        return story
    }

    /// The user mutes, and an order closes the microphone at once.
    static func mutes(
        _ story: inout Transcript<RealtimeSession>,
        at instant: Duration,
        operation: UInt32
    ) throws(TranscriptMismatch) {
        try story.expect(.muteChanged(isMuted: true), at: instant) {
            microphone(1, operation, false)
        }
        try story.expect(microphoneFinished(1, operation), at: instant)
    }

    /// The user unmutes after a resume, which signalling may have told nobody of.
    ///
    /// An order opens the microphone at once, and the next operation asks whether TCP gets through.
    static func unmutesAfterResume(
        _ story: inout Transcript<RealtimeSession>,
        at instant: Duration,
        operation: UInt32
    ) throws(TranscriptMismatch) {
        try story.expect(.muteChanged(isMuted: false), at: instant) {
            microphone(1, operation, true)
        }
        try story.expect(microphoneFinished(1, operation), at: instant) {
            fetch(operation + 1, resume: "room-1")
        }
    }

    /// Statistics that show voice both ways in each of these seconds, half a second into it.
    static func hear(
        _ story: inout Transcript<RealtimeSession>,
        seconds: Range<Int64>
    ) throws(TranscriptMismatch) {
        for second in seconds {
            try story.expect(voice(second), at: .milliseconds(second * 1_000 + 500))
        }
    }

    /// Statistics that show voice both ways up to a second.
    static func voice(_ second: Int64) -> Event {
        statistics(1, consents: second, received: 50 * second, sent: 75 + 50 * second)
    }
}
