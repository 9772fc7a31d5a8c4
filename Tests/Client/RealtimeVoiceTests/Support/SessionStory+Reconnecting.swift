import RealtimeVoice
import SansIO
import SansIOTesting

/// A story's room object that reconnects, and the voice around it.
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
