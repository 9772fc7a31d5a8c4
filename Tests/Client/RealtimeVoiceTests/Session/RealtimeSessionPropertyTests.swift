import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("What a session never does")
struct RealtimeSessionPropertyTests {
    /// A session under its overseer, driven by hand.
    private struct Stage {
        var session: RealtimeSession
        var overseer: Overseer
        var now = Instant.zero
        var weather = SessionWeather()
        private var effects: [RealtimeSession.Effect] = []

        init(_ configuration: RealtimeSessionConfiguration, seed: UInt64) {
            session = RealtimeSession(configuration: configuration, seed: seed)
            overseer = Overseer(leaveOn: configuration.leaveOn)
        }

        mutating func advance(to instant: Instant) {
            while let deadline = session.deadline, deadline.instant <= instant {
                now = max(now, deadline.instant)
                effects += session.wake(at: now)
                see()
            }
            now = max(now, instant)
        }

        mutating func send(_ event: RealtimeSession.Event) {
            overseer.tell(event, at: now)
            effects += session.handle(event, at: now)
            see()
        }

        private mutating func see() {
            overseer.see(effects, at: now)
            effects.forEach { weather.note($0) }
            effects.removeAll()
        }
    }

    private static func configuration(_ seed: UInt64) -> RealtimeSessionConfiguration {
        var configuration: RealtimeSessionConfiguration = seed % 4 == 3 ? .asSpecified : .init()
        configuration.leaveOn = LeaveRule.allCases[Int(seed % 3)]
        return configuration
    }

    @Test(
        """
        Whatever happens: one connect in flight, one hand-over per loss, no leave that nobody asked \
        for, nothing after a disconnect, connected only if a room object said so (D-06, D-08, RS-05)
        """,
        arguments: 0..<20 as Range<UInt64>
    )
    func whateverHappens(hundred: UInt64) {
        var connects = 0
        for seed in hundred * 100..<hundred * 100 + 100 {
            var random = LawRandom(seed: seed)
            var stage = Stage(Self.configuration(seed), seed: seed)
            for step in 0..<120 {
                let pause = random.chance(percent: 5) ? 60_000 : 1_500
                stage.advance(
                    to: stage.now.advanced(by: .milliseconds(random.below(pause)))
                )
                stage.send(stage.weather.next(&random))
                guard stage.overseer.complaints.isEmpty else {
                    Issue.record("seed \(seed), step \(step): \(stage.overseer.complaints)")
                    return
                }
            }
            connects += stage.overseer.connects
        }
        #expect(connects > 500, "stories without connects prove little")
    }

    @Test(
        "After any story a willing world brings the conversation back within seconds",
        arguments: 0..<10 as Range<UInt64>
    )
    func liveness(decade: UInt64) throws {
        for seed in decade * 10..<decade * 10 + 10 {
            var random = LawRandom(seed: seed)
            var configuration = RealtimeSessionConfiguration()
            configuration.leaveOn = LeaveRule.allCases[Int(seed % 3)]
            var stage = Stage(configuration, seed: seed)
            for _ in 0..<100 {
                stage.advance(to: stage.now.advanced(by: .milliseconds(random.below(1_500))))
                stage.send(stage.weather.next(&random))
            }
            for event: RealtimeSession.Event in [
                .pathChanged(.satisfied(.wifi)), .scenePhaseChanged(.active),
                .audioAccessChanged(.available), .connectRequested(SessionStory.identity),
            ] { stage.send(event) }
            let end = stage.now.advanced(by: .seconds(40))
            var consents: Int64 = 10_000
            while stage.now < end {
                stage.advance(to: stage.now.advanced(by: .milliseconds(500)))
                consents += 1
                answer(&stage, consents: consents)
            }
            #expect(stage.session.status.stage == .connected, "seed \(seed)")
            #expect(stage.overseer.complaints.isEmpty, "seed \(seed)")
        }
    }

    /// Answers everything that is open as a working service, and lets statistics show life.
    private func answer(_ stage: inout Stage, consents: Int64) {
        if let request = stage.overseer.openRequest {
            stage.send(.apiAnswered(request, SessionStory.credentials()))
        }
        if let (room, operation) = stage.overseer.openConnect {
            stage.send(.room(room, .remoteAudioSubscribed))
            stage.send(.room(room, .connectFinished(operation, nil)))
        }
        for room in stage.overseer.rooms {
            if let operation = stage.overseer.openMicrophone(of: room) {
                stage.send(.room(room, .microphoneFinished(operation, nil)))
            }
            stage.send(.room(room, .reconnectCompleted(.quick)))
            if consents % 8 == 0 { stage.send(.room(room, .remoteAudioSubscribed)) }
            var statistics = RoomStatistics()
            statistics.consentResponses = consents
            statistics.packetsSent = consents
            stage.send(.room(room, .statistics(statistics)))
        }
    }

    /// The states that matter, by the events that lead to them.
    private static let beginnings: [[RealtimeSession.Event]] = {
        let token = SessionStory.answered(1, SessionStory.credentials())
        let connected: [RealtimeSession.Event] = [
            .scenePhaseChanged(.active), .pathChanged(.satisfied(.wifi)),
            .connectRequested(SessionStory.identity), token, SessionStory.connectFinished(1, 2),
            SessionStory.microphoneFinished(1, 3), SessionStory.says(1, .remoteAudioSubscribed),
        ]
        return [
            [], [.connectRequested(SessionStory.identity)],
            [.connectRequested(SessionStory.identity), token], connected,
            connected + [SessionStory.says(1, .reconnectStarted(.quick))],
            connected + [SessionStory.says(1, .reconnecting)],
            connected + [SessionStory.says(1, .disconnected(.network))],
            connected + [.pathChanged(.unsatisfied)],
            connected + [.scenePhaseChanged(.background)],
            connected + [.disconnectRequested],
        ]
    }()

    private static let racers: [RealtimeSession.Event] = [
        .connectRequested(SessionStory.identity), .becameReady(SessionStory.identity),
        .disconnectRequested, .scenePhaseChanged(.active), .scenePhaseChanged(.inactive),
        .scenePhaseChanged(.background), .pathChanged(.unsatisfied),
        .pathChanged(.satisfied(.cellular)), .muteChanged(isMuted: true),
        .audioAccessChanged(.taken), SessionStory.answered(1, SessionStory.credentials()),
        SessionStory.answered(1, .refused(statusCode: 500)), SessionStory.connectFinished(1, 2),
        SessionStory.connectFinished(1, 2, .network),
        SessionStory.connectFinished(1, 2, .duplicateIdentity),
        SessionStory.says(1, .disconnected(.network)),
        SessionStory.says(1, .disconnected(.duplicateIdentity)),
        SessionStory.says(1, .reconnectStarted(.quick)), SessionStory.says(1, .reconnecting),
        SessionStory.says(1, .reconnectCompleted(.full)),
        SessionStory.says(1, .remoteAudioSubscribed),
        SessionStory.says(1, .remoteAudioUnsubscribed), SessionStory.statistics(1, consents: 9),
    ]

    @Test("Any two events that race do no harm in either order, in any state (RS-06, RS-07, D-08)")
    func everyRace() {
        for (place, beginning) in Self.beginnings.enumerated() {
            for first in Self.racers {
                for second in Self.racers {
                    var stage = Stage(RealtimeSessionConfiguration(), seed: 1)
                    for event in beginning + [first, second] { stage.send(event) }
                    stage.advance(to: stage.now.advanced(by: .seconds(60)))
                    let complaints = stage.overseer.complaints
                    #expect(complaints.isEmpty, "state \(place): \(first), then \(second)")
                }
            }
        }
    }
}
