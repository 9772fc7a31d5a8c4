import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("What a VoIP push leads to")
struct CallRegistryPushTests {
    private let uuids = CallStory.uuids

    private func at(_ seconds: Int64) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    @Test(
        "A push is reported in the call that brings it, and the server asked at once (VP-01, D-01)"
    )
    func rings() throws {
        let story = try Story.ringing()
        #expect(story.machine.descriptions == [Story.description(uuids[0])])
        #expect(story.machine.deadline?.instant == Instant(nanoseconds: 4_000_000_000))
    }

    @Test("A push that cannot be read becomes a call that ends as soon as the system has it (D-01)")
    func placeholder() throws {
        var story = Transcript(Story.registry())
        try story.expect(Story.push(7, .string("call")), at: .zero) {
            Story.report(1, uuids[0], .unusable)
            Effect.writeLog(.refused(.notAnObject))
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .milliseconds(80)) {
            Effect.system(.reportEnded(uuids[0], .failed))
            Story.complete(7)
        }
        #expect(story.machine.descriptions.isEmpty)
        #expect(story.machine.deadline == nil)
    }

    @Test(
        "A placeholder whose report is never answered ends all the same, and nothing answers late"
    )
    func unansweredReport() throws {
        var story = Transcript(Story.registry())
        try story.expect(Story.push(7, .null), at: .zero) {
            Story.report(1, uuids[0], .unusable)
            Effect.writeLog(.refused(.notAnObject))
        }
        try story.expectWake(at: .seconds(5)) {
            Effect.system(.reportEnded(uuids[0], .failed))
            Story.complete(7)
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(6))
    }

    @Test(
        "A second push for a call that rings is reported under the identity that rings (VP-02, D-01)"
    )
    func duplicate() throws {
        var story = try Story.ringing()
        try story.expect(Story.push(2, Story.payload()), at: .seconds(1)) {
            Story.report(3, uuids[0])
            Effect.writeLog(.duplicate)
        }
        // The system knows the identity: that is how it is meant, and the call rings on.
        try story.expect(
            .reportFinished(Story.id(3), .callUUIDAlreadyExists),
            at: .milliseconds(1_050)
        ) {
            Story.complete(2)
        }
        #expect(story.machine.descriptions.map(\.callId) == ["c-1"])
    }

    @Test(
        "A push for a call that has ended rings no more, in this process and the next (VP-02, D-03)"
    )
    func ended() throws {
        var story = try Story.ringing()
        try story.expect(Story.answered(2, .status(.ended(.cancelled))), at: .seconds(1)) {
            Effect.system(.reportEnded(uuids[0], .remoteEnded))
            Effect.announce(.ended(uuids[0], callId: "c-1", .cancelled))
            Effect.writeLog(.ended(.cancelled))
            Story.stored([(0, "c-1", nil), (1, "c-1", .cancelled)])
            Effect.missedCallExpected(from: nil)
        }
        try story.expect(Story.push(2, Story.payload()), at: .seconds(30)) {
            Story.report(3, uuids[1])
            Effect.writeLog(.duplicate)
        }
        try story.expect(.reportFinished(Story.id(3), nil), at: .seconds(30)) {
            Effect.system(.reportEnded(uuids[1], .remoteEnded))
            Story.complete(2)
        }

        let kept = "call memory 1\n1800000001000000000 c-1 cancelled\n"
        var relaunched = Transcript(Story.registry(restoring: kept))
        try relaunched.expect(Story.push(1, Story.payload()), at: .seconds(60)) {
            Story.report(1, uuids[0])
            Effect.writeLog(.duplicate)
        }
        try relaunched.expect(.reportFinished(Story.id(1), nil), at: .seconds(60)) {
            Effect.system(.reportEnded(uuids[0], .remoteEnded))
            Story.complete(1)
        }
    }

    @Test("A call that rang when the app died does not ring again (VP-02)")
    func relaunch() throws {
        let kept = "call memory 1\n1800000000000000000 c-1 -\n"
        var story = Transcript(Story.registry(restoring: kept))
        try story.expect(Story.push(1, Story.payload()), at: .seconds(9)) {
            Story.report(1, uuids[0])
            Effect.writeLog(.duplicate)
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(9)) {
            Effect.system(.reportEnded(uuids[0], .failed))
            Story.complete(1)
        }
    }

    @Test("An end that overtakes its call keeps it from ringing (D-03)")
    func overtaken() throws {
        var story = Transcript(Story.registry())
        try story.expect(.endSignalReceived(Story.endSignal("c-1", "cancelled")), at: .zero) {
            Story.stored([(0, "c-1", .cancelled)])
        }
        try story.expect(Story.push(1, Story.payload()), at: .seconds(5)) {
            Story.report(1, uuids[0])
            Effect.writeLog(.duplicate)
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(5)) {
            Effect.system(.reportEnded(uuids[0], .remoteEnded))
            Story.complete(1)
        }
    }

    @Test("A report that the system refuses leaves nothing of the call behind (VP-06)")
    func refusedReport() throws {
        var story = Transcript(Story.registry())
        try story.expect(.credentialsChanged(Story.credentials), at: .zero)
        try story.expect(Story.push(1, Story.payload()), at: .zero) {
            Story.report(1, uuids[0])
            Story.stored([(0, "c-1", nil)])
            Effect.callAPI(Story.id(2), .status(callId: "c-1"))
        }
        try story.expect(.reportFinished(Story.id(1), .filteredByDoNotDisturb), at: .seconds(1)) {
            Story.complete(1)
            Effect.writeLog(.reportFailed(.filteredByDoNotDisturb))
            Effect.announce(.ended(uuids[0], callId: "c-1", .filtered))
            Effect.writeLog(.ended(.filtered))
            Story.stored([(0, "c-1", nil), (1, "c-1", .filtered)])
            Effect.cancelAPI(Story.id(2))
            Effect.missedCallExpected(from: nil, by: at(25))
        }
        #expect(story.machine.descriptions.isEmpty)
        #expect(story.machine.deadline == nil)
    }

    @Test("A placeholder that the user ends is not ended again")
    func endedPlaceholder() throws {
        var story = Transcript(Story.registry())
        try story.expect(Story.push(7, .null), at: .zero) {
            Story.report(1, uuids[0], .unusable)
            Effect.writeLog(.refused(.notAnObject))
        }
        try story.expect(Story.action(1, .end(uuids[0])), at: .zero) { Story.fulfill(1) }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(1)) { Story.complete(7) }
    }

    @Test("A call whose first report fails rings by its second, whichever answer comes first")
    func secondReport() throws {
        for isFirstFirst in [true, false] {
            var story = try Story.pushed()
            try story.expect(Story.push(2, Story.payload()), at: .zero) {
                Story.report(2, uuids[0])
                Effect.writeLog(.duplicate)
            }
            let first = CallRegistry.Event.reportFinished(Story.id(1), .unknown)
            let second = CallRegistry.Event.reportFinished(Story.id(2), nil)
            try story.expect(isFirstFirst ? first : second, at: .seconds(1)) {
                Story.complete(isFirstFirst ? 1 : 2)
                isFirstFirst ? [Effect.writeLog(.reportFailed(.unknown))] : []
            }
            try story.expect(isFirstFirst ? second : first, at: .seconds(2)) {
                Story.complete(isFirstFirst ? 2 : 1)
            }
            #expect(story.machine.descriptions.count == 1)
            try story.expect(
                .endSignalReceived(Story.endSignal("c-1", "cancelled")),
                at: .seconds(3)
            ) {
                Effect.system(.reportEnded(uuids[0], .remoteEnded))
                Effect.announce(.ended(uuids[0], callId: "c-1", .cancelled))
                Effect.writeLog(.ended(.cancelled))
                Story.stored([(0, "c-1", nil), (3, "c-1", .cancelled)])
                Effect.missedCallExpected(from: nil)
            }
        }
    }

    @Test("A call that ends between two reports does not ring by the second")
    func endedBetweenReports() throws {
        var story = try Story.pushed()
        try story.expect(Story.push(2, Story.payload()), at: .zero) {
            Story.report(2, uuids[0])
            Effect.writeLog(.duplicate)
        }
        try story.expect(.endSignalReceived(Story.endSignal("c-1", "cancelled")), at: .zero) {
            Effect.announce(.ended(uuids[0], callId: "c-1", .cancelled))
            Effect.writeLog(.ended(.cancelled))
            Story.stored([(0, "c-1", .cancelled)])
            Effect.missedCallExpected(from: nil)
        }
        try story.expect(.reportFinished(Story.id(1), .unknown), at: .seconds(1)) {
            Story.complete(1)
        }
        try story.expect(.reportFinished(Story.id(2), nil), at: .seconds(1)) {
            Effect.system(.reportEnded(uuids[0], .failed))
            Story.complete(2)
        }
    }

    @Test("A call that ends before the system has it is ended when it does (D-01)")
    func endedWhileReported() throws {
        var story = try Story.pushed()
        try story.expect(.endSignalReceived(Story.endSignal("c-1", "answeredElsewhere")), at: .zero)
        {
            Effect.announce(.ended(uuids[0], callId: "c-1", .answeredElsewhere))
            Effect.writeLog(.ended(.answeredElsewhere))
            Story.stored([(0, "c-1", .answeredElsewhere)])
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .milliseconds(60)) {
            Effect.system(.reportEnded(uuids[0], .answeredElsewhere))
            Story.complete(1)
        }
    }

    @Test("A third call is busy, and the caller is told (VP-05)")
    func busy() throws {
        var story = try Story.ringing()
        try story.expect(Story.push(2, Story.payload("c-2")), at: .seconds(1)) {
            Story.report(3, uuids[1])
            Story.stored([(0, "c-1", nil), (1, "c-2", nil)])
            Effect.callAPI(Story.id(4), .status(callId: "c-2"))
        }
        try story.expect(.reportFinished(Story.id(3), nil), at: .seconds(1)) { Story.complete(2) }
        try story.expect(Story.push(3, Story.payload("c-3")), at: .seconds(2)) {
            Story.report(5, uuids[2])
            Story.stored([(0, "c-1", nil), (1, "c-2", nil), (2, "c-3", .busy)])
            Effect.missedCallExpected(from: nil, by: at(27))
            Effect.callAPI(Story.id(6), .end(callId: "c-3", reason: .busy))
        }
        try story.expect(.reportFinished(Story.id(5), nil), at: .seconds(2)) {
            Effect.system(.reportEnded(uuids[2], .unanswered))
            Story.complete(3)
        }
        #expect(story.machine.descriptions.map(\.callId) == ["c-1", "c-2"])
    }

    @Test("A call for which the phone is busy is looked for when its time is over (VP-05)")
    func busyUntil() throws {
        var story = try Story.ringing()
        try story.expect(Story.push(2, Story.payload("c-2")), at: .seconds(1)) {
            Story.report(3, uuids[1])
            Story.stored([(0, "c-1", nil), (1, "c-2", nil)])
            Effect.callAPI(Story.id(4), .status(callId: "c-2"))
        }
        try story.expect(.reportFinished(Story.id(3), nil), at: .seconds(1)) { Story.complete(2) }
        // Another device of the user's may ring until then.
        let payload = Story.payload("c-3", expiresAt: Story.launch.secondsSince1970 + 27)
        try story.expect(Story.push(3, payload), at: .seconds(2)) {
            Story.report(5, uuids[2])
            Story.stored([(0, "c-1", nil), (1, "c-2", nil), (2, "c-3", .busy)])
            Effect.missedCallExpected(from: Instant.zero.advanced(by: .seconds(27)))
            Effect.callAPI(Story.id(6), .end(callId: "c-3", reason: .busy))
        }
    }

    @Test("By the source's rules pushes that cannot ring are completed quietly (D-01)")
    func asSpecified() throws {
        var story = Transcript(Story.registry(.asSpecified))
        try story.expect(Story.push(1, .null), at: .zero) {
            Story.complete(1)
            Effect.writeLog(.refused(.notAnObject))
        }
        try story.expect(Story.push(2, Story.payload()), at: .zero) { Story.report(1, uuids[0]) }
        try story.expect(.reportFinished(Story.id(1), nil), at: .zero) { Story.complete(2) }
        try story.expect(Story.push(3, Story.payload()), at: .zero) {
            Story.complete(3)
            Effect.writeLog(.duplicate)
        }
        // Nobody hears that the caller gave up, and nothing ends the ringing.
        try story.expect(.endSignalReceived(Story.endSignal("c-1", "cancelled")), at: .seconds(1))
        #expect(story.machine.deadline == nil)
        #expect(story.machine.descriptions.count == 1)
    }
}
