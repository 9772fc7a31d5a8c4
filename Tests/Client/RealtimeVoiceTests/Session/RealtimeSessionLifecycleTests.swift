import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session follows the app's phases and the audio session")
struct RealtimeSessionLifecycleTests {
    private let leaving: [Effect] = [
        Story.order(1, .stopRenderer),
        Story.order(1, .disconnect(OperationID(number: 4))),
        .writeLog(.disconnected(RoomID(number: 1), nil)),
        Story.status(.disconnected),
    ]

    @Test(
        "The room is left on the phase that the rule names, and on none before it (RS-07, D-05)",
        arguments: LeaveRule.allCases
    )
    func leaves(rule: LeaveRule) throws {
        var configuration = Story.configuration
        configuration.leaveOn = rule
        var story = try Story.connected(configuration)
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(2)) {
            rule == .inactive ? leaving : []
        }
        try story.expect(.scenePhaseChanged(.background), at: .seconds(3)) {
            rule == .background ? leaving : []
        }
    }

    @Test("Coming to the front resumes what a phase had ended, in a new room (RS-06, D-18)")
    func resumes() throws {
        var story = try Story.connected()
        try story.expect(.scenePhaseChanged(.background), at: .seconds(3)) { leaving }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(4))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(5)) {
            Story.fetch(5)
            Story.status(.fetchingToken)
        }
    }

    @Test("Coming to the front does not resume what the user ended (RS-06)")
    func staysEnded() throws {
        var story = try Story.connected()
        try story.expect(.scenePhaseChanged(.background), at: .seconds(3)) { leaving }
        try story.expect(.disconnectRequested, at: .seconds(4))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(5))
    }

    @Test("Coming to the front leaves a connect in flight alone (RS-06)")
    func singleFlight() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .zero)
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
    }

    @Test("A connect in flight is cancelled cleanly when the app goes out of sight (RS-07)")
    func cancelled() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(.scenePhaseChanged(.background), at: .seconds(1)) {
            Story.order(1, .disconnect(OperationID(number: 3)))
            Effect.writeLog(.disconnected(RoomID(number: 1), nil))
            Story.status(.disconnected)
        }
        try story.expect(Story.connectFinished(1, 2), at: .seconds(2))
    }

    @Test("An app that is ready out of sight connects when it comes to the front (RS-07)")
    func readyOutOfSight() throws {
        var story = Story.begin()
        try story.expect(.scenePhaseChanged(.background), at: .zero)
        try story.expect(.becameReady(Story.identity), at: .seconds(1))
        #expect(!story.machine.isActive)
        try story.expect(.scenePhaseChanged(.active), at: .seconds(2)) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
    }

    @Test("A tapped notification connects at once, whatever the phase still says (RS-13)")
    func tapped() throws {
        var story = Story.begin()
        try story.expect(.scenePhaseChanged(.background), at: .zero)
        try story.expect(.connectRequested(Story.identity), at: .seconds(1)) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(1))
    }

    @Test("A conversation that ends while voice is lost ends its offline part, too")
    func endsOffline() throws {
        var story = try Story.connected()
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(.disconnectRequested, at: .seconds(8)) {
            leaving[0]
            leaving[1]
            leaving[2]
            Effect.endOffline
            Story.status(.disconnected)
        }
    }

    @Test("A call that takes the audio closes microphone and renderer, and keeps the room (RS-15)")
    func audioTaken() throws {
        var story = try Story.connected()
        try story.expect(.audioAccessChanged(.taken), at: .seconds(3)) {
            Story.order(1, .stopRenderer)
            Story.microphone(1, 4, false)
            Story.status(.audioTaken)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(3))
        try story.expect(Story.statistics(1, consents: 3), at: .seconds(4))
        // The engine starts: nobody hears anybody yet.
        try story.expect(.audioAccessChanged(.starting), at: .seconds(5))
        try story.expect(.audioAccessChanged(.available), at: .milliseconds(5_500)) {
            Story.order(1, .startRenderer)
            Story.microphone(1, 5, true)
            Story.status(.connected)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(5_500))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .seconds(10)))
    }

    @Test("A slow start of the engine after a call is what the user reads of (RS-08, RS-15)")
    func engineStartsLate() throws {
        var story = try Story.connected()
        try story.expect(.audioAccessChanged(.taken), at: .seconds(2)) {
            Story.order(1, .stopRenderer)
            Story.microphone(1, 4, false)
            Story.status(.audioTaken)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(2))
        try story.expect(.audioAccessChanged(.starting), at: .seconds(3))
        try story.expectWake(at: .milliseconds(3_999))
        try story.expectWake(at: .seconds(4)) { Story.status(.startingEngine) }
        try story.expect(.audioAccessChanged(.available), at: .seconds(6)) {
            Story.order(1, .startRenderer)
            Story.microphone(1, 5, true)
            Story.status(.connected)
        }
    }

    @Test("A room that is joined before the engine runs is not yet said to be connected (RS-08)")
    func joinedBeforeEngine() throws {
        var story = Transcript(
            RealtimeSession(configuration: Story.configuration, seed: 1, audio: .starting)
        )
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .seconds(1))
        try story.expect(Story.connectFinished(1, 2), at: .seconds(1)) {
            Effect.writeLog(.connected(RoomID(number: 1)))
            Story.microphone(1, 3, false)
            Story.status(.startingEngine)
        }
        try story.expect(Story.microphoneFinished(1, 3), at: .seconds(1))
        try story.expect(.audioAccessChanged(.available), at: .seconds(2)) {
            Story.order(1, .startRenderer)
            Story.microphone(1, 4, true)
            Story.status(.connected)
        }
    }
}
