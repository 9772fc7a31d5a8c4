import KodamaEvidence
import RealtimeVoice
import SansIO

/// The requests of an app to its own server, which the trace all calls requests for a token.
struct NarratedRequests {
    private struct Request {
        var at: Instant
        var purpose: Purpose
    }

    private enum Purpose {
        /// A token for the room.
        case token
        /// Something that the user can sign in with.
        case challenge
        /// The user has signed in.
        case signIn
    }

    private var requests: [Int64: Request] = [:]
    private var stage: SessionStage?
    private var signedIn: Instant?

    /// The app shows another stage of its session.
    mutating func show(_ stage: SessionStage?) { self.stage = stage }

    /// The user signs in.
    mutating func signIn(at instant: Instant) { signedIn = instant }

    /// A request begins: whether it is one for a token.
    ///
    /// An app that has shown nothing yet, or asks the user to sign in, has no use for a token.
    mutating func begin(_ requested: TokenRequested, at instant: Instant) -> Bool {
        let isLogin = stage == nil || stage == .signedOut
        let login = signedIn == instant ? Purpose.signIn : .challenge
        let purpose = isLogin ? login : .token
        requests[requested.operation] = Request(at: instant, purpose: purpose)
        return !isLogin
    }

    /// A request ends: what that means, if it is worth a sentence.
    mutating func end(_ answered: TokenAnswered, at instant: Instant, of app: String) -> String? {
        let request = requests.removeValue(forKey: answered.operation)
        guard answered.outcome.number != 200 else { return nil }
        let why = answered.outcome.sentence
        // A request that the app gives up looks like one that is not answered in time.
        let length = request.map { $0.at.duration(to: instant).wholeNanoseconds.lengthText }
        let isGivenUp = answered.outcome.value == .timedOut
        let wait = length.map { " after \($0)" } ?? ""
        switch (request?.purpose ?? .token, isGivenUp) {
        case (.token, false): return "\(app) gets no token: \(why)"
        case (.token, true): return "\(app) stops waiting for its token\(wait)"
        case (.challenge, false): return "\(app) gets nothing to sign in with: \(why)"
        case (.challenge, true): return "\(app) stops waiting for what a sign-in needs\(wait)"
        case (.signIn, false): return "the sign-in fails: \(why)"
        case (.signIn, true): return "\(app) stops waiting for the answer to the sign-in\(wait)"
        }
    }
}
