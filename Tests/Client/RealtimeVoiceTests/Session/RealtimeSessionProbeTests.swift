import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session that lost its voice feels for the path (K-19)")
struct RealtimeSessionProbeTests {
    private var configuration: RealtimeSessionConfiguration {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        return configuration
    }

    /// The probe of that number in the outage; the one before it went out with the first connect.
    private func probe(_ number: UInt32) -> Effect {
        .probe(OperationID(number: number + 1), number % 2 == 1 ? .roomServer : .other)
    }

    private func answered(_ number: UInt32) -> RealtimeSession.Event {
        .probeAnswered(OperationID(number: number + 1))
    }

    private let cancelled = Effect.writeLog(
        .failed(.connecting, code: RoomError.cancelled.rawValue)
    )

    /// A session whose room object is gone at 10 s, and that has sent its first probe.
    private func lost() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected(configuration)
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
            probe(1)
        }
        return story
    }

    /// The same, with a connect that began at 10.2 s and probes until `end`.
    private func connecting(until end: Duration) throws -> Transcript<RealtimeSession> {
        var story = try lost()
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        var number: UInt32 = 2
        while story.machine.deadline.map({ $0.instant <= Instant.zero.advanced(by: end) }) == true {
            let due = Duration.milliseconds(10_000 + 500 * Int64(number - 1))
            try story.expectWake(at: due) { probe(number) }
            number += 1
        }
        return story
    }

    @Test(
        "A connect begun after the last lost probe has the time of a connect once one is answered (K-19)"
    )
    func hurries() throws {
        var story = try lost()
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expectWake(at: .milliseconds(10_500)) { probe(2) }
        try story.expect(Story.connectFinished(2, 4, .network), at: .milliseconds(10_550)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
            Story.order(2, .release)
        }
        try story.expectWake(at: .milliseconds(10_950)) { Story.connect(3, operation: 5) }
        try story.expectWake(at: .seconds(11)) { probe(3) }
        // A portal may have taken its socket at 10.95 s.
        try story.expect(answered(3), at: .milliseconds(11_040))
        for number in 4...5 as ClosedRange<UInt32> {
            let due = Duration.milliseconds(10_000 + 500 * Int64(number - 1))
            try story.expectWake(at: due) { probe(number) }
        }
        // Half a second and 16 round trips of 40 ms.
        try story.expectWake(at: .milliseconds(12_090)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.timedOut.rawValue))
            Story.order(3, .release)
        }
    }

    @Test("A connect begun on a dead path is given up as soon as a probe is answered (D-08)")
    func abandons() throws {
        var story = try connecting(until: .seconds(12))
        try story.expect(answered(5), at: .milliseconds(12_040)) {
            cancelled
            Story.order(2, .release)
            Story.connect(3, operation: 5)
        }
        // What it still says is not listened to.
        try story.expect(Story.connectFinished(2, 4), at: .milliseconds(12_100))
    }

    /// A connect that began at 10.2 s on a path that answers until 11.5 s, and again from the probe of that
    /// number on.
    private func interrupted(until number: UInt32) throws -> Transcript<RealtimeSession> {
        var story = try lost()
        try story.expect(answered(1), at: .milliseconds(10_040))
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        for next in 2...number {
            let due = Duration.milliseconds(10_000 + 500 * Int64(next - 1))
            try story.expectWake(at: due) { probe(next) }
            if next <= 4 { try story.expect(answered(next), at: due + .milliseconds(40)) }
        }
        return story
    }

    @Test("A connect that lived for longer than the path was lost goes on (K-10)")
    func goesOn() throws {
        var story = try interrupted(until: 7)
        try story.expect(answered(7), at: .milliseconds(13_040))
    }

    @Test("A connect that the path was lost to for longer than it had lived begins anew (K-19)")
    func lostForLonger() throws {
        var story = try interrupted(until: 10)
        try story.expect(answered(10), at: .milliseconds(14_540)) {
            cancelled
            Story.order(2, .release)
            Story.connect(3, operation: 5)
        }
    }

    @Test("One lost probe among answered ones moves nothing: it may be chance")
    func oneLoss() throws {
        var story = try connecting(until: .seconds(12))
        try story.expect(answered(1), at: .milliseconds(12_001))
        try story.expect(answered(2), at: .milliseconds(12_002))
        try story.expect(answered(3), at: .milliseconds(12_003))
        try story.expect(answered(5), at: .milliseconds(12_040))
    }

    @Test("One probe lost while a connect is under way does not end it (K-19)")
    func lostWhileConnecting() throws {
        var story = try connecting(until: .milliseconds(12_500))
        try story.expect(answered(6), at: .milliseconds(12_540)) {
            cancelled
            Story.order(2, .release)
            Story.connect(3, operation: 5)
        }
        // The seventh, the room server's, is lost.
        for number in 7...9 as ClosedRange<UInt32> {
            let due = Duration.milliseconds(10_000 + 500 * Int64(number - 1))
            try story.expectWake(at: due) { probe(number) }
            if number > 7 { try story.expect(answered(number), at: due + .milliseconds(40)) }
        }
    }

    @Test("A connect begun after the last lost probe is left alone")
    func youngConnect() throws {
        var story = try lost()
        // The first connect fails at once, the next one begins 0.4 s later.
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expectWake(at: .milliseconds(10_500)) { probe(2) }
        try story.expect(Story.connectFinished(2, 4, .network), at: .milliseconds(10_200 + 350)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
            Story.order(2, .release)
        }
        try story.expectWake(at: .milliseconds(10_950)) { Story.connect(3, operation: 5) }
        try story.expectWake(at: .milliseconds(11_000)) { probe(3) }
        try story.expect(answered(3), at: .milliseconds(11_040))
    }

    @Test("An answer after lost probes ends a wait")
    func endsWait() throws {
        var story = try connecting(until: .seconds(16))
        try story.expect(Story.connectFinished(2, 4, .network), at: .milliseconds(16_100)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
            Story.order(2, .release)
        }
        try story.expect(answered(13), at: .milliseconds(16_200)) {
            Story.connect(3, operation: 5)
        }
    }

    @Test("A path that is there and slow loses no probe, and gives connects the time they need")
    func slowPath() throws {
        var story = try connecting(until: .seconds(16))
        for number in 1...6 as ClosedRange<UInt32> {
            let sent = Duration.milliseconds(10_000 + 500 * Int64(number - 1))
            try story.expect(answered(number), at: max(sent + .seconds(3), .seconds(16)))
        }
        try story.expectWake(at: .milliseconds(16_500)) { probe(14) }
        // The path answers: the connect has as long as the SDK gives it.
        try story.expectWake(at: .milliseconds(16_700))
        try story.expectWake(at: .milliseconds(17_000)) { probe(15) }
        try story.expect(Story.connectFinished(2, 4, .timedOut), at: .milliseconds(17_050)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.timedOut.rawValue))
            Story.order(2, .release)
        }
        var options = Story.options
        options.socketConnectTimeout = .seconds(28)
        options.primaryTransportConnectTimeout = .seconds(28)
        options.publisherTransportConnectTimeout = .seconds(28)
        try story.expectWake(at: .milliseconds(17_450)) { Story.connect(3, operation: 5, options) }
    }

    @Test("A room that shows no life after an answer is replaced at its next statistics")
    func blamed() throws {
        var story = try silent()
        try story.expect(answered(5), at: .milliseconds(9_040))
        try story.expect(Story.statistics(1, consents: 0), at: .milliseconds(9_100))
        try story.expectWake(at: .milliseconds(9_500)) { probe(6) }
        try story.expect(Story.statistics(1, consents: 0), at: .milliseconds(10_000)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
            probe(7)
        }
    }

    @Test("When the path is back, failures on the dead one no longer delay the next attempt (D-08)")
    func failuresForgotten() throws {
        var story = try lost()
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        for (room, ends) in [(2, 10_300), (3, 10_800)] as [(UInt32, Int64)] {
            let failed = Story.connectFinished(room, room + 2, .network)
            story.pass(until: .milliseconds(ends))
            try story.expect(failed, at: .milliseconds(ends)) {
                Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
                Story.order(room, .release)
            }
        }
        // The third connects, and never shows life.
        story.pass(until: .seconds(12))
        try story.expect(Story.connectFinished(4, 6), at: .seconds(12)) {
            Effect.writeLog(.connected(RoomID(number: 4)))
            Story.microphone(4, 7, true)
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        // It is probed once it has been silent, and of the probes only the latest is answered.
        var session = story.machine
        var effects: [Effect] = []
        let end = Instant.zero.advanced(by: .milliseconds(19_600))
        while let due = session.deadline?.instant, due < end {
            effects += session.wake(at: due)
        }
        let probes = effects.compactMap { effect -> OperationID? in
            if case .probe(let operation, _) = effect { operation } else { nil }
        }
        #expect(probes.count == 4)
        let latest = try #require(probes.last)
        effects += session.handle(.probeAnswered(latest), at: end)
        effects.removeAll()
        let next = Instant.zero.advanced(by: .milliseconds(19_950))
        effects += session.handle(Story.statistics(4, consents: 0), at: next)
        #expect(effects.contains(.room(RoomID(number: 5), .create)))
    }

    @Test("A room that shows life after an answer is kept, and nobody probes any more")
    func revived() throws {
        var story = try silent()
        try story.expect(answered(5), at: .milliseconds(9_040))
        try story.expect(Story.statistics(1, consents: 2), at: .milliseconds(9_400)) {
            Effect.takeBackOnline
        }
        for second in 10..<30 as Range<Int64> {
            try story.expect(Story.statistics(1, consents: second), at: .seconds(second))
        }
    }

    @Test("A room that showed life after one silence is given its time in the next")
    func revivedIsNotBlamed() throws {
        var story = try silent()
        try story.expect(answered(5), at: .milliseconds(9_040))
        try story.expect(Story.statistics(1, consents: 2), at: .milliseconds(9_400)) {
            Effect.takeBackOnline
        }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .milliseconds(9_500)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectCompleted(.quick)))
            Story.status(.reconnected)
        }
        try story.expect(.pathChanged(.unsatisfied), at: .milliseconds(10_000)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 7), .roomServer)
        }
        try story.expect(Story.statistics(1, consents: 2), at: .milliseconds(10_400))
    }

    @Test("What the SDK began on a dead path is given up though checks are answered (K-19)")
    func stuck() throws {
        var story = try Story.connected(configuration)
        let voice = Story.statistics(1, consents: 1, received: 50)
        try story.expect(voice, at: .milliseconds(1_500))
        try story.expectWake(at: .milliseconds(7_500)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
            probe(1)
        }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(7_600)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
        }
        for number in 2...5 as ClosedRange<UInt32> {
            let due = Duration.milliseconds(7_500 + 500 * Int64(number - 1))
            try story.expectWake(at: due) { probe(number) }
        }
        try story.expect(answered(5), at: .milliseconds(9_540))
        var heard = story
        // The agent's voice shows that nothing more is needed.
        let back = Story.statistics(1, consents: 2, received: 75)
        try heard.expect(back, at: .milliseconds(10_400)) { Effect.takeBackOnline }
        let unheard = Story.statistics(1, consents: 2, received: 50)
        try story.expect(unheard, at: .milliseconds(10_400)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
            probe(6)
        }
    }

    /// A room object silent from 1.5 s on, suspected at 7 s, whose SDK reconnects; five probes are out.
    private func silent() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected(configuration)
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
            probe(1)
        }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(7_100)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
        }
        for number in 2...5 as ClosedRange<UInt32> {
            let due = Duration.milliseconds(7_000 + 500 * Int64(number - 1))
            try story.expectWake(at: due) { probe(number) }
        }
        return story
    }

    @Test("At most two probes in any second, and one in three after a minute")
    func rate() throws {
        var session = RealtimeSession(configuration: configuration, seed: 1)
        var effects: [Effect] = []
        effects += session.handle(.connectRequested(Story.identity), at: .zero)
        effects += session.handle(Story.answered(1, .failed(.offline)), at: .zero)
        var sent: [Int64] = []
        var now = Instant.zero
        while now < Instant.zero.advanced(by: .seconds(180)) {
            for case .callAPI(let operation, _) in effects {
                effects += session.handle(.apiAnswered(operation, .failed(.offline)), at: now)
            }
            for case .probe in effects { sent.append(now.nanoseconds / 1_000_000) }
            effects.removeAll()
            now = try #require(session.deadline).instant
            effects += session.wake(at: now)
        }
        let gaps = zip(sent, sent.dropFirst()).map { (at: $0, gap: $1 - $0) }
        #expect(gaps.filter { $0.at < 59_000 }.allSatisfy { $0.gap == 500 })
        #expect(gaps.filter { $0.at >= 60_000 }.allSatisfy { $0.gap == 3_000 })
    }

    @Test("A first connect that goes well sends one probe, and nothing does as specified (D-07)")
    func spared() throws {
        var first = try Story.connected(configuration)
        try first.expect(answered(0), at: .milliseconds(1_040))
        var story = try Story.connected(.asSpecified)
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }
}
