import KodamaPhone
import SansIO
import SansIOTesting
import KodamaSimulation
import Testing

@testable import KodamaCoach

private typealias Effect = Sleeper.Effect

@Suite("People who are to rise")
struct SleeperTests {
    private static func draws(_ seed: UInt64) -> RandomStream {
        RandomStream(seed: seed, purpose: "sleeper", entity: "aoi")
    }

    private static func level(_ decibels: Int) -> SoundLevel { SoundLevel(decibelsA: decibels) }

    /// A person without chance: never half asleep, answers always, says what is expected.
    private static func plain(_ set: (inout SleeperPersona) -> Void = { _ in }) -> SleeperPersona {
        var persona = SleeperPersona(snooze: .zero)
        persona.stopsHalfAsleep = .zero
        persona.answers = .one
        persona.givesUp = .zero
        persona.saysOther = .zero
        persona.saysNothing = .zero
        persona.reaction.sigmaMillionths = 0
        persona.speaking.sigmaMillionths = 0
        set(&persona)
        return persona
    }

    private static func sleeper(
        seed: UInt64 = 1,
        _ set: (inout SleeperPersona) -> Void = { _ in }
    ) -> Transcript<Sleeper> {
        Transcript(Sleeper(plain(set), draws: draws(seed)))
    }

    private static func seconds(_ transcript: Transcript<Sleeper>) -> Duration? {
        transcript.machine.deadline.map { Instant.zero.duration(to: $0.instant) }
    }

    // MARK: Noticing

    @Test(
        "At 55, 70 and 85 dBA in quiet all notice within 96 s; beside an air conditioner 3 of 10 miss 55"
    )
    func hearing() {
        for decibels in [55, 70, 85] {
            for depth in [0, 500_000, 999_999] as [Int64] {
                let delay = AuditoryArousal().delay(
                    of: Self.level(decibels),
                    over: Self.level(35),
                    depth: depth
                )
                #expect(delay.map { $0 <= .seconds(96) } ?? false)
            }
        }
        let noise = Self.level(50)
        var (missed, earliest, latest) = (0, Duration.seconds(999), Duration.zero)
        var draws = Self.draws(1)
        for _ in 0..<100_000 {
            let depth = draws.uniform(in: 0...999_999)
            guard let delay = AuditoryArousal().delay(of: Self.level(55), over: noise, depth: depth)
            else {
                missed += 1
                continue
            }
            (earliest, latest) = (min(earliest, delay), max(latest, delay))
        }
        // Four standard deviations around 30,000.
        #expect((29_420...30_580).contains(missed))
        // 45 to 137 s, less 23 s for what they did then.
        #expect(earliest >= .seconds(22) && latest <= .seconds(114))
        #expect(AuditoryArousal().delay(of: Self.level(20), over: Self.level(35), depth: 0) == nil)
    }

    @Test("A louder sound is never noticed later, nor by fewer")
    func monotone() {
        for depth in stride(from: 0 as Int64, to: 1_000_000, by: 50_000) {
            var last: Duration?
            for decibels in 10...90 {
                let delay = AuditoryArousal().delay(
                    of: Self.level(decibels),
                    over: Self.level(35),
                    depth: depth
                )
                if let last { #expect(delay.map { $0 <= last } ?? false) }
                last = delay
            }
        }
    }

    @Test("A sound that ends before it is noticed wakes nobody; the next one may (AN-01)")
    func tooShort() throws {
        var story = Self.sleeper { $0.noise = Self.level(50) }
        for round in 0..<2 as Range<Int64> {
            // Beside an air conditioner nobody notices 55 dBA within 20 s.
            try story.expect(.heard(Self.level(55)), at: .seconds(100 * round))
            #expect(Self.seconds(story).map { $0 >= .seconds(100 * round + 22) } ?? true)
            try story.expect(.heard(nil), at: .seconds(100 * round + 20))
            #expect(story.machine.deadline == nil)
        }
        try story.expect(.heard(Self.level(75)), at: .seconds(300))
        let due = try #require(Self.seconds(story))
        #expect(due <= .seconds(396))
        try story.expectWake(at: due) { Effect.noticed }
    }

    @Test("A sound that grows is noticed as the louder one, counted from its beginning")
    func grows() throws {
        var story = Self.sleeper { $0.noise = Self.level(50) }
        try story.expect(.heard(Self.level(36)), at: .zero)
        try story.expect(.heard(Self.level(90)), at: .seconds(200))
        #expect(Self.seconds(story) == .seconds(200))
        try story.expect(.noise(Self.level(106)), at: .seconds(200))
        #expect(story.machine.deadline == nil, "a noise can drown it")
    }

    // MARK: Acting

    /// A story whose person has noticed a loud sound; with when.
    private static func noticed(
        seed: UInt64 = 1,
        _ set: (inout SleeperPersona) -> Void = { _ in }
    ) throws -> (Transcript<Sleeper>, Duration) {
        var story = sleeper(seed: seed, set)
        try story.expect(.heard(level(75)), at: .zero)
        let due = try #require(seconds(story))
        try story.expectWake(at: due) { Effect.noticed }
        return (story, due + .seconds(4))
    }

    @Test("One who answers says the expected words, slowly at first, and rises (AN-02)")
    func answers() throws {
        var (story, time) = try Self.noticed()
        try story.expectWake(at: time) { Effect.answers }
        for _ in 0..<3 {
            try story.expect(.asked, at: time)
            time += .seconds(6)
            try story.expectWake(at: time) { Effect.says(.expected) }
        }
        try story.expect(.asked, at: .seconds(4_000))
        try story.expectWake(at: .seconds(4_003)) { Effect.says(.expected) }
        try story.expect(.conversationEnded(isDone: true), at: .seconds(4_004)) { Effect.rises }
        #expect(story.machine.isFinished)
        try story.expect(.heard(Self.level(90)), at: .seconds(4_005))
        #expect(story.machine.deadline == nil)
    }

    @Test(
        "One who stops it half asleep sleeps on, and notices the next sound, twice in a row (D-23)"
    )
    func halfAsleep() throws {
        var (story, time) = try Self.noticed { $0.stopsHalfAsleep = .one }
        for _ in 0..<2 {
            try story.expectWake(at: time) { Effect.stopsHalfAsleep }
            try story.expect(.heard(nil), at: time)
            #expect(story.machine.deadline == nil)
            try story.expect(.heard(Self.level(75)), at: time + .seconds(60))
            let due = try #require(Self.seconds(story))
            #expect(due > time + .seconds(61), "one who is awake would notice after a second")
            try story.expectWake(at: due) { Effect.noticed }
            time = due + .seconds(4)
        }
    }

    @Test(
        "Who dozes between snoozes notices at once, who sleeps does not",
        arguments: [true, false]
    )
    func snoozes(fallsAsleep: Bool) throws {
        var (story, time) = try Self.noticed {
            $0.snooze = .one
            $0.pressesThousandths = 1_000
            $0.fallsAsleepBetween = fallsAsleep ? .one : .zero
        }
        #expect(story.machine.snoozesLeft == 1)
        try story.expectWake(at: time) { Effect.snoozes(fallsAsleep: fallsAsleep) }
        try story.expect(.heard(nil), at: time)
        try story.expect(.heard(Self.level(75)), at: time + .seconds(480))
        let due = try #require(Self.seconds(story))
        #expect((due == time + .seconds(481)) != fallsAsleep)
        try story.expectWake(at: due) { Effect.noticed }
        try story.expectWake(at: due + .seconds(4)) { Effect.answers }
    }

    @Test("Who lies awake stays so while a sound changes or ends, twice in a row")
    func awake() throws {
        var (story, time) = try Self.noticed {
            $0.snooze = .one
            $0.pressesThousandths = 1_000
            $0.fallsAsleepBetween = .zero
        }
        try story.expectWake(at: time) { Effect.snoozes(fallsAsleep: false) }
        try story.expect(.heard(nil), at: time)
        for _ in 0..<2 {
            time += .seconds(60)
            try story.expect(.heard(Self.level(40)), at: time)
            try story.expect(.heard(Self.level(75)), at: time + .milliseconds(500))
            #expect(Self.seconds(story) == time + .seconds(1))
            try story.expect(.heard(nil), at: time + .milliseconds(900))
            #expect(story.machine.deadline == nil)
        }
        try story.expect(.heard(Self.level(40)), at: time + .seconds(2))
        try story.expectWake(at: time + .seconds(3)) { Effect.noticed }
    }

    @Test("One may rise alone, give up, or say something else or nothing (AN-02)")
    func others() throws {
        var (alone, time) = try Self.noticed { $0.answers = .zero }
        try alone.expectWake(at: time) { Effect.risesAlone }
        #expect(alone.machine.isFinished)
        let cases: [(Effect, (inout SleeperPersona) -> Void)] = [
            (.givesUp, { $0.givesUp = .one }), (.says(.other), { $0.saysOther = .one }),
            (.says(.nothing), { $0.saysNothing = .one }),
        ]
        for (effect, set) in cases {
            var (story, acts) = try Self.noticed(set)
            try story.expectWake(at: acts) { Effect.answers }
            try story.expect(.asked, at: acts)
            try story.expectWake(at: acts + .seconds(6)) { effect }
        }
        var (missed, acts) = try Self.noticed()
        try missed.expect(.heard(nil), at: acts - .seconds(1))
        try missed.expectWake(at: acts)
        #expect(missed.machine.deadline == nil)
        time = acts
    }

    // MARK: Rates

    @Test("Types and snoozes come as in Robbins 2025, over 100,000 mornings (K-05)")
    func mixture() {
        var draws = Self.draws(7)
        var (heavy, light, snoozing, presses) = (0, 0, 0, 0)
        for _ in 0..<100_000 {
            let persona = SleeperPersona.drawn(from: &draws)
            if persona == .heavy { heavy += 1 }
            if persona == .light { light += 1 }
            let count = persona.snoozes(from: &draws)
            if count > 0 { snoozing += 1 }
            presses += count
        }
        // Four standard deviations around 45.2 % and 26.9 %.
        #expect((44_570...45_830).contains(heavy))
        #expect((26_339...27_461).contains(light))
        // 55.6 % of nights measured; the classes' midpoints give 57.3 %.
        #expect((55_600...58_000).contains(snoozing))
        // 2.4 presses; the standard deviation of one is 1.83, of the mean 0.0077.
        let mean = presses * 1_000 / snoozing
        #expect((2_369...2_431).contains(mean))
    }

    @Test("The pessimistic person snoozes more than 30 min on 30 % of mornings")
    func pessimistic() {
        var draws = Self.draws(9)
        var long = 0
        for _ in 0..<100_000 where SleeperPersona.pessimistic.snoozes(from: &draws) * 8 > 30 {
            long += 1
        }
        #expect((29_420...30_580).contains(long))
        #expect(SleeperPersona.pressesThousandths(afterMinutesOfSleep: 0) == 2_400)
        #expect(SleeperPersona.pressesThousandths(afterMinutesOfSleep: 480) == 4_125)
        #expect(SleeperPersona.pressesThousandths(afterMinutesOfSleep: 900) == 5_850)
    }

    @Test(
        "Three questions leave 90 % in the conversation, and words come by their rates, over 100,000"
    )
    func words() {
        var persona = SleeperPersona.light
        persona.stopsHalfAsleep = .zero
        persona.snooze = .zero
        persona.answers = .one
        var (finished, questions, others) = (0, 0, 0)
        for seed in 0..<100_000 as Range<UInt64> {
            var sleeper = Sleeper(persona, draws: Self.draws(seed))
            _ = sleeper.drive(.heard(Self.level(85)), at: .zero)
            var isThere = true
            for _ in 0..<2 { _ = sleeper.drive(nil, at: sleeper.deadline?.instant ?? .zero) }
            for _ in 0..<3 where isThere {
                let now = Instant.zero.advanced(by: .seconds(1_000))
                _ = sleeper.drive(.asked, at: now)
                let effects = sleeper.drive(nil, at: sleeper.deadline?.instant ?? now)
                questions += effects == [.givesUp] ? 0 : 1
                others += effects == [.says(.other)] ? 1 : 0
                isThere = effects != [.givesUp]
            }
            if isThere { finished += 1 }
        }
        #expect((89_620...90_380).contains(finished))
        let perMillion = others * 1_000_000 / questions
        #expect((48_300...51_700).contains(perMillion))
    }

    @Test("Sleepers keep the laws of their contract", arguments: 0..<100 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var persona = SleeperPersona.pessimistic
        persona.reaction.median = .milliseconds(10)
        persona.speaking.median = .milliseconds(10)
        persona.givesUp = Probability(partsPerMillion: 300_000)
        persona.answers = .one
        try checkLaws(
            seed: seed,
            steps: 200,
            make: { Sleeper(persona, draws: Self.draws(seed)) },
            event: { random, _ in
                switch random.below(5) {
                case 0: .heard(nil)
                case 1: .heard(Self.level(random.below(90)))
                case 2: .noise(Self.level(random.below(60)))
                case 3: .conversationEnded(isDone: random.chance(percent: 5))
                default: .asked
                }
            }
        )
    }
}
