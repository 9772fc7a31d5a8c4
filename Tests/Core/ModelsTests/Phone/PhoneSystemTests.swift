import IncomingCalls
@testable import KodamaPhone
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PhoneEffect

@Suite("A phone's system")
struct PhoneSystemTests: PhoneStory {
    @Test("An app that is left goes inactive, then to the background, and is suspended (RS-07)")
    func leaving() throws {
        var story = try suspended()
        try story.expect(.user(.leaveApp), at: .seconds(16))
        try story.expect(.user(.openControlCentre), at: .seconds(17))
    }

    @Test(
        "An app that is found open runs in front at once, and is told what a launched one is told"
    )
    func foundOpen() throws {
        var story = Transcript(Self.phone())
        try story.expect(.foundOpen(Self.app), at: .zero) {
            PhoneEffect.launch(Self.app)
            inform(.launched(.user))
            clock(0)
            inform(.path(.satisfied(.wifi)))
            inform(.scene(.active))
        }
        try story.expect(.foundOpen(Self.app), at: .seconds(1))
        #expect(story.machine.launchCount(of: Self.app) == 1)
    }

    @Test("An app that is opened again soon is resumed with its sockets (RS-07)")
    func soonResumed() throws {
        var story = try suspended()
        try story.expect(.user(.openApp(Self.app)), at: .seconds(20)) {
            Effect.resume(Self.app)
            inform(.scene(.inactive))
        }
        try story.expectWake(at: .milliseconds(20_300)) { inform(.scene(.active)) }
    }

    @Test("After more than 10 s of suspension the sockets are dead, and say so (RS-07)")
    func lateResumed() throws {
        var story = try suspended()
        try story.expect(.user(.openApp(Self.app)), at: .milliseconds(25_301)) {
            Effect.resume(Self.app)
            Effect.breakSockets(Self.app, Self.wifi)
            Effect.breakSockets(Self.app, Self.cellular)
            inform(.scene(.inactive))
        }
    }

    @Test("A suspended app is told upon its return what it missed, once (RS-07)")
    func missed() throws {
        var story = try suspended()
        try story.expect(
            .interfaceChanged(.wifi, isUp: false, .immediate),
            at: .seconds(16)
        ) { Effect.addresses([Self.cellular]) }
        try story.expect(.user(.phoneCallBegins), at: .seconds(17))
        try story.expect(.user(.openApp(Self.app)), at: .seconds(18)) {
            Effect.resume(Self.app)
            Effect.breakSockets(Self.app, Self.wifi)
            inform(.path(.satisfied(.cellular)))
            inform(.audio(.interruptionBegan))
            inform(.scene(.inactive))
        }
        try story.expectWake(at: .milliseconds(18_300))
        try story.expect(.user(.phoneCallEnds), at: .seconds(19)) {
            inform(.audio(.interruptionEnded(shouldResume: true)))
            inform(.scene(.active))
        }
    }

    @Test("An app whose audio runs lives on in the background; the grace counts from its end")
    func audio() throws {
        var story = try launched()
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(1)) {
            answer(.voiceEngine(.running))
        }
        #expect(story.machine.soundIsOn(for: Self.app))
        try story.expect(.user(.leaveApp), at: .seconds(10)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        #expect(story.machine.deadline == nil)
        try story.expect(ordered(.stopVoiceEngine), at: .seconds(100))
        try story.expectWake(at: .seconds(105)) { Effect.suspend(Self.app) }
    }

    @Test("A background task lengthens the grace to 30 s; one left open then ends the app")
    func backgroundTask() throws {
        var story = try launched()
        let duty = OperationID(number: 1)
        try story.expect(ordered(.beginBackgroundTask(Self.operation)), at: .seconds(9))
        try story.expect(.user(.leaveApp), at: .seconds(10)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        try story.expectWake(at: .seconds(40))
        try story.expectWake(at: .milliseconds(40_300)) { inform(.backgroundTimeExpired(duty)) }
        var obedient = story
        try obedient.expect(
            ordered(.endBackgroundTask(Self.operation)),
            at: .milliseconds(40_300)
        )
        try obedient.expect(.handlerReturned(Self.app, duty), at: .milliseconds(40_300)) {
            Effect.suspend(Self.app)
        }
        try story.expect(.handlerReturned(Self.app, duty), at: .milliseconds(40_300)) {
            Effect.kill(Self.app, .backgroundTaskOverrun)
        }
    }

    @Test("Control Centre makes the app inactive and nothing else (D-05)")
    func controlCentre() throws {
        var story = try launched()
        try story.expect(.user(.openControlCentre), at: .seconds(1)) {
            inform(.scene(.inactive))
        }
        try story.expect(.user(.closeControlCentre), at: .seconds(3)) {
            inform(.scene(.active))
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A phone call takes the audio and gives it back (RS-15)")
    func phoneCall() throws {
        var story = try launched()
        try story.expect(.user(.phoneCallBegins), at: .seconds(1)) {
            inform(.audio(.interruptionBegan))
            inform(.scene(.inactive))
        }
        try story.expect(.user(.phoneCallBegins), at: .seconds(2))
        try story.expect(.user(.phoneCallEnds), at: .seconds(9)) {
            inform(.audio(.interruptionEnded(shouldResume: true)))
            inform(.scene(.active))
        }
    }

    @Test("Called in the pocket, an app is suspended, and goes on when the call is over (RS-15)")
    func phoneCallInPocket() throws {
        var story = try launched()
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(1)) {
            answer(.voiceEngine(.running))
        }
        try story.expect(.user(.lock), at: .seconds(10)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        try story.expect(.user(.phoneCallBegins), at: .seconds(60)) {
            inform(.audio(.interruptionBegan))
        }
        try story.expectWake(at: .seconds(65)) { Effect.suspend(Self.app) }
        try story.expect(.user(.phoneCallEnds), at: .seconds(70)) {
            Effect.resume(Self.app)
            inform(.audio(.interruptionEnded(shouldResume: true)))
        }
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(70)) {
            answer(.voiceEngine(.running))
        }
        #expect(story.machine.deadline == nil && story.machine.isLocked)
    }

    @Test("What rings covers the app for as long as it has the audio, round after round (RS-15)")
    func rings() throws {
        var story = try launched()
        for start in [1, 11] as [Int64] {
            try story.expect(.user(.ring(isOn: true)), at: .seconds(start)) {
                inform(.audio(.interruptionBegan))
                inform(.scene(.inactive))
            }
            // A call that the user has not answered is over with the phone call that it would have been.
            try story.expect(.user(.phoneCallEnds), at: .seconds(start + 1)) {
                inform(.audio(.interruptionEnded(shouldResume: true)))
                inform(.scene(.active))
            }
            try story.expect(.user(.phoneCallBegins), at: .seconds(start + 2)) {
                inform(.audio(.interruptionBegan))
                inform(.scene(.inactive))
            }
            // In a phone call it is a tone, and nothing is left of it afterwards.
            try story.expect(.user(.ring(isOn: true)), at: .seconds(start + 3))
            try story.expect(.user(.phoneCallEnds), at: .seconds(start + 4)) {
                inform(.audio(.interruptionEnded(shouldResume: true)))
                inform(.scene(.active))
            }
        }
    }

    @Test("A killed app is launched anew, and told everything again")
    func kill() throws {
        var story = try suspended()
        try story.expect(.user(.killApp(Self.app)), at: .seconds(20)) {
            Effect.kill(Self.app, .user)
        }
        try story.expect(.user(.killApp(Self.app)), at: .seconds(21))
        try story.expect(.user(.openApp(Self.app)), at: .seconds(30)) { Effect.launch(Self.app) }
        try story.expectWake(at: .milliseconds(30_600)) {
            inform(.launched(.user))
            clock(30_600)
            inform(.path(.satisfied(.wifi)))
            inform(.scene(.active))
        }
    }

    @Test("What changes while the app is launched, it is told once it runs, and only how it ended")
    func changesDuringLaunch() throws {
        var story = Transcript(Self.phone())
        try story.expect(.user(.openApp(Self.app)), at: .zero) { Effect.launch(Self.app) }
        try story.expect(.user(.openControlCentre), at: .milliseconds(100))
        try story.expect(.user(.phoneCallBegins), at: .milliseconds(200))
        try story.expect(
            .interfaceChanged(.wifi, isUp: false, .immediate),
            at: .milliseconds(300)
        ) { Effect.addresses([Self.cellular]) }
        try story.expectWake(at: .milliseconds(600)) {
            inform(.launched(.user))
            clock(600)
            inform(.path(.satisfied(.cellular)))
            inform(.audio(.interruptionBegan))
            inform(.scene(.inactive))
        }
    }

    @Test("A tapped notification opens the app, which is told of the tap last (RS-13)")
    func notification() throws {
        var story = Transcript(Self.phone())
        try story.expect(.user(.tapNotification(Self.app)), at: .zero) { Effect.launch(Self.app) }
        try story.expectWake(at: .milliseconds(600)) {
            inform(.launched(.notification))
            clock(600)
            inform(.path(.satisfied(.wifi)))
            inform(.scene(.active))
            inform(.notificationTapped)
        }
        try story.expect(.user(.tapNotification(Self.app)), at: .seconds(9)) {
            inform(.notificationTapped)
        }
    }

    @Test("A lost interface is told late, or never; addresses are the truth at once (RS-11)")
    func notices() throws {
        var story = try launched()
        let late = PathNotice(delay: .seconds(3), breaksSockets: false)
        try story.expect(.interfaceChanged(.wifi, isUp: false, late), at: .seconds(1)) {
            Effect.addresses([Self.cellular])
        }
        try story.expectWake(at: .seconds(4)) { inform(.path(.satisfied(.cellular))) }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .never), at: .seconds(5)) {
            Effect.addresses([])
        }
        #expect(story.machine.deadline == nil)
        let another = InterfaceLease(.cellular, lease: 1)
        try story.expect(.interfaceChanged(.cellular, isUp: true, .immediate), at: .seconds(9)) {
            Effect.addresses([another])
            inform(.path(.satisfied(.cellular)))
        }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .immediate), at: .seconds(10)) {
            Effect.addresses([])
            Effect.breakSockets(Self.app, another)
            inform(.path(.unsatisfied))
        }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .immediate), at: .seconds(11))
    }

    @Test("Wi-Fi is the favourite as soon as it is back; a change behind it is not told")
    func favourites() throws {
        var story = try launched(wifi: false)
        let first = InterfaceLease(.wifi, lease: 1)
        try story.expect(.interfaceChanged(.wifi, isUp: true, .immediate), at: .seconds(1)) {
            Effect.addresses([first, Self.cellular])
            inform(.path(.satisfied(.wifi)))
        }
        try story.expect(.interfaceChanged(.cellular, isUp: false, .immediate), at: .seconds(2)) {
            Effect.addresses([first])
            Effect.breakSockets(Self.app, Self.cellular)
        }
    }

    @Test("The phone keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var (suspensions, kills) = (0, 0)
        var condition = PhoneCondition()
        condition.microphone.status = .undetermined
        condition.engine.delay = .milliseconds(200)
        for seed in decade * 50..<decade * 50 + 50 {
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Self.phone(condition, appCount: 3) },
                frame: { effect in
                    switch effect {
                    case .suspend: suspensions += 1
                    case .kill: kills += 1
                    default: break
                    }
                    return nil
                },
                event: { random, _ in random.phoneEvent() }
            )
        }
        #expect(suspensions > 0 && kills > 0, "phones that never do either prove little")
    }
}

extension LawRandom {
    /// Anything that may happen to a phone; now and then to an app that it does not have.
    fileprivate mutating func phoneEvent() -> PhoneEvent {
        let app = AppID(below(4))
        let operation = OperationID(number: UInt32(below(4)))
        switch below(16) {
        case 12: return .pushArrived(app, payload: "a")
        case 13:
            let registers = chance(percent: 30)
            return .ordered(app, registers ? .registerForPushes : .call(callCommand()))
        case 14: return .user(.call(CallScreenAct.allCases[below(CallScreenAct.allCases.count)]))
        case 15: return pushEvent(app)
        case 0: return .handlerReturned(app, operation)
        case 1, 2:
            let (kind, isUp, notice) = interfaceChange()
            return .interfaceChanged(kind, isUp: isUp, notice)
        case 3: return .clockSet(offset: .seconds(below(100)))
        case 4:
            return chance(percent: 20)
                ? .foundOpen(app) : .storageConditionChanged(StorageCondition.allCases[below(3)])
        case 5, 6, 7: return .ordered(app, systemOrder(operation))
        default: return .user(userAction(app))
        }
    }

    private mutating func pushEvent(_ app: AppID) -> PhoneEvent {
        switch below(4) {
        case 0: .pushTokenIssued(app, [1])
        case 1: .pushTokenWithdrawn(app)
        case 2: .focusChanged(isOn: chance(percent: 20))
        default: .handlerReturned(app, PushInbox.duty(of: PushID(number: UInt32(below(20)))))
        }
    }

    private mutating func systemOrder(_ operation: OperationID) -> SystemOrder {
        switch below(7) {
        case 0: .readSecureStorage(operation, key: "a")
        case 1: .writeSecureStorage(operation, key: "a", value: "b")
        case 2: .requestMicrophonePermission(operation)
        case 3: .startVoiceEngine(operation)
        case 4: .stopVoiceEngine
        case 5: .beginBackgroundTask(operation)
        default: .endBackgroundTask(operation)
        }
    }

    private mutating func userAction(_ app: AppID) -> UserAction {
        switch below(13) {
        case 0: .tapNotification(app)
        case 1, 2, 3: .leaveApp
        case 4: .killApp(app)
        case 5: chance(percent: 50) ? .openControlCentre : .closeControlCentre
        case 6: chance(percent: 50) ? .phoneCallBegins : .phoneCallEnds
        case 7: .setMicrophone(app, isGranted: chance(percent: 50))
        case 8: .unlock
        case 9: .allowInFocus(app, isAllowed: chance(percent: 50))
        default: .openApp(app)
        }
    }
}
