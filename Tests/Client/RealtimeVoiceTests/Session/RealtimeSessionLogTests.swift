import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory

@Suite("What a session logs under RTC (RS-10)")
struct RealtimeSessionLogTests {
    /// What a session logs of these events, told one a second after it is connected.
    private func log(_ events: RealtimeSession.Event...) -> [SessionLogEntry] {
        var session = RealtimeSession(configuration: Story.configuration, seed: 1)
        var effects: [RealtimeSession.Effect] = []
        var now = Instant.zero
        var entries: [SessionLogEntry] = []
        let connected: [RealtimeSession.Event] = [
            .connectRequested(Story.identity), Story.answered(1, Story.credentials()),
            Story.says(1, .remoteAudioSubscribed), Story.connectFinished(1, 2),
        ]
        for event in connected + events {
            effects += session.handle(event, at: now)
            for case .writeLog(let entry) in effects { entries.append(entry) }
            effects.removeAll()
            now = now.advanced(by: .seconds(1))
        }
        return entries
    }

    private let room = RoomID(number: 1)

    @Test("Every connect, reconnect callback, error and disconnect is logged")
    func complete() {
        #expect(log() == [.connecting(room), .connected(room)])
        let reconnects: [RoomCallback] = [
            .reconnectStarted(.quick), .reconnectModeChanged(.full), .reconnecting, .reconnected,
            .reconnectCompleted(.full),
        ]
        for callback in reconnects {
            #expect(log(Story.says(1, callback)).last == .reconnect(room, callback))
        }
        for error in RoomError.allCases {
            #expect(log(Story.says(1, .disconnected(error))).last == .disconnected(room, error))
            let failure = SessionLogEntry.microphoneFailed(room, error)
            #expect(log(Story.microphoneFinished(1, 3, error)).last == failure)
        }
        #expect(log(.disconnectRequested).last == .disconnected(room, nil))
    }

    @Test("A line holds numbers and words of the SDK, and nothing of a person")
    func impersonal() {
        let lines = log(
            Story.says(1, .disconnected(.network)),
            Story.microphoneFinished(1, 3, .timedOut)
        )
        let text = lines.map { "\($0)" }.joined()
        for secret in [Story.identity.deviceID, "room-1", "token"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(SessionLogEntry.category == "RTC")
    }
}
