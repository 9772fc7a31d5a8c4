import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect
private typealias Event = RealtimeSession.Event

@Suite("A session notices that a connected room is dead (K-01c)")
struct RealtimeSessionWatchdogTests {
    /// A room that showed no sign of life after 2 s and was joined again at 11 s, by room object 2.
    ///
    /// Operations up to 5 are used up; the microphone's order has no answer yet.
    private func rejoined() throws(TranscriptMismatch) -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        for second in 2...7 as ClosedRange<Int64> {
            try story.expect(Story.statistics(1, consents: 1, others: 1), at: .seconds(second))
        }
        try story.expectWake(at: .seconds(8)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .seconds(10)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
        try story.expect(Story.connectFinished(2, 4), at: .seconds(11)) {
            Effect.writeLog(.connected(RoomID(number: 2)))
            Story.microphone(2, 5, true)
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        return story
    }

    @Test("Without a sign of life the status says so, then another room object connects")
    func dead() throws {
        _ = try rejoined()
    }

    @Test("Statistics that do not come at all are no sign of life either")
    func silent() throws {
        var story = try Story.connected()
        try story.expectWake(at: .milliseconds(6_999))
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "Who wakes after a sleep that no token outlives lets the room object go at once (RS-11)",
        arguments: [(660, false), (700, true)] as [(Int64, Bool)]
    )
    func asleep(wokenAt second: Int64, isTokenDead: Bool) throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, received: second * 50)
            try story.expect(statistics, at: .seconds(second))
        }
        let lost: [Effect] = isTokenDead ? [Effect.handOverOffline] : []
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(second)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            lost
            Story.status(.reconnecting)
        }
        guard isTokenDead else { return }
        try story.expectWake(at: .seconds(second)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.fetch(4, resume: "room-1")
        }
    }

    @Test("An agent that falls silent on a living link is given up for another (D-22)")
    func forsaken() throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, received: second * 50)
            try story.expect(statistics, at: .seconds(second))
        }
        for second in 5...9 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, received: 200)
            try story.expect(statistics, at: .seconds(second))
        }
        try story.expect(Story.statistics(1, consents: 10, received: 200), at: .seconds(10)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        // Others may have lost theirs in the same second (K-20).
        let due = try #require(story.machine.deadline?.instant)
        #expect(due <= Instant.zero.advanced(by: .seconds(17)))
        try story.expectWake(at: Instant.zero.duration(to: due)) { Story.fetch(4) }
    }

    @Test(
        "Voice that ends with all else is no agent that has gone: the next connect joins the same room (D-18, D-22)",
        arguments: [4, 5]
    )
    func cutOff(consentsAtEnd: Int64) throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, received: second * 50)
            try story.expect(statistics, at: .seconds(second))
        }
        // An answer that was under way when the path went may come in after the last voice.
        for second in 5...9 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: consentsAtEnd, received: 200)
            try story.expect(statistics, at: .seconds(second))
        }
        let statistics = Story.statistics(1, consents: consentsAtEnd, received: 200)
        try story.expect(statistics, at: .seconds(10)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        let last: Int64 = consentsAtEnd == 4 ? 10 : 11
        try story.expectWake(at: .seconds(last + 2)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test(
        "An agent that went with the path has three seconds once the path is back, and none if its track went (D-22)",
        arguments: [false, true]
    )
    func goneWithThePath(isUnsubscribed: Bool) throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, received: second * 50)
            try story.expect(statistics, at: .seconds(second))
        }
        if isUnsubscribed {
            try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(5)) {
                Story.order(1, .stopRenderer)
            }
        }
        try story.expectWake(at: .seconds(10)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        guard !isUnsubscribed else {
            let back = Story.statistics(1, consents: 5, received: 200)
            return try story.expect(back, at: .seconds(11)) {
                Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
                Story.order(1, .release)
                Story.fetch(4)
            }
        }
        try story.expect(Story.statistics(1, consents: 5, received: 200), at: .seconds(11)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(Story.statistics(1, consents: 6, received: 200), at: .seconds(12))
        try story.expectWake(at: .seconds(13)) { Story.status(.connected) }
        try story.expect(Story.statistics(1, consents: 7, received: 200), at: .milliseconds(13_900))
        try story.expect(Story.statistics(1, consents: 8, received: 200), at: .seconds(14)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.fetch(4)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "An agent that leaves before it was ever heard is given up: for another where nobody is left, else in the same room (D-22)",
        arguments: [(0, true), (1, false)]
    )
    func neverHeard(others: Int, isUnsubscribed: Bool) throws {
        var story = try Story.connected()
        if isUnsubscribed {
            try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .milliseconds(1_200)) {
                Story.order(1, .stopRenderer)
            }
        }
        for second in 2...6 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, received: 0, others: others)
            try story.expect(statistics, at: .seconds(second))
        }
        guard isUnsubscribed else {
            // A ghost: the room object takes for present whom nobody hears.
            try story.expectWake(at: .seconds(7)) {
                Effect.handOverOffline
                Story.status(.reconnecting)
            }
            try story.expect(Story.statistics(1, consents: 8, received: 0), at: .seconds(8))
            return try story.expectWake(at: .seconds(9)) {
                Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
                Story.order(1, .stopRenderer)
                Story.order(1, .release)
                Story.connect(2, operation: 4)
            }
        }
        try story.expectWake(at: .seconds(7)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.fetch(4)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("Where nobody counts packets, an agent is missed from its track's end on (D-22)")
    func neverCounted() throws {
        var story = try Story.connected()
        try story.expect(Story.statistics(1, consents: 2, others: 1), at: .seconds(2))
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .milliseconds(2_500)) {
            Story.order(1, .stopRenderer)
        }
        for second in 3...8 as ClosedRange<Int64> {
            let statistics = Story.statistics(1, consents: second, others: 0)
            try story.expect(statistics, at: .seconds(second))
        }
        try story.expectWake(at: .milliseconds(8_500)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.fetch(4)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "A room that is joined again and holds nobody is left for a new one; one that is deaf is joined again (D-18)",
        arguments: [(0, true), (0, false), (1, true)]
    )
    func deserted(others: Int, isAlive: Bool) throws {
        var story = try rejoined()
        try story.expect(Story.microphoneFinished(2, 5), at: .seconds(11))
        try story.expect(Story.statistics(2, consents: 1, others: others), at: .seconds(12))
        try story.expectWake(at: .seconds(13)) { Story.status(.connected) }
        for second in 13...16 as ClosedRange<Int64> {
            let consents = isAlive ? second : 1
            let statistics = Story.statistics(2, consents: consents, others: others)
            try story.expect(statistics, at: .seconds(second))
        }
        guard others == 0, isAlive else {
            try story.expectWake(at: .seconds(17)) {
                Effect.handOverOffline
                Story.status(.reconnecting)
            }
            return try story.expectWake(at: .seconds(19)) {
                Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
                Story.order(2, .release)
                Story.connect(3, operation: 6)
            }
        }
        try story.expectWake(at: .seconds(17)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(2, .release)
            Story.fetch(6)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("Either a consent check or a packet is a sign of life", arguments: [true, false])
    func alive(isConsent: Bool) throws {
        var story = try Story.connected()
        for second in 2..<100 as Range<Int64> {
            let event = Story.statistics(
                1,
                consents: isConsent ? second / 2 : 0,
                received: isConsent ? 0 : second
            )
            try story.expect(event, at: .seconds(second))
        }
    }

    @Test("Life that comes back before the room is given up keeps it")
    func restored() throws {
        var story = try Story.connected()
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(8)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expectWake(at: .seconds(10)) { Story.status(.connected) }
    }

    @Test("After a suspension nothing is concluded from the silence (L4)")
    func suspended() throws {
        var story = try Story.connected()
        try story.expectWake(at: .seconds(600), isLate: true)
        try story.expectWake(at: .seconds(606)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .seconds(1_200), isLate: true)
        try story.expect(Story.statistics(1, consents: 9), at: .seconds(1_201)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
    }

    @Test("Consent checks are no sign of life while the microphone stays unopened")
    func unopened() throws {
        var story = try Story.connected(opensMicrophone: false)
        for second in 2...6 as ClosedRange<Int64> {
            try story.expect(Story.statistics(1, consents: second), at: .seconds(second))
        }
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.statistics(1, consents: 9), at: .seconds(8))
        try story.expectWake(at: .seconds(9)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test("A track that the server takes late brings voice back")
    func openedLate() throws {
        var story = try Story.connected(opensMicrophone: false)
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(6))
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.microphoneFinished(1, 3), at: .seconds(8))
        try story.expect(Story.statistics(1, consents: 2), at: .milliseconds(8_500)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
    }

    @Test("A room into which nobody comes is given up: at once the first time, then ever later")
    func speechless() throws {
        var phone = WillingPhone(seed: 1, hasAgent: false)
        phone.send(.connectRequested(Story.identity), at: .zero)
        for second in 1...120 as ClosedRange<Int64> {
            let event = Story.statistics(phone.room, consents: second)
            phone.send(event, at: Instant.zero.advanced(by: .seconds(second)))
        }
        #expect((10...14).contains(phone.room), "\(phone.room) rooms in two minutes")
    }

    /// What consent checks a pair makes under loss: one every 2.5 s, every 0.9 s from the first that
    /// stays unanswered (libwebrtc, `p2p/base/p2p_transport_channel.cc`), half of the round trip after.
    private func consentTimes(
        lossPercent: Int,
        until end: Int64,
        _ random: inout LawRandom
    ) -> [Int64] {
        var times: [Int64] = []
        var milliseconds: Int64 = 0
        while milliseconds < end {
            let isAnswered =
                !random.chance(percent: lossPercent) && !random.chance(percent: lossPercent)
            if isAnswered { times.append(milliseconds + 200) }
            milliseconds += isAnswered ? 2_500 : 900
        }
        return times
    }

    /// How often an hour of 10 % loss raises suspicion, and how many rooms it costs.
    private func hour(seed: UInt64, hasVoice: Bool) -> (suspicions: Int, rooms: Int) {
        var random = LawRandom(seed: seed)
        let times = consentTimes(lossPercent: 10, until: 3_600_000, &random)
        var phone = WillingPhone(seed: seed)
        phone.send(.connectRequested(Story.identity), at: .zero)
        var consents = 0
        var received: Int64 = 0
        for second in 1...3_600 {
            while consents < times.count, times[consents] <= Int64(second) * 1_000 { consents += 1 }
            if hasVoice {
                for _ in 0..<50 where !random.chance(percent: 10) { received += 1 }
            }
            let event = Story.statistics(
                phone.room,
                consents: Int64(consents),
                received: hasVoice ? received : nil
            )
            phone.send(event, at: Instant.zero.advanced(by: .seconds(second)))
        }
        return (phone.suspicions, Int(phone.room) - 1)
    }

    @Test("With voice, an hour of 10 % loss and 100 ms raises no suspicion (K-10)")
    func lossWithVoice() {
        for seed in 0..<4 as Range<UInt64> {
            let (suspicions, rooms) = hour(seed: seed, hasVoice: true)
            #expect(suspicions == 0 && rooms == 0)
        }
    }

    @Test(
        "On consent checks alone, ten hours of 10 % loss cost three rooms at most (K-10)"
    )
    func lossWithoutVoice() {
        var suspicions = 0
        var rooms = 0
        for seed in 0..<10 as Range<UInt64> {
            let cost = hour(seed: seed, hasVoice: false)
            suspicions += cost.suspicions
            rooms += cost.rooms
        }
        #expect(rooms <= 3, "\(rooms) rooms in ten hours")
        #expect(suspicions <= 60, "\(suspicions) suspicions in ten hours")
    }
}

/// Answers whatever a session orders at once, and counts its suspicions.
private struct WillingPhone {
    private(set) var room: UInt32 = 0
    private(set) var suspicions = 0
    private var session: RealtimeSession
    private var effects: [Effect] = []

    private let hasAgent: Bool

    init(seed: UInt64, hasAgent: Bool = true) {
        self.hasAgent = hasAgent
        session = RealtimeSession(configuration: Story.configuration, seed: seed)
    }

    mutating func send(_ event: RealtimeSession.Event, at now: Instant) {
        while let deadline = session.deadline, deadline.instant <= now {
            effects += session.wake(at: deadline.instant)
            answer(at: deadline.instant)
        }
        effects += session.handle(event, at: now)
        answer(at: now)
    }

    private mutating func answer(at now: Instant) {
        while !effects.isEmpty {
            let orders = effects
            effects.removeAll()
            for order in orders {
                for event in events(for: order) {
                    effects += session.handle(event, at: now)
                }
            }
        }
    }

    private mutating func events(for order: Effect) -> [RealtimeSession.Event] {
        switch order {
        case .callAPI(let operation, _):
            return [.apiAnswered(operation, Story.credentials(timeToLive: .seconds(7_200)))]
        case .room(let id, .connect(let operation, _, _, _)):
            room = id.number
            let agent = Event.room(id, .remoteAudioSubscribed)
            return (hasAgent ? [agent] : []) + [.room(id, .connectFinished(operation, nil))]
        case .room(let id, .setMicrophone(let operation, _)):
            return [.room(id, .microphoneFinished(operation, nil))]
        case .handOverOffline:
            suspicions += 1
            return []
        default:
            return []
        }
    }
}
