import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("Outgoing calls (VP-09)")
struct CallRegistryOutgoingTests {
    private let uuid = CallStory.uuids[0]
    private var callId: String { CallStory.uuids[1].text }
    private var description: CallDescription {
        CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .outgoing,
            partyId: "u-9",
            name: "次郎",
            hasVideo: true
        )
    }

    /// A call that the system has started and the server is asked to place: operations 1 and 2.
    private func placing() throws -> Transcript<CallRegistry> {
        var story = Transcript(Story.registry())
        try story.expect(.credentialsChanged(Story.credentials), at: .zero)
        let request = CallRegistry.Event.callRequested(
            contactId: "u-9",
            name: "次郎",
            hasVideo: true
        )
        let start = SystemCallAction.start(uuid, handle: "u-9", hasVideo: true)
        try story.expect(request, at: .zero) { Effect.system(.request(Story.id(1), start)) }
        try story.expect(.requestFinished(Story.id(1), isAccepted: true), at: .zero)
        let call = OutgoingCall(callId: callId, contactId: "u-9", hasVideo: true)
        try story.expect(Story.action(1, start), at: .zero) {
            Effect.configureAudio
            Story.fulfill(1)
            Effect.system(.reportConnecting(uuid))
            Effect.announce(.started(description))
            Story.stored(entered: (callId, 0))
            Effect.callAPI(Story.id(2), .place(call))
        }
        return story
    }

    /// A call that rings at the other side from 1 s; operation 3 asks how it stands.
    private func calling() throws -> Transcript<CallRegistry> {
        var story = try placing()
        try story.expect(Story.answered(2, .placed(room: "call-y")), at: .seconds(1)) {
            Effect.callAPI(Story.id(3), .status(callId: callId))
        }
        return story
    }

    private func ended(_ reason: CallEndReason, at seconds: Int64) -> [Effect] {
        [
            .announce(.ended(uuid, callId: callId, reason)), .writeLog(.ended(reason)),
            Story.stored([(seconds, callId, reason)]),
        ]
    }

    /// The same of a call that the server has yet to be told of.
    private func left(_ reason: CallEndReason, at seconds: Int64) -> [Effect] {
        [
            .announce(.ended(uuid, callId: callId, reason)), .writeLog(.ended(reason)),
            Story.stored(left: (seconds, callId, reason)),
        ]
    }

    @Test("Start, signalling, answer, media: the system learns when both sides are connected")
    func connected() throws {
        var story = try calling()
        try story.expect(Story.answered(3, .status(.ringing())), at: .seconds(2))
        try story.expectWake(at: .seconds(3)) {
            Effect.callAPI(Story.id(4), .status(callId: callId))
        }
        try story.expect(Story.answered(4, .status(.answered)), at: .seconds(3)) {
            Effect.media(uuid, .join(room: "call-y"))
            Story.stored(entered: (callId, 3_000))
            Effect.callAPI(Story.id(5), .status(callId: callId))
        }
        try story.expect(.mediaConnected(uuid), at: .seconds(4)) {
            Effect.system(.reportConnected(uuid))
            Effect.announce(.connected(uuid, callId: callId))
        }
    }

    @Test("Declined, busy and unanswered calls end here with the other side's reason")
    func endedThere() throws {
        for (reason, system) in [
            (CallEndReason.declined, SystemEndReason.remoteEnded), (.busy, .unanswered),
            (.unanswered, .unanswered),
        ] {
            var story = try calling()
            try story.expect(Story.answered(3, .status(.ended(reason))), at: .seconds(4)) {
                Effect.system(.reportEnded(uuid, system))
                ended(reason, at: 4)
            }
            #expect(story.machine.deadline == nil)
        }
    }

    @Test("A call that the user cancels ends at the server, placed or not")
    func cancelled() throws {
        var story = try calling()
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(2)) {
            Story.fulfill(2)
            left(.cancelled, at: 2)
            Effect.cancelAPI(Story.id(3))
            Effect.callAPI(Story.id(4), .end(callId: callId, reason: .cancelled))
        }
        // The request that was given up may still arrive: the end is told all the same.
        var early = try placing()
        try early.expect(Story.action(2, .end(uuid)), at: .seconds(2)) {
            Story.fulfill(2)
            left(.cancelled, at: 2)
            Effect.cancelAPI(Story.id(2))
            Effect.callAPI(Story.id(3), .end(callId: callId, reason: .cancelled))
        }
    }

    @Test("A call that cannot be placed fails; one that the network keeps is placed again")
    func failed() throws {
        var story = try placing()
        try story.expect(Story.answered(2, .refused(statusCode: 404)), at: .seconds(1)) {
            Effect.system(.reportEnded(uuid, .failed))
            ended(.failed, at: 1)
        }
        var retried = try placing()
        let call = OutgoingCall(callId: callId, contactId: "u-9", hasVideo: true)
        try retried.expect(Story.answered(2, .failed), at: .seconds(1))
        let again = try retried.expectDrawnWake(within: .milliseconds(500), after: .seconds(1)) {
            Effect.callAPI(Story.id(3), .place(call))
        }
        // It may be answered late; what comes first counts.
        try retried.expectWake(at: again + .seconds(4))
        try retried.expect(.pathRestored, at: .seconds(6)) {
            Effect.callAPI(Story.id(4), .place(call))
        }
        try retried.expectWake(at: .seconds(10))
        try retried.expect(Story.answered(4, .placed(room: "call-y")), at: .seconds(10)) {
            Effect.cancelAPI(Story.id(3))
            Effect.callAPI(Story.id(5), .status(callId: callId))
        }
    }

    @Test(
        "A call that its server cannot take just now is placed again (VP-05)",
        arguments: [429, 500, 503]
    )
    func hiccup(statusCode: Int) throws {
        var story = try placing()
        let call = OutgoingCall(callId: callId, contactId: "u-9", hasVideo: true)
        try story.expect(Story.answered(2, .refused(statusCode: statusCode)), at: .seconds(1))
        try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(1)) {
            Effect.callAPI(Story.id(3), .place(call))
        }
        try story.expect(Story.answered(3, .placed(room: "call-y")), at: .seconds(2)) {
            Effect.callAPI(Story.id(4), .status(callId: callId))
        }
    }

    @Test("A call that its server takes later is placed then, not sooner (VP-05)")
    func busy() throws {
        for told in [3_000, 100] as [Int64] {
            var story = try placing()
            let call = OutgoingCall(callId: callId, contactId: "u-9", hasVideo: true)
            let answer = CallAnswer.busy(RetryAfter(.milliseconds(told)))
            try story.expect(Story.answered(2, answer), at: .seconds(1))
            guard told > 500 else {
                try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(1)) {
                    Effect.callAPI(Story.id(3), .place(call))
                }
                continue
            }
            try story.expectWake(at: .milliseconds(999 + told))
            try story.expectWake(at: .milliseconds(1_000 + told)) {
                Effect.callAPI(Story.id(3), .place(call))
            }
        }
    }

    @Test("A call that the system does not start is over before it began")
    func refusedBySystem() throws {
        var story = Transcript(Story.registry())
        let start = SystemCallAction.start(uuid, handle: "u-9", hasVideo: true)
        let request = CallRegistry.Event.callRequested(
            contactId: "u-9",
            name: "次郎",
            hasVideo: true
        )
        try story.expect(request, at: .zero) { Effect.system(.request(Story.id(1), start)) }
        try story.expect(.requestFinished(Story.id(1), isAccepted: false), at: .zero) {
            ended(.failed, at: 0)
        }
        try story.expect(Story.action(1, start), at: .zero) { Story.fail(1) }
    }

    @Test("An end chosen in the app goes by the system, and is done here if the system refuses")
    func endInApp() throws {
        var story = try calling()
        try story.expect(.actionChosen(.end(uuid)), at: .seconds(2)) {
            Effect.system(.request(Story.id(4), .end(uuid)))
        }
        try story.expect(.requestFinished(Story.id(4), isAccepted: false), at: .seconds(2)) {
            Effect.system(.reportEnded(uuid, .remoteEnded))
            left(.cancelled, at: 2)
            Effect.cancelAPI(Story.id(3))
            Effect.callAPI(Story.id(5), .end(callId: callId, reason: .cancelled))
        }
    }
}
