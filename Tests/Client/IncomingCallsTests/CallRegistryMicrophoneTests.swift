import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("Answers without the microphone")
struct CallRegistryMicrophoneTests {
    private let uuid = CallStory.uuids[0]

    /// A call that was answered at 1 s by a user who has not decided; request 2 is unanswered.
    private func waiting() throws -> Transcript<CallRegistry> {
        var story = try Story.ringing(microphone: .undecided)
        try story.expect(Story.action(1, .answer(uuid)), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
        }
        #expect(story.machine.waitsForMicrophone)
        return story
    }

    @Test("The server learns of an answer when the user has allowed the microphone (VP-05)")
    func allowed() throws {
        var story = try waiting()
        // The call rings on at the server, and is watched.
        try story.expect(Story.answered(2, .status(.ringing())), at: .seconds(2))
        try story.expectWake(at: .seconds(4)) {
            Effect.callAPI(Story.id(3), .status(callId: "c-1"))
        }
        // The system's action is not kept open for ever.
        try story.expectWake(at: .seconds(6)) { Story.fulfill(1) }
        try story.expect(.microphoneDecided(isAllowed: true), at: .seconds(7)) {
            Effect.cancelAPI(Story.id(3))
            Effect.callAPI(Story.id(4), .offer(callId: "c-1"))
        }
        #expect(!story.machine.waitsForMicrophone)
        let offer = CallOffer(room: "call-x", hasVideo: false)
        try story.expect(Story.answered(4, .offer(offer)), at: .seconds(7)) {
            Effect.callAPI(Story.id(5), .answer(callId: "c-1"))
        }
        try story.expect(Story.answered(5, .answered(room: "call-x")), at: .seconds(8)) {
            Effect.media(uuid, .join(room: "call-x"))
            Story.stored(entered: ("c-1", 8_000))
            Effect.callAPI(Story.id(6), .status(callId: "c-1"))
        }
    }

    @Test("An answer that waited has all the time of an answer from then on (VP-05)")
    func allowedLate() throws {
        var story = try waiting()
        story.pass(until: .seconds(20))
        var registry = story.machine
        let decided = Instant.zero.advanced(by: .seconds(20))
        registry.handle(.microphoneDecided(isAllowed: true), at: decided)
        story = Transcript(registry)
        story.pass(until: .seconds(50))
        #expect(story.machine.descriptions.count == 1)
        story.pass(until: .milliseconds(50_001))
        #expect(story.machine.descriptions.isEmpty)
    }

    @Test("Who refuses it then has not answered: the server is told, and the user why (VP-05)")
    func refused() throws {
        var story = try waiting()
        try story.expect(.microphoneDecided(isAllowed: false), at: .seconds(3)) {
            Effect.microphoneMissing
            Story.fail(1)
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeLog(.ended(.failed))
            Story.stored([(0, "c-1", nil), (3, "c-1", .failed)])
            Effect.cancelAPI(Story.id(2))
            Effect.callAPI(Story.id(3), .end(callId: "c-1", reason: .failed))
            Effect.missedCallExpected(from: nil)
        }
        #expect(!story.machine.waitsForMicrophone)
    }

    @Test("Where it was refused before, the call may be missed, now or later (VP-05)")
    func refusedBefore() throws {
        var story = Transcript(Story.registry(microphone: .refused))
        try story.expect(.credentialsChanged(Story.credentials), at: .zero)
        let payload = Story.payload(expiresAt: Story.launch.secondsSince1970 + 25)
        try story.expect(Story.push(1, payload), at: .zero) {
            Story.report(1, uuid)
            Story.stored([(0, "c-1", nil)])
            Effect.callAPI(Story.id(2), .status(callId: "c-1"))
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .zero) { Story.complete(1) }
        try story.expect(Story.answered(2, .status(.ringing())), at: .zero)
        try story.expect(Story.action(1, .answer(uuid)), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
            Effect.microphoneMissing
            Story.fail(1)
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeLog(.ended(.failed))
            Story.stored([(0, "c-1", nil), (1, "c-1", .failed)])
            Effect.callAPI(Story.id(3), .end(callId: "c-1", reason: .failed))
            Effect.missedCallExpected(from: nil)
            // Another device of the user's may still ring.
            Effect.missedCallExpected(from: Instant.zero.advanced(by: .seconds(25)))
        }
    }

    @Test("An answer that waits gives way to another device, and to its user (VP-05, D-03)")
    func overMeanwhile() throws {
        var elsewhere = try waiting()
        let answered = Story.answered(2, .status(.ended(.answeredElsewhere)))
        try elsewhere.expect(answered, at: .seconds(2)) {
            Story.fail(1)
            Effect.system(.reportEnded(uuid, .answeredElsewhere))
            Effect.announce(.ended(uuid, callId: "c-1", .answeredElsewhere))
            Effect.writeLog(.ended(.answeredElsewhere))
            Story.stored([(0, "c-1", nil), (2, "c-1", .answeredElsewhere)])
        }
        #expect(!elsewhere.machine.waitsForMicrophone)
        try elsewhere.expect(.microphoneDecided(isAllowed: true), at: .seconds(3))

        var hungUp = try waiting()
        try hungUp.expect(Story.action(2, .end(uuid)), at: .seconds(2)) {
            Story.fulfill(2)
            Story.fail(1)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored([(0, "c-1", nil), (2, "c-1", .hungUp)])
            Effect.cancelAPI(Story.id(2))
            Effect.callAPI(Story.id(3), .end(callId: "c-1", reason: .hungUp))
        }
        try hungUp.expect(.microphoneDecided(isAllowed: true), at: .seconds(3))
    }
}
