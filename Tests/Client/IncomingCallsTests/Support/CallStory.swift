import IncomingCalls
import SansIO
import SansIOTesting

/// What the transcripts of calls have in common.
enum CallStory {
    typealias Effect = CallRegistry.Effect

    /// 2027-01-15 08:00 UTC.
    static let launch = WallTime(secondsSince1970: 1_800_000_000)
    static let credentials = CallCredentials(bearer: "session", deviceID: "phone-1")

    static func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// The identities that calls get with seed 1, in order.
    static let uuids: [UniqueID] = {
        var generator = SeededGenerator(seed: 1)
        return (0..<8).map { _ in UniqueID(from: &generator) }
    }()

    static func payload(
        _ callId: String = "c-1",
        from user: String = "u-7",
        _ name: String = "花子",
        expiresAt: Int64? = nil
    ) -> PayloadValue {
        var members = [
            PayloadMember("aps", .object(["content-available": .integer(1)])),
            PayloadMember("type", .string("call.incoming")),
            PayloadMember("callId", .string(callId)),
            PayloadMember("fromUserId", .string(user)),
            PayloadMember("fromDisplayName", .string(name)),
            PayloadMember("room", .string("call-x")),
        ]
        if let expiresAt { members.append(PayloadMember("expiresAt", .integer(expiresAt))) }
        return .dictionary(members)
    }

    static func endSignal(_ callId: String, _ reason: String) -> PayloadValue {
        .object([
            "aps": .object(["content-available": .integer(1)]),
            "type": .string("call.ended"), "callId": .string(callId), "reason": .string(reason),
        ])
    }

    static let update = CallUpdate(handle: "u-7", name: "花子", hasVideo: false)

    static func description(_ uuid: UniqueID, _ callId: String = "c-1") -> CallDescription {
        CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .incoming,
            partyId: "u-7",
            name: "花子",
            hasVideo: false
        )
    }

    static func registry(
        _ configuration: CallsConfiguration = CallsConfiguration(),
        restoring stored: String? = nil,
        microphone: MicrophoneAccess = .allowed
    ) -> CallRegistry {
        CallRegistry(
            configuration: configuration,
            restoring: stored,
            clock: WallClock(showing: launch),
            microphone: microphone,
            seed: 1
        )
    }

    /// The memory's stored form after such a history, in seconds after the launch.
    ///
    /// Before all that, in milliseconds, the user may have entered a call that goes on; after it they may
    /// have left one, of which the server has yet to learn.
    static func stored(
        _ history: [(Int64, String, CallEndReason?)] = [],
        entered: (callId: String, at: Int64)? = nil,
        left: (Int64, String, CallEndReason)? = nil
    ) -> Effect {
        var memory = CallMemory()
        if let entered {
            memory.enter(entered.callId, at: launch.advanced(by: .milliseconds(entered.at)))
        }
        for (seconds, callId, reason) in history {
            memory.remember(callId, reason, at: launch.advanced(by: .seconds(seconds)))
        }
        if let (seconds, callId, reason) = left {
            memory.leave(callId, reason, at: launch.advanced(by: .seconds(seconds)))
        }
        return .writeStorage(memory.stored)
    }

    static func push(_ number: UInt32, _ payload: PayloadValue) -> CallRegistry.Event {
        .pushReceived(PushID(number: number), payload)
    }

    static func report(
        _ operation: UInt32,
        _ uuid: UniqueID,
        _ update: CallUpdate = update
    ) -> Effect {
        .system(.reportIncoming(id(operation), uuid, update))
    }

    static func action(
        _ number: UInt32,
        _ action: SystemCallAction
    ) -> CallRegistry.Event {
        .actionRequested(ActionID(number: number), action)
    }

    static func fulfill(_ number: UInt32) -> Effect {
        .system(.fulfill(ActionID(number: number)))
    }

    static func fail(_ number: UInt32) -> Effect { .system(.fail(ActionID(number: number))) }

    static func complete(_ number: UInt32) -> Effect { .completePush(PushID(number: number)) }

    static func answered(_ operation: UInt32, _ answer: CallAnswer) -> CallRegistry.Event {
        .apiAnswered(id(operation), answer)
    }

    /// A phone whose app is ready and on which call `c-1` rings from the start of time; operations 1
    /// (report) and 2 (state check, unanswered) are used up.
    static func ringing(
        _ configuration: CallsConfiguration = CallsConfiguration(),
        microphone: MicrophoneAccess = .allowed
    ) throws(TranscriptMismatch) -> Transcript<CallRegistry> {
        var story = Transcript(registry(configuration, microphone: microphone))
        try story.expect(.credentialsChanged(credentials), at: .zero)
        try story.expect(push(1, payload()), at: .zero) {
            report(1, uuids[0])
            stored([(0, "c-1", nil)])
            Effect.callAPI(id(2), .status(callId: "c-1"))
        }
        try story.expect(.reportFinished(id(1), nil), at: .milliseconds(50)) { complete(1) }
        return story
    }

    /// A phone on which nobody has signed in since the launch, and to which a push brings call `c-1`
    /// at the start of time; operation 1 is its report, which is not answered.
    static func pushed(
        expiresAt: Int64? = nil
    ) throws(TranscriptMismatch) -> Transcript<CallRegistry> {
        var story = Transcript(registry())
        try story.expect(push(1, payload(expiresAt: expiresAt)), at: .zero) {
            report(1, uuids[0])
            stored([(0, "c-1", nil)])
        }
        return story
    }

    /// The same phone once the call rings.
    static func ringingSignedOut(
        expiresAt: Int64? = nil
    ) throws(TranscriptMismatch) -> Transcript<CallRegistry> {
        var story = try pushed(expiresAt: expiresAt)
        try story.expect(.reportFinished(id(1), nil), at: .zero) { complete(1) }
        return story
    }

    /// The phone of `ringing` after the user answered at 1 s: operation 2 is cancelled, and 3 asks
    /// the server for the offer.
    static func answering() throws(TranscriptMismatch) -> Transcript<CallRegistry> {
        var story = try ringing()
        try story.expect(action(1, .answer(uuids[0])), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(description(uuids[0])))
            Effect.cancelAPI(id(2))
            Effect.callAPI(id(3), .offer(callId: "c-1"))
        }
        return story
    }

    /// The same phone after the server consented, and the media joined at 2 s; operations up to 5
    /// are used up, 5 being the first state check of the conversation.
    static func connected() throws(TranscriptMismatch) -> Transcript<CallRegistry> {
        var story = try answering()
        let offer = CallOffer(room: "call-x", hasVideo: false)
        try story.expect(answered(3, .offer(offer)), at: .milliseconds(1_100)) {
            Effect.callAPI(id(4), .answer(callId: "c-1"))
        }
        try story.expect(answered(4, .answered(room: "call-x")), at: .milliseconds(1_200)) {
            fulfill(1)
            Effect.media(uuids[0], .join(room: "call-x"))
            stored(entered: ("c-1", 1_200))
            Effect.callAPI(id(5), .status(callId: "c-1"))
        }
        try story.expect(.audioActivated, at: .milliseconds(1_300)) {
            Effect.announce(.audioActivated)
        }
        try story.expect(.mediaConnected(uuids[0]), at: .seconds(2)) {
            Effect.announce(.connected(uuids[0], callId: "c-1"))
        }
        return story
    }
}
