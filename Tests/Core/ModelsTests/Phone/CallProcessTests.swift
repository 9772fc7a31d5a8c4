@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = AppProcess.Effect

@Suite("An app's process, with pushes and calls")
struct CallProcessTests {
    /// A story whose process does not run.
    private func killed(
        _ change: (inout PhoneSystemConfiguration) -> Void = { _ in }
    ) -> Transcript<AppProcess> {
        var configuration = AppProcessTests.configuration
        change(&configuration)
        let process = AppProcess(launches: AppProcessTests.launches, configuration: configuration)
        return Transcript(process)
    }

    /// A story whose process was launched for a push and runs since 0.6 s, in the background.
    private func pushed(
        _ change: (inout PhoneSystemConfiguration) -> Void = { _ in }
    ) throws -> Transcript<AppProcess> {
        var story = killed(change)
        try story.expect(.wokenForPush, at: .zero) { Effect.launch }
        try story.expectWake(at: .milliseconds(600)) { Effect.launched(.push) }
        return story
    }

    /// A story whose process is suspended since 30 s.
    private func suspended() throws -> Transcript<AppProcess> {
        var story = try pushed()
        try story.expectWake(at: .seconds(30)) { Effect.suspend }
        return story
    }

    @Test("A push launches an app in the background, for 30 s (VP-04)")
    func launched() throws {
        var story = try pushed()
        try story.expectWake(at: .milliseconds(29_999))
        try story.expectWake(at: .seconds(30)) { Effect.suspend }
    }

    @Test("A push resumes a suspended app, and each push begins the 30 s anew (VP-04)")
    func resumed() throws {
        var story = try suspended()
        try story.expect(.wokenForPush, at: .seconds(40)) { Effect.resume(asleep: .seconds(10)) }
        try story.expect(.wokenForPush, at: .seconds(60))
        try story.expectWake(at: .seconds(70))
        try story.expectWake(at: .seconds(90)) { Effect.suspend }
    }

    @Test(
        "A task launches an app in the background like a push, and the user's hand overtakes it (AN-01)"
    )
    func launchedForTask() throws {
        var story = killed()
        try story.expect(.wokenForTask, at: .zero) { Effect.launch }
        try story.expectWake(at: .milliseconds(600)) { Effect.launched(.task) }
        try story.expectWake(at: .seconds(30)) { Effect.suspend }
        var opened = killed()
        try opened.expect(.wokenForTask, at: .zero) { Effect.launch }
        try opened.expect(.opened(.user), at: .milliseconds(100))
        try opened.expectWake(at: .milliseconds(600)) { Effect.launched(.user) }
    }

    @Test("A user who opens the app while a push launches it makes it a launch of theirs")
    func openedMeanwhile() throws {
        var story = killed()
        try story.expect(.wokenForPush, at: .zero) { Effect.launch }
        try story.expect(.opened(.user), at: .milliseconds(100))
        try story.expectWake(at: .milliseconds(600)) { Effect.launched(.user) }
        #expect(story.machine.deadline == nil, "an app in front is not suspended")
    }

    @Test("A call action resumes a suspended app for 5 s, and launches none (VP-05)")
    func actions() throws {
        var story = try suspended()
        try story.expect(.wokenForCall, at: .seconds(40)) { Effect.resume(asleep: .seconds(10)) }
        try story.expectWake(at: .seconds(45)) { Effect.suspend }
        var none = killed()
        try none.expect(.wokenForCall, at: .zero)
        #expect(none.machine.phase == .notRunning)
    }

    @Test("A call action just before the suspension leaves time to act on it (VP-05)")
    func lateAction() throws {
        var story = try pushed()
        try story.expect(.wokenForCall, at: .milliseconds(29_900))
        try story.expectWake(at: .seconds(30))
        try story.expectWake(at: .milliseconds(34_900)) { Effect.suspend }
    }

    @Test("A call action while the expiration handler runs saves the process (VP-05)")
    func actionDuringExpiration() throws {
        let (task, duty) = (OperationID(number: 7), OperationID(number: 1))
        var story = try pushed()
        try story.expect(.backgroundTaskBegan(task), at: .seconds(1))
        try story.expectWake(at: .milliseconds(30_600)) { Effect.expireBackgroundTime(duty) }
        try story.expect(.wokenForCall, at: .milliseconds(30_600))
        try story.expect(.handlerReturned(duty), at: .milliseconds(30_600))
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .milliseconds(60_600)))
    }

    @Test("A call that goes on keeps its app awake; one that rings does not (VP-05)")
    func keptAwake() throws {
        var story = try pushed()
        try story.expect(.callsChanged(.ringing), at: .seconds(1))
        #expect(story.machine.deadline != nil)
        try story.expect(.callsChanged(.going), at: .seconds(5))
        #expect(story.machine.deadline == nil)
        try story.expect(.callsChanged(.none), at: .seconds(100))
        try story.expectWake(at: .seconds(105)) { Effect.suspend }
    }

    @Test("If the setting says so, a call that rings keeps its app awake, too")
    func keptByRing() throws {
        var story = try pushed { $0.ringingKeepsAppAwake = true }
        try story.expect(.callsChanged(.ringing), at: .seconds(1))
        #expect(story.machine.deadline == nil)
        try story.expect(.callsChanged(.none), at: .seconds(40))
        try story.expectWake(at: .seconds(45)) { Effect.suspend }
    }

    @Test("A process that dies forgets its push and its calls")
    func killedInCall() throws {
        var story = try pushed()
        try story.expect(.callsChanged(.going), at: .seconds(5))
        try story.expect(.killed(.unreportedPush), at: .seconds(6)) {
            Effect.kill(.unreportedPush)
        }
        try story.expect(.opened(.user), at: .seconds(7)) { Effect.launch }
        try story.expectWake(at: .milliseconds(7_600)) { Effect.launched(.user) }
        try story.expect(.movedToBackground(true), at: .seconds(8))
        try story.expectWake(at: .seconds(13)) { Effect.suspend }
    }
}
