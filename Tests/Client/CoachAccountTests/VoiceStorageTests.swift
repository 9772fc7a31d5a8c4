import CoachExchange
import SansIO
import SansIOTesting
import Testing

@testable import CoachAccount

private typealias Effect = VoiceProfiles.Effect
private typealias Event = VoiceProfiles.Event

@Suite(
    "A phone that does not keep what it is told to, and voices one after the other (AN-10, AN-17)"
)
struct VoiceStorageTests {
    /// Where a recording is kept, in this order.
    private enum Place: Int, CaseIterable { case keys, recording, progress }

    private static let rules: RecordingRules = {
        var rules = RecordingRules()
        (rules.bytesPerSecond, rules.partByteCount) = (4, 40)
        return rules
    }()

    private static func recorded() throws -> Event {
        let entropy = try #require(VoiceEntropy((0..<96).map { UInt8($0) }))
        return .recorded([UInt8](repeating: 7, count: 160), entropy)
    }

    private static let consent = Event.consented(version: 1, at: WallTime(secondsSince1970: 1))

    /// What storage answers, all of which works but for one place.
    private static func answer(_ order: Effect, but place: Place? = nil) -> Event? {
        switch order {
        case .keepKeys(let operation, _, _): .keysKept(operation, isKept: place != .keys)
        case .keepRecording(let operation, _):
            .recordingKept(operation, isKept: place != .recording)
        case .keepProgress(let operation, _): .progressKept(operation, isKept: place != .progress)
        case .readRecording(let operation): .recordingRead(operation, .missing)
        case .destroyRecording, .destroyVoiceKey, .callServer, .cancelCall, .show: nil
        }
    }

    /// Tells a fact, and what storage answers to all that is ordered.
    private static func tell(
        _ event: Event,
        to machine: inout VoiceProfiles,
        but place: Place? = nil,
        at now: Instant = .zero
    ) -> [Effect] {
        var (events, orders) = ([event], [Effect]())
        while !events.isEmpty {
            let latest = machine.drive(events.removeFirst(), at: now)
            orders += latest
            events += latest.compactMap { answer($0, but: place) }
        }
        return orders
    }

    @Test("What one place does not keep is destroyed in all, as often as it happens (AN-10)")
    func notKept() throws {
        for place in Place.allCases {
            var machine = VoiceProfiles(rules: Self.rules, seed: 1)
            _ = Self.tell(.opened(.none), to: &machine)
            for round in 0..<2 {
                let unasked = Self.tell(try Self.recorded(), to: &machine, but: place)
                #expect(unasked == [.show(.none(.noConsent))], "consent is for one recording")
                #expect(Self.tell(Self.consent, to: &machine).isEmpty)
                let orders = Self.tell(try Self.recorded(), to: &machine, but: place)
                #expect(orders.count == 5 + place.rawValue, "\(place), round \(round)")
                #expect(
                    orders.suffix(3) == [
                        .destroyRecording, .destroyVoiceKey, .show(.none(.notKept)),
                    ]
                )
                #expect(machine.deadline == nil)
            }
            _ = Self.tell(Self.consent, to: &machine)
            let orders = Self.tell(try Self.recorded(), to: &machine)
            let isAsked = orders.contains {
                if case .callServer(_, .cloneBegin) = $0 { true } else { false }
            }
            #expect(isAsked)
        }
    }

    @Test("A deletion that the store does not keep is kept later, and counts at once (AN-04)")
    func deletionNotKept() throws {
        var machine = VoiceProfiles(rules: Self.rules, seed: 1)
        _ = Self.tell(.opened(.registered(profile: "p", voice: "v")), to: &machine)
        #expect(machine.usable?.voice == "v")
        var orders = Self.tell(.deletionRequested, to: &machine, but: .progress)
        for round in 1...3 as ClosedRange<Int64> {
            #expect(orders.count == 1 && Self.isDeletion(orders[0]), "round \(round): \(orders)")
            #expect(machine.usable == nil, "what the user deletes is not heard meanwhile")
            #expect(Self.tell(.deletionRequested, to: &machine).isEmpty)
            let due = try #require(machine.deadline?.instant)
            #expect(due == Instant(nanoseconds: round * 30_000_000_000))
            #expect(machine.drive(nil, at: due.advanced(by: .nanoseconds(-1))).isEmpty)
            orders = machine.drive(nil, at: due)
            let refusal = try #require(orders.first.flatMap { Self.answer($0, but: .progress) })
            if round < 3 { #expect(Self.tell(refusal, to: &machine, at: due).isEmpty) }
        }
        let kept = try #require(orders.first.flatMap { Self.answer($0) })
        let deleted = Self.tell(kept, to: &machine, at: Instant(nanoseconds: 90_000_000_000))
        #expect(deleted.prefix(3) == [.destroyRecording, .destroyVoiceKey, .show(.deleting)])
        guard case .callServer(let operation, .deleteVoice(profile: "p")) = deleted.last else {
            Issue.record("\(deleted)")
            return
        }
        let end = Self.tell(
            .serverAnswered(operation, .accepted),
            to: &machine,
            at: Instant(nanoseconds: 91_000_000_000)
        )
        #expect(end.last == .show(.none(nil)))
    }

    private static func isDeletion(_ order: Effect) -> Bool {
        if case .keepProgress(_, .deleting(profile: "p")) = order { true } else { false }
    }

    @Test("A phone that is locked since its start is asked again every 30 s, or with the next path")
    func locked() throws {
        let offer = CloneOffer(
            profile: "p",
            consentVersion: 1,
            consented: WallTime(secondsSince1970: 1),
            salt: [UInt8](repeating: 1, count: 16),
            partCount: 4
        )
        var machine = VoiceProfiles(rules: Self.rules, seed: 1)
        var orders = machine.drive(.opened(.sealed(offer)), at: .zero)
        var now = Instant.zero
        for round in 0..<4 {
            guard orders.count == 1, case .readRecording(let operation) = orders[0] else {
                Issue.record("round \(round): \(orders)")
                return
            }
            let locked = Event.recordingRead(operation, .unavailable)
            #expect(machine.drive(locked, at: now).isEmpty)
            #expect(machine.deadline?.instant == now.advanced(by: .seconds(30)))
            now = now.advanced(by: round < 2 ? .seconds(30) : .seconds(1))
            orders = machine.drive(round < 2 ? nil : .pathRestored, at: now)
        }
    }

    @Test(
        "Once a voice is deleted nothing is left of it: the next is like the first (L12)",
        arguments: 0..<40 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let told = try checkSecondRound(
            seed: seed,
            steps: 150,
            make: { VoiceProfiles(rules: Self.rules, seed: seed) },
            rule: SecondRoundRule(
                rest: [.opened(.none), .deletionRequested, .signedIn, .pathRestored],
                restTime: .seconds(200_000),
                // Chance and numbers go on; each request begins its own waits; what is shown tells of the past.
                kept: ["generator", "operations", "backoff", "hold", "latestHurry", "shown"],
                answer: { order in
                    switch order {
                    case .callServer(let operation, .deleteVoice):
                        .serverAnswered(operation, .accepted)
                    case .callServer(let operation, _): .serverAnswered(operation, .gone)
                    default: Self.answer(order)
                    }
                },
                tellsAgain: false
            )
        ) { _ in
            var latest: [Event] = []
            return { random, _, orders in
                for order in orders {
                    let place = random.chance(percent: 20) ? Place.allCases[random.below(3)] : nil
                    let event = Self.answer(order, but: place) ?? Self.reply(to: order, &random)
                    latest = Array((latest + [event].compactMap(\.self)).suffix(3))
                }
                guard random.chance(percent: 30) || latest.isEmpty else {
                    return latest.removeLast()
                }
                return Self.fact(&random)
            }
        }
        #expect(told > 0)
    }

    private static func reply(to order: Effect, _ random: inout LawRandom) -> Event? {
        guard case .callServer(let operation, _) = order else { return nil }
        let answers: [CoachAnswer] = [
            .accepted, .uploading(missing: [0, 1]), .uploading(missing: []), .beginFirst, .gone,
            .registered(voice: "v"), .partsMissing([1]), .rejected("no"), .unauthorized, .failed,
        ]
        return .serverAnswered(operation, answers[random.below(answers.count)])
    }

    private static func fact(_ random: inout LawRandom) -> Event {
        switch random.below(8) {
        case 0: .opened(.none)
        case 1, 2: consent
        case 3, 4: (try? recorded()) ?? consent
        case 5: .deletionRequested
        case 6: .pathRestored
        default: .signedIn
        }
    }
}
