import IncomingCalls
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushInbox.Effect

@Suite("VoIP pushes on a phone, and the rule that each is reported")
struct PushInboxTests {
    private static let app = AppID(0)
    private static let other = AppID(1)
    private static let token: [UInt8] = [1, 2, 3]

    /// What the app is told of its push of this number.
    private static func received(_ number: UInt32, _ payload: String) -> Effect {
        let push = PushID(number: number)
        return .news(app, .received(push, payload: payload, duty: PushInbox.duty(of: push)))
    }

    private static func arrived(_ payload: String, isRunning: Bool) -> PushInbox.Event {
        .arrived(app, payload: payload, isRunning: isRunning)
    }

    private static func returned(_ number: UInt32, isExempt: Bool = false) -> PushInbox.Event {
        .handlerReturned(app, PushInbox.duty(of: PushID(number: number)), isExempt: isExempt)
    }

    /// A story whose app has a token.
    private func registered() throws -> Transcript<PushInbox> {
        let configuration = PhoneSystemConfiguration()
        var story = Transcript(PushInbox(appCount: 2, configuration: configuration))
        try story.expect(.registered(Self.app), at: .zero) { Effect.tokenWanted(Self.app) }
        try story.expect(.tokenIssued(Self.app, Self.token), at: .seconds(1)) {
            Effect.news(Self.app, .token(Self.token))
        }
        return story
    }

    /// A story whose app was handed a push at 10 s.
    private func handed() throws -> Transcript<PushInbox> {
        var story = try registered()
        try story.expect(Self.arrived("a", isRunning: true), at: .seconds(10)) {
            Effect.wake(Self.app)
            Self.received(1, "a")
        }
        return story
    }

    // MARK: Tokens

    @Test("A token is asked for once, and kept for the app's next launch (VP-03)")
    func tokens() throws {
        var story = try registered()
        try story.expect(.registered(Self.app), at: .seconds(2)) {
            Effect.news(Self.app, .token(Self.token))
        }
        try story.expect(.tokenWithdrawn(Self.app), at: .seconds(3)) {
            Effect.news(Self.app, .tokenInvalidated)
            Effect.tokenWanted(Self.app)
        }
        // Who has none loses none.
        try story.expect(.tokenWithdrawn(Self.app), at: .seconds(3))
        try story.expect(.tokenWithdrawn(Self.other), at: .seconds(3))
        try story.expect(.registered(Self.app), at: .seconds(4)) { Effect.tokenWanted(Self.app) }
        try story.expect(.tokenIssued(Self.app, [9]), at: .seconds(5)) {
            Effect.news(Self.app, .token([9]))
        }
    }

    @Test("An app that never registered gets no push")
    func unregistered() throws {
        var story = try registered()
        try story.expect(.arrived(Self.other, payload: "a", isRunning: true), at: .seconds(2))
        #expect(story.machine.deadline == nil)
    }

    // MARK: Delivery

    @Test("A running app is handed a push at once, and lives longer for it (VP-04)")
    func running() throws {
        let story = try handed()
        #expect(story.machine.deadline?.instant == .zero.advanced(by: .seconds(17)))
    }

    @Test("Another app is woken, and handed its pushes in their order when it runs (VP-04)")
    func asleep() throws {
        var story = try registered()
        try story.expect(Self.arrived("a", isRunning: false), at: .seconds(10)) {
            Effect.wake(Self.app)
        }
        try story.expect(Self.arrived("b", isRunning: false), at: .seconds(11)) {
            Effect.wake(Self.app)
        }
        try story.expect(.appRuns(Self.other), at: .seconds(12))
        try story.expect(.appRuns(Self.app), at: .seconds(12)) {
            Self.received(1, "a")
            Self.received(2, "b")
        }
        try story.expect(.appRuns(Self.app), at: .seconds(13))
    }

    // MARK: The rule

    @Test("A push that is reported before its handler returns breaks nothing (D-01)")
    func reported() throws {
        var story = try handed()
        try story.expect(.reported(Self.app), at: .seconds(10))
        try story.expect(Self.returned(1), at: .seconds(10))
        #expect(story.machine.deadline == nil)
    }

    @Test("A handler that returns without a report ends the app (D-20)")
    func handlerReturned() throws {
        var story = try handed()
        try story.expect(.reported(Self.other), at: .seconds(10))
        try story.expect(Self.returned(1), at: .seconds(10)) {
            Effect.unreported(Self.app, .handlerReturned)
        }
        try story.expect(Self.returned(1), at: .seconds(10))
        #expect(story.machine.deadline == nil)
    }

    @Test("One report answers for one push: the next needs another (D-01, D-20)")
    func oneReportEach() throws {
        var story = try handed()
        try story.expect(Self.arrived("b", isRunning: true), at: .seconds(10)) {
            Effect.wake(Self.app)
            Self.received(2, "b")
        }
        try story.expect(.reported(Self.app), at: .seconds(10))
        try story.expect(Self.returned(1), at: .seconds(10))
        try story.expect(Self.returned(2), at: .seconds(10)) {
            Effect.unreported(Self.app, .handlerReturned)
        }
    }

    @Test("An app in front or with a call going on may leave a push unreported (D-20)")
    func exempt() throws {
        var story = try handed()
        try story.expect(Self.returned(1, isExempt: true), at: .seconds(10))
        #expect(story.machine.deadline == nil)
    }

    @Test("An app that never came to its handler is ended after 7 s (D-20)")
    func timedOut() throws {
        var story = try registered()
        try story.expect(Self.arrived("a", isRunning: false), at: .seconds(10)) {
            Effect.wake(Self.app)
        }
        // A launch that dies leaves the push waiting.
        try story.expect(.appEnded(Self.app, .backgroundTaskOverrun), at: .seconds(11))
        try story.expectWake(at: .milliseconds(16_999))
        try story.expectWake(at: .seconds(17)) { Effect.unreported(Self.app, .timedOut) }
        try story.expect(.appRuns(Self.app), at: .seconds(18))
    }

    @Test("An app that dies with a push in its hands is not asked for it again (D-20)")
    func died() throws {
        var story = try handed()
        try story.expect(.appEnded(Self.app, .backgroundTaskOverrun), at: .seconds(10))
        #expect(story.machine.deadline == nil)
        try story.expect(.appRuns(Self.app), at: .seconds(12))
    }

    @Test("An app that the user ends while it launches for a push has broken no rule (D-20)")
    func endedByUser() throws {
        var story = try registered()
        try story.expect(Self.arrived("a", isRunning: false), at: .seconds(10)) {
            Effect.wake(Self.app)
        }
        try story.expect(.appEnded(Self.app, .user), at: .seconds(11))
        #expect(story.machine.deadline == nil)
        try story.expect(.appRuns(Self.app), at: .seconds(12))
    }

    @Test("After three breaches pushes are dropped, and the app is not told (D-20)")
    func blocked() throws {
        var story = try registered()
        for number in 1...3 as ClosedRange<UInt32> {
            #expect(!story.machine.isBlocked(Self.app))
            try story.expect(Self.arrived("a", isRunning: true), at: .seconds(10)) {
                Effect.wake(Self.app)
                Self.received(number, "a")
            }
            try story.expect(Self.returned(number), at: .seconds(10)) {
                Effect.unreported(Self.app, .handlerReturned)
                number == 3 ? [Effect.blocked(Self.app)] : []
            }
        }
        #expect(story.machine.isBlocked(Self.app))
        try story.expect(Self.arrived("a", isRunning: true), at: .seconds(11))
        // A new token changes nothing.
        try story.expect(.tokenIssued(Self.app, [9]), at: .seconds(12)) {
            Effect.news(Self.app, .token([9]))
        }
        try story.expect(Self.arrived("a", isRunning: false), at: .seconds(13))
        #expect(story.machine.deadline == nil)
    }

    @Test("What waits for an app that is blocked is dropped, too (D-20)")
    func blockedWhileWaiting() throws {
        var story = try registered()
        for second in 10...13 as ClosedRange<Int64> {
            try story.expect(Self.arrived("a", isRunning: false), at: .seconds(second)) {
                Effect.wake(Self.app)
            }
        }
        // A phone that was late to wake catches up.
        try story.expectWake(at: .seconds(18), isLate: true) {
            Effect.unreported(Self.app, .timedOut)
            Effect.unreported(Self.app, .timedOut)
        }
        try story.expectWake(at: .seconds(19)) {
            Effect.unreported(Self.app, .timedOut)
            Effect.blocked(Self.app)
        }
        try story.expect(.appRuns(Self.app), at: .seconds(21))
    }

    @Test("The inbox keeps the laws of its contract", arguments: 0..<4 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var (handed, breaches, blocks) = (0, 0, 0)
        for seed in decade * 50..<decade * 50 + 50 {
            let configuration = PhoneSystemConfiguration()
            var blocked: [AppID] = []
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { PushInbox(appCount: 2, configuration: configuration) },
                frame: { effect in
                    switch effect {
                    case .news(let app, .received):
                        handed += 1
                        #expect(!blocked.contains(app), "a blocked app is handed a push")
                    case .unreported: breaches += 1
                    case .blocked(let app):
                        blocks += 1
                        blocked.append(app)
                    default: break
                    }
                    return nil
                },
                event: { random, _ in random.inboxEvent() }
            )
        }
        #expect(handed > 0 && breaches > 0 && blocks > 0)
    }
}

extension LawRandom {
    fileprivate mutating func inboxEvent() -> PushInbox.Event {
        let app = AppID(below(2))
        switch below(12) {
        case 0: return .registered(app)
        case 1: return .tokenIssued(app, [1])
        case 2: return .tokenWithdrawn(app)
        case 3:
            return .appEnded(app, chance(percent: 50) ? .user : .backgroundTaskOverrun)
        case 4, 5, 6: return .arrived(app, payload: "a", isRunning: chance(percent: 50))
        case 7: return .appRuns(app)
        case 8, 9, 10: return .reported(app)
        default:
            let duty = PushInbox.duty(of: PushID(number: UInt32(below(12))))
            return .handlerReturned(app, duty, isExempt: chance(percent: 50))
        }
    }
}
