import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory

/// A path of one round trip between a session and its servers, which are well.
private struct LongPath {
    private let roundTrip: Duration
    private let passesDatagrams: Bool
    private var session: RealtimeSession
    private var answers: [(due: Instant, event: RealtimeSession.Event)] = []
    private(set) var now = Instant.zero
    private(set) var tokensAsked = 0
    private(set) var connects = 0
    private(set) var probes: [(at: Instant, host: ProbeHost)] = []
    private(set) var connectedAt: Instant?

    init(_ roundTrip: Duration, passesDatagrams: Bool = true) {
        self.roundTrip = roundTrip
        self.passesDatagrams = passesDatagrams
        session = RealtimeSession(configuration: RealtimeSessionConfiguration(), seed: 1)
        drive(.connectRequested(Story.identity))
    }

    /// Runs until the room is joined or the time is over.
    mutating func run(for longest: Duration) throws {
        let end = Instant.zero.advanced(by: longest)
        while now < end, connectedAt == nil {
            let next = answers.indices.min { answers[$0].due < answers[$1].due }
            let deadline = session.deadline?.instant ?? end
            if let next, answers[next].due <= deadline {
                let answer = answers.remove(at: next)
                now = max(now, answer.due)
                if case .room(_, .connectFinished(_, nil)) = answer.event { connectedAt = now }
                drive(answer.event)
            } else {
                try #require(deadline >= now)
                now = deadline
                drive(nil)
            }
        }
    }

    private mutating func drive(_ event: RealtimeSession.Event?) {
        let effects = event.map { session.handle($0, at: now) } ?? session.wake(at: now)
        for effect in effects { perform(effect) }
    }

    private mutating func perform(_ effect: RealtimeSession.Effect) {
        switch effect {
        case .callAPI(let operation, _):
            tokensAsked += 1
            answer(.apiAnswered(operation, Story.credentials()), after: roundTrip * 5)
        case .cancelAPI(let operation):
            answers.removeAll { answer in
                guard case .apiAnswered(operation, _) = answer.event else { return false }
                return true
            }
        case .probe(let operation, let host):
            probes.append((now, host))
            if passesDatagrams { answer(.probeAnswered(operation), after: roundTrip) }
        case .room(let room, .connect(let operation, _, _, let options)):
            connects += 1
            let isSocketOpen = options.socketConnectTimeout >= roundTrip * 4
            let error: RoomError? = isSocketOpen ? nil : .timedOut
            let time = isSocketOpen ? roundTrip * 10 : options.socketConnectTimeout
            answer(.room(room, .connectFinished(operation, error)), after: time)
        case .room(let room, .release):
            answers.removeAll { answer in
                guard case .room(room, _) = answer.event else { return false }
                return true
            }
        default:
            return
        }
    }

    private mutating func answer(_ event: RealtimeSession.Event, after time: Duration) {
        answers.append((now.advanced(by: time), event))
    }
}

@Suite("A first connect over a path of any round trip")
struct RealtimeSessionLongPathTests {
    @Test("With round trips of 0.1 to 4 s the first connect of a conversation is its last (K-19)")
    func roundTrips() throws {
        for tenths in 1...40 as ClosedRange<Int64> {
            let roundTrip = Duration.milliseconds(100 * tenths)
            var path = LongPath(roundTrip)
            try path.run(for: .seconds(300))
            let joined = try #require(path.connectedAt, "\(roundTrip)")
            #expect(path.connects == 1, "\(roundTrip)")
            #expect(path.tokensAsked <= 3, "\(roundTrip)")
            #expect(Instant.zero.duration(to: joined) <= roundTrip * 15, "\(roundTrip)")
        }
    }

    @Test("A first connect over a quick path is not probed, and the joined room once (K-19)")
    func quick() throws {
        var path = LongPath(.milliseconds(200))
        try path.run(for: .seconds(10))
        #expect(path.connectedAt == Instant.zero.advanced(by: .seconds(3)))
        #expect(path.probes.count == 1)
    }

    @Test("What takes longer than 3 s is probed, and no room server before one is known (K-19)")
    func probed() throws {
        var path = LongPath(.seconds(1))
        try path.run(for: .seconds(60))
        let first = try #require(path.probes.first)
        #expect(first.at == Instant.zero.advanced(by: .seconds(3)))
        let token = Instant.zero.advanced(by: .seconds(5))
        #expect(path.probes.filter { $0.at < token }.allSatisfy { $0.host == .other })
        #expect(path.probes.contains { $0.host == .roomServer })
    }

    @Test("Where datagrams are blocked the first request may be late all the same (K-19)")
    func blocked() throws {
        var path = LongPath(.milliseconds(1_500), passesDatagrams: false)
        try path.run(for: .seconds(60))
        // Late by 2.5 s; the connect has the time that a slow path takes.
        let joined = try #require(path.connectedAt)
        #expect(Instant.zero.duration(to: joined) == .milliseconds(22_500))
    }
}
