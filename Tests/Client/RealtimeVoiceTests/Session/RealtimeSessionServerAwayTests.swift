import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

/// Sessions whose room server goes away while other hosts answer, driven to the end of a story.
private struct AbandonedSession {
    private var session: RealtimeSession
    private var effects: [RealtimeSession.Effect] = []
    private var answers: [(at: Instant, operation: OperationID)] = []
    private let serverBack: Instant
    /// Whether the server answers the probe that follows the connect.
    private let knowsServer: Bool
    private(set) var connects: [Instant] = []
    private(set) var releases: [Instant] = []
    private(set) var probeCount = 0

    /// A session that is connected at zero and hears nothing from then on.
    init(seed: UInt64, serverBack: Instant, knowsServer: Bool = true) {
        self.serverBack = serverBack
        self.knowsServer = knowsServer
        session = RealtimeSession(configuration: .init(), seed: seed)
        send(.connectRequested(SessionStory.identity), at: .zero)
        send(SessionStory.answered(1, SessionStory.credentials()), at: .zero)
        send(SessionStory.says(1, .remoteAudioSubscribed), at: .zero)
        send(SessionStory.connectFinished(1, 2), at: .zero)
        send(SessionStory.microphoneFinished(1, 3), at: .zero)
        connects = []
    }

    /// Wakes the session and answers its probes until `end`.
    mutating func run(until end: Instant) {
        while true {
            let wake = session.deadline?.instant
            let answer = answers.first
            if let answer, answer.at <= min(end, wake ?? end) {
                answers.removeFirst()
                send(.probeAnswered(answer.operation), at: answer.at)
            } else if let wake, wake <= end {
                effects += session.wake(at: wake)
                see(at: wake)
            } else {
                return
            }
        }
    }

    /// Lets statistics come when all that is due before has been done.
    mutating func hear(packets: Int64, at now: Instant) {
        run(until: now)
        var statistics = RoomStatistics()
        statistics.packetsReceived = packets
        statistics.packetsSent = packets
        send(.room(RoomID(number: 1), .statistics(statistics)), at: now)
    }

    /// Lets the server say that it shuts down.
    mutating func isShutDown(at now: Instant) {
        run(until: now)
        send(SessionStory.says(1, .disconnected(.serverShutdown)), at: now)
    }

    /// Lets the user end the conversation and ask for another one, which has its token at once.
    mutating func asksAnew(at now: Instant) {
        run(until: now)
        send(.disconnectRequested, at: now)
        send(.connectRequested(SessionStory.identity), at: now)
        send(SessionStory.answered(5, SessionStory.credentials(room: "room-2")), at: now)
        connects = []
    }

    /// Lets the SDK begin to reconnect.
    mutating func reconnects(at now: Instant) {
        run(until: now)
        send(SessionStory.says(1, .reconnectStarted(.quick)), at: now)
    }

    private mutating func send(_ event: RealtimeSession.Event, at now: Instant) {
        effects += session.handle(event, at: now)
        see(at: now)
    }

    private mutating func see(at now: Instant) {
        for effect in effects {
            if case .probe = effect { probeCount += 1 }
            switch effect {
            case .probe(let operation, let host)
            where host == .other || knowsServer && now == .zero || now >= serverBack:
                answers.append((now.advanced(by: .milliseconds(40)), operation))
            case .room(_, .connect):
                connects.append(now)
            case .room(_, .release):
                releases.append(now)
            default:
                continue
            }
        }
        effects.removeAll()
    }
}

@Suite("Sessions that lost their server do not come back as a storm (K-20)")
struct RealtimeSessionServerAwayTests {
    private func seconds(_ instant: Instant) -> Int64 { instant.nanoseconds / 1_000_000_000 }

    @Test(
        "A room object is let go of before its SDK's later attempts, once the server is found away"
    )
    func letsGo() {
        var session = AbandonedSession(seed: 1, serverBack: .zero.advanced(by: .seconds(60)))
        session.run(until: .zero.advanced(by: .seconds(9)))
        #expect(session.releases.map(seconds) == [7])
        #expect(session.connects.isEmpty)
    }

    @Test("A server that resets its sockets is found away within three seconds, before it is back")
    func resets() {
        var session = AbandonedSession(seed: 1, serverBack: .zero.advanced(by: .seconds(60)))
        for second in 1...4 as ClosedRange<Int64> {
            session.hear(packets: 50 * second, at: .zero.advanced(by: .seconds(second)))
        }
        session.reconnects(at: .zero.advanced(by: .milliseconds(4_100)))
        session.hear(packets: 205, at: .zero.advanced(by: .seconds(5)))
        session.hear(packets: 205, at: .zero.advanced(by: .seconds(6)))
        session.run(until: .zero.advanced(by: .seconds(9)))
        #expect(session.releases.map(seconds) == [6])
        #expect(session.connects.isEmpty)
    }

    @Test("Signalling that dies alone keeps its room object: voice goes on, and probing ends")
    func signallingAlone() {
        var session = AbandonedSession(seed: 1, serverBack: .zero.advanced(by: .seconds(60)))
        session.reconnects(at: .zero.advanced(by: .milliseconds(100)))
        for second in 1...20 as ClosedRange<Int64> {
            session.hear(packets: 50 * second, at: .zero.advanced(by: .seconds(second)))
        }
        #expect(session.releases.isEmpty)
        #expect(session.probeCount <= 5)
    }

    @Test("A server that never answered a probe is not taken to be away by its silence")
    func unacquainted() {
        var session = AbandonedSession(
            seed: 1,
            serverBack: .zero.advanced(by: .seconds(60)),
            knowsServer: false
        )
        session.run(until: .zero.advanced(by: .seconds(60)))
        #expect(session.connects.count > 3)
    }

    @Test("A server that is away is left alone, but for an attempt every 20 to 40 s")
    func sparesServer() {
        for seed in 0..<50 as Range<UInt64> {
            var session = AbandonedSession(seed: seed, serverBack: .zero.advanced(by: .seconds(90)))
            session.run(until: .zero.advanced(by: .seconds(60)))
            #expect((1...3).contains(session.connects.count))
        }
    }

    @Test(
        "The first connect of a conversation, too, feels a server come back that it found away (K-19)"
    )
    func firstConnect() throws {
        let back = Instant.zero.advanced(by: .seconds(20))
        for seed in 0..<20 as Range<UInt64> {
            var session = AbandonedSession(seed: seed, serverBack: back)
            session.asksAnew(at: .zero.advanced(by: .seconds(5)))
            session.run(until: back.advanced(by: .seconds(8)))
            let first = try #require(session.connects.first, "\(seed)")
            #expect(first >= back)
            #expect(back.duration(to: first) <= .milliseconds(7_600))
        }
    }

    @Test("Nor does it meet more of them when the probes are seldom, after a minute")
    func sparesServerForLong() {
        for seed in 0..<20 as Range<UInt64> {
            let back = Instant.zero.advanced(by: .seconds(300))
            var session = AbandonedSession(seed: seed, serverBack: back)
            session.run(until: .zero.advanced(by: .seconds(240)))
            #expect((4...9).contains(session.connects.count))
        }
    }

    @Test("Of 200 sessions at most a quarter meets the server in any one second after its return")
    func spreads() {
        let back = Instant.zero.advanced(by: .seconds(20))
        var met: [Int64] = []
        for seed in 0..<200 as Range<UInt64> {
            var session = AbandonedSession(seed: seed, serverBack: back)
            session.run(until: back.advanced(by: .seconds(8)))
            if let first = session.connects.first(where: { $0 >= back }) {
                met.append(back.duration(to: first).wholeNanoseconds / 1_000_000)
            }
        }
        #expect(met.count == 200)
        for start in 0..<80 as Range<Int64> {
            let window = start * 100..<start * 100 + 1_000
            #expect(met.count { window.contains($0) } <= 50)
        }
        #expect(met.max().map { $0 <= 7_600 } == true)
    }

    @Test("Of 200 sessions whose server shuts down and is back at once as few meet it in a second")
    func spreadsAfterShutdown() throws {
        let end = Instant.zero.advanced(by: .seconds(10))
        let connects = (1...200 as ClosedRange<UInt64>).map { seed in
            var session = AbandonedSession(seed: seed, serverBack: .zero)
            for second in 1...9 as ClosedRange<Int64> {
                session.hear(packets: 50 * second, at: .zero.advanced(by: .seconds(second)))
            }
            session.isShutDown(at: end)
            session.run(until: end.advanced(by: .seconds(8)))
            return session.connects.first
        }
        let starts = connects.compactMap(\.self)
        #expect(starts.count == 200)
        let crowds = starts.map { start in
            starts.count { $0 >= start && $0 < start.advanced(by: .seconds(1)) }
        }
        #expect(try #require(crowds.max()) <= 50)
    }

    @Test("Nor is one that was away for longer than a minute met later than K-20 has it")
    func spreadsAfterLong() {
        let back = Instant.zero.advanced(by: .seconds(80))
        var met: [Int64] = []
        for seed in 0..<200 as Range<UInt64> {
            var session = AbandonedSession(seed: seed, serverBack: back)
            session.run(until: back.advanced(by: .seconds(9)))
            if let first = session.connects.first(where: { $0 >= back }) {
                met.append(back.duration(to: first).wholeNanoseconds / 1_000_000)
            }
        }
        met.sort()
        #expect(met.count == 200)
        #expect(met.dropLast(10).last.map { $0 <= 7_600 } == true)
        #expect(met.last.map { $0 <= 8_100 } == true)
        for start in 0..<80 as Range<Int64> {
            let window = start * 100..<start * 100 + 1_000
            #expect(met.count { window.contains($0) } <= 60)
        }
    }
}
