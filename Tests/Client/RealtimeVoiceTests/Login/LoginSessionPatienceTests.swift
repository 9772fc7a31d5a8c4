import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The login: what could not be had is tried again (RS-12)")
struct LoginSessionPatienceTests {
    private typealias Effect = LoginSession.Effect

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    private let session = APIAnswer.session(token: "t", timeToLive: .seconds(60))

    /// What a login orders that has its session: the token is kept, and the app told.
    private func signIn(_ operation: UInt32) -> [Effect] {
        [.writeSecureStorage(id(operation), "t"), .signedIn(token: "t")]
    }

    /// A login in front that fetches a challenge; operations 1 and 2 are used up.
    private func fetching() throws -> Transcript<LoginSession> {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .value(nil)), at: .zero) {
            Effect.callAPI(id(2), .passkeyBegin)
        }
        return story
    }

    /// A login in front that asks for a passkey.
    private func asking() throws -> Transcript<LoginSession> {
        var story = try fetching()
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .zero) {
            Effect.signInWanted(challenge: "c")
        }
        return story
    }

    /// A login in front that could fetch no challenge.
    private func askingInVain() throws -> Transcript<LoginSession> {
        var story = try fetching()
        try story.expect(.apiAnswered(id(2), .failed(.offline)), at: .zero) {
            Effect.signInWanted(challenge: nil)
        }
        return story
    }

    @Test("A challenge that could not be had is fetched when a path is there")
    func pathReturns() throws {
        var story = try askingInVain()
        try story.expect(.pathChanged(.unsatisfied), at: .seconds(1))
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(1)) {
            Effect.callAPI(id(3), .passkeyBegin)
        }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(1))
        try story.expect(.apiAnswered(id(3), .challenge("d")), at: .seconds(2)) {
            Effect.signInWanted(challenge: "d")
        }
        // Nothing is missing any more.
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(3))
    }

    @Test("A challenge that could not be had is fetched when the app comes to the front")
    func comesToFront() throws {
        var story = try askingInVain()
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(1))
        #expect(story.machine.deadline == nil, "nothing is asked for out of sight")
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(50))
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(60))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(60)) {
            Effect.callAPI(id(3), .passkeyBegin)
        }
    }

    @Test("In front it is fetched from time to time, and the user is not asked in vain again")
    func backsOff() throws {
        var story = try askingInVain()
        var at = Duration.zero
        var number: UInt32 = 3
        for wait in [2, 4, 8, 16, 30, 30] as [Int64] {
            at = try story.expectDrawnWake(within: .seconds(wait), after: at) {
                Effect.callAPI(id(number), .passkeyBegin)
            }
            try story.expect(.apiAnswered(id(number), .failed(.timedOut)), at: at)
            number += 1
        }
        // Who asks for it themselves is answered.
        try story.expect(.requested, at: at) { Effect.callAPI(id(number), .passkeyBegin) }
        at += .seconds(5)
        try story.expectWake(at: at) { Effect.signInWanted(challenge: nil) }
    }

    @Test("In front a challenge is replaced before it runs out; what is signed meanwhile counts")
    func renewed() throws {
        var story = try asking()
        try story.expectWake(at: .milliseconds(239_999))
        try story.expectWake(at: .seconds(240)) { Effect.callAPI(id(3), .passkeyBegin) }
        var early = story
        try story.expect(.apiAnswered(id(3), .challenge("d")), at: .seconds(241)) {
            Effect.signInWanted(challenge: "d")
        }
        try story.expectWake(at: .seconds(481)) { Effect.callAPI(id(4), .passkeyBegin) }
        // A renewal that fails leaves the user what they have.
        try story.expect(.apiAnswered(id(4), .failed(.offline)), at: .seconds(481))
        try story.expect(.passkeyAsserted("d"), at: .seconds(482)) {
            Effect.callAPI(id(5), .passkeyComplete(assertion: "d"))
        }

        try early.expect(.passkeyAsserted("c"), at: .seconds(240)) {
            Effect.cancelAPI(id(3))
            Effect.callAPI(id(4), .passkeyComplete(assertion: "c"))
        }
    }

    @Test("A challenge that ran out while the app was away is replaced in front, and not before")
    func renewedInFront() throws {
        var story = try asking()
        try story.expect(.scenePhaseChanged(.background), at: .seconds(10))
        #expect(story.machine.deadline == nil)
        try story.expect(.scenePhaseChanged(.active), at: .seconds(239))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(239))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(600)) {
            Effect.callAPI(id(3), .passkeyBegin)
        }
    }

    @Test(
        "What the user showed without a network, or to a server that is too busy, is sent later",
        arguments: [APIAnswer.failed(.offline), .busy(RetryAfter(.seconds(1)))]
    )
    func sentLater(answer: APIAnswer) throws {
        var story = try asking()
        try story.expect(.passkeyAsserted("a"), at: .seconds(1)) {
            Effect.callAPI(id(3), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.apiAnswered(id(3), answer), at: .seconds(1))
        try story.expectDrawnWake(within: .seconds(2), after: .seconds(1)) {
            Effect.callAPI(id(4), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.apiAnswered(id(4), answer), at: .seconds(3))
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(4)) {
            Effect.callAPI(id(5), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.apiAnswered(id(5), session), at: .seconds(5)) { signIn(6) }
    }

    @Test("A busy server is left alone for as long as it asks, though a path or the user returns")
    func busy() throws {
        var story = try fetching()
        let busy = APIAnswer.busy(RetryAfter(.seconds(40)))
        try story.expect(.apiAnswered(id(2), busy), at: .seconds(1)) {
            Effect.signInWanted(challenge: nil)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(10))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(20))
        var asked = story
        try asked.expect(.requested, at: .seconds(30)) { Effect.callAPI(id(3), .passkeyBegin) }
        try story.expectWake(at: .seconds(41)) { Effect.callAPI(id(3), .passkeyBegin) }
        // The second time is like the first.
        try story.expect(.apiAnswered(id(3), busy), at: .seconds(42))
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(50))
        try story.expectWake(at: .seconds(82)) { Effect.callAPI(id(4), .passkeyBegin) }
    }

    @Test("Two phones that lost one server do not come back to it in one instant")
    func drawn() throws {
        var dues: Set<Instant> = []
        for seed in 1...20 as ClosedRange<UInt64> {
            var machine = LoginSession(seed: seed)
            _ = machine.drive(.scenePhaseChanged(.active), at: .zero)
            _ = machine.drive(.requested, at: .zero)
            _ = machine.drive(.secureStorageRead(id(1), .value(nil)), at: .zero)
            _ = machine.drive(.apiAnswered(id(2), .failed(.offline)), at: .zero)
            if let deadline = machine.deadline { dues.insert(deadline.instant) }
        }
        #expect(dues.count == 20)
    }

    @Test("Who logs out meanwhile is not signed in by what they showed before")
    func forgotten() throws {
        var story = try asking()
        try story.expect(.appleSignedIn(identityToken: "i"), at: .seconds(1)) {
            Effect.callAPI(id(3), .appleSignIn(identityToken: "i"))
        }
        try story.expect(.apiAnswered(id(3), .failed(.offline)), at: .seconds(1))
        try story.expect(.loggedOut, at: .seconds(2)) { Effect.callAPI(id(4), .passkeyBegin) }
    }

    /// A login that sent what its user showed at 1 s, and again at 6 s for want of an answer.
    private func sentTwice() throws -> Transcript<LoginSession> {
        var story = try asking()
        try story.expect(.passkeyAsserted("a"), at: .seconds(1)) {
            Effect.callAPI(id(3), .passkeyComplete(assertion: "a"))
        }
        try story.expectWake(at: .seconds(6)) {
            Effect.callAPI(id(4), .passkeyComplete(assertion: "a"))
        }
        return story
    }

    @Test("What got no answer is sent again, at once and then from time to time (RS-12)")
    func sentAgain() throws {
        var story = try sentTwice()
        var answered = story
        try answered.expect(.apiAnswered(id(4), session), at: .seconds(7)) {
            Effect.cancelAPI(id(3))
            signIn(5)
        }
        try story.expectWake(at: .seconds(11))
        try story.expectDrawnWake(within: .seconds(2), after: .seconds(11)) {
            Effect.callAPI(id(5), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.apiAnswered(id(5), .failed(.connectionLost)), at: .seconds(14))
        try story.expectDrawnWake(within: .seconds(4), after: .seconds(14)) {
            Effect.callAPI(id(6), .passkeyComplete(assertion: "a"))
        }
        // The server has seen it before, or it is too old.
        try story.expect(.apiAnswered(id(6), .refused(statusCode: 401)), at: .seconds(19)) {
            Effect.cancelAPI(id(3))
            Effect.cancelAPI(id(4))
            Effect.callAPI(id(7), .passkeyBegin)
        }
    }

    @Test("On a slow path the challenge that comes late is asked with")
    func lateChallenge() throws {
        var story = try fetching()
        try story.expectWake(at: .seconds(5)) { Effect.signInWanted(challenge: nil) }
        var early = story
        try early.expect(.apiAnswered(id(2), .challenge("c")), at: .seconds(6)) {
            Effect.signInWanted(challenge: "c")
        }
        try story.expectDrawnWake(within: .seconds(2), after: .seconds(5)) {
            Effect.callAPI(id(3), .passkeyBegin)
        }
        var refused = story
        try refused.expect(.apiAnswered(id(2), .refused(statusCode: 503)), at: .seconds(8))
        try refused.expect(.apiAnswered(id(3), .challenge("d")), at: .seconds(9)) {
            Effect.signInWanted(challenge: "d")
        }
        try story.expect(.apiAnswered(id(2), .challenge("c")), at: .seconds(8)) {
            Effect.cancelAPI(id(3))
            Effect.signInWanted(challenge: "c")
        }
    }

    @Test("On a slow path who has signed in is, though what they showed was sent twice")
    func lateSession() throws {
        var story = try sentTwice()
        var offline = story
        try story.expect(.apiAnswered(id(3), session), at: .seconds(7)) {
            Effect.cancelAPI(id(4))
            signIn(5)
        }
        // Its life is counted from the request that brought it.
        try story.expectWake(at: .seconds(61)) {
            Effect.writeSecureStorage(id(6), nil)
            Effect.signedOut
            Effect.callAPI(id(7), .passkeyBegin)
        }
        try offline.expect(.apiAnswered(id(4), .failed(.offline)), at: .seconds(6))
        try offline.expect(.apiAnswered(id(3), session), at: .seconds(7)) { signIn(5) }
    }

    /// A login whose user signed in at 1 s on a path so slow that nothing was answered by 11 s.
    private func unanswered() throws -> Transcript<LoginSession> {
        var story = try sentTwice()
        try story.expectWake(at: .seconds(11))
        return story
    }

    /// The same login at 17 to 18 s: a third request (5) is out, and the second one (4) given up.
    private func sentThrice() throws -> Transcript<LoginSession> {
        var story = try unanswered()
        let third = try story.expectDrawnWake(within: .seconds(2), after: .seconds(11)) {
            Effect.callAPI(id(5), .passkeyComplete(assertion: "a"))
        }
        try story.expectWake(at: third + .seconds(5)) { Effect.cancelAPI(id(4)) }
        return story
    }

    @Test("The first answer signs in even where two requests have taken too long (RS-12)")
    func verySlow() throws {
        var early = try unanswered()
        try early.expect(.apiAnswered(id(3), session), at: .seconds(12)) {
            Effect.cancelAPI(id(4))
            signIn(5)
        }
        var story = try sentThrice()
        try story.expect(.apiAnswered(id(3), session), at: .seconds(20)) {
            Effect.cancelAPI(id(5))
            signIn(6)
        }
    }

    @Test("Where the first request was lost, the second one signs in as late (RS-12)")
    func firstLost() throws {
        var story = try unanswered()
        try story.expect(.apiAnswered(id(4), session), at: .milliseconds(12_500)) {
            Effect.cancelAPI(id(3))
            signIn(5)
        }
    }

    @Test("A first request without an answer for half a minute gives way to the next one (RS-12)")
    func neverAnswered() throws {
        var story = try sentThrice()
        var number: UInt32 = 6
        var given: [Effect] = [.cancelAPI(id(5))]
        // The first one was sent at 1 s.
        while true {
            let due = try #require(story.machine.deadline).instant
            let at = Instant.zero.duration(to: due)
            try story.expectWake(at: at) {
                Effect.callAPI(id(number), .passkeyComplete(assertion: "a"))
            }
            let isOver = at + .seconds(5) >= .seconds(31)
            if isOver { given.insert(.cancelAPI(id(3)), at: 0) }
            try story.expectWake(at: at + .seconds(5)) { given }
            guard !isOver else { break }
            given = [.cancelAPI(id(number))]
            number += 1
        }
        try story.expect(.apiAnswered(id(number), session), at: .seconds(60)) {
            signIn(number + 1)
        }
    }

    @Test("What is refused late is shown anew, unless another request may have been taken (RS-12)")
    func refusedLate() throws {
        var story = try unanswered()
        let refused = APIAnswer.refused(statusCode: 401)
        var alone = story
        try alone.expect(.apiAnswered(id(3), refused), at: .seconds(12))
        try alone.expect(.apiAnswered(id(4), refused), at: .seconds(12)) {
            Effect.callAPI(id(5), .passkeyBegin)
        }
        try story.expectDrawnWake(within: .seconds(2), after: .seconds(11)) {
            Effect.callAPI(id(5), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.apiAnswered(id(3), refused), at: .seconds(14))
        try story.expect(.apiAnswered(id(5), session), at: .seconds(15)) {
            Effect.cancelAPI(id(4))
            signIn(6)
        }
    }

    /// A login whose user logged out at 3 s while the keychain removes nothing.
    private func loggedOut() throws -> Transcript<LoginSession> {
        var story = Transcript(LoginSession(seed: 1))
        try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
        try story.expect(.secureStorageRead(id(1), .value("t")), at: .zero) {
            Effect.signedIn(token: "t")
        }
        try story.expect(.loggedOut, at: .seconds(3)) {
            Effect.writeSecureStorage(id(2), nil)
            Effect.signedOut
            Effect.callAPI(id(3), .passkeyBegin)
        }
        try story.expect(.apiAnswered(id(3), .challenge("c")), at: .seconds(3)) {
            Effect.signInWanted(challenge: "c")
        }
        try story.expect(.secureStorageWritten(id(2), isKept: false), at: .seconds(3))
        return story
    }

    @Test("A token that the keychain did not remove is removed later")
    func removedLater() throws {
        var story = try loggedOut()
        var at = Duration.seconds(3)
        var number: UInt32 = 4
        for wait in [1, 2, 4, 8, 16, 32, 60, 60] as [Int64] {
            at = try story.expectDrawnWake(within: .seconds(wait), after: at) {
                Effect.writeSecureStorage(id(number), nil)
            }
            try story.expect(.secureStorageWritten(id(number), isKept: false), at: at)
            number += 1
        }
        try story.expect(.scenePhaseChanged(.inactive), at: at)
        try story.expect(.secureStorageWritten(id(2), isKept: true), at: at)
        at = try story.expectDrawnWake(within: .seconds(60), after: at) {
            Effect.writeSecureStorage(id(number), nil)
        }
        try story.expect(.secureStorageWritten(id(number), isKept: true), at: at)
        #expect(story.machine.deadline == nil)
    }

    @Test("A token that the keychain did not remove is removed when the app comes to the front")
    func removedInFront() throws {
        var story = try loggedOut()
        try story.expect(.scenePhaseChanged(.active), at: .milliseconds(3_500)) {
            Effect.writeSecureStorage(id(4), nil)
        }
        try story.expect(.scenePhaseChanged(.active), at: .milliseconds(3_500))
    }

    @Test("Who signs in meanwhile keeps their token, which is written until it is kept")
    func replaced() throws {
        var story = try loggedOut()
        try story.expect(.passkeyAsserted("a"), at: .milliseconds(3_100)) {
            Effect.callAPI(id(4), .passkeyComplete(assertion: "a"))
        }
        try story.expect(.apiAnswered(id(4), session), at: .milliseconds(3_200)) { signIn(5) }
        try story.expect(.secureStorageWritten(id(5), isKept: false), at: .milliseconds(3_200))
        try story.expectDrawnWake(within: .seconds(1), after: .milliseconds(3_200)) {
            Effect.writeSecureStorage(id(6), "t")
        }
        try story.expect(.secureStorageWritten(id(6), isKept: true), at: .milliseconds(4_200))
    }

    @Test("A login that hears of phases, paths and the keychain keeps the laws of its contract")
    func laws() throws {
        for seed in 0..<100 as Range<UInt64> {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { LoginSession(seed: 1) },
                foreign: LoginSession.foreign
            ) { random, _ in
                // Answers meet their requests now and then.
                let operation = OperationID(number: UInt32(random.below(60)))
                return switch random.below(14) {
                case 0: .requested
                case 1: .passkeyAsserted("assertion")
                case 2: .appleSignedIn(identityToken: "apple")
                case 3: random.chance(percent: 50) ? .loggedOut : .tokenRefused
                case 4, 5: .scenePhaseChanged(ScenePhase.allCases[random.below(3)])
                case 6: .pathChanged(random.chance(percent: 50) ? .unsatisfied : .satisfied(.wifi))
                case 7:
                    .secureStorageRead(
                        operation,
                        random.chance(percent: 50) ? .failed : .value(nil)
                    )
                case 8, 9: .secureStorageWritten(operation, isKept: random.chance(percent: 30))
                case 10: .apiAnswered(operation, .failed(.offline))
                case 11: .apiAnswered(operation, .challenge("challenge"))
                default:
                    .apiAnswered(operation, .session(token: "token", timeToLive: .seconds(90)))
                }
            }
        }
    }
}
