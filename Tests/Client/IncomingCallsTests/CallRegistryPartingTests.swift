import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("Calls whose other side, own network or own process is gone (VP-05)")
struct CallRegistryPartingTests {
    private let uuid = CallStory.uuids[0]

    /// Lets time pass, and says whether the call ends at that time, neither before nor later.
    private func ends(_ story: Transcript<CallRegistry>, at milliseconds: Int64) -> Bool {
        var story = story
        story.pass(until: .milliseconds(milliseconds))
        let isOn = !story.machine.descriptions.isEmpty
        story.pass(until: .milliseconds(milliseconds + 1))
        return isOn && story.machine.descriptions.isEmpty && story.machine.hasFarewells
    }

    // MARK: The other side

    @Test("A conversation is over when its other side has been away for a minute (VP-05)")
    func alone() throws {
        var story = try Story.connected()
        try story.expect(.mediaPeerHeard(uuid), at: .seconds(3))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(3))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(4))
        #expect(ends(story, at: 63_000))
        var returned = story
        try returned.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(10))
        try returned.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(11))
        #expect(ends(returned, at: 71_000))
    }

    @Test("A call whose other side never comes is over 30 s after the answer (VP-05, VP-09)")
    func neverCame() throws {
        var story = try Story.connected()
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(3)) {
            Effect.cancelAPI(Story.id(5))
            Effect.callAPI(Story.id(6), .status(callId: "c-1"))
        }
        #expect(ends(story, at: 31_200))
        // Nor is anybody waited for longer who was in the room, and was not heard.
        story = try Story.connected()
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(3))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(22))
        #expect(ends(story, at: 31_200))
    }

    @Test("Who was in the room for longer than a join takes has a minute, though they were muted")
    func muted() throws {
        var story = try Story.connected()
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(3))
        story.pass(until: .milliseconds(31_200))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .milliseconds(31_200))
        #expect(ends(story, at: 91_200))
    }

    @Test("A push from the other side of a call asks how it stands: their app may have died in it")
    func callsAnew() throws {
        let second = Story.uuids[1]
        var story = try Story.connected()
        try story.expect(Story.answered(5, .status(.answered)), at: .seconds(2))
        var other = story
        try story.expect(Story.push(2, Story.payload("c-2")), at: .seconds(3)) {
            Story.report(6, second)
            Story.stored([(3, "c-2", nil)], entered: ("c-1", 1_200))
            Effect.callAPI(Story.id(7), .status(callId: "c-2"))
            Effect.callAPI(Story.id(8), .status(callId: "c-1"))
        }
        try story.expect(Story.answered(8, .status(.ended(.failed))), at: .seconds(4)) {
            Effect.system(.reportEnded(uuid, .failed))
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeLog(.ended(.failed))
            Story.stored([(3, "c-2", nil), (4, "c-1", .failed)])
        }
        #expect(story.machine.descriptions.map(\.callId) == ["c-2"])
        // Somebody else's push says nothing of it.
        let payload = Story.payload("c-3", from: "u-8", "次郎")
        let update = CallUpdate(handle: "u-8", name: "次郎", hasVideo: false)
        try other.expect(Story.push(2, payload), at: .seconds(3)) {
            Story.report(6, second, update)
            Story.stored([(3, "c-3", nil)], entered: ("c-1", 1_200))
            Effect.callAPI(Story.id(7), .status(callId: "c-3"))
        }
    }

    @Test("Whoever has not joined the media of a call is not told by them who is there (VP-05)")
    func notJoined() throws {
        var story = try Story.ringing()
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(1))
        try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(1))
        try story.expect(.mediaPeerLeft(uuid), at: .seconds(2))
        // The question of the ring is not given up for another one.
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(4))
        try story.expect(Story.answered(2, .status(.ringing())), at: .seconds(4))
    }

    // MARK: The own network

    @Test("A conversation whose own media have been lost for 80 s is over (VP-05)")
    func apart() throws {
        var story = try Story.connected()
        try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(3))
        #expect(ends(story, at: 83_000))
        try story.expect(.mediaInterrupted(uuid, isInterrupted: false), at: .seconds(4))
        story.pass(until: .seconds(200))
        #expect(story.machine.descriptions.count == 1)
    }

    @Test("While our own media are lost, the other side's absence ends nothing (VP-05)")
    func bothApart() throws {
        var story = try Story.connected()
        try story.expect(.mediaPeerHeard(uuid), at: .seconds(3))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(3))
        try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(30))
        story.pass(until: .seconds(75))
        #expect(story.machine.descriptions.count == 1)
        try story.expect(.mediaInterrupted(uuid, isInterrupted: false), at: .seconds(75))
        // The room has yet to say who is there.
        #expect(ends(story, at: 85_000))
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(76))
        story.pass(until: .seconds(200))
        #expect(story.machine.descriptions.count == 1)
    }

    @Test("A short loss of our own media lends the other side no time that they have not had")
    func apartBriefly() throws {
        var story = try Story.connected()
        try story.expect(.mediaPeerHeard(uuid), at: .seconds(3))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(3))
        try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(10))
        try story.expect(.mediaInterrupted(uuid, isInterrupted: false), at: .seconds(12))
        #expect(ends(story, at: 63_000))
    }

    @Test("A link that comes and goes keeps no call alive whose other side is away (VP-05)")
    func flapping() throws {
        var story = try Story.connected()
        try story.expect(.mediaPeerHeard(uuid), at: .seconds(3))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(3))
        // Once their minute is over, ten seconds in the room are enough: here twice four, and two.
        for start in [50, 59, 68, 77] as [Int64] {
            try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(start))
            try story.expect(.mediaInterrupted(uuid, isInterrupted: false), at: .seconds(start + 4))
        }
        #expect(ends(story, at: 83_000))
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(82))
        story.pass(until: .seconds(200))
        #expect(story.machine.descriptions.count == 1)
    }

    @Test("What our own media were lost for adds up until the two have been together again (VP-05)")
    func apartAgain() throws {
        var story = try Story.connected()
        try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(3))
        try story.expect(.mediaInterrupted(uuid, isInterrupted: false), at: .seconds(43))
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(44))
        var together = story
        try story.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(46))
        #expect(ends(story, at: 86_000))
        try together.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(47))
        try together.expect(.mediaInterrupted(uuid, isInterrupted: true), at: .seconds(48))
        #expect(ends(together, at: 128_000))
    }

    // MARK: The own process

    @Test("An app that died in a call tells the server so when it is launched again (VP-05)")
    func relaunched() throws {
        var memory = CallMemory()
        memory.enter("c-1", at: Story.launch)
        memory.remember("c-0", .hungUp, at: Story.launch)
        var story = Transcript(Story.registry(restoring: memory.stored))
        try story.expect(.launched, at: .seconds(5))
        #expect(story.machine.hasFarewells)
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(6)) {
            Effect.callAPI(Story.id(1), .end(callId: "c-1", reason: .failed))
        }
        try story.expect(.launched, at: .seconds(6))
        // Should the process end now, the next one tells.
        try story.expect(Story.answered(1, .accepted), at: .seconds(7)) {
            Story.stored([(0, "c-0", .hungUp), (7, "c-1", .failed)])
        }
        #expect(!story.machine.hasFarewells)
        try story.expect(.launched, at: .seconds(8))
    }

    /// Has an end that waits to be told again told at once, since there is a network.
    private func told(
        by registry: inout CallRegistry,
        after start: Duration,
        _ reason: CallEndReason
    ) throws -> (OperationID, Instant) {
        var now = Instant.zero
        var isAsking = true
        while isAsking || now < Instant.zero.advanced(by: start) {
            now = try #require(registry.deadline).instant
            isAsking = registry.wake(at: now).contains { effect in
                if case .callAPI = effect { true } else { false }
            }
        }
        #expect(registry.hasFarewells)
        let next = try #require(registry.deadline).instant
        now = now.advanced(by: now.duration(to: next) / 2)
        var asked: OperationID?
        for case .callAPI(let operation, let request) in registry.handle(.pathRestored, at: now)
        where request == .end(callId: "c-1", reason: reason) {
            asked = operation
        }
        return (try #require(asked), now)
    }

    @Test("What could not be told of a death is told as soon as there is a network again (VP-05)")
    func relaunchedInVain() throws {
        var memory = CallMemory()
        memory.enter("c-1", at: Story.launch)
        var registry = Story.registry(restoring: memory.stored)
        registry.handle(.credentialsChanged(Story.credentials), at: .zero)
        registry.handle(.launched, at: .zero)
        // Tried for half a minute, and every so often from then on.
        let (operation, now) = try told(by: &registry, after: .seconds(32), .failed)
        registry.handle(.apiAnswered(operation, .accepted), at: now)
        #expect(!registry.hasFarewells)
        #expect(registry.deadline == nil)
    }

    @Test("An end that is told in vain for a day costs fewer and fewer requests (VP-05)")
    func toldInVain() {
        var memory = CallMemory()
        memory.enter("c-1", at: Story.launch)
        var registry = Story.registry(restoring: memory.stored)
        registry.handle(.credentialsChanged(Story.credentials), at: .zero)
        registry.handle(.launched, at: .zero)
        var requests: [Instant] = []
        let end = Instant.zero.advanced(by: .seconds(86_400))
        while let due = registry.deadline?.instant, due < end {
            let isTold = registry.wake(at: due).contains { effect in
                if case .callAPI = effect { true } else { false }
            }
            if isTold { requests.append(due) }
        }
        let early = Instant.zero.advanced(by: .seconds(120))
        #expect((10..<18).contains(requests.count { $0 < early }), "as long as somebody may wait")
        #expect((50..<120).contains(requests.count), "\(requests.count)")
    }

    @Test("A hang-up without a network is told once there is one, or at the next launch (VP-05)")
    func hungUpOffline() throws {
        var story = try Story.connected()
        let left = Story.stored(left: (9, "c-1", .hungUp))
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(9)) {
            Story.fulfill(2)
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            left
            Effect.cancelAPI(Story.id(5))
            Effect.callAPI(Story.id(6), .end(callId: "c-1", reason: .hungUp))
        }
        try story.expect(Story.answered(6, .failed), at: .seconds(9))
        // The others have no answer.
        story.pass(until: .seconds(60))
        var registry = story.machine
        let (operation, now) = try told(by: &registry, after: .seconds(60), .hungUp)
        registry.handle(.apiAnswered(operation, .accepted), at: now)
        #expect(!registry.hasFarewells)
        // The same if the process ended before.
        guard case .writeStorage(let stored) = left else { return }
        story = Transcript(Story.registry(restoring: stored))
        try story.expect(.launched, at: .seconds(70))
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(71)) {
            Effect.callAPI(Story.id(1), .end(callId: "c-1", reason: .hungUp))
        }
        try story.expect(Story.answered(1, .accepted), at: .seconds(72)) {
            Story.stored([(72, "c-1", .hungUp)])
        }
    }

    @Test(
        "An end that only another login lets tell asks for no time, and is told after that (VP-05)",
        arguments: [false, true]
    )
    func hungUpSignedOut(isRefused: Bool) throws {
        var story = try Story.connected()
        if isRefused {
            try story.expect(Story.answered(5, .refused(statusCode: 401)), at: .seconds(3)) {
                Effect.signInRequired
            }
        } else {
            try story.expect(.credentialsChanged(nil), at: .seconds(3)) {
                Effect.cancelAPI(Story.id(5))
            }
        }
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(9)) {
            Story.fulfill(2)
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored(left: (9, "c-1", .hungUp))
        }
        #expect(!story.machine.hasFarewells)
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(20)) {
            Effect.callAPI(Story.id(6), .end(callId: "c-1", reason: .hungUp))
        }
        #expect(story.machine.hasFarewells)
    }

    @Test(
        "Who hung up before they logged out tells so in their own name, or not at all (VP-05)",
        arguments: [CallAnswer.accepted, .refused(statusCode: 401)]
    )
    func hungUpByFormerUser(answer: CallAnswer) throws {
        var story = try Story.connected()
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(9)) {
            Story.fulfill(2)
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored(left: (9, "c-1", .hungUp))
            Effect.cancelAPI(Story.id(5))
            Effect.callAPI(Story.id(6), .end(callId: "c-1", reason: .hungUp))
        }
        try story.expect(Story.answered(6, .failed), at: .seconds(9))
        try story.expect(.signedOut, at: .seconds(9))
        try story.expect(.credentialsChanged(nil), at: .seconds(9))
        let next = CallCredentials(bearer: "another session", deviceID: "phone-1")
        try story.expect(.credentialsChanged(next), at: .seconds(9))
        try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(9)) {
            Effect.callAPIAsFormer(
                Story.id(7),
                .end(callId: "c-1", reason: .hungUp),
                Story.credentials
            )
        }
        // Whoever is signed in now need not sign in again.
        try story.expect(Story.answered(7, answer), at: .seconds(10)) {
            Story.stored([(10, "c-1", .hungUp)])
        }
        #expect(!story.machine.hasFarewells)
    }

    @Test("An app that died while it called tells so, and the other side rings no more (VP-09)")
    func relaunchedCaller() throws {
        var story = Transcript(Story.registry())
        let callId = Story.uuids[1].text
        let request = CallRegistry.Event.callRequested(
            contactId: "u-9",
            name: "次郎",
            hasVideo: false
        )
        let start = SystemCallAction.start(uuid, handle: "u-9", hasVideo: false)
        try story.expect(request, at: .zero) { Effect.system(.request(Story.id(1), start)) }
        let description = CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .outgoing,
            partyId: "u-9",
            name: "次郎",
            hasVideo: false
        )
        let kept = Story.stored(entered: (callId, 0))
        try story.expect(Story.action(1, start), at: .zero) {
            Effect.configureAudio
            Story.fulfill(1)
            Effect.system(.reportConnecting(uuid))
            Effect.announce(.started(description))
            kept
        }
        guard case .writeStorage(let stored) = kept else { return }
        story = Transcript(Story.registry(restoring: stored))
        try story.expect(.launched, at: .seconds(5))
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(6)) {
            Effect.callAPI(Story.id(1), .end(callId: callId, reason: .failed))
        }
    }

    @Test("A call that rang when the app died is looked for when its time is over (VP-05)")
    func relaunchedRinging() throws {
        var memory = CallMemory()
        memory.remember("c-0", .declined, at: Story.launch.advanced(by: .seconds(4)))
        memory.remember("c-1", nil, at: Story.launch)
        memory.remember("c-2", nil, at: Story.launch.advanced(by: .seconds(2)))
        var story = Transcript(Story.registry(restoring: memory.stored))
        try story.expect(.launched, at: .seconds(5)) {
            Effect.missedCallExpected(from: Instant.zero.advanced(by: .seconds(27)))
        }
        // What is over is looked for at every launch anyway; a damaged file says nothing of when.
        story = Transcript(Story.registry(restoring: memory.stored))
        try story.expect(.launched, at: .seconds(27))
        let damaged = "call memory 1\n\(Int64.min) c-1 -\n\(Int64.max) c-2 -\n"
        story = Transcript(Story.registry(restoring: damaged))
        try story.expect(.launched, at: .seconds(1))
    }

    @Test("A call that goes on is not taken for one that a former process was in")
    func launchedInCall() throws {
        var story = try Story.connected()
        try story.expect(.launched, at: .seconds(3))
        #expect(story.machine.descriptions.count == 1)
        #expect(!story.machine.hasFarewells)
    }

    @Test("Of many calls that were left, or a damaged file says it was in, the last 8 are told")
    func relaunchedInMany() throws {
        var memory = CallMemory()
        for number in 0..<12 { memory.enter("c-\(number)", at: Story.launch) }
        var story = Transcript(Story.registry(restoring: memory.stored))
        var kept = CallMemory()
        for number in 4..<12 { kept.enter("c-\(number)", at: Story.launch) }
        let later = Story.launch.advanced(by: .seconds(5))
        for number in 0..<4 { kept.remember("c-\(number)", .failed, at: later) }
        try story.expect(.launched, at: .seconds(5)) { Effect.writeStorage(kept.stored) }
        let ends = (1...8 as ClosedRange<UInt32>).map { number in
            Effect.callAPI(Story.id(number), .end(callId: "c-\(number + 3)", reason: .failed))
        }
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(6)) { ends }
    }
}
