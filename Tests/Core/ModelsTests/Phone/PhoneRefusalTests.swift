@testable import KodamaPhone
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PhoneEffect

@Suite("A phone that says no")
struct PhoneRefusalTests: PhoneStory {
    /// A phone whose user was never asked for the microphone.
    private static func undetermined(isGranted: Bool) -> PhoneCondition {
        var condition = PhoneCondition()
        condition.microphone.status = .undetermined
        condition.microphone.isGrantedWhenAsked = isGranted
        return condition
    }

    @Test("The microphone's alert makes the app inactive until the user answers (RS-08)")
    func alert() throws {
        var story = try launched(Self.undetermined(isGranted: false))
        let request = ordered(.requestMicrophonePermission(Self.operation))
        try story.expect(request, at: .seconds(1)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .seconds(3)) {
            inform(.scene(.active))
            answer(.microphonePermission(isGranted: false))
        }
    }

    @Test("The alert is gone with its app in the background, and back when that is (RS-08)")
    func hiddenAlert() throws {
        var condition = Self.undetermined(isGranted: true)
        condition.microphone.answerDelay = .seconds(20)
        var story = try launched(condition)
        let request = ordered(.requestMicrophonePermission(Self.operation))
        try story.expect(request, at: .seconds(1)) { inform(.scene(.inactive)) }
        try story.expect(.user(.leaveApp), at: .seconds(10))
        #expect(!story.machine.isAskingForMicrophone(of: Self.app))
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        try story.expectWake(at: .milliseconds(15_300)) { Effect.suspend(Self.app) }
        try story.expect(.user(.openApp(Self.app)), at: .seconds(22)) {
            Effect.resume(Self.app)
            inform(.scene(.inactive))
        }
        #expect(story.machine.isAskingForMicrophone(of: Self.app))
        try story.expectWake(at: .milliseconds(22_300))
        try story.expectWake(at: .seconds(42)) {
            inform(.scene(.active))
            answer(.microphonePermission(isGranted: true))
        }
    }

    @Test("An app that asks out of sight has its answer when the user has seen the alert (RS-08)")
    func askedOutOfSight() throws {
        var story = try launched(Self.undetermined(isGranted: true))
        try story.expect(.user(.lock), at: .seconds(10)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        let request = ordered(.requestMicrophonePermission(Self.operation))
        try story.expect(request, at: .seconds(11))
        try story.expectWake(at: .milliseconds(15_300)) { Effect.suspend(Self.app) }
        try story.expect(.user(.openApp(Self.app)), at: .seconds(20)) {
            Effect.resume(Self.app)
            inform(.scene(.inactive))
        }
        try story.expectWake(at: .milliseconds(20_300))
        try story.expectWake(at: .seconds(22)) {
            inform(.scene(.active))
            answer(.microphonePermission(isGranted: true))
        }
    }

    @Test("A microphone that is revoked in Settings ends the app; the next launch is refused")
    func revoked() throws {
        var story = try launched()
        try story.expect(.user(.leaveApp), at: .seconds(1)) { inform(.scene(.inactive)) }
        let revoke = UserAction.setMicrophone(Self.app, isGranted: false)
        try story.expect(.user(revoke), at: .seconds(2)) {
            Effect.kill(Self.app, .privacyChanged)
        }
        try story.expect(.user(.openApp(Self.app)), at: .seconds(3)) { Effect.launch(Self.app) }
        try story.expectWake(at: .milliseconds(3_600)) {
            inform(.launched(.user))
            clock(3_600)
            inform(.path(.satisfied(.wifi)))
            inform(.scene(.active))
        }
        let request = ordered(.requestMicrophonePermission(Self.operation))
        try story.expect(request, at: .seconds(4)) {
            answer(.microphonePermission(isGranted: false))
        }
    }

    @Test("The keychain opens with the first unlock (RS-03)")
    func firstUnlock() throws {
        var condition = PhoneCondition()
        condition.secureStorage = .locked
        var story = try launched(condition)
        let read = ordered(.readSecureStorage(Self.operation, key: "identity"))
        try story.expect(read, at: .seconds(1)) {
            answer(.secureStorageRead(.failed(.interactionNotAllowed)))
        }
        try story.expect(.user(.unlock), at: .seconds(2))
        try story.expect(read, at: .seconds(3)) { answer(.secureStorageRead(.value(nil))) }
    }

    @Test("What an app keeps survives its process (RS-03)")
    func keychain() throws {
        var story = try launched()
        let write = SystemOrder.writeSecureStorage(Self.operation, key: "identity", value: "a")
        try story.expect(ordered(write), at: .seconds(1)) {
            answer(.secureStorageWritten(isKept: true))
        }
        try story.expect(.user(.killApp(Self.app)), at: .seconds(2)) {
            Effect.kill(Self.app, .user)
        }
        #expect(story.machine.stored("identity", for: Self.app) == "a")
    }

    @Test("An app that does not run orders nothing")
    func dead() throws {
        var story = try launched()
        try story.expect(.user(.killApp(Self.app)), at: .seconds(2)) {
            Effect.kill(Self.app, .user)
        }
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(2))
        #expect(!story.machine.soundIsOn(for: Self.app))
    }

    @Test("An app that is suspended while its engine starts reads upon its return that it failed")
    func engineAndSuspension() throws {
        var condition = PhoneCondition()
        condition.engine.delay = .seconds(60)
        var story = try launched(condition)
        try story.expect(.user(.leaveApp), at: .seconds(10)) { inform(.scene(.inactive)) }
        try story.expectWake(at: .milliseconds(10_300)) { inform(.scene(.background)) }
        try story.expect(ordered(.startVoiceEngine(Self.operation)), at: .seconds(11))
        try story.expectWake(at: .milliseconds(15_300)) { Effect.suspend(Self.app) }
        try story.expect(.user(.openApp(Self.app)), at: .seconds(16)) {
            Effect.resume(Self.app)
            answer(.voiceEngine(.failed(.cannotStartRecording)))
            inform(.scene(.inactive))
        }
    }

    @Test("A clock that jumps while the app is suspended is told upon its return")
    func clockJump() throws {
        var story = try suspended()
        try story.expect(.clockSet(offset: .seconds(3_600)), at: .seconds(16))
        try story.expect(.user(.openApp(Self.app)), at: .seconds(17)) {
            Effect.resume(Self.app)
            clock(3_617_000)
            inform(.scene(.inactive))
        }
    }
}
