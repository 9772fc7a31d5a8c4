import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("One end of a handover, call by call")
struct HandoverTests {
    @Test("A handover keeps the laws of its contract", arguments: 0..<10 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var phases: Set<Handover.Phase> = []
        for seed in decade * 5..<decade * 5 + 5 {
            var hasBegun = false
            try checkLaws(
                seed: seed,
                steps: 500,
                make: { Handover() },
                frame: { effect in
                    if case .phaseChanged(let phase, _) = effect { phases.insert(phase) }
                    return nil
                },
                event: { random, now in
                    defer { hasBegun = true }
                    return hasBegun ? Self.event(&random, now) : .started
                }
            )
        }
        #expect(phases.count == 7, "only \(phases) were reached")
    }

    private static func event(_ random: inout LawRandom, _ now: Instant) -> Handover.Event {
        let path: TransportPath = random.chance(percent: 50) ? .local : .internet
        switch random.below(60) {
        case 0...4: return .pathCameUp(path)
        case 5...14: return .pathActivated(path)
        case 15: return .pathLost(path)
        case 16: return .internetFailed
        case 17 where random.chance(percent: 2): return .stopped
        case 18...26:
            // Numbers that grow with time, so that most notices are new.
            let number = UInt32(truncatingIfNeeded: now.nanoseconds / 1_000_000)
            let status: PathStatus = random.chance(percent: 80) ? .available : .backup
            return .noticeReceived(
                PathStatusNotice(path: path, status: status, number: SerialNumber(number))
            )
        case 27: return .talkBegan
        case 28: return .radioAnswered
        case 29: return random.chance(percent: 30) ? .internetImpossible : .internetPossible
        default:
            let verdicts: [LinkVerdict] = [.good, .good, .good, .good, .good, .poor, .bad]
            return .judged(verdicts[random.below(verdicts.count)], path)
        }
    }

    @Test("An Internet that is up when two meet by radio stands by for a while (K-13)")
    func internetAtMeeting() {
        var handover = Handover()
        let start = Instant.zero.advanced(by: .seconds(1))
        for event in [
            Handover.Event.started, .pathCameUp(.internet), .pathCameUp(.local),
            .pathActivated(.local),
        ] {
            handover.handle(event, at: start)
        }
        #expect(handover.phase == .localConnected)
        // The other side may have met this one over the Internet first, and send by it alone.
        #expect(handover.wantsInternet)
        let end = start.advanced(by: HandoverConfiguration().standbyTime)
        #expect(handover.wake(at: end).contains(.releaseInternet))
        #expect(!handover.wantsInternet)
    }

    private static func notice(_ status: PathStatus, _ number: UInt32) -> Handover.Event {
        .noticeReceived(
            PathStatusNotice(path: .local, status: status, number: SerialNumber(number))
        )
    }

    /// A pair on the radio.
    private static func onRadio() throws -> Transcript<Handover> {
        var story = Transcript(Handover())
        try story.expect(.started, at: .zero)
        try story.expect(.pathCameUp(.local), at: .milliseconds(100))
        try story.expect(.pathActivated(.local), at: .milliseconds(120)) {
            Handover.Effect.phaseChanged(.localConnected, .appeared)
            Handover.Effect.sendNotice(.available, number: SerialNumber(2))
        }
        try story.expect(.judged(.good, .local), at: .milliseconds(200))
        return story
    }

    @Test("A poor radio brings the Internet up before it is lost (S-HO-001)")
    func poor() throws {
        var story = try Self.onRadio()
        try story.expect(.judged(.poor, .local), at: .seconds(10)) {
            Handover.Effect.phaseChanged(.internetConnecting, .quality)
            Handover.Effect.bringUpInternet
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        #expect(story.machine.sendingPaths == .local)
        try story.expect(.pathCameUp(.internet), at: .seconds(12)) {
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        try story.expect(.pathActivated(.internet), at: .milliseconds(12_010)) {
            Handover.Effect.phaseChanged(.handoverToInternet, .appeared)
        }
        #expect(story.machine.sendingPaths == .both)
        try story.expect(.judged(.bad, .local), at: .milliseconds(12_500)) {
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        story.pass(until: .milliseconds(13_010))
        #expect(story.machine.sendingPaths == .both, "everything is sent twice for a second")
        try story.expectWake(at: .milliseconds(13_010)) {
            Handover.Effect.phaseChanged(.internetConnected, .quality)
            Handover.Effect.phaseChanged(.localCandidate, .appeared)
        }
        #expect(story.machine.sendingPaths == .internet)
    }

    @Test("What the other side sees of the radio counts as much as what this side sees")
    func told() throws {
        var story = try Self.onRadio()
        try story.expect(Self.notice(.backup, 5), at: .seconds(10)) {
            Handover.Effect.phaseChanged(.internetConnecting, .notice)
            Handover.Effect.bringUpInternet
            Handover.Effect.sendNotice(.available, number: SerialNumber(2))
        }
        try story.expect(Self.notice(.available, 4), at: .milliseconds(10_010))
        #expect(story.machine.phase == .internetConnecting, "an old notice changes nothing")
        try story.expect(Self.notice(.available, 6), at: .milliseconds(10_020)) {
            Handover.Effect.phaseChanged(.localConnected, .proven)
        }
    }

    /// Found by the scenario `one-way-radio`: the other asked for the Internet for ever.
    @Test("Who drops a member and lets them in anew is believed again, and not twice (S-HO-001)")
    func letInAnew() {
        func now(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
        func tell(
            _ handover: inout Handover,
            _ events: [Handover.Event],
            at seconds: Int64
        ) -> [Handover.Event] {
            let effects = events.flatMap { handover.handle($0, at: now(seconds)) }
            return effects.compactMap { effect in
                guard case .sendNotice(let status, _, let number) = effect else { return nil }
                return Self.notice(status, number.rawValue)
            }
        }
        let meeting = [
            Handover.Event.started, .pathCameUp(.local), .pathActivated(.local),
            .judged(.good, .local),
        ]
        var ben = Handover()
        _ = tell(&ben, meeting, at: 1)
        var anna = Handover()
        let former = tell(&anna, meeting + [.judged(.poor, .local)], at: 1)
        _ = tell(&ben, former, at: 20)
        #expect(ben.phase == .internetConnecting)
        var annaAnew = Handover()
        _ = tell(&ben, tell(&annaAnew, meeting, at: 40), at: 40)
        #expect(ben.phase == .localConnected)
        _ = tell(&ben, former, at: 41)
        #expect(ben.phase == .localConnected, "an old notice changes nothing")
    }

    /// A pair on the radio for which the Internet stands by.
    private static func standingBy() -> Handover {
        var handover = Handover()
        for event in [
            Handover.Event.started, .pathCameUp(.internet), .pathCameUp(.local),
            .pathActivated(.local), .pathActivated(.internet), .judged(.good, .local),
        ] {
            handover.handle(event, at: .zero)
        }
        return handover
    }

    @Test("While the Internet stands by, a spurt begins by both until the radio answers (S-HO-004)")
    func firstWord() {
        var handover = Self.standingBy()
        #expect(handover.phase == .localConnected && handover.voicePaths == .local)
        let talk = Instant.zero.advanced(by: .seconds(10))
        #expect(handover.handle(.talkBegan, at: talk).contains(.askLocal))
        #expect(handover.voicePaths == .both)
        #expect(handover.sendingPaths == .local, "it is a question, and no change of path")
        handover.handle(.radioAnswered, at: talk)
        #expect(handover.voicePaths == .local)

        var dead = Self.standingBy()
        dead.handle(.talkBegan, at: talk)
        dead.handle(.judged(.poor, .local), at: talk)
        #expect(dead.phase == .handoverToInternet && dead.voicePaths == .both)
    }

    @Test("The radio is not asked where the Internet is bad, gone, or no longer stands by")
    func nothingStandsBy() {
        let talk = Instant.zero.advanced(by: .seconds(10))
        for event in [Handover.Event.judged(.bad, .internet), .pathLost(.internet)] {
            var handover = Self.standingBy()
            var effects = handover.handle(event, at: talk)
            effects += handover.handle(.talkBegan, at: talk)
            #expect(!effects.contains(.askLocal), "\(event)")
            #expect(handover.voicePaths == .local, "\(event)")
        }
        var handover = Self.standingBy()
        handover.handle(.talkBegan, at: talk)
        let over = Instant.zero.advanced(by: HandoverConfiguration().standbyTime)
        #expect(handover.wake(at: over).contains(.releaseInternet))
        #expect(handover.voicePaths == .local)
        #expect(!handover.handle(.talkBegan, at: over).contains(.askLocal))
    }

    @Test("A lost radio with the Internet standing by: the next frame goes by the Internet (L10)")
    func lost() throws {
        var story = try Self.onRadio()
        try story.expect(.pathActivated(.internet), at: .seconds(2)) {
            Handover.Effect.sendNotice(.available, number: SerialNumber(2))
        }
        #expect(story.machine.sendingPaths == .local)
        try story.expect(.pathLost(.local), at: .seconds(3)) {
            Handover.Effect.phaseChanged(.internetConnected, .localLost)
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        #expect(story.machine.sendingPaths == .internet)
    }

    @Test("An Internet that is lost while everything is sent twice is brought up again (S-HO-001)")
    func internetLostWhileDoubling() throws {
        var story = try Self.onRadio()
        try story.expect(.judged(.poor, .local), at: .seconds(2)) {
            Handover.Effect.phaseChanged(.internetConnecting, .quality)
            Handover.Effect.bringUpInternet
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        try story.expect(.pathCameUp(.internet), at: .seconds(3)) {
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        try story.expect(.pathActivated(.internet), at: .milliseconds(3_010)) {
            Handover.Effect.phaseChanged(.handoverToInternet, .appeared)
        }
        let lost = Instant.zero.advanced(by: .milliseconds(3_200))
        var handover = story.machine
        let effects = handover.handle(.pathLost(.internet), at: lost)
        #expect(
            effects.contains(.phaseChanged(.internetConnecting, .internetLost)),
            "\(effects)"
        )
        #expect(handover.sendingPaths == .local)
        #expect(handover.wantsInternet)
    }

    @Test("Nothing is due before a handover has begun, whatever is said of paths (law L2)")
    func idle() {
        for event in [
            Handover.Event.pathCameUp(.local), .pathActivated(.local), .pathCameUp(.internet),
            .judged(.good, .local), .internetFailed, Self.notice(.available, 3),
        ] {
            var handover = Handover()
            handover.handle(event, at: .zero)
            #expect(handover.deadline == nil, "\(event)")
        }
    }

    @Test("A bad Internet is backed by a radio that gets something through")
    func badInternet() throws {
        var machine = Handover()
        for event: Handover.Event in [
            .started, .pathActivated(.internet), .pathActivated(.local), .judged(.poor, .local),
            .judged(.bad, .internet),
        ] {
            machine.handle(event, at: .zero)
        }
        // The radio was active before its verdict: the pair is on it, and the Internet stands by.
        #expect(machine.phase == .localCandidate && machine.sendingPaths == .both)
    }

    @Test("An Internet that flickers is backed without a break, by a radio that is not bad")
    func flickeringInternet() {
        var handover = Handover()
        func now(_ milliseconds: Int64) -> Instant {
            Instant(nanoseconds: milliseconds * 1_000_000)
        }
        for event in [
            Handover.Event.started, .pathActivated(.internet), .pathActivated(.local),
            .judged(.bad, .internet),
        ] {
            handover.handle(event, at: now(0))
        }
        #expect(handover.phase == .localCandidate && handover.sendingPaths == .both)
        handover.handle(.judged(.poor, .internet), at: now(100))
        #expect(handover.sendingPaths == .both)
        let end = now(100).advanced(by: HandoverConfiguration().doubleSendingMax)
        var backed = handover
        backed.handle(.judged(.poor, .local), at: now(200))
        backed.wake(at: end)
        #expect(backed.sendingPaths == .internet)
        handover.handle(.judged(.bad, .local), at: now(200))
        #expect(handover.sendingPaths == .internet, "a bad radio helps a bad Internet alone")
    }

    /// Found by the scenario `internet-fails`: nothing was heard for 4.3 s.
    @Test("While Internet and radio are both bad, neither is given up (S-HO-004)")
    func neitherCarries() {
        var handover = Handover()
        func now(_ milliseconds: Int64) -> Instant {
            Instant(nanoseconds: milliseconds * 1_000_000)
        }
        for event in [
            Handover.Event.started, .pathCameUp(.local), .pathActivated(.local),
            .judged(.good, .local), .pathCameUp(.internet), .pathActivated(.internet),
            .judged(.good, .internet),
        ] {
            handover.handle(event, at: now(1_000))
        }
        handover.handle(.judged(.poor, .local), at: now(5_000))
        #expect(handover.phase == .handoverToInternet)
        handover.handle(.judged(.bad, .internet), at: now(5_200))
        handover.handle(.judged(.bad, .local), at: now(5_400))
        handover.wake(at: now(20_000))
        #expect(handover.phase == .handoverToInternet)
        #expect(handover.sendingPaths == [.local, .internet])
        #expect(handover.deadline.map { $0.instant > now(20_000) } ?? true, "nothing is overdue")
        handover.handle(.judged(.good, .internet), at: now(21_000))
        #expect(handover.sendingPaths == .internet, "double sending has lasted long enough")
        handover.handle(.judged(.bad, .internet), at: now(22_000))
        #expect(handover.sendingPaths == [.local, .internet])
    }

    @Test("A radio that proves bad again and again is tried ever less often (S-HO-002)")
    func returnDelayDoubles() throws {
        var handover = Handover()
        var now = Instant.zero.advanced(by: .seconds(1))
        for event in [
            Handover.Event.started, .pathCameUp(.internet), .pathActivated(.internet),
            .pathCameUp(.local), .pathActivated(.local),
        ] {
            handover.handle(event, at: now)
            handover.handle(.judged(.bad, .local), at: now)
        }
        var begins: [Int64] = []
        while begins.count < 4 {
            var effects = handover.handle(.judged(.good, .local), at: now)
            now = try #require(handover.deadline).instant
            effects += handover.wake(at: now)
            guard effects.contains(.probeLocal(true)) else { continue }
            begins.append(now.nanoseconds / 1_000_000_000)
            handover.handle(.judged(.bad, .local), at: now)
        }
        let waits = zip(begins.dropFirst(), begins).map(-)
        #expect(waits == waits.sorted())
        #expect(waits[2] >= 4 * waits[0] || waits[2] >= 2 * waits[1], "waits of \(waits) s")
    }

    @Test("A member no longer wanted leaves nothing behind")
    func stopped() throws {
        var story = try Self.onRadio()
        try story.expect(.judged(.poor, .local), at: .seconds(10)) {
            Handover.Effect.phaseChanged(.internetConnecting, .quality)
            Handover.Effect.bringUpInternet
            Handover.Effect.sendNotice(.backup, number: SerialNumber(3))
        }
        try story.expect(.stopped, at: .seconds(11)) { Handover.Effect.releaseInternet }
        #expect(story.machine.isFinished && story.machine.deadline == nil)
    }
}
