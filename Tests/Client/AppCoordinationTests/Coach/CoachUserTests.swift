import AppCoordination
import CoachAccount
import CoachExchange
import SansIO
import SansIOTesting
import Testing
import WakeFlow

@Suite("What a user has written goes out in a session of theirs, or not at all")
struct CoachUserTests {
    private typealias Effect = CoachAccountEffect

    private static let ada = CoachAccountTests.ada
    private static let adaAgain = "e30.eyJzdWIiOiJhZGEifQ.2"
    private static let ben = "e30.eyJzdWIiOiJiZW4ifQ.1"
    private static let noon = WallTime(secondsSince1970: 1_795_834_800)
    private static func second(_ number: Int) -> Instant {
        Instant.zero.advanced(by: .seconds(number))
    }
    private static let report = ReflectionReport(
        id: "r",
        day: "2026-11-28",
        summary: "",
        affect: "calm",
        topics: []
    )

    /// The sessions in which requests are made, from all parts of the account, after these events.
    private func sessions(
        _ machine: inout CoachAccountCoordinator,
        after events: [CoachAccountEvent]
    ) -> [String] {
        var found: [String] = []
        func take(_ effects: [Effect]) -> [Effect] {
            for case .callServer(_, _, _, let session) in effects { found.append(session) }
            return effects
        }
        var loads: [Effect] = []
        for event in events { loads += take(machine.drive(event, at: .zero)) }
        for case .load(let outbox, let operation, _) in loads {
            let event = MetricEvent(id: "m", name: .wakeDone, time: Self.noon)
            let batch: OutboxDelivery.Batch =
                outbox == .reflections ? .reflection(Self.report) : .metrics([event])
            _ = take(machine.drive(.loaded(outbox, operation, batch), at: .zero))
        }
        return found
    }

    private func facts(session: String?) -> CoachAccountFacts {
        var facts = CoachAccountFacts(at: Self.noon)
        facts.voice = .deleting(profile: "p")
        facts.session = session
        return facts
    }

    @Test("A launch sends outboxes, deletions and summaries in the session of the store's owner")
    func own() {
        for session in [Self.ada, Self.adaAgain] {
            var machine = CoachAccountTests.machine(of: "ada")
            let summary = OfflineSummary(key: "a", beganAt: Self.noon, user: "ada")
            let wanted = CoachErrand.summaryWanted(OperationID(number: 1), summary)
            let sent = sessions(
                &machine,
                after: [.opened(facts(session: session)), .errand(wanted)]
            )
            #expect(sent == Array(repeating: session, count: 4))
        }
    }

    @Test(
        "Another user's session at a launch or in the evening has their store opened, and no more"
    )
    func foreign() throws {
        for isLaunched in [false, true] {
            var machine = CoachAccountTests.machine(of: "ada")
            var effects: [Effect] = []
            if isLaunched {
                effects = machine.drive(.opened(facts(session: Self.ben)), at: .zero)
            } else {
                _ = machine.drive(.opened(facts(session: Self.ada)), at: .zero)
                effects = machine.drive(.signedIn(session: Self.ben), at: Self.second(1))
            }
            #expect(effects.last == .openStore(of: "ben"))
            #expect(effects.dropLast().allSatisfy { $0 == .tellUser("ada") })
            // What is still told of the former user's store is heard no more.
            let later: [CoachAccountEvent] = [
                .signedIn(session: Self.ada), .pathRestored, .outboxWritten(.metrics),
                .deliveryRequested, .opened(facts(session: Self.ada)), .voice(.deletionRequested),
                .loaded(.reflections, OperationID(number: 1), .reflection(Self.report)),
            ]
            for event in later { #expect(machine.drive(event, at: Self.second(2)).isEmpty) }
            #expect(machine.deadline == nil)
        }
    }

    @Test("A store of nobody's is claimed with what was written before, and then one user's")
    func claimed() {
        var machine = CoachAccountTests.machine(of: nil)
        let before = sessions(
            &machine,
            after: [.opened(facts(session: nil)), .deliveryRequested]
        )
        #expect(before.isEmpty)
        let claim = machine.drive(.signedIn(session: Self.ada), at: Self.second(1))
        #expect(claim.prefix(2) == [.claim("ada"), .tellUser("ada")])
        let sent = claim.compactMap {
            if case .callServer(_, _, _, let session) = $0 { session } else { nil }
        }
        #expect(sent == [Self.ada, Self.ada, Self.ada], "two outboxes and a deletion")
        let again = machine.drive(.signedIn(session: Self.adaAgain), at: Self.second(2))
        #expect(again.allSatisfy { $0 != .claim("ada") })
        #expect(
            machine.drive(.signedIn(session: Self.ben), at: Self.second(3)) == [
                .openStore(of: "ben")
            ]
        )
    }

    @Test("After a sign-out nothing is sent, and the user is asked to sign in")
    func signedOut() throws {
        for _ in 0..<2 {
            var machine = CoachAccountTests.machine(of: "ada")
            _ = machine.drive(.opened(facts(session: Self.ada)), at: .zero)
            #expect(machine.drive(.signedOut, at: .zero).isEmpty)
            var story = Transcript(machine)
            let one = OperationID(number: 1)
            try story.expect(.loaded(.reflections, one, .reflection(Self.report)), at: .zero) {
                Effect.showDelivery(.reflections, .delivering)
                Effect.showDelivery(.reflections, .signInRequired)
            }
            let summary = OfflineSummary(key: "a", beganAt: Self.noon, user: "ada")
            try story.expect(.errand(.summaryWanted(one, summary)), at: .zero) {
                Effect.answerCoach(.summaryAnswered(one, accepted: false))
            }
            try story.expect(.signedIn(session: Self.adaAgain), at: .seconds(1)) {
                Effect.showDelivery(.reflections, .delivering)
                Effect.callServer(
                    .reflections,
                    OperationID(number: 3),
                    .reflection(Self.report),
                    session: Self.adaAgain
                )
            }
        }
    }

    @Test("A summary of another user, or of nobody, is not sent")
    func summaries() {
        var machine = CoachAccountTests.machine()
        for user in ["ben", nil, "ada", "ben"] {
            let summary = OfflineSummary(key: "a", beganAt: Self.noon, user: user)
            let wanted = CoachErrand.summaryWanted(OperationID(number: 1), summary)
            let sent = sessions(&machine, after: [.errand(wanted)])
            #expect(sent == (user == "ada" ? [Self.ada] : []))
        }
    }
}
