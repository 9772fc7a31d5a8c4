import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushTokenRegistration.Effect

@Suite("The device's token (VP-03)")
struct PushTokenRegistrationTests {
    private let credentials = CallStory.credentials

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    private func upload(_ operation: UInt32, _ bytes: [UInt8] = [0x0A, 0xFF]) throws -> Effect {
        let token = try #require(DeviceToken(bytes))
        return .callAPI(
            id(operation),
            .registerDevice(DeviceRegistration(voipDeviceToken: token, bundleId: "app"))
        )
    }

    private func withdrawal(
        _ operation: UInt32,
        _ bytes: [UInt8] = [0x0A, 0xFF]
    ) throws -> Effect {
        .callAPI(id(operation), .withdrawToken(try #require(DeviceToken(bytes))))
    }

    /// A registration whose first upload is under way.
    private func uploading(
        followsPath: Bool = true
    ) throws -> Transcript<PushTokenRegistration> {
        let machine = PushTokenRegistration(
            bundleId: "app",
            followsPath: followsPath,
            seed: 1
        )
        var story = Transcript(machine)
        try story.expect(.tokenReceived([0x0A, 0xFF]), at: .zero)
        let first = try upload(1)
        try story.expect(.credentialsChanged(credentials), at: .zero) { first }
        return story
    }

    /// A registration that failed at 0, 2, 6 and 14 s.
    private func failed(
        followsPath: Bool = true
    ) throws -> Transcript<PushTokenRegistration> {
        var story = try uploading(followsPath: followsPath)
        for (operation, seconds) in [(UInt32(2), Int64(2)), (3, 6), (4, 14)] {
            try story.expect(
                .apiAnswered(id(operation - 1), .refused(statusCode: 500)),
                at: .seconds(operation == 2 ? 0 : operation == 3 ? 2 : 6)
            )
            let next = try upload(operation)
            try story.expectWake(at: .seconds(seconds)) { next }
        }
        try story.expect(.apiAnswered(id(4), .failed), at: .seconds(14)) { Effect.gaveUp }
        let again = story.machine.deadline?.instant
        let (first, last) = (Duration.seconds(18), Duration.seconds(22))
        let isInTime = again.map {
            $0 >= .zero.advanced(by: first) && $0 <= .zero.advanced(by: last)
        }
        #expect(isInTime == (followsPath ? true : nil))
        #expect(!story.machine.isTrying)
        return story
    }

    @Test("Bytes become lower-case hexadecimal digits")
    func hexadecimal() {
        #expect(DeviceToken([0x00, 0x0F, 0xA0, 0xFF])?.text == "000fa0ff")
        #expect(DeviceToken([]) == nil)
        #expect(DeviceToken(Array(repeating: 1, count: 129)) == nil)
    }

    @Test("A token is registered once there is a user, and a repeated one is not")
    func registered() throws {
        var story = try uploading()
        try story.expect(.apiAnswered(id(1), .accepted), at: .seconds(1)) { Effect.registered }
        try story.expect(.tokenReceived([0x0A, 0xFF]), at: .seconds(2))
        try story.expect(.pathRestored, at: .seconds(3))
        #expect(story.machine.deadline == nil)
    }

    @Test("What fails is tried again after 2, 4 and 8 s, then when the network returns (D-04)")
    func retries() throws {
        var story = try failed()
        let next = try upload(5)
        try story.expect(.pathRestored, at: .seconds(15)) { next }
        try story.expect(.apiAnswered(id(5), .failed), at: .milliseconds(15_500))
        // A network that flaps makes no storm.
        try story.expect(.pathRestored, at: .seconds(16))
        let later = try upload(6)
        try story.expectWake(at: .seconds(17)) { later }
    }

    @Test("A busy server is left alone for as long as it asks, though the network returns")
    func leftAlone() throws {
        var story = try uploading()
        try story.expect(.apiAnswered(id(1), .busy(RetryAfter(.seconds(40)))), at: .zero)
        for (operation, last) in [(UInt32(2), Int64(0)), (3, 40)] {
            try story.expect(.pathRestored, at: .seconds(last + 10))
            try story.expect(.pathRestored, at: .seconds(last + 20))
            let next = try upload(operation)
            try story.expectWake(at: .seconds(last + 40)) { next }
            let busy = CallAnswer.busy(RetryAfter(.seconds(40)))
            try story.expect(.apiAnswered(id(operation), busy), at: .seconds(last + 40))
        }
    }

    @Test(
        "A token that nobody could be told of is told ever more seldom, for as long as it takes (D-04)"
    )
    func neverGivesUp() throws {
        var story = try failed()
        var due = Instant.zero.duration(to: try #require(story.machine.deadline?.instant))
        var longest = Duration.seconds(8)
        for operation in 5...30 as ClosedRange<UInt32> {
            let next = try upload(operation)
            try story.expectWake(at: due) { next }
            try story.expect(.apiAnswered(id(operation), .failed), at: due)
            let again = try #require(story.machine.deadline?.instant)
            let later = Instant.zero.duration(to: again)
            longest += longest / 8
            #expect(later - due <= longest && later - due >= longest / 2 - .microseconds(1))
            due = later
        }
        let last = try upload(31)
        try story.expectWake(at: due) { last }
        try story.expect(.apiAnswered(id(31), .accepted), at: due) {
            Effect.registeredLate
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("By the source's rules only the next launch or token makes another try")
    func asSpecified() throws {
        var story = try failed(followsPath: false)
        try story.expect(.pathRestored, at: .seconds(20))
        let next = try upload(5, [1])
        try story.expect(.tokenReceived([1]), at: .seconds(21)) { next }
    }

    @Test("A new token or user replaces what is under way, and so does a token taken back")
    func replaced() throws {
        var story = try uploading()
        let next = try upload(2, [7])
        try story.expect(.tokenReceived([7]), at: .seconds(1)) {
            Effect.cancelAPI(id(1))
            next
        }
        try story.expect(.apiAnswered(id(1), .accepted), at: .seconds(1))
        let other = CallCredentials(bearer: "other", deviceID: "phone-1")
        let again = try upload(3, [7])
        try story.expect(.credentialsChanged(other), at: .seconds(2)) {
            Effect.cancelAPI(id(2))
            again
        }
        let dead = try withdrawal(4, [7])
        try story.expect(.tokenInvalidated, at: .seconds(3)) {
            Effect.cancelAPI(id(3))
            dead
        }
        try story.expect(.apiAnswered(id(4), .accepted), at: .seconds(4))
        #expect(story.machine.deadline == nil)
    }

    @Test("Phones that one server failed together do not come back to it together (D-04)")
    func drawn() throws {
        var times: Set<Instant> = []
        for seed in 0..<20 as Range<UInt64> {
            var story = Transcript(PushTokenRegistration(bundleId: "app", seed: seed))
            try story.expect(.tokenReceived([0x0A, 0xFF]), at: .zero)
            for operation in 1...4 as ClosedRange<UInt32> {
                let next = try upload(operation)
                if operation == 1 {
                    try story.expect(.credentialsChanged(credentials), at: .zero) { next }
                } else {
                    let due = try #require(story.machine.deadline?.instant)
                    try story.expectWake(at: Instant.zero.duration(to: due)) { next }
                }
                let now = Duration.seconds([0, 2, 6, 14][Int(operation) - 1])
                let last = operation == 4 ? [PushTokenRegistration.Effect.gaveUp] : []
                try story.expect(.apiAnswered(id(operation), .failed), at: now) { last }
            }
            times.insert(try #require(story.machine.deadline?.instant))
        }
        #expect(times.count == 20)
    }

    @Test("A server that asks to be left alone is asked again after that time (VP-03)")
    func busy() throws {
        var tired = try failed()
        let due = try #require(tired.machine.deadline?.instant)
        let fifth = try upload(5)
        try tired.expectWake(at: Instant.zero.duration(to: due)) { fifth }
        let busy = CallAnswer.busy(RetryAfter(.seconds(100)))
        try tired.expect(.apiAnswered(id(5), busy), at: Instant.zero.duration(to: due))
        #expect(tired.machine.deadline?.instant == due.advanced(by: .seconds(100)))
        var story = try uploading()
        try story.expect(.apiAnswered(id(1), .busy(RetryAfter(.seconds(9)))), at: .seconds(1))
        let again = try upload(2)
        try story.expectWake(at: .milliseconds(9_999))
        try story.expectWake(at: .seconds(10)) { again }
    }

    @Test(
        "An app that leaves the front unregistered tries at once and fast: it is suspended soon (D-04)"
    )
    func leavesFront() throws {
        var story = try failed()
        #expect(!story.machine.isTrying)
        for (start, number) in [(Duration.seconds(15), 5), (.seconds(31), 9)]
            as [(Duration, UInt32)]
        {
            let first = try upload(number)
            try story.expect(.leftFront, at: start) { first }
            #expect(story.machine.isTrying, "so that the app asks for time in the background")
            try story.expect(.apiAnswered(id(number), .failed), at: start)
            for (wait, operation) in zip([2, 6, 14] as [Int64], number + 1...number + 3) {
                let next = try upload(operation)
                try story.expectWake(at: start + .seconds(wait)) { next }
                let last = wait == 14 ? [Effect.gaveUp] : []
                try story.expect(.apiAnswered(id(operation), .failed), at: start + .seconds(wait)) {
                    last
                }
            }
        }
    }

    @Test("The server is told, patiently, that a token is dead, and of the next (VP-03, D-04)")
    func withdrawn() throws {
        var story = try uploading()
        try story.expect(.apiAnswered(id(1), .accepted), at: .seconds(1)) { Effect.registered }
        let dead = try withdrawal(2)
        try story.expect(.tokenInvalidated, at: .seconds(2)) { dead }
        try story.expect(.apiAnswered(id(2), .refused(statusCode: 503)), at: .seconds(3))
        let again = try withdrawal(3)
        try story.expectWake(at: .seconds(5)) { again }
        // The new token takes the dead one's place, and calls may have been missed.
        var replaced = story
        let next = try upload(4, [7])
        try replaced.expect(.tokenReceived([7]), at: .seconds(6)) {
            Effect.cancelAPI(id(3))
            next
        }
        try replaced.expect(.apiAnswered(id(4), .accepted), at: .seconds(7)) {
            Effect.registeredLate
        }
        // Once the server knows, there is nothing more to say until there is a token.
        var told = story
        try told.expect(.apiAnswered(id(3), .accepted), at: .seconds(6))
        try told.expect(.pathRestored, at: .seconds(7))
        try told.expect(.tokenInvalidated, at: .seconds(8))
        let first = try upload(4)
        try told.expect(.tokenReceived([0x0A, 0xFF]), at: .seconds(9)) { first }
        try told.expect(.apiAnswered(id(4), .accepted), at: .seconds(10)) {
            Effect.registeredLate
        }
        // Who logs out says more than that.
        try story.expect(.loggedOut, at: .seconds(6)) {
            Effect.cancelAPI(id(3))
            Effect.callAPI(id(4), .unregisterDevice)
        }
        try story.expect(.apiAnswered(id(4), .accepted), at: .seconds(7))
        try story.expect(.credentialsChanged(credentials), at: .seconds(8))
        #expect(story.machine.deadline == nil)
    }

    @Test("A token that is taken back before anybody signs in is no business of the server's")
    func withdrawnUnknown() throws {
        var story = Transcript(PushTokenRegistration(bundleId: "app", seed: 1))
        try story.expect(.tokenReceived([0x0A, 0xFF]), at: .zero)
        try story.expect(.tokenInvalidated, at: .seconds(1))
        try story.expect(.credentialsChanged(credentials), at: .seconds(2))
        let next = try upload(1, [7])
        try story.expect(.tokenReceived([7]), at: .seconds(3)) { next }
        try story.expect(.apiAnswered(id(1), .accepted), at: .seconds(4)) { Effect.registered }
    }

    @Test("Who logs out is called here no more: the server is told, patiently (RS-12, D-04)")
    func loggedOut() throws {
        var story = try uploading()
        let leave = { (number: UInt32) in Effect.callAPI(self.id(number), .unregisterDevice) }
        try story.expect(.loggedOut, at: .seconds(1)) {
            Effect.cancelAPI(id(1))
            leave(2)
        }
        // The app forgets who it was; a token may still change.
        try story.expect(.credentialsChanged(nil), at: .seconds(1))
        try story.expect(.apiAnswered(id(2), .failed), at: .seconds(1))
        try story.expectWake(at: .seconds(3)) { leave(3) }
        try story.expectWake(at: .seconds(8))
        try story.expect(.pathRestored, at: .seconds(9)) { leave(4) }
        try story.expect(.apiAnswered(id(4), .accepted), at: .seconds(10)) {
            Effect.cancelAPI(id(3))
        }
        #expect(story.machine.deadline == nil)
        try story.expect(.pathRestored, at: .seconds(11))
        try story.expect(.loggedOut, at: .seconds(11))
        let next = try upload(5)
        try story.expect(.credentialsChanged(credentials), at: .seconds(12)) { next }
    }

    @Test("Whoever signs in meanwhile has the device; who is unknown needs no farewell")
    func replacedWhileLeaving() throws {
        var story = try uploading()
        try story.expect(.loggedOut, at: .seconds(1)) {
            Effect.cancelAPI(id(1))
            Effect.callAPI(id(2), .unregisterDevice)
        }
        let next = try upload(3)
        try story.expect(.credentialsChanged(credentials), at: .seconds(2)) {
            Effect.cancelAPI(id(2))
            next
        }
        try story.expect(.loggedOut, at: .seconds(3)) {
            Effect.cancelAPI(id(3))
            Effect.callAPI(id(4), .unregisterDevice)
        }
        try story.expect(.apiAnswered(id(4), .refused(statusCode: 401)), at: .seconds(4))
        #expect(story.machine.deadline == nil)
    }

    @Test("On a device of another user's the token waits for an identity of its own (VP-03, RS-03)")
    func foreignDevice() throws {
        var story = try uploading()
        try story.expect(.apiAnswered(id(1), .foreignDevice), at: .seconds(1)) {
            Effect.deviceIdentityRefused
        }
        #expect(story.machine.deadline == nil)
        try story.expect(.pathRestored, at: .seconds(2))
        let own = CallCredentials(bearer: credentials.bearer, deviceID: "phone-2")
        let next = try upload(2)
        try story.expect(.credentialsChanged(own), at: .seconds(3)) { next }
        try story.expect(.apiAnswered(id(2), .accepted), at: .seconds(4)) {
            Effect.registeredLate
        }
    }

    @Test("A server that refuses every identity has no more of them made (VP-03, RS-03)")
    func foreignAgain() throws {
        var story = try uploading()
        var leaves = story
        try story.expect(.apiAnswered(id(1), .foreignDevice), at: .seconds(1)) {
            Effect.deviceIdentityRefused
        }
        let own = CallCredentials(bearer: credentials.bearer, deviceID: "phone-2")
        let second = try upload(2)
        try story.expect(.credentialsChanged(own), at: .seconds(2)) { second }
        try story.expect(.apiAnswered(id(2), .foreignDevice), at: .seconds(3))
        let third = try upload(3)
        try story.expectWake(at: .seconds(5)) { third }
        try story.expect(.apiAnswered(id(3), .accepted), at: .seconds(6)) {
            Effect.registeredLate
        }
        // Who leaves needs no identity.
        try leaves.expect(.loggedOut, at: .seconds(1)) {
            Effect.cancelAPI(id(1))
            Effect.callAPI(id(2), .unregisterDevice)
        }
        try leaves.expect(.apiAnswered(id(2), .foreignDevice), at: .seconds(2))
        try leaves.expectWake(at: .seconds(4)) { Effect.callAPI(id(3), .unregisterDevice) }
    }

    @Test("A new token has its own three tries, however many the one before it needed (VP-03)")
    func newTokenTriesAfresh() throws {
        var story = try failed()
        let next = try upload(5, [7])
        try story.expect(.tokenReceived([7]), at: .seconds(15)) { next }
        try story.expect(.apiAnswered(id(5), .failed), at: .seconds(15))
        let again = try upload(6, [7])
        try story.expectWake(at: .seconds(17)) { again }
    }

    @Test("A request that is never answered counts as failed after 5 s; a refused login says so")
    func timeout() throws {
        var story = try uploading()
        try story.expectWake(at: .seconds(5))
        let next = try upload(2)
        try story.expectWake(at: .seconds(7)) { next }
        try story.expect(.apiAnswered(id(2), .refused(statusCode: 401)), at: .seconds(8)) {
            Effect.cancelAPI(id(1))
            Effect.signInRequired
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("On a slow path the answer that comes late counts (VP-03)")
    func slowPath() throws {
        var story = try uploading()
        try story.expectWake(at: .seconds(5))
        let second = try upload(2)
        try story.expectWake(at: .seconds(7)) { second }
        var answered = story
        try answered.expect(.apiAnswered(id(1), .accepted), at: .seconds(8)) {
            Effect.cancelAPI(id(2))
            Effect.registeredLate
        }
        #expect(answered.machine.deadline == nil)
        // A server that cannot answer the first may well answer the next.
        var overloaded = story
        try overloaded.expect(.apiAnswered(id(1), .refused(statusCode: 503)), at: .seconds(8))
        try overloaded.expect(.apiAnswered(id(2), .accepted), at: .seconds(9)) {
            Effect.registeredLate
        }
        // The third is the one that is answered: the second is waited for until it is late itself.
        try story.expectWake(at: .seconds(12))
        let third = try upload(3)
        try story.expectWake(at: .seconds(16)) { third }
        // On a path of seconds the first of all is answered first.
        var long = story
        try long.expect(.apiAnswered(id(1), .accepted), at: .seconds(20)) {
            Effect.cancelAPI(id(2))
            Effect.cancelAPI(id(3))
            Effect.registeredLate
        }
        try story.expect(.apiAnswered(id(2), .failed), at: .seconds(17))
        try story.expect(.apiAnswered(id(3), .accepted), at: .seconds(20)) {
            Effect.cancelAPI(id(1))
            Effect.registeredLate
        }
    }

    @Test("What was given up is tried again when the app comes to the front (D-04)")
    func cameToFront() throws {
        var story = try failed()
        let next = try upload(5)
        try story.expect(.cameToFront, at: .seconds(15)) { next }
        try story.expect(.apiAnswered(id(5), .accepted), at: .seconds(16)) {
            Effect.registeredLate
        }
        try story.expect(.cameToFront, at: .seconds(22))
        // By the source's rules it is not, and one that waits for its turn has it in a moment.
        story = try failed(followsPath: false)
        try story.expect(.cameToFront, at: .seconds(60))
        story = try uploading()
        try story.expect(.apiAnswered(id(1), .failed), at: .seconds(1))
        try story.expect(.cameToFront, at: .seconds(2))
        #expect(story.machine.deadline?.instant == Instant(nanoseconds: 3_000_000_000))
    }
}
