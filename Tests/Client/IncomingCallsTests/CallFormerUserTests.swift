import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("Ends that only a user could tell who is not signed in any more (VP-05)")
struct CallFormerUserTests {
    // Session tokens with the subjects u-1, u-1 and u-2.
    private let first = CallCredentials(bearer: "e30.eyJzdWIiOiJ1LTEifQ.a", deviceID: "phone-1")
    private let again = CallCredentials(bearer: "e30.eyJzdWIiOiJ1LTEifQ.b", deviceID: "phone-1")
    private let other = CallCredentials(bearer: "e30.eyJzdWIiOiJ1LTIifQ.c", deviceID: "phone-1")
    private let uuid = CallStory.uuids[0]
    private let callId = CallStory.uuids[1].text

    /// An app that was launched after such a user had hung up, untold to the server.
    private func relaunched(after user: String?) throws -> Transcript<CallRegistry> {
        var memory = CallMemory()
        memory.leave("c-1", .hungUp, by: user, at: Story.launch)
        var story = Transcript(Story.registry(restoring: memory.stored))
        try story.expect(.launched, at: .seconds(1))
        return story
    }

    /// The memory after the first user has called somebody, and has given up after so many seconds.
    private func stored(endedAt seconds: Int64? = nil) -> Effect {
        var memory = CallMemory()
        memory.enter(callId, by: "u-1", at: Story.launch)
        if let seconds {
            let time = Story.launch.advanced(by: .seconds(seconds))
            memory.leave(callId, .cancelled, by: "u-1", at: time)
        }
        return .writeStorage(memory.stored)
    }

    /// The first user calls somebody, and the server has not answered; operation 2 asks it.
    private func calling() throws -> Transcript<CallRegistry> {
        var story = Transcript(Story.registry())
        try story.expect(.credentialsChanged(first), at: .zero)
        let start = SystemCallAction.start(uuid, handle: "u-9", hasVideo: false)
        let request = CallRegistry.Event.callRequested(
            contactId: "u-9",
            name: "次郎",
            hasVideo: false
        )
        try story.expect(request, at: .zero) { Effect.system(.request(Story.id(1), start)) }
        let description = CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .outgoing,
            partyId: "u-9",
            name: "次郎",
            hasVideo: false
        )
        let call = OutgoingCall(callId: callId, contactId: "u-9", hasVideo: false)
        try story.expect(Story.action(1, start), at: .zero) {
            Effect.configureAudio
            Story.fulfill(1)
            Effect.system(.reportConnecting(uuid))
            Effect.announce(.started(description))
            stored()
            Effect.callAPI(Story.id(2), .place(call))
        }
        return story
    }

    private func signOut(
        _ story: inout Transcript<CallRegistry>,
        at seconds: Int64
    ) throws {
        try story.expect(.signedOut, at: .seconds(seconds))
        try story.expect(.credentialsChanged(nil), at: .seconds(seconds))
    }

    @Test("A hang-up kept over a relaunch is told by its own user, whoever signs in before (VP-05)")
    func keptForUser() throws {
        var story = try relaunched(after: "u-1")
        try story.expect(.credentialsChanged(other), at: .seconds(2))
        #expect(!story.machine.hasFarewells, "no time in the background for what cannot be told")
        try signOut(&story, at: 3)
        try story.expect(.credentialsChanged(again), at: .seconds(4)) {
            Effect.callAPI(Story.id(1), .end(callId: "c-1", reason: .hungUp))
        }
        try story.expect(Story.answered(1, .accepted), at: .seconds(5)) {
            Story.stored([(5, "c-1", .hungUp)])
        }
        // Of a memory from before nobody knows whose it is.
        story = try relaunched(after: nil)
        try story.expect(.credentialsChanged(other), at: .seconds(2)) {
            Effect.callAPI(Story.id(1), .end(callId: "c-1", reason: .hungUp))
        }
    }

    @Test("Users are told apart by the bytes of their names (VP-05)")
    func bytes() throws {
        // The same letters in session tokens, composed and decomposed.
        let composed = CallCredentials(bearer: "e30.eyJzdWIiOiJab8OpIn0.a", deviceID: "phone-1")
        let other = CallCredentials(bearer: "e30.eyJzdWIiOiJab2XMgSJ9.b", deviceID: "phone-1")
        var story = try relaunched(after: "Zo\u{E9}")
        for second in [2, 4] as [Int64] {
            try story.expect(.credentialsChanged(other), at: .seconds(second))
            try signOut(&story, at: second + 1)
        }
        try story.expect(.credentialsChanged(composed), at: .seconds(6)) {
            Effect.callAPI(Story.id(1), .end(callId: "c-1", reason: .hungUp))
        }
    }

    @Test("Where nobody is signed in a hang-up needs no time in the background (VP-05)")
    func nobodySignedIn() throws {
        var story = try relaunched(after: "u-1")
        #expect(story.machine.hasFarewells, "the keychain may be read in a moment")
        try story.expect(.signedOut, at: .seconds(2))
        #expect(!story.machine.hasFarewells)
        try story.expect(.credentialsChanged(again), at: .seconds(3)) {
            Effect.callAPI(Story.id(1), .end(callId: "c-1", reason: .hungUp))
        }
        #expect(story.machine.hasFarewells)
    }

    @Test("A hang-up of another user's is kept for them for an hour (VP-05)")
    func keptForAWhile() throws {
        var story = try relaunched(after: "u-1")
        try story.expect(.credentialsChanged(other), at: .seconds(3_599))
        try signOut(&story, at: 3_599)
        try story.expect(.credentialsChanged(other), at: .seconds(3_600)) {
            Story.stored([(3_600, "c-1", .hungUp)])
        }
        try signOut(&story, at: 3_601)
        try story.expect(.credentialsChanged(again), at: .seconds(3_602))
    }

    @Test("Who gave up after their login had ended tells so, and nobody else does (VP-05, VP-09)")
    func loginEnded() throws {
        var story = try calling()
        try story.expect(Story.answered(2, .refused(statusCode: 401)), at: .seconds(1)) {
            Effect.signInRequired
        }
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(2)) {
            Story.fulfill(2)
            Effect.announce(.ended(uuid, callId: callId, .cancelled))
            Effect.writeLog(.ended(.cancelled))
            stored(endedAt: 2)
        }
        try signOut(&story, at: 3)
        try story.expect(.credentialsChanged(other), at: .seconds(4))
        #expect(!story.machine.hasFarewells)
        try signOut(&story, at: 5)
        try story.expect(.credentialsChanged(again), at: .seconds(6)) {
            Effect.callAPI(Story.id(3), .end(callId: callId, reason: .cancelled))
        }
    }

    @Test("A former login that the server refuses is not the last word of its user (VP-05)")
    func formerLoginEnded() throws {
        var story = try calling()
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(1)) {
            Story.fulfill(2)
            Effect.announce(.ended(uuid, callId: callId, .cancelled))
            Effect.writeLog(.ended(.cancelled))
            stored(endedAt: 1)
            Effect.cancelAPI(Story.id(2))
            Effect.callAPI(Story.id(3), .end(callId: callId, reason: .cancelled))
        }
        try signOut(&story, at: 2)
        try story.expect(.credentialsChanged(other), at: .seconds(2))
        try story.expect(Story.answered(3, .failed), at: .seconds(2))
        let end = CallRequest.end(callId: callId, reason: .cancelled)
        try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(2)) {
            Effect.callAPIAsFormer(Story.id(4), end, first)
        }
        try story.expect(Story.answered(4, .refused(statusCode: 401)), at: .seconds(3))
        #expect(!story.machine.hasFarewells)
        try signOut(&story, at: 5)
        try story.expect(.credentialsChanged(again), at: .seconds(6)) {
            Effect.callAPI(Story.id(5), end)
        }
    }

    @Test("Nobody has a call on their hands whose user's login had ended (K-22, VP-05)")
    func othersCall() throws {
        var story = try calling()
        try story.expect(Story.answered(2, .refused(statusCode: 401)), at: .seconds(1)) {
            Effect.signInRequired
        }
        try story.expect(.credentialsChanged(other), at: .seconds(2)) {
            Effect.system(.reportEnded(uuid, CallEndReason.cancelled.system))
            Effect.announce(.ended(uuid, callId: callId, .cancelled))
            Effect.writeLog(.ended(.cancelled))
            stored(endedAt: 2)
        }
        #expect(story.machine.descriptions.isEmpty)
    }
}
