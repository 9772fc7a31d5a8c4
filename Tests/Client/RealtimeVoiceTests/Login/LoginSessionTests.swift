import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The login (RS-12)")
struct LoginSessionTests {
    private typealias Effect = LoginSession.Effect

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// A login that asks for a passkey; operations 1 and 2 are used up.
    private func asking() throws -> Transcript<LoginSession> {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .value(nil)), at: .zero) {
            Effect.callAPI(id(2), .passkeyBegin)
        }
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .zero) {
            Effect.signInWanted(challenge: "c")
        }
        return story
    }

    /// A login whose keychain could not be read, and that fetches a challenge.
    ///
    /// Operations 1 and 2 are used up.
    private func locked() throws -> Transcript<LoginSession> {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .failed), at: .zero) {
            Effect.callAPI(id(2), .passkeyBegin)
        }
        return story
    }

    /// The same login when it has its challenge, at 1 s.
    private func lockedAsking() throws -> Transcript<LoginSession> {
        var story = try locked()
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .seconds(1)) {
            Effect.signInWanted(challenge: "c")
        }
        return story
    }

    /// A login signed in at 1 s for a minute; operations 1 to 4 are used up.
    private func signedIn() throws -> Transcript<LoginSession> {
        var story = try asking()
        try story.expect(.passkeyAsserted("a"), at: .seconds(1)) {
            Effect.callAPI(id(3), .passkeyComplete(assertion: "a"))
        }
        let answer = APIAnswer.session(token: "t", timeToLive: .seconds(60))
        try story.expect(.apiAnswered(id(3), answer), at: .seconds(2)) {
            Effect.writeSecureStorage(id(4), "t")
            Effect.signedIn(token: "t")
        }
        return story
    }

    @Test("A kept session token needs no sign-in")
    func kept() throws {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .value("t")), at: .zero) {
            Effect.signedIn(token: "t")
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A passkey signs in: challenge, assertion, token kept")
    func passkey() throws {
        _ = try signedIn()
    }

    @Test("Apple signs in, also where no challenge could be had")
    func apple() throws {
        var story = try locked()
        try story.expectWake(at: .seconds(5)) { Effect.signInWanted(challenge: nil) }
        try story.expect(.appleSignedIn(identityToken: "i"), at: .seconds(6)) {
            Effect.cancelAPI(id(2))
            Effect.callAPI(id(3), .appleSignIn(identityToken: "i"))
        }
        let answer = APIAnswer.session(token: "t", timeToLive: .seconds(60))
        try story.expect(.apiAnswered(id(3), answer), at: .seconds(7)) {
            Effect.writeSecureStorage(id(4), "t")
            Effect.signedIn(token: "t")
        }
    }

    @Test("A keychain that could not be read is read again: the phone was not unlocked (RS-12)")
    func unread() throws {
        var story = try lockedAsking()
        #expect(story.machine.isUnread)
        var leaves = story
        try story.expect(.requested, at: .seconds(9)) { Effect.readSecureStorage(id(3)) }
        var answers = story
        try story.expect(.secureStorageRead(id(3), .value("t")), at: .seconds(9)) {
            Effect.signedIn(token: "t")
        }
        #expect(!story.machine.isUnread)
        // Who answers the question meanwhile signs in by that.
        try answers.expect(.passkeyAsserted("a"), at: .seconds(9)) {
            Effect.callAPI(id(4), .passkeyComplete(assertion: "a"))
        }
        try answers.expect(.secureStorageRead(id(3), .value("t")), at: .seconds(9))
        // Who logs out is signed in by nothing that is kept there.
        try leaves.expect(.loggedOut, at: .seconds(2)) { Effect.writeSecureStorage(id(3), nil) }
        try leaves.expect(.requested, at: .seconds(3)) { Effect.callAPI(id(4), .passkeyBegin) }
    }

    @Test("Who is asked is not asked once more because no fresh challenge can be had (RS-12)")
    func askedOnce() throws {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .failed), at: .zero) {
            Effect.callAPI(id(2), .passkeyBegin)
        }
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .seconds(1)) {
            Effect.signInWanted(challenge: "c")
        }
        // Who asks wants the sheet, whatever was shown before.
        try story.expect(.requested, at: .seconds(2)) { Effect.readSecureStorage(id(3)) }
        try story.expect(.secureStorageRead(id(3), .failed), at: .seconds(2)) {
            Effect.signInWanted(challenge: "c")
        }
        // The challenge grows old, and none follows: the sheet stays as it is.
        try story.expectWake(at: .seconds(241)) { Effect.readSecureStorage(id(4)) }
        try story.expect(.secureStorageRead(id(4), .failed), at: .seconds(241)) {
            Effect.callAPI(id(5), .passkeyBegin)
        }
        try story.expect(.apiAnswered(id(5), .failed(.timedOut)), at: .seconds(242))
    }

    @Test("A challenge that has run out is offered no more, if no other can be had (RS-12)")
    func runOut() throws {
        for seconds in [300, 301] as [Int64] {
            var story = try asking()
            // Below five minutes the sheet stays as it is.
            try story.expect(.scenePhaseChanged(.active), at: .seconds(239))
            try story.expectWake(at: .seconds(240)) { Effect.callAPI(id(3), .passkeyBegin) }
            try story.expect(.apiAnswered(id(3), .failed(.offline)), at: .seconds(240))
            try story.expect(.scenePhaseChanged(.background), at: .seconds(241))
            try story.expect(.scenePhaseChanged(.active), at: .seconds(seconds)) {
                Effect.callAPI(id(4), .passkeyBegin)
            }
            var signs = story
            try story.expect(.apiAnswered(id(4), .failed(.offline)), at: .seconds(seconds)) {
                Effect.signInWanted(challenge: nil)
            }
            // What was signed to it is not sent: the user is asked with the next one.
            try signs.expect(.passkeyAsserted("a"), at: .seconds(seconds))
            try signs.expect(.apiAnswered(id(4), .challenge("d")), at: .seconds(seconds + 1)) {
                Effect.signInWanted(challenge: "d")
            }
            try signs.expect(.passkeyAsserted("b"), at: .seconds(seconds + 2)) {
                Effect.callAPI(id(5), .passkeyComplete(assertion: "b"))
            }
        }
    }

    @Test(
        "A challenge of less than five minutes is signed to while the next one is on its way (RS-12)"
    )
    func stillServes() throws {
        var story = try asking()
        try story.expect(.scenePhaseChanged(.active), at: .seconds(299)) {
            Effect.callAPI(id(3), .passkeyBegin)
        }
        try story.expect(.passkeyAsserted("a"), at: .seconds(299)) {
            Effect.cancelAPI(id(3))
            Effect.callAPI(id(4), .passkeyComplete(assertion: "a"))
        }
    }

    @Test("A keychain that stays locked has no challenge fetched after the other (RS-12)")
    func staysLocked() throws {
        var story = try lockedAsking()
        try story.expect(.requested, at: .seconds(3)) { Effect.readSecureStorage(id(3)) }
        try story.expect(.secureStorageRead(id(3), .failed), at: .seconds(3)) {
            Effect.signInWanted(challenge: "c")
        }
        // One that has grown old is replaced.
        try story.expect(.requested, at: .seconds(241)) { Effect.readSecureStorage(id(4)) }
        try story.expect(.secureStorageRead(id(4), .failed), at: .seconds(241)) {
            Effect.callAPI(id(5), .passkeyBegin)
        }
    }

    @Test("A keychain is read again, too, while a challenge is on its way (RS-12)")
    func unreadWhileFetching() throws {
        var story = try locked()
        try story.expect(.requested, at: .seconds(1)) {
            Effect.cancelAPI(id(2))
            Effect.readSecureStorage(id(3))
        }
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .seconds(1))
        var locked = story
        try locked.expect(.secureStorageRead(id(3), .failed), at: .seconds(1)) {
            Effect.callAPI(id(4), .passkeyBegin)
        }
        try story.expect(.secureStorageRead(id(3), .value("t")), at: .seconds(1)) {
            Effect.signedIn(token: "t")
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A refused or unanswered sign-in asks again, with a new challenge")
    func refused() throws {
        var story = try asking()
        try story.expect(.passkeyAsserted("a"), at: .seconds(1)) {
            Effect.callAPI(id(3), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.passkeyAsserted("a"), at: .seconds(1))
        try story.expect(.apiAnswered(id(3), .refused(statusCode: 401)), at: .seconds(2)) {
            Effect.callAPI(id(4), .passkeyBegin)
        }
        try story.expect(.passkeyAsserted("a"), at: .seconds(2))
        try story.expect(.apiAnswered(id(4), .challenge("d")), at: .seconds(3)) {
            Effect.signInWanted(challenge: "d")
        }
    }

    @Test("Logging out and a refusal by the server clear the token and ask again")
    func loggedOut() throws {
        for event in [LoginSession.Event.loggedOut, .tokenRefused] {
            var story = try signedIn()
            try story.expect(event, at: .seconds(3)) {
                Effect.writeSecureStorage(id(5), nil)
                Effect.signedOut
                Effect.callAPI(id(6), .passkeyBegin)
            }
        }
    }

    @Test("Who logs out or never signed in is signed out, and nobody else (RS-12)")
    func isSignedOut() throws {
        var machine = try signedIn().machine
        func tell(_ event: LoginSession.Event) -> Bool {
            machine.handle(event, at: .zero)
            return machine.isSignedOut
        }
        #expect(!tell(.tokenRefused))
        machine = try signedIn().machine
        #expect(tell(.loggedOut))
        #expect(tell(.apiAnswered(id(6), .challenge("e"))))
        #expect(tell(.passkeyAsserted("a")))
        #expect(!tell(.apiAnswered(id(7), .session(token: "u", timeToLive: .seconds(60)))))
        for (answer, isSignedOut) in [(SecureAnswer.failed, false), (.value(nil), true)] {
            machine = LoginSession(seed: 1)
            #expect(!tell(.requested))
            #expect(tell(.secureStorageRead(id(1), answer)) == isSignedOut)
        }
    }

    @Test("A session ends when its life, counted from the request, is over")
    func expires() throws {
        var story = try signedIn()
        try story.expectWake(at: .milliseconds(60_999))
        try story.expectWake(at: .seconds(61)) {
            Effect.writeSecureStorage(id(5), nil)
            Effect.signedOut
            Effect.callAPI(id(6), .passkeyBegin)
        }
    }

    @Test("Logging out while the token is read clears it all the same")
    func loggedOutWhileReading() throws {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.loggedOut, at: .zero) {
            Effect.writeSecureStorage(id(2), nil)
            Effect.callAPI(id(3), .passkeyBegin)
        }
        try story.expect(.secureStorageRead(id(1), .value("t")), at: .zero)
    }
}
