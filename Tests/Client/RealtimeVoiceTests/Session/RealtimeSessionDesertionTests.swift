import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect
private typealias Event = RealtimeSession.Event

@Suite("A session leaves a room that holds nobody (D-18)")
struct RealtimeSessionDesertionTests {
    private func failed(_ room: UInt32) -> [Effect] {
        [
            .writeLog(.failed(.connecting, code: RoomError.network.rawValue)),
            Story.order(room, .release),
        ]
    }

    /// A room that was lost at 10 s and is joined again at 12 s, by the third attempt.
    private func rejoined() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expect(Story.connectFinished(2, 4, .network), at: .milliseconds(10_300)) {
            failed(2)
        }
        try story.expectWake(at: .milliseconds(10_700)) { Story.connect(3, operation: 5) }
        try story.expect(Story.connectFinished(3, 5, .network), at: .milliseconds(10_800)) {
            failed(3)
        }
        try story.expectWake(at: .milliseconds(11_600)) {
            Story.connect(4, operation: 6, Story.longOptions)
        }
        try story.expect(Story.connectFinished(4, 6), at: .seconds(12)) {
            Effect.writeLog(.connected(RoomID(number: 4)))
            Story.microphone(4, 7, true)
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(Story.microphoneFinished(4, 7), at: .seconds(12))
        return story
    }

    @Test("A room found empty is no connect that failed: the next one is asked for at once")
    func atOnce() throws {
        var story = try rejoined()
        try story.expect(Story.statistics(4, consents: 1, others: 0), at: .seconds(13))
        try story.expectWake(at: .seconds(14)) { Story.status(.connected) }
        for second in 14...17 as ClosedRange<Int64> {
            let statistics = Story.statistics(4, consents: second, others: 0)
            try story.expect(statistics, at: .seconds(second))
        }
        try story.expectWake(at: .seconds(18)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(4, .release)
            Story.fetch(8)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "A check every 2.5 s is a sign of life, though statistics show it up to a second late",
        arguments: [(14, true), (13, false)] as [(Int64, Bool)]
    )
    func lateStatistics(lastLife: Int64, isAlive: Bool) throws {
        var story = try rejoined()
        for second in 12...17 as ClosedRange<Int64> {
            let consents: Int64 = second < lastLife ? 1 : 2
            let statistics = Story.statistics(4, consents: consents, others: 0)
            try story.expect(statistics, at: .milliseconds(1_000 * second + 950))
            if second == 13 {
                try story.expectWake(at: .seconds(14)) { Story.status(.connected) }
            }
        }
        guard isAlive else {
            return try story.expectWake(at: .seconds(18)) {
                Effect.handOverOffline
                Story.status(.reconnecting)
            }
        }
        try story.expectWake(at: .seconds(18)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(4, .release)
            Story.fetch(8)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "However long an agent takes to start, up to 45 s, it is met in a room kept for it",
        arguments: [1, 10, 14, 15, 17, 18, 20, 25, 30, 45] as [Int64]
    )
    func startsLate(seconds: Int64) throws {
        var rooms = LateAgent(joinTime: .seconds(seconds))
        rooms.run(seconds: 300)
        let met = try #require(rooms.metAt, "\(rooms.roomsMade) rooms, and never met")
        #expect(met <= Instant.zero.advanced(by: .seconds(2 * seconds + 15)))
    }

    @Test(
        "Where no agent ever comes, rooms are kept ever longer, and the user is told once (RS-09)"
    )
    func neverStarts() {
        var rooms = LateAgent(joinTime: nil)
        rooms.run(seconds: 600)
        #expect((5...8).contains(rooms.roomsMade), "\(rooms.roomsMade) rooms in ten minutes")
        #expect(
            rooms.connects == rooms.roomsMade,
            "no room object is given up for want of an agent"
        )
        #expect(rooms.shown.filter { $0 == .couldNotConnect } == [.couldNotConnect])
        #expect(rooms.shown.last == .couldNotConnect)
        #expect(rooms.shown.count { $0 == .connected } == 1)
    }

    @Test(
        "Agents that leave 200 phones at once bring no quarter of them back in one second (K-20)",
        arguments: [true, false]
    )
    func leavesMany(isTold: Bool) throws {
        var asked: [Instant] = []
        for seed in 1...200 as ClosedRange<UInt64> {
            var rooms = LateAgent(joinTime: .zero, seed: seed, tellsDeparture: isTold)
            rooms.run(seconds: 30)
            rooms.agentLeaves()
            rooms.run(seconds: 60)
            #expect(rooms.roomsMade == 2)
            asked.append(try #require(rooms.askedAt))
        }
        let crowds = asked.map { start in
            asked.count { $0 >= start && $0 < start.advanced(by: .seconds(1)) }
        }
        #expect(try #require(crowds.max()) <= 50)
        let last = try #require(asked.max())
        #expect(last <= Instant.zero.advanced(by: .seconds(isTold ? 40 : 44)))
    }

    @Test("An agent that comes back while its room is still kept is met there")
    func comesBack() {
        var rooms = LateAgent(joinTime: .zero)
        rooms.run(seconds: 30)
        rooms.agentLeaves()
        rooms.run(seconds: 31)
        rooms.agentReturns()
        rooms.run(seconds: 90)
        #expect(rooms.roomsMade == 1)
    }

    @Test("Once an agent was heard, an empty room is left as soon as the first one")
    func patienceEnds() {
        var rooms = LateAgent(joinTime: .seconds(30))
        rooms.run(seconds: 100)
        #expect(rooms.metAt != nil)
        let made = rooms.roomsMade
        rooms.agentLeaves()
        // 8.5 s at most until it is missed, and 14 to 21 s for the next room.
        rooms.run(seconds: 135)
        #expect(rooms.roomsMade == made + 2)
    }
}

/// A server whose agent comes late to every room, or never, and a session that it answers at once.
private struct LateAgent {
    /// How many rooms were made.
    private(set) var roomsMade = 0
    /// When the session first was in a room with the agent.
    private(set) var metAt: Instant?

    /// How often a room object connected.
    private(set) var connects = 0
    /// When a token for the latest room was asked for.
    private(set) var askedAt: Instant?
    /// What the user read.
    private(set) var shown: [SessionStage] = []

    private let joinTime: Duration?
    /// Whether the server says that the agent has left.
    private let tellsDeparture: Bool
    private var session: RealtimeSession
    private var effects: [Effect] = []
    private var now = Instant.zero
    private var roomName = ""
    /// When the latest room was joined first.
    private var calledAt: Instant?
    /// Whether the latest room's agent has left it.
    private var hasLeft = false
    private var object: RoomID?
    private var isSubscribed = false
    private var counts = RoomStatistics()

    init(joinTime: Duration?, seed: UInt64 = 1, tellsDeparture: Bool = true) {
        self.joinTime = joinTime
        self.tellsDeparture = tellsDeparture
        session = RealtimeSession(configuration: Story.configuration, seed: seed)
        effects += session.handle(.connectRequested(Story.identity), at: now)
        answer()
    }

    /// Goes on to so many seconds after the start, with statistics once a second.
    mutating func run(seconds: Int64) {
        let end = Instant.zero.advanced(by: .seconds(seconds))
        while now < end {
            let next = now.advanced(by: .seconds(1))
            while let due = session.deadline?.instant, due <= next {
                now = due
                effects += session.wake(at: now)
                answer()
            }
            now = next
            tell()
        }
    }

    mutating func agentLeaves() {
        hasLeft = true
    }

    mutating func agentReturns() {
        hasLeft = false
    }

    private var isAgentThere: Bool {
        guard let joinTime, let calledAt, !hasLeft else { return false }
        return now >= calledAt.advanced(by: joinTime)
    }

    private mutating func tell() {
        guard let object else { return }
        if isAgentThere, !isSubscribed { send(.room(object, .remoteAudioSubscribed)) }
        if !isAgentThere, isSubscribed, tellsDeparture {
            send(.room(object, .remoteAudioUnsubscribed))
        }
        isSubscribed = isAgentThere
        if isAgentThere { metAt = metAt ?? now }
        counts.consentResponses += 1
        counts.packetsSent += 50
        counts.packetsReceived = (counts.packetsReceived ?? 0) + (isAgentThere ? 50 : 0)
        counts.othersPresent = isAgentThere || hasLeft && !tellsDeparture ? 1 : 0
        send(.room(object, .statistics(counts)))
    }

    private mutating func send(_ event: Event) {
        effects += session.handle(event, at: now)
        answer()
    }

    private mutating func answer() {
        while !effects.isEmpty {
            let orders = effects
            effects.removeAll()
            for order in orders {
                for event in answers(to: order) {
                    effects += session.handle(event, at: now)
                }
            }
        }
    }

    private mutating func answers(to order: Effect) -> [Event] {
        switch order {
        case .callAPI(let operation, .ephemeralToken(_, _, let resumed)):
            if resumed == nil {
                askedAt = now
                roomsMade += 1
                roomName = "room-\(roomsMade)"
                calledAt = nil
                hasLeft = false
            }
            let token = Story.credentials(room: roomName, timeToLive: .seconds(7_200))
            return [.apiAnswered(operation, token)]
        case .room(let id, .connect(let operation, _, _, _)):
            object = id
            connects += 1
            counts = RoomStatistics()
            calledAt = calledAt ?? now
            isSubscribed = isAgentThere
            let agent = isSubscribed ? [Event.room(id, .remoteAudioSubscribed)] : []
            return agent + [.room(id, .connectFinished(operation, nil))]
        case .room(let id, .setMicrophone(let operation, _)):
            return [.room(id, .microphoneFinished(operation, nil))]
        case .statusChanged(let status):
            shown.append(status.stage)
            return []
        case .room(let id, .release):
            if object == id { object = nil }
            return []
        default:
            return []
        }
    }
}
