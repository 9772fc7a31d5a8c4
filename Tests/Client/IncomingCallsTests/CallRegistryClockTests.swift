import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("How long a call rings, by which clock")
struct CallRegistryClockTests {
    private let uuids = CallStory.uuids

    private func at(_ seconds: Int64) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    @Test("A push whose time is over does not ring, by the user's clock of now (D-03)")
    func expired() throws {
        var story = Transcript(Story.registry())
        try story.expect(.clockChanged(Story.launch.advanced(by: .seconds(100))), at: .seconds(1))
        let payload = Story.payload(expiresAt: Story.launch.secondsSince1970 + 103)
        try story.expect(Story.push(1, payload), at: .seconds(4)) {
            Story.report(1, uuids[0])
            Story.stored([(103, "c-1", nil)])
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(4)) {
            Effect.system(.reportEnded(uuids[0], .unanswered))
            Story.complete(1)
        }
        #expect(story.machine.descriptions.isEmpty)
        // Nobody can be asked whether it is.
        try story.expectWake(at: .seconds(14)) {
            Effect.writeLog(.ended(.expired))
            Story.stored([(103, "c-1", nil), (113, "c-1", .expired)])
            Effect.missedCallExpected(from: at(29))
        }
        #expect(story.machine.deadline == nil)
    }

    /// A phone whose clock is 35 s ahead when a push comes, at the start; the server is asked (2).
    private func doubting() throws -> Transcript<CallRegistry> {
        var story = Transcript(Story.registry())
        try story.expect(.credentialsChanged(Story.credentials), at: .zero)
        let payload = Story.payload(expiresAt: Story.launch.secondsSince1970 - 10)
        try story.expect(Story.push(1, payload), at: .zero) {
            Story.report(1, uuids[0])
            Story.stored([(0, "c-1", nil)])
            Effect.callAPI(Story.id(2), .status(callId: "c-1"))
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .zero) {
            Effect.system(.reportEnded(uuids[0], .unanswered))
            Story.complete(1)
        }
        return story
    }

    @Test("A call that is over by the user's clock alone rings when the server has said so (VP-04)")
    func clockSlightlyAhead() throws {
        var story = try doubting()
        // The system knows nothing of it yet.
        try story.expect(Story.push(2, Story.payload()), at: .milliseconds(100)) {
            Story.report(3, uuids[2])
            Effect.writeLog(.duplicate)
        }
        try story.expect(.reportFinished(Story.id(3), nil), at: .milliseconds(100)) {
            Effect.system(.reportEnded(uuids[2], .unanswered))
            Story.complete(2)
        }
        try story.expect(Story.answered(2, .status(.ringing())), at: .seconds(1)) {
            Story.report(4, uuids[1])
        }
        #expect(story.machine.descriptions == [Story.description(uuids[1])])
        try story.expect(.reportFinished(Story.id(4), nil), at: .seconds(1))
        try story.expect(Story.push(3, Story.payload()), at: .seconds(2)) {
            Story.report(5, uuids[1])
            Effect.writeLog(.duplicate)
        }
        story.pass(until: .seconds(23))
        #expect(story.machine.descriptions.count == 1)
        story.pass(until: .milliseconds(23_001))
        #expect(story.machine.descriptions.isEmpty)
    }

    @Test(
        "A call in doubt of which no time to answer it is left never rings, and is missed (VP-04, D-03)",
        arguments: [800, 1_160, 2_900] as [Int64]
    )
    func nothingLeft(milliseconds: Int64) throws {
        var story = try doubting()
        // The way there and back took a second of it.
        let left = CallStatus.ringing(for: .milliseconds(milliseconds))
        let end = max(at(1), Instant.zero.advanced(by: .milliseconds(milliseconds)))
        try story.expect(Story.answered(2, .status(left)), at: .seconds(1)) {
            Effect.writeLog(.ended(.expired))
            Story.stored([(0, "c-1", nil), (1, "c-1", .expired)])
            Effect.missedCallExpected(from: end, by: at(25))
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A call that is over by the server's word, too, rings never, and may be no miss (D-03)")
    func expiredForAll() throws {
        for (reason, isMissed) in [
            (.unanswered, true), (.answeredElsewhere, false),
        ] as [(CallEndReason, Bool)] {
            var story = try doubting()
            try story.expect(Story.answered(2, .status(.ended(reason))), at: .seconds(1)) {
                Effect.writeLog(.ended(reason))
                Story.stored([(0, "c-1", nil), (1, "c-1", reason)])
                isMissed ? [Effect.missedCallExpected(from: nil)] : []
            }
            #expect(story.machine.deadline == nil)
        }
    }

    @Test("A call that is over by the clock alone is busy where there are two already (VP-05)")
    func busyAfterAll() throws {
        var story = try doubting()
        for (number, callId) in [(2, "c-2"), (3, "c-3")] as [(UInt32, String)] {
            let first = 2 * number - 1
            let history: [(Int64, String, CallEndReason?)] = [
                (0, "c-1", nil), (0, "c-2", nil), (0, "c-3", nil),
            ]
            try story.expect(Story.push(number, Story.payload(callId)), at: .zero) {
                Story.report(first, uuids[Int(number)])
                Story.stored(Array(history.prefix(Int(number))))
                Effect.callAPI(Story.id(first + 1), .status(callId: callId))
            }
        }
        try story.expect(Story.answered(2, .status(.ringing())), at: .seconds(1)) {
            Effect.writeLog(.ended(.busy))
            Story.stored([(0, "c-2", nil), (0, "c-3", nil), (1, "c-1", .busy)])
            Effect.callAPI(Story.id(7), .end(callId: "c-1", reason: .busy))
            Effect.missedCallExpected(from: nil)
            // Where another device rings on, it is listed only when its time is over.
            Effect.missedCallExpected(from: at(25))
        }
    }

    @Test("A call rings as long as its push says, and 22 s at most (D-03)")
    func ringTimeout() throws {
        // A call that is announced now is over 25 s later: a clock that says otherwise is behind.
        for (expiresIn, end, over) in [(Int64(10), Int64(10), Int64(10)), (600, 22, 25)] {
            var story = Transcript(Story.registry())
            let expiresAt = Story.launch.secondsSince1970 + expiresIn
            try story.expect(Story.push(1, Story.payload(expiresAt: expiresAt)), at: .zero) {
                Story.report(1, uuids[0])
                Story.stored([(0, "c-1", nil)])
            }
            try story.expect(.reportFinished(Story.id(1), nil), at: .zero) { Story.complete(1) }
            try story.expectWake(at: .seconds(end)) {
                Effect.system(.reportEnded(uuids[0], .unanswered))
                Effect.announce(.ended(uuids[0], callId: "c-1", .unanswered))
                Effect.writeLog(.ended(.unanswered))
                Story.stored([(0, "c-1", nil), (end, "c-1", .unanswered)])
                Effect.missedCallExpected(from: at(over), by: over < 25 ? at(25) : nil)
            }
            #expect(story.machine.deadline == nil)
        }
    }

    @Test("A call rings on by the server's word, whatever the user's clock says (VP-04)")
    func ringsOn() throws {
        var story = Transcript(Story.registry())
        try story.expect(.credentialsChanged(Story.credentials), at: .zero)
        let payload = Story.payload(expiresAt: Story.launch.secondsSince1970 + 4)
        try story.expect(Story.push(1, payload), at: .zero) {
            Story.report(1, uuids[0])
            Story.stored([(0, "c-1", nil)])
            Effect.callAPI(Story.id(2), .status(callId: "c-1"))
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .zero) { Story.complete(1) }
        try story.expect(Story.answered(2, .status(.ringing())), at: .seconds(1))
        try story.expectWake(at: .seconds(3)) {
            Effect.callAPI(Story.id(3), .status(callId: "c-1"))
        }
        try story.expect(Story.answered(3, .status(.ringing())), at: .seconds(4))
        try story.expectWake(at: .seconds(6)) {
            Effect.callAPI(Story.id(4), .status(callId: "c-1"))
        }
        // Nothing is heard of the server any more.
        try story.expectWake(at: .seconds(8)) {
            Effect.system(.reportEnded(uuids[0], .unanswered))
            Effect.announce(.ended(uuids[0], callId: "c-1", .unanswered))
            Effect.writeLog(.ended(.unanswered))
            Story.stored([(0, "c-1", nil), (8, "c-1", .unanswered)])
            Effect.cancelAPI(Story.id(4))
            Effect.missedCallExpected(from: at(8), by: at(25))
        }
    }

    @Test("A ring waits for the server's first answer, and then for its end alone (VP-04, D-03)")
    func ringsByServer() throws {
        // By the phone's clock it is over at 1 s, and at 20 s.
        for expiresIn: Int64 in [1, 20] {
            var story = Transcript(Story.registry())
            try story.expect(.credentialsChanged(Story.credentials), at: .zero)
            let expiresAt = Story.launch.secondsSince1970 + expiresIn
            try story.expect(Story.push(1, Story.payload(expiresAt: expiresAt)), at: .zero) {
                Story.report(1, uuids[0])
                Story.stored([(0, "c-1", nil)])
                Effect.callAPI(Story.id(2), .status(callId: "c-1"))
            }
            try story.expect(.reportFinished(Story.id(1), nil), at: .zero) { Story.complete(1) }
            story.pass(until: .seconds(2))
            #expect(story.machine.descriptions.count == 1)
            // Counted from the question, which left at the start.
            let left = Duration.seconds(3)
            try story.expect(Story.answered(2, .status(.ringing(for: left))), at: .seconds(2))
            try story.expectWake(at: .seconds(3)) {
                Effect.system(.reportEnded(uuids[0], .unanswered))
                Effect.announce(.ended(uuids[0], callId: "c-1", .unanswered))
                Effect.writeLog(.ended(.unanswered))
                Story.stored([(0, "c-1", nil), (3, "c-1", .unanswered)])
                Effect.missedCallExpected(from: at(3), by: at(25))
            }
        }
    }

    @Test("A server that never answers prolongs a ring by 4 s at most, any answer to 22 s (D-03)")
    func ringsBounded() throws {
        for (answer, end) in [
            (nil, 4_000), (CallStatus.ringing(for: .seconds(60)), 22_000),
        ] as [(CallStatus?, Int64)] {
            var story = Transcript(Story.registry())
            try story.expect(.credentialsChanged(Story.credentials), at: .zero)
            let expiresAt = Story.launch.secondsSince1970 + 1
            try story.expect(Story.push(1, Story.payload(expiresAt: expiresAt)), at: .zero) {
                Story.report(1, uuids[0])
                Story.stored([(0, "c-1", nil)])
                Effect.callAPI(Story.id(2), .status(callId: "c-1"))
            }
            if let answer {
                try story.expect(Story.answered(2, .status(answer)), at: .milliseconds(100))
            }
            story.pass(until: .milliseconds(end))
            #expect(story.machine.descriptions.count == 1)
            story.pass(until: .milliseconds(end + 1))
            #expect(story.machine.descriptions.isEmpty)
        }
    }

    @Test("A phone whose clock is far ahead rings, and learns of a missed call (VP-04)")
    func clockAhead() throws {
        for ahead: Int64 in [120, 3_600, 604_800] {
            var story = Transcript(Story.registry())
            let payload = Story.payload(expiresAt: Story.launch.secondsSince1970 - ahead)
            try story.expect(Story.push(1, payload), at: .zero) {
                Story.report(1, uuids[0])
                Story.stored([(0, "c-1", nil)])
            }
            try story.expect(.reportFinished(Story.id(1), nil), at: .zero) { Story.complete(1) }
            try story.expectWake(at: .seconds(22)) {
                Effect.system(.reportEnded(uuids[0], .unanswered))
                Effect.announce(.ended(uuids[0], callId: "c-1", .unanswered))
                Effect.writeLog(.ended(.unanswered))
                Story.stored([(0, "c-1", nil), (22, "c-1", .unanswered)])
                Effect.missedCallExpected(from: Instant.zero.advanced(by: .seconds(25)))
            }
        }
    }
}
