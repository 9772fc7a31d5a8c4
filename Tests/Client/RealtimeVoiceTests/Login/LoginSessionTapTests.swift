import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The login: taps are answered, and a busy server is left alone (RS-12)")
struct LoginSessionTapTests {
    private typealias Effect = LoginSession.Effect

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

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

    /// A login in front that could fetch no challenge.
    private func askingInVain() throws -> Transcript<LoginSession> {
        var story = try fetching()
        try story.expect(.apiAnswered(id(2), .failed(.offline)), at: .zero) {
            Effect.signInWanted(challenge: nil)
        }
        return story
    }

    @Test("When a path returns a busy server is asked as soon as it may be, twice in a row (RS-12)")
    func busyForLess() throws {
        var story = try askingInVain()
        var (at, number) = (Duration.zero, UInt32(3))
        for wait in [2, 4, 8, 16, 30] as [Int64] {
            at = try story.expectDrawnWake(within: .seconds(wait), after: at) {
                Effect.callAPI(id(number), .passkeyBegin)
            }
            try story.expect(.apiAnswered(id(number), .failed(.timedOut)), at: at)
            number += 1
        }
        for _ in 1...2 {
            at += .milliseconds(1)
            try story.expect(.pathChanged(.satisfied(.wifi)), at: at) {
                Effect.callAPI(id(number), .passkeyBegin)
            }
            let busy = APIAnswer.busy(RetryAfter(.milliseconds(900)))
            try story.expect(.apiAnswered(id(number), busy), at: at)
            try story.expect(.pathChanged(.satisfied(.cellular)), at: at + .milliseconds(500))
            try story.expectWake(at: at + .milliseconds(900)) {
                Effect.callAPI(id(number + 1), .passkeyBegin)
            }
            at += .milliseconds(900)
            try story.expect(.apiAnswered(id(number + 1), .failed(.timedOut)), at: at)
            number += 2
        }
        // The user asks all the same, and the server answers: it is busy no more.
        let busy = APIAnswer.busy(RetryAfter(.seconds(100)))
        try story.expect(.requested, at: at) { Effect.callAPI(id(number), .passkeyBegin) }
        try story.expect(.apiAnswered(id(number), busy), at: at) {
            Effect.signInWanted(challenge: nil)
        }
        try story.expect(.requested, at: at) { Effect.callAPI(id(number + 1), .passkeyBegin) }
        try story.expect(.apiAnswered(id(number + 1), .refused(statusCode: 500)), at: at) {
            Effect.signInWanted(challenge: nil)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: at + .milliseconds(1)) {
            Effect.callAPI(id(number + 2), .passkeyBegin)
        }
    }

    @Test("A tap during a hanging fetch or read is answered, twice in a row (RS-12)")
    func tapped() throws {
        var story = try askingInVain()
        var at = Duration.zero
        for (number, wait) in [(UInt32(3), Int64(2)), (4, 4)] {
            at = try story.expectDrawnWake(within: .seconds(wait), after: at) {
                Effect.callAPI(id(number), .passkeyBegin)
            }
            try story.expect(.passkeyAsserted("of no challenge"), at: at + .seconds(1))
            at += .seconds(5)
            let late = number == 4 ? [Effect.cancelAPI(id(3))] : []
            try story.expectWake(at: at) {
                late
                Effect.signInWanted(challenge: nil)
            }
        }
        for tap in [
            LoginSession.Event.requested, .passkeyAsserted("a"), .appleSignedIn(identityToken: "i"),
        ] {
            var story = Transcript(LoginSession(seed: 1))
            try story.expect(.scenePhaseChanged(.active), at: .zero)
            try story.expect(.requested, at: .zero) { Effect.readSecureStorage(id(1)) }
            try story.expect(tap, at: .zero)
            try story.expect(.secureStorageRead(id(1), .value(nil)), at: .seconds(1)) {
                Effect.callAPI(id(2), .passkeyBegin)
            }
            try story.expect(.apiAnswered(id(2), .failed(.offline)), at: .seconds(1)) {
                Effect.signInWanted(challenge: nil)
            }
        }
    }
}
