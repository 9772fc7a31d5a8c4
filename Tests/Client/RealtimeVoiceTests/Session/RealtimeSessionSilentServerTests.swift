import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory

/// A session that has lost its room at 2 s, on a path of 60 ms by which no room server answers a connect.
private struct SilentServer {
    private static let roundTrip = Duration.milliseconds(60)

    private let passesDatagrams: Bool
    /// How long the app's own server takes for a token after the loss.
    private let tokenTime: Duration
    private let timeToLive: Duration
    private var session: RealtimeSession
    private var answers: [(due: Instant, event: RealtimeSession.Event)] = []
    private var now = Instant.zero
    private var isLost = false
    private var since: Instant?
    /// How long each attempt was given after the loss.
    private(set) var attempts: [Duration] = []

    init(
        passesDatagrams: Bool = true,
        tokenTime: Duration = .milliseconds(300),
        timeToLive: Duration = .seconds(600)
    ) throws {
        self.passesDatagrams = passesDatagrams
        self.tokenTime = tokenTime
        self.timeToLive = timeToLive
        session = RealtimeSession(configuration: RealtimeSessionConfiguration(), seed: 1)
        drive(.connectRequested(Story.identity))
        try run(until: .seconds(2))
        isLost = true
        drive(Story.says(1, .disconnected(.network)))
    }

    mutating func run(until end: Duration) throws {
        let end = Instant.zero.advanced(by: end)
        while now < end {
            let next = answers.indices.min { answers[$0].due < answers[$1].due }
            let deadline = min(session.deadline?.instant ?? end, end)
            if let next, answers[next].due <= deadline {
                let answer = answers.remove(at: next)
                now = max(now, answer.due)
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
            let token = Story.credentials(timeToLive: timeToLive)
            answer(.apiAnswered(operation, token), after: isLost ? tokenTime : .milliseconds(300))
        case .cancelAPI(let operation):
            answers.removeAll { answer in
                guard case .apiAnswered(operation, _) = answer.event else { return false }
                return true
            }
        case .probe(let operation, _):
            if passesDatagrams { answer(.probeAnswered(operation), after: Self.roundTrip) }
        case .room(let room, .connect(let operation, _, _, _)):
            since = now
            if !isLost { answer(.room(room, .connectFinished(operation, nil)), after: .seconds(1)) }
        case .room(_, .release):
            if let since, isLost { attempts.append(since.duration(to: now)) }
            since = nil
        default:
            return
        }
    }

    private mutating func answer(_ event: RealtimeSession.Event, after time: Duration) {
        answers.append((now.advanced(by: time), event))
    }
}

@Suite("A server that is silent behind a path that lives")
struct RealtimeSessionSilentServerTests {
    @Test("Where probes are answered within 0.2 s no attempt has a slow path's time (K-01b)")
    func shortPath() throws {
        var silent = try SilentServer()
        try silent.run(until: .seconds(120))
        // The first release is the room's that was lost.
        let attempts = silent.attempts.dropFirst()
        #expect(attempts.count >= 8)
        #expect(attempts.allSatisfy { $0 <= .milliseconds(6_500) }, "\(attempts)")
    }

    @Test("Where no probe is answered every third attempt has 20 s: the path may be slow (K-10)")
    func unknownPath() throws {
        var silent = try SilentServer(passesDatagrams: false)
        try silent.run(until: .seconds(120))
        #expect(silent.attempts.dropFirst().count { $0 == .seconds(20) } >= 2)
    }

    @Test("By a short path, too, an app's server that takes 8 s brings a token (RS-02)")
    func slowTokens() throws {
        var silent = try SilentServer(tokenTime: .seconds(8), timeToLive: .seconds(60))
        try silent.run(until: .seconds(60))
        #expect(silent.attempts.count >= 2)
    }
}
