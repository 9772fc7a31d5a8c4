import IncomingCalls
@testable import KodamaCalls
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = CallScreen.Effect

@Suite("The call screen: two calls, phone calls, calls that an app starts")
struct SecondCallTests: CallStory {
    /// A story whose first call goes on, and whose second, another app's, rings since 8 s.
    private func secondRings() throws -> Transcript<CallScreen> {
        var story = try CallScreenTests.going()
        try story.expect(.ordered(Self.other, Self.report(2)), at: .seconds(8)) {
            Effect.news(Self.other, .reportFinished(Self.operation(2), nil))
            Effect.ringBegan(Self.other, Self.call(2))
            Effect.isRinging(true)
            Effect.activityChanged(Self.other, .ringing)
        }
        return story
    }

    /// A story whose second call is heard since 10.2 s, while the first is on hold.
    private func secondHeard() throws -> Transcript<CallScreen> {
        var story = try secondRings()
        try story.expect(.user(.answer), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
            Effect.ringEnded(Self.other, Self.call(2), .answered)
            Effect.answered(Self.other)
            Effect.news(Self.other, .actionRequested(Self.action(3), .answer(Self.call(2))))
            Effect.isRinging(false)
            Effect.activityChanged(Self.other, .going)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(9)) {
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.ordered(Self.other, .fulfill(Self.action(3))), at: .seconds(10))
        try story.expectWake(at: .milliseconds(10_200)) {
            Effect.audioTaken(Self.other, true)
            Effect.news(Self.other, .audioActivated)
        }
        return story
    }

    @Test("A second call that is answered puts the first on hold, and gets its audio (VP-05)")
    func holdAndAccept() throws {
        var story = try secondHeard()
        // Whoever hangs up ends the call that is heard; the held one goes on, held.
        try story.expect(.user(.hangUp), at: .seconds(20)) {
            Effect.news(Self.other, .actionRequested(Self.action(4), .end(Self.call(2))))
            Effect.news(Self.other, .audioDeactivated)
            Effect.audioTaken(Self.other, false)
            Effect.activityChanged(Self.other, .none)
        }
        try story.expect(.user(.hangUp), at: .seconds(21)) {
            Effect.news(Self.calls, .actionRequested(Self.action(5), .end(Self.call(1))))
            Effect.activityChanged(Self.calls, .none)
        }
    }

    @Test("A held call that is taken back changes places with the one that is heard (VP-05)")
    func swap() throws {
        var story = try secondHeard()
        try story.expect(.user(.unhold), at: .seconds(20)) {
            Effect.news(Self.other, .actionRequested(Self.action(4), Self.held(2)))
            Effect.news(Self.calls, .actionRequested(Self.action(5), Self.held(1, false)))
        }
        try story.expect(.ordered(Self.other, .fulfill(Self.action(4))), at: .seconds(20)) {
            Effect.news(Self.other, .audioDeactivated)
            Effect.audioTaken(Self.other, false)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(5))), at: .seconds(20))
        try story.expectWake(at: .milliseconds(20_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        try story.expect(.user(.hangUp), at: .seconds(30)) {
            Effect.news(Self.calls, .actionRequested(Self.action(6), .end(Self.call(1))))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
            Effect.activityChanged(Self.calls, .none)
        }
    }

    @Test("End and accept ends the first call before it answers the second (VP-05)")
    func endAndAccept() throws {
        var story = try secondRings()
        try story.expect(.user(.endAndAnswer), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), .end(Self.call(1))))
            Effect.ringEnded(Self.other, Self.call(2), .answered)
            Effect.answered(Self.other)
            Effect.news(Self.other, .actionRequested(Self.action(3), .answer(Self.call(2))))
            Effect.isRinging(false)
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
            Effect.activityChanged(Self.calls, .none)
            Effect.activityChanged(Self.other, .going)
        }
    }

    /// A story in which a second call of the same app's is answered, and the first held or ended.
    private func answered(by act: CallScreenAct) throws -> Transcript<CallScreen> {
        var story = try CallScreenTests.going()
        try story.expect(.ordered(Self.calls, Self.report(2)), at: .seconds(8)) {
            Effect.news(Self.calls, .reportFinished(Self.operation(2), nil))
            Effect.ringBegan(Self.calls, Self.call(2))
            Effect.isRinging(true)
        }
        let over = [Effect.news(Self.calls, .audioDeactivated), .audioPaused(Self.calls)]
        let isHeld = act == .answer
        let first = isHeld ? Self.held(1) : .end(Self.call(1))
        try story.expect(.user(act), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), first))
            Effect.ringEnded(Self.calls, Self.call(2), .answered)
            Effect.answered(Self.calls)
            Effect.news(Self.calls, .actionRequested(Self.action(3), .answer(Self.call(2))))
            Effect.isRinging(false)
            isHeld ? [] : over
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(9)) {
            isHeld ? over : []
        }
        return story
    }

    @Test(
        "Between two calls of an app the audio is nobody else's (VP-05, RS-15)",
        arguments: [CallScreenAct.answer, .endAndAnswer]
    )
    func goesOver(act: CallScreenAct) throws {
        var story = try answered(by: act)
        var failed = story
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(3))), at: .seconds(10))
        try story.expectWake(at: .milliseconds(10_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        // Only when no other call comes of it has the app lost the audio.
        let activities = act == .answer ? [] : [Effect.activityChanged(Self.calls, .none)]
        try failed.expect(.ordered(Self.calls, .fail(Self.action(3))), at: .seconds(10)) {
            Effect.audioTaken(Self.calls, false)
            activities
        }
    }

    @Test("Nor has anybody else the audio while two calls of an app change places (VP-05, RS-15)")
    func swapWithin() throws {
        var story = try answered(by: .answer)
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(3))), at: .seconds(10))
        try story.expectWake(at: .milliseconds(10_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        try story.expect(.user(.unhold), at: .seconds(20)) {
            Effect.news(Self.calls, .actionRequested(Self.action(4), Self.held(2)))
            Effect.news(Self.calls, .actionRequested(Self.action(5), Self.held(1, false)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(4))), at: .seconds(20)) {
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioPaused(Self.calls)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(5))), at: .seconds(20))
        try story.expectWake(at: .milliseconds(20_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        try story.expect(.user(.hangUp), at: .seconds(30)) {
            Effect.news(Self.calls, .actionRequested(Self.action(6), .end(Self.call(1))))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
    }

    @Test("A second call that is declined leaves the first and its audio alone (VP-05)")
    func decline() throws {
        var story = try secondRings()
        try story.expect(.user(.decline), at: .seconds(9)) {
            Effect.ringEnded(Self.other, Self.call(2), .declined)
            Effect.news(Self.other, .actionRequested(Self.action(2), .end(Self.call(2))))
            Effect.isRinging(false)
            Effect.activityChanged(Self.other, .none)
        }
    }

    @Test("A phone call puts the call on hold and gives it back at its end (VP-05, RS-15)")
    func phoneCall() throws {
        var story = try CallScreenTests.going()
        try story.expect(.phoneCall(isOn: true), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(9))
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(9))
        try story.expect(.phoneCall(isOn: false), at: .seconds(20)) {
            Effect.news(Self.calls, .actionRequested(Self.action(3), Self.held(1, false)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(3))), at: .seconds(20))
        try story.expectWake(at: .milliseconds(20_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
    }

    @Test("A call that the user held stays held after a phone call (VP-05)")
    func heldBefore() throws {
        var story = try CallScreenTests.going()
        try story.expect(.user(.hold), at: .seconds(5)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(5)) {
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(9))
        try story.expect(.phoneCall(isOn: false), at: .seconds(20))
    }

    @Test("An app that does not hold its call for a phone call loses it after 30 s (VP-05)")
    func holdIgnored() throws {
        var story = try CallScreenTests.going()
        try story.expect(.phoneCall(isOn: true), at: .seconds(9)) {
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expectWake(at: .seconds(39)) {
            Effect.news(Self.calls, .actionTimedOut(Self.action(2)))
            Effect.activityChanged(Self.calls, .none)
        }
        try story.expect(.phoneCall(isOn: false), at: .seconds(40))
    }

    @Test("A call that is answered during a phone call puts that on hold, and is heard (VP-05)")
    func answeredDuringPhoneCall() throws {
        var story = try CallScreenTests.ringing()
        try story.expect(.phoneCall(isOn: true), at: .seconds(2))
        try Self.answersDuringPhoneCall(&story, at: .seconds(3), Self.calls, call: 1, action: 1)
    }

    @Test("A call that an app starts has audio when the start is fulfilled (VP-09)")
    func start() throws {
        var story = CallScreenTests.story()
        let request = SystemCallCommand.request(Self.operation(7), Self.start(1))
        try story.expect(.ordered(Self.calls, request), at: .seconds(1)) {
            Effect.news(Self.calls, .requestFinished(Self.operation(7), isAccepted: true))
            Effect.news(Self.calls, .actionRequested(Self.action(1), Self.start(1)))
            Effect.activityChanged(Self.calls, .going)
        }
        try story.expect(.ordered(Self.calls, .reportConnecting(Self.call(1))), at: .seconds(1))
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(1))), at: .seconds(1))
        try story.expectWake(at: .milliseconds(1_200)) {
            Effect.audioTaken(Self.calls, true)
            Effect.news(Self.calls, .audioActivated)
        }
        // What is not the app's own call it cannot end.
        let end = SystemCallCommand.request(Self.operation(8), .end(Self.call(1)))
        try story.expect(.ordered(Self.other, end), at: .seconds(2)) {
            Effect.news(Self.other, .requestFinished(Self.operation(8), isAccepted: false))
        }
        try story.expect(.ordered(Self.calls, end), at: .seconds(3)) {
            Effect.news(Self.calls, .requestFinished(Self.operation(8), isAccepted: true))
            Effect.news(Self.calls, .actionRequested(Self.action(2), .end(Self.call(1))))
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
            Effect.activityChanged(Self.calls, .none)
        }
    }

    @Test("A call that an app starts beside another puts that on hold first (VP-05, VP-09)")
    func startBesideAnother() throws {
        var story = try CallScreenTests.going()
        let request = SystemCallCommand.request(Self.operation(7), Self.start(2))
        try story.expect(.ordered(Self.other, request), at: .seconds(8)) {
            Effect.news(Self.other, .requestFinished(Self.operation(7), isAccepted: true))
            Effect.news(Self.calls, .actionRequested(Self.action(2), Self.held(1)))
            Effect.news(Self.other, .actionRequested(Self.action(3), Self.start(2)))
            Effect.activityChanged(Self.other, .going)
        }
        try story.expect(.ordered(Self.calls, .fulfill(Self.action(2))), at: .seconds(8)) {
            Effect.news(Self.calls, .audioDeactivated)
            Effect.audioTaken(Self.calls, false)
        }
        try story.expect(.ordered(Self.other, .fulfill(Self.action(3))), at: .seconds(8))
        try story.expectWake(at: .milliseconds(8_200)) {
            Effect.audioTaken(Self.other, true)
            Effect.news(Self.other, .audioActivated)
        }
        // Whoever hangs up ends the call that was started; the first goes on, held.
        try story.expect(.user(.hangUp), at: .seconds(20)) {
            Effect.news(Self.other, .actionRequested(Self.action(4), .end(Self.call(2))))
            Effect.news(Self.other, .audioDeactivated)
            Effect.audioTaken(Self.other, false)
            Effect.activityChanged(Self.other, .none)
        }
        try story.expect(.user(.unhold), at: .seconds(21)) {
            Effect.news(Self.calls, .actionRequested(Self.action(5), Self.held(1, false)))
        }
    }

    @Test("No call is started during a phone call (VP-09)")
    func startDuringPhoneCall() throws {
        var story = CallScreenTests.story()
        try story.expect(.phoneCall(isOn: true), at: .seconds(1))
        let request = SystemCallCommand.request(Self.operation(7), Self.start(1))
        try story.expect(.ordered(Self.calls, request), at: .seconds(2)) {
            Effect.news(Self.calls, .requestFinished(Self.operation(7), isAccepted: false))
        }
    }

    @Test(
        "The screen keeps the laws of its contract, and gives the audio to one app at a time",
        arguments: 0..<4 as Range<UInt64>
    )
    func laws(decade: UInt64) throws {
        var activations = 0
        for seed in decade * 50..<decade * 50 + 50 {
            var owner: [AppID] = []
            var rings: [UniqueID] = []
            var asked: [ActionID] = []
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { CallScreenTests.story().machine },
                frame: { effect in
                    switch effect {
                    case .audioTaken(let app, true):
                        activations += 1
                        owner.append(app)
                    case .audioTaken(let app, false), .audioPaused(let app):
                        owner.removeAll { $0 == app }
                    case .news(_, .actionRequested(let action, _)): asked.append(action)
                    case .ringBegan(_, let call): rings.append(call)
                    case .ringEnded(_, let call, _):
                        #expect(rings.contains(call), "a ring ends that did not begin")
                        rings.removeAll { $0 == call }
                    default: break
                    }
                    #expect(owner.count <= 1 && rings.count <= CallScreen.callsMax)
                    return nil
                },
                event: { random, _ in random.callEvent(asked: asked) }
            )
        }
        #expect(activations > 0, "screens that never give audio prove little")
    }
}

extension LawRandom {
    /// Anything that may happen to a call screen with two apps, which mostly do what they are asked to.
    fileprivate mutating func callEvent(asked: [ActionID]) -> CallScreen.Event {
        let app = AppID(below(2))
        switch below(10) {
        case 0: return .focus(isOn: chance(percent: 20))
        case 1: return .phoneCall(isOn: chance(percent: 30))
        case 2: return chance(percent: 20) ? .appEnded(app) : .user(.decline)
        case 3, 4, 5: return .user(CallScreenAct.allCases[below(CallScreenAct.allCases.count)])
        case 6, 7:
            let latest = asked.suffix(3)
            guard !latest.isEmpty else { return .ordered(app, callCommand()) }
            return .ordered(app, .fulfill(latest[latest.startIndex + below(latest.count)]))
        default: return .ordered(app, callCommand())
        }
    }

    /// What an app may order; action numbers rise slowly, as the screen's do.
    mutating func callCommand() -> SystemCallCommand {
        let call = UniqueID(high: 0, low: UInt64(below(6)))
        let operation = OperationID(number: UInt32(below(50)))
        switch below(8) {
        case 0, 1: return .reportIncoming(operation, call, .unusable)
        case 2: return .reportEnded(call, .remoteEnded)
        case 3: return .request(operation, .start(call, handle: "ren", hasVideo: false))
        case 4: return .request(operation, chance(percent: 50) ? .end(call) : .answer(call))
        case 5: return .fail(ActionID(number: UInt32(below(80))))
        default: return .fulfill(ActionID(number: UInt32(below(80))))
        }
    }
}
