import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

@testable import KodamaCoach

private typealias Effect = NudgedPerson.Effect

@Suite("People who are nudged, and who leave")
struct NudgedPersonTests {
    private static func draws(_ seed: UInt64) -> RandomStream {
        RandomStream(seed: seed, purpose: "nudges", entity: "aoi")
    }

    /// How many of 100,000 nudges are tapped, and within how many seconds half and 5 min of them.
    private static func taps(
        _ persona: NudgePersona,
        _ modality: AlertModality
    ) -> (taps: Int, misses: Int, delays: [Int64]) {
        var person = NudgedPerson(persona, draws: draws(3))
        var (taps, misses, delays) = (0, 0, [Int64]())
        for round in 0..<100_000 as Range<Int64> {
            let now = Instant.zero.advanced(by: .seconds(round * 90_000))
            _ = person.drive(.nudged(modality), at: now)
            let due = person.deadline?.instant ?? now
            switch person.drive(nil, at: due) {
            case [.taps]:
                taps += 1
                delays.append(now.duration(to: due).wholeNanoseconds / 1_000_000_000)
            case [.misses]: misses += 1
            default: break
            }
        }
        return (taps, misses, delays.sorted())
    }

    @Test("Alerts are missed as Mehrotra 2016 says, and taken up by persona (K-06)")
    func rates() {
        let expected: [(NudgePersona, AlertModality, misses: Int, taps: Int)] = [
            (.committed, .sound, 23_800, 75_100), (.app, .both, 21_100, 35_000),
            (.ordinary, .vibration, 15_400, 20_000), (.pessimistic, .silent, 14_600, 4_920),
        ]
        for (persona, modality, misses, taps) in expected {
            let result = Self.taps(persona, modality)
            // Four standard deviations of at most 158.
            #expect(abs(result.misses - misses) <= 632)
            #expect(abs(result.taps - taps) <= 632)
        }
    }

    @Test("An attentive person taps half within 30 s and 83 % within 5 min (K-06)")
    func delays() {
        var persona = NudgePersona.committed
        persona.isAttentive = .one
        let delays = Self.taps(persona, .silent).delays
        let early = delays.count { $0 < 30 } * 1_000 / delays.count
        let late = delays.count { $0 < 300 } * 1_000 / delays.count
        #expect((490...510).contains(early))
        #expect((822...840).contains(late))
        persona.isAttentive = .zero
        persona.click = LatencyLaw(median: .zero, sigmaMillionths: 0)
        let absent = Self.taps(persona, .silent).delays
        let within = absent.count { $0 < 300 } * 1_000 / absent.count
        #expect((743...759).contains(within), "75 % of inattentive spells end within 5 min")
    }

    @Test("Back goes who wills, by the breadcrumb if there is one; twice in a row (D-24)")
    func back() throws {
        var persona = NudgePersona.committed
        persona.usesBreadcrumb = .one
        persona.reopens = .one
        persona.finishes = .one
        persona.returning.sigmaMillionths = 0
        var story = Transcript(NudgedPerson(persona, draws: Self.draws(1)))
        for round in 0...1 as ClosedRange<Int64> {
            for hasBreadcrumb in [true, false] {
                let time = Duration.seconds(100 * round + (hasBreadcrumb ? 0 : 50))
                try story.expect(.interventionBegan, at: time)
                #expect(story.machine.deadline == nil)
                try story.expect(.interventionEnded(hasBreadcrumb: hasBreadcrumb), at: time)
                try story.expectWake(at: time + .seconds(5)) {
                    hasBreadcrumb ? Effect.tapsBreadcrumb : Effect.reopens
                }
            }
        }
        persona.reopens = .zero
        persona.finishes = .zero
        var stays = Transcript(NudgedPerson(persona, draws: Self.draws(1)))
        try stays.expect(.interventionBegan, at: .zero)
        try stays.expectWake(at: .seconds(15)) { Effect.breaksOff }
        try stays.expect(.interventionEnded(hasBreadcrumb: false), at: .seconds(15))
        try stays.expectWake(at: .seconds(20)) { Effect.staysAway }
    }

    @Test("Half of a behaviour-change app's users are gone by day 22, and 24 % stay (K-11)")
    func disengagement() {
        func share(_ law: Disengagement, day: Int64, seed: UInt64) -> Int {
            var draws = Self.draws(seed)
            var there = 0
            for _ in 0..<100_000 {
                let end = law.leaves(from: &draws)
                if end.map({ $0 > .seconds(86_400 * day) }) ?? true { there += 1 }
            }
            return there
        }
        // Four standard deviations of at most 158.
        #expect(abs(share(.behaviourChange, day: 22, seed: 1) - 50_000) <= 720)
        #expect(abs(share(.behaviourChange, day: 3_650, seed: 2) - 24_200) <= 632)
        #expect(abs(share(.mentalHealth, day: 15, seed: 3) - 3_900) <= 250)
        #expect(abs(share(.mentalHealth, day: 30, seed: 4) - 3_300) <= 230)
        var draws = Self.draws(5)
        var short = 0
        for _ in 0..<100_000 {
            if let end = Disengagement.remoteStudies.leaves(from: &draws), end < .seconds(475_200) {
                short += 1
            }
        }
        #expect(abs(short - 50_000) <= 632, "the median stays 5.5 days")
    }

    @Test("A habit has 95 % after its days, and half of people within 66 (K-11)")
    func habit() {
        for days in [18, 66, 254] as [Int64] {
            var habit = Automaticity(daysTo95: days)
            for _ in 0..<days { habit.repeated() }
            #expect((949_000...951_000).contains(habit.millionths), "\(days) days")
            for _ in 0..<10_000 { habit.repeated() }
            #expect((999_000...1_000_000).contains(habit.millionths))
        }
        var draws = Self.draws(6)
        let habits = (0..<100_000).map { _ in Automaticity.drawn(from: &draws).daysTo95 }
        #expect(habits.allSatisfy { (18...254).contains($0) })
        let early = habits.count { $0 <= 66 }
        #expect((49_300...51_500).contains(early))
    }

    @Test("People keep the laws of their contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 200,
            make: { NudgedPerson(.ordinary, draws: Self.draws(seed)) },
            event: { random, _ in
                switch random.below(4) {
                case 0: .nudged(AlertModality.allCases[random.below(4)])
                case 1: .interventionBegan
                case 2: .interrupted
                default: .interventionEnded(hasBreadcrumb: random.chance(percent: 50))
                }
            }
        )
    }
}
