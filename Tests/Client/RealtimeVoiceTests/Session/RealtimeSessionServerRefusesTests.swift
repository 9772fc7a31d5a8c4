import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

/// Sessions whose connects fail while no host answers a probe, driven to the end of a story.
private struct RefusedSession {
    private var session: RealtimeSession
    private var effects: [RealtimeSession.Effect] = []
    private var pending: [(at: Instant, event: RealtimeSession.Event)] = []
    private let serverBack: Instant
    private let otherBack: Instant
    /// What a connect fails of before the server is back.
    private let error: RoomError
    /// After which time it does.
    private let failureTime: Duration
    private(set) var connects: [Instant] = []

    /// A session that is connected at zero and hears nothing from then on.
    init(
        seed: UInt64,
        serverBack: Int64,
        otherBack: Int64,
        error: RoomError,
        failureTime: Duration
    ) {
        self.serverBack = .zero.advanced(by: .seconds(serverBack))
        self.otherBack = .zero.advanced(by: .seconds(otherBack))
        self.error = error
        self.failureTime = failureTime
        session = RealtimeSession(configuration: .init(), seed: seed)
        send(.connectRequested(SessionStory.identity), at: .zero)
        send(SessionStory.answered(1, SessionStory.credentials()), at: .zero)
        send(SessionStory.says(1, .remoteAudioSubscribed), at: .zero)
        send(SessionStory.connectFinished(1, 2), at: .zero)
        send(SessionStory.microphoneFinished(1, 3), at: .zero)
        connects = []
        pending.removeAll { if case .room = $0.event { true } else { false } }
    }

    /// Wakes the session and answers it until `end`.
    mutating func run(until end: Instant) {
        while true {
            let wake = session.deadline?.instant
            let next = pending.indices.min { pending[$0].at < pending[$1].at }
            if let next, pending[next].at <= min(end, wake ?? end) {
                let answer = pending.remove(at: next)
                send(answer.event, at: answer.at)
            } else if let wake, wake <= end {
                effects += session.wake(at: wake)
                see(at: wake)
            } else {
                return
            }
        }
    }

    /// How many milliseconds after the server's return the session first connects, within 8 s.
    mutating func firstMeeting() -> Int64? {
        run(until: serverBack.advanced(by: .seconds(8)))
        let first = connects.first { $0 >= serverBack }
        return first.map { serverBack.duration(to: $0).wholeNanoseconds / 1_000_000 }
    }

    private mutating func send(_ event: RealtimeSession.Event, at now: Instant) {
        effects += session.handle(event, at: now)
        see(at: now)
    }

    private mutating func see(at now: Instant) {
        for effect in effects {
            switch effect {
            case .probe(let operation, let host) where isAnswered(host, at: now):
                pending.append((now.advanced(by: .milliseconds(40)), .probeAnswered(operation)))
            case .room(let room, .connect(let operation, url: _, token: _, _)):
                connects.append(now)
                guard now < serverBack else { continue }
                let failed = RoomCallback.connectFinished(operation, error)
                pending.append((now.advanced(by: failureTime), .room(room, failed)))
            default:
                continue
            }
        }
        effects.removeAll()
    }

    private func isAnswered(_ host: ProbeHost, at now: Instant) -> Bool {
        switch host {
        case .roomServer: now == .zero || now >= serverBack
        case .other: now >= otherBack
        }
    }
}

@Suite("A server that refuses connects is away, even where no host answers a probe (K-20)")
struct RealtimeSessionServerRefusesTests {
    private func refused(
        _ seed: UInt64,
        serverBack: Int64 = 20,
        otherBack: Int64 = 60,
        error: RoomError = .refused,
        failureTime: Duration = .milliseconds(88)
    ) -> RefusedSession {
        RefusedSession(
            seed: seed,
            serverBack: serverBack,
            otherBack: otherBack,
            error: error,
            failureTime: failureTime
        )
    }

    @Test("After two refusals it is left alone, but for an attempt every 20 to 40 s")
    func sparesServer() {
        for seed in 0..<20 as Range<UInt64> {
            var session = refused(seed, serverBack: 90, otherBack: 120)
            session.run(until: .zero.advanced(by: .seconds(28)))
            #expect(session.connects.count == 2)
            session.run(until: .zero.advanced(by: .seconds(60)))
            #expect((3...4).contains(session.connects.count))
        }
    }

    @Test("Of 200 sessions at most a quarter meets the server in any one second after its return")
    func spreads() {
        var met: [Int64] = []
        for seed in 0..<200 as Range<UInt64> {
            var session = refused(seed)
            if let meeting = session.firstMeeting() { met.append(meeting) }
        }
        #expect(met.count == 200)
        for start in 0..<80 as Range<Int64> {
            let window = start * 100..<start * 100 + 1_000
            #expect(met.count { window.contains($0) } <= 50)
        }
        #expect(met.max().map { $0 <= 7_600 } == true)
    }

    @Test("Where the other host is back in the same second it was the path: nobody waits (K-19)")
    func pathReturns() {
        for seed in 0..<50 as Range<UInt64> {
            var session = refused(seed, otherBack: 20)
            let meeting = session.firstMeeting()
            #expect(meeting.map { $0 <= 600 } == true)
        }
    }

    @Test("What fails on the phone is no refusal: nobody waits once a probe is answered (K-19)")
    func offline() {
        for seed in 0..<10 as Range<UInt64> {
            var session = refused(seed, error: .network, failureTime: .milliseconds(50))
            let meeting = session.firstMeeting()
            #expect(meeting.map { $0 <= 100 } == true)
        }
    }

    @Test("However long a connect takes to fail: without a refusal it is tried again (K-19)")
    func failsSlowly() {
        for seed in 0..<10 as Range<UInt64> {
            var session = refused(seed, serverBack: 90, error: .network)
            session.run(until: .zero.advanced(by: .seconds(28)))
            #expect(session.connects.count > 4)
        }
    }

    @Test("A server nearby refuses within some milliseconds, and is let alone all the same (K-20)")
    func nearby() {
        for seed in 0..<20 as Range<UInt64> {
            var session = refused(seed, serverBack: 90, failureTime: .milliseconds(2))
            session.run(until: .zero.advanced(by: .seconds(28)))
            #expect(session.connects.count == 2)
        }
    }
}
