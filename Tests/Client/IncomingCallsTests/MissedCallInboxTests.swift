import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Effect = MissedCallInbox.Effect

@Suite("Missed calls (VP-05)")
struct MissedCallInboxTests {
    @Test("No flipped bit makes the inbox look behind calls that it has not noticed (VP-05)")
    func flippedBits() {
        for noticed in ["", " c-3"] {
            let bytes = Array(SealedLine.seal("1800000000123" + noticed).utf8)
            for index in bytes.indices {
                for bit in 0..<8 {
                    var flipped = bytes
                    flipped[index] ^= 1 << UInt8(bit)
                    let text = String(decoding: flipped, as: UTF8.self)
                    let position = MissedCallInbox(restoring: text, seed: 1).position
                    #expect([0, 1_800_000_000_123].contains(position), "\(text)")
                }
            }
        }
        // As earlier versions kept it.
        #expect(MissedCallInbox(restoring: "7 c-3", seed: 1).position == 7)
    }

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    private func call(_ sequence: Int64) -> MissedCall {
        MissedCall(
            sequence: sequence,
            callId: "c-\(sequence)",
            fromUserId: "u-7",
            fromDisplayName: "花子",
            endedAt: CallStory.launch,
            reason: .cancelled
        )
    }

    @Test("Each missed call gives one notice, across relaunch")
    func once() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.checkRequested, at: .zero)
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero) {
            Effect.callAPI(id(1), .missed(after: 0))
        }
        try story.expect(.apiAnswered(id(1), .missed([call(3), call(5)])), at: .seconds(1)) {
            Effect.notify(call(3))
            Effect.notify(call(5))
            Effect.writeStorage(SealedLine.seal("5"))
        }
        var relaunched = Transcript(MissedCallInbox(restoring: "5", seed: 1))
        try relaunched.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try relaunched.expect(.checkRequested, at: .zero) {
            Effect.callAPI(id(1), .missed(after: 5))
        }
        // A server that repeats itself is not believed.
        try relaunched.expect(.apiAnswered(id(1), .missed([call(5), call(6)])), at: .seconds(1)) {
            Effect.notify(call(6))
            Effect.writeStorage(SealedLine.seal("6"))
        }
        #expect(relaunched.machine.deadline == nil)
    }

    @Test("What happens while a request is in flight is asked for again")
    func again() throws {
        var story = Transcript(MissedCallInbox(restoring: "junk", seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.checkRequested, at: .zero) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.checkRequested, at: .zero)
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(1)) {
            Effect.callAPI(id(2), .missed(after: 0))
        }
        try story.expect(.apiAnswered(id(2), .missed([])), at: .seconds(1))
    }

    @Test("A full page is followed by the next")
    func pages() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.checkRequested, at: .zero) { Effect.callAPI(id(1), .missed(after: 0)) }
        let page = (1...20).map { call(Int64($0)) }
        try story.expect(.apiAnswered(id(1), .missed(page)), at: .seconds(1)) {
            page.map(Effect.notify)
            Effect.writeStorage(SealedLine.seal("20"))
            Effect.callAPI(id(2), .missed(after: 20))
        }
        try story.expect(.apiAnswered(id(2), .missed([])), at: .seconds(1))
    }

    @Test("While the user looks at the app it asks a minute after each answer (VP-05)")
    func inFront() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        // Nobody is signed in.
        try story.expect(.frontChanged(isInFront: true), at: .zero)
        #expect(story.machine.deadline == nil)
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.checkRequested, at: .zero) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(1))
        #expect(!story.machine.isBusy)
        try story.expectWake(at: .seconds(61)) { Effect.callAPI(id(2), .missed(after: 0)) }
        var refused = story
        try story.expect(.apiAnswered(id(2), .missed([call(3)])), at: .seconds(62)) {
            Effect.notify(call(3))
            Effect.writeStorage(SealedLine.seal("3"))
        }
        // A question that fails is asked again as any other, and the next a minute after its answer.
        try story.expectWake(at: .seconds(122)) { Effect.callAPI(id(3), .missed(after: 3)) }
        try story.expect(.apiAnswered(id(3), .failed), at: .seconds(123))
        try story.expectWake(at: .seconds(125)) { Effect.callAPI(id(4), .missed(after: 3)) }
        try story.expect(.apiAnswered(id(4), .missed([])), at: .seconds(126))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .seconds(186)))
        try story.expect(.frontChanged(isInFront: false), at: .seconds(127))
        #expect(story.machine.deadline == nil)
        try refused.expect(.apiAnswered(id(2), .refused(statusCode: 401)), at: .seconds(62)) {
            Effect.signInRequired
        }
        #expect(refused.machine.deadline == nil)
    }

    @Test("Who leaves a while after the last answer is asked for once more, each time (VP-05)")
    func leaves() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.frontChanged(isInFront: true), at: .zero)
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.checkRequested, at: .zero) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(1))
        try story.expect(.frontChanged(isInFront: false), at: .milliseconds(10_999))
        // Out of sight, nobody looks.
        try story.expect(.frontChanged(isInFront: false), at: .seconds(50))
        for (start, asked) in [(100, 2), (200, 4)] as [(Int64, UInt32)] {
            try story.expect(.frontChanged(isInFront: true), at: .seconds(start))
            let position = story.machine.position
            try story.expect(.checkRequested, at: .seconds(start)) {
                Effect.callAPI(id(asked), .missed(after: position))
            }
            try story.expect(.apiAnswered(id(asked), .missed([])), at: .seconds(start + 1))
            try story.expect(.frontChanged(isInFront: false), at: .seconds(start + 11)) {
                Effect.callAPI(id(asked + 1), .missed(after: position))
            }
            #expect(story.machine.isBusy)
            let missed = call(Int64(asked))
            try story.expect(
                .apiAnswered(id(asked + 1), .missed([missed])),
                at: .seconds(start + 12)
            ) {
                Effect.notify(missed)
                Effect.writeStorage(SealedLine.seal("\(asked)"))
            }
            #expect(!story.machine.isBusy && story.machine.deadline == nil)
        }
    }

    @Test("Without an interval it asks only when something happens")
    func never() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, every: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.frontChanged(isInFront: true), at: .zero)
        #expect(story.machine.deadline == nil)
    }

    @Test(
        "A request that fails is tried three times more, then ever more seldom and at the next check"
    )
    func retries() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.checkRequested, at: .zero) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .failed), at: .seconds(1))
        try story.expectWake(at: .seconds(3)) { Effect.callAPI(id(2), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(2), .failed), at: .seconds(3))
        try story.expectWake(at: .seconds(7)) { Effect.callAPI(id(3), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(3), .malformed), at: .seconds(7))
        try story.expectWake(at: .seconds(15)) { Effect.callAPI(id(4), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(4), .failed), at: .seconds(15))
        // From then on ever more seldom, but always once more.
        #expect(!story.machine.isBusy)
        func due(_ story: Transcript<MissedCallInbox>) throws -> Duration {
            Instant.zero.duration(to: try #require(story.machine.deadline?.instant))
        }
        let fifth = try due(story)
        #expect(fifth >= .seconds(19) && fifth <= .seconds(23))
        try story.expectWake(at: fifth) { Effect.callAPI(id(5), .missed(after: 0)) }
        // A server that names a time is not asked before.
        let busy = CallAnswer.busy(RetryAfter(.seconds(40)))
        try story.expect(.apiAnswered(id(5), busy), at: fifth)
        #expect(try due(story) == fifth + .seconds(40))
        var checking = story
        try checking.expect(.checkRequested, at: fifth + .seconds(1))
        #expect(try due(checking) == fifth + .seconds(40))
        try story.expectWake(at: due(story)) { Effect.callAPI(id(6), .missed(after: 0)) }
        try story.expectWake(at: due(story)) { Effect.cancelAPI(id(6)) }
        var hoping = story
        let seventh = try due(story)
        try story.expectWake(at: seventh) { Effect.callAPI(id(7), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(7), .missed([call(1)])), at: seventh + .seconds(1)) {
            Effect.notify(call(1))
            Effect.writeStorage(SealedLine.seal("1"))
        }
        #expect(story.machine.deadline == nil)
        try hoping.expect(.checkRequested, at: seventh - .seconds(1)) {
            Effect.callAPI(id(7), .missed(after: 0))
        }
        #expect(hoping.machine.isBusy)
    }

    @Test(
        "What rang here and the server says nothing of is noticed before the app is suspended, and once (VP-05)"
    )
    func timeExpires() throws {
        var story = Transcript(MissedCallInbox(restoring: "2", seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.timeExpired, at: .zero)
        try story.expect(.callMissed(from: nil, notice: call(3)), at: .seconds(1)) {
            Effect.callAPI(id(1), .missed(after: 2))
        }
        // Another device may have answered it, which the server would have said by now.
        var answered = story
        try answered.expect(.apiAnswered(id(1), .missed([])), at: .seconds(2))
        try answered.expect(.timeExpired, at: .seconds(3))
        #expect(!answered.machine.isBusy)
        // The user has logged out meanwhile: it is not theirs any more.
        var left = story
        try left.expect(.credentialsChanged(nil), at: .seconds(2)) { Effect.cancelAPI(id(1)) }
        try left.expect(.timeExpired, at: .seconds(2))
        try story.expect(.timeExpired, at: .seconds(2)) {
            Effect.notify(call(3))
            Effect.writeStorage(SealedLine.seal("2 c-3"))
        }
        try story.expect(.timeExpired, at: .milliseconds(2_500))
        let relaunched = MissedCallInbox(restoring: "2 c-3", seed: 1)
        var later = Transcript(relaunched)
        try later.expect(.checkRequested, at: .zero)
        try later.expect(.credentialsChanged(CallStory.credentials), at: .zero) {
            Effect.callAPI(id(1), .missed(after: 2))
        }
        try later.expect(.apiAnswered(id(1), .missed([call(3), call(4)])), at: .seconds(3)) {
            Effect.notify(call(4))
            Effect.writeStorage(SealedLine.seal("4"))
        }
    }

    @Test("A call that may be listed later stays to be noticed until it surely is (VP-05)")
    func timeExpiresEarly() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        let seconds = { Instant.zero.advanced(by: .seconds($0)) }
        let missed = MissedCallInbox.Event.callMissed(
            from: seconds(2),
            by: seconds(25),
            notice: call(3)
        )
        try story.expect(missed, at: .seconds(2))
        try story.expectWake(at: .milliseconds(3_500)) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(4))
        try story.expect(.timeExpired, at: .seconds(5)) {
            Effect.notify(call(3))
            Effect.writeStorage(SealedLine.seal("0 c-3"))
        }
    }

    @Test("A logout forgets what rang, also after the server has refused the login (VP-05)")
    func logoutAfterRefusal() throws {
        for isRefused in [false, true] {
            var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
            try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
            let now = Instant.zero.advanced(by: .seconds(2))
            let missed = MissedCallInbox.Event.callMissed(from: now, by: nil, notice: call(3))
            try story.expect(missed, at: .seconds(2))
            try story.expectWake(at: .milliseconds(3_500)) {
                Effect.callAPI(id(1), .missed(after: 0))
            }
            if isRefused {
                try story.expect(.apiAnswered(id(1), .refused(statusCode: 401)), at: .seconds(4)) {
                    Effect.signInRequired
                }
                try story.expect(.credentialsChanged(nil), at: .seconds(5))
            } else {
                try story.expect(.credentialsChanged(nil), at: .seconds(5)) {
                    Effect.cancelAPI(id(1))
                }
            }
            // What ends only after the logout is not the next user's.
            try story.expect(.callMissed(from: nil, by: nil, notice: call(4)), at: .seconds(6))
            try story.expect(.credentialsChanged(CallStory.credentials), at: .seconds(7)) {
                Effect.callAPI(id(2), .missed(after: 0))
            }
            try story.expect(.timeExpired, at: .seconds(8))
        }
    }

    @Test("What rang for one user is no notice for the next, who signs in at once (VP-05)")
    func nextUser() throws {
        let first = CallCredentials(bearer: "e30.eyJzdWIiOiJ1LTEifQ.a", deviceID: "phone-1")
        let again = CallCredentials(bearer: "e30.eyJzdWIiOiJ1LTEifQ.b", deviceID: "phone-1")
        let other = CallCredentials(bearer: "e30.eyJzdWIiOiJ1LTIifQ.c", deviceID: "phone-1")
        for (next, isTheirs) in [(again, true), (other, false)] {
            var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
            try story.expect(.credentialsChanged(first), at: .zero)
            try story.expect(.callMissed(from: nil, notice: call(3)), at: .seconds(1)) {
                Effect.callAPI(id(1), .missed(after: 0))
            }
            try story.expect(.credentialsChanged(next), at: .seconds(2)) {
                Effect.cancelAPI(id(1))
                Effect.callAPI(id(2), .missed(after: 0))
            }
            guard isTheirs else {
                try story.expect(.timeExpired, at: .seconds(3))
                continue
            }
            try story.expect(.timeExpired, at: .seconds(3)) {
                Effect.notify(call(3))
                Effect.writeStorage(SealedLine.seal("0 c-3"))
            }
        }
    }

    @Test("A call that ended by time is looked for when it is surely listed, others at once")
    func listing() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        let seconds = { Instant.zero.advanced(by: .seconds($0)) }
        try story.expect(.callMissed(from: seconds(1)), at: .seconds(1))
        try story.expectWake(at: .milliseconds(2_500)) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(6))
        try story.expect(.callMissed(from: nil), at: .seconds(7)) {
            Effect.callAPI(id(2), .missed(after: 0))
        }
    }

    @Test("A call that is not listed yet is looked for once more when it surely is (VP-05)")
    func listedLate() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        let seconds = { Instant.zero.advanced(by: .seconds($0)) }
        try story.expect(.callMissed(from: seconds(5), by: seconds(25)), at: .seconds(5))
        try story.expectWake(at: .milliseconds(6_500)) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(7))
        #expect(story.machine.isBusy)
        try story.expectWake(at: .seconds(25)) { Effect.callAPI(id(2), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(2), .missed([])), at: .seconds(26))
        #expect(!story.machine.isBusy)
        // What is found is in doubt no more, nor is what the first question comes late enough for.
        try story.expect(.callMissed(from: seconds(30), by: seconds(40)), at: .seconds(30))
        try story.expectWake(at: .milliseconds(31_500)) {
            Effect.callAPI(id(3), .missed(after: 0))
        }
        try story.expect(.apiAnswered(id(3), .missed([call(3)])), at: .seconds(32)) {
            Effect.notify(call(3))
            Effect.writeStorage(SealedLine.seal("3"))
        }
        try story.expect(.callMissed(from: seconds(40), by: seconds(41)), at: .seconds(40))
        try story.expectWake(at: .milliseconds(41_500)) {
            Effect.callAPI(id(4), .missed(after: 3))
        }
        try story.expect(.apiAnswered(id(4), .missed([])), at: .seconds(42))
        #expect(story.machine.deadline == nil)
    }

    @Test("All calls that may not be listed yet are looked for together, after the last question")
    func severalListedLate() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        let seconds = { Instant.zero.advanced(by: .seconds($0)) }
        try story.expect(.callMissed(from: nil, by: seconds(25)), at: .zero) {
            Effect.callAPI(id(1), .missed(after: 0))
        }
        try story.expect(.callMissed(from: seconds(1), by: seconds(26)), at: .zero)
        try story.expect(.apiAnswered(id(1), .missed([])), at: .seconds(1))
        try story.expectWake(at: .milliseconds(2_500)) { Effect.callAPI(id(2), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(2), .missed([])), at: .seconds(3))
        try story.expectWake(at: .seconds(26)) { Effect.callAPI(id(3), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(3), .missed([])), at: .seconds(27))
        #expect(story.machine.deadline == nil)
    }

    @Test("Of nine calls that may not be listed yet, the one not found is looked for again (VP-05)")
    func manyListedLate() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        let start = Instant.zero.advanced(by: .seconds(1))
        // The first is the last to be listed.
        for latest in [28, 20, 21, 22, 23, 24, 25, 26, 27] as [Int64] {
            let listed = Instant.zero.advanced(by: .seconds(latest))
            try story.expect(.callMissed(from: start, by: listed), at: .zero)
        }
        try story.expectWake(at: .milliseconds(2_500)) { Effect.callAPI(id(1), .missed(after: 0)) }
        let found = (1...8).map { call($0) }
        try story.expect(.apiAnswered(id(1), .missed(found)), at: .seconds(3)) {
            found.map { Effect.notify($0) }
            Effect.writeStorage(SealedLine.seal("8"))
        }
        try story.expectWake(at: .seconds(28)) { Effect.callAPI(id(2), .missed(after: 8)) }
    }

    @Test("A call that is listed later delays the notice of no other")
    func severalListings() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        for listed in [4, 1, 4, 30] as [Int64] {
            let instant = Instant.zero.advanced(by: .seconds(listed))
            try story.expect(.callMissed(from: instant), at: .zero)
        }
        try story.expectWake(at: .milliseconds(2_500)) { Effect.callAPI(id(1), .missed(after: 0)) }
        try story.expect(.apiAnswered(id(1), .missed([call(3)])), at: .seconds(3)) {
            Effect.notify(call(3))
            Effect.writeStorage(SealedLine.seal("3"))
        }
        #expect(story.machine.isBusy)
        try story.expectWake(at: .milliseconds(5_500)) { Effect.callAPI(id(2), .missed(after: 3)) }
        try story.expect(.apiAnswered(id(2), .missed([])), at: .seconds(6))
        // Whoever slept through the rest asks once.
        try story.expectWake(at: .seconds(40), isLate: true) {
            Effect.callAPI(id(3), .missed(after: 3))
        }
        try story.expect(.apiAnswered(id(3), .missed([])), at: .seconds(41))
        #expect(!story.machine.isBusy)
    }

    @Test("Of more calls than questions are planned for, the last are asked for together")
    func manyListings() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        for listed in 1...10 as ClosedRange<Int64> {
            let instant = Instant.zero.advanced(by: .seconds(10 * listed))
            try story.expect(.callMissed(from: instant), at: .zero)
        }
        let questions: [Int64] = Array(1...7) + [10]
        for (number, listed) in questions.enumerated() {
            let operation = id(UInt32(number + 1))
            let due = Duration.milliseconds(10_000 * listed + 1_500)
            try story.expectWake(at: due) { Effect.callAPI(operation, .missed(after: 0)) }
            try story.expect(.apiAnswered(operation, .missed([])), at: due)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A request without an answer is followed by another at once, which has twice the time")
    func timeouts() throws {
        var story = Transcript(MissedCallInbox(restoring: nil, seed: 1))
        try story.expect(.credentialsChanged(CallStory.credentials), at: .zero)
        try story.expect(.checkRequested, at: .zero) { Effect.callAPI(id(1), .missed(after: 0)) }
        for (number, end) in [(1, 2), (2, 6), (3, 14)] as [(UInt32, Int64)] {
            try story.expectWake(at: .seconds(end)) {
                Effect.cancelAPI(id(number))
                Effect.callAPI(id(number + 1), .missed(after: 0))
            }
        }
        try story.expectWake(at: .seconds(30)) { Effect.cancelAPI(id(4)) }
        // The next chance begins anew.
        try story.expect(.checkRequested, at: .seconds(35)) {
            Effect.callAPI(id(5), .missed(after: 0))
        }
        try story.expectWake(at: .seconds(37)) {
            Effect.cancelAPI(id(5))
            Effect.callAPI(id(6), .missed(after: 0))
        }
    }
}
