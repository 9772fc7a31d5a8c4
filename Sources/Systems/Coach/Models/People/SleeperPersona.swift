import KodamaPhone
import SansIO
import KodamaSimulation

/// How people of one kind sleep and rise.
struct SleeperPersona: Sendable, Equatable {
    /// How sounds are noticed.
    var hearing = AuditoryArousal()
    /// How loud the bedroom is: 35 dBA, an assumption for a quiet one.
    var noise = SoundLevel(decibelsA: 35)
    /// How often a morning has a snooze.
    var snooze: Probability
    /// The mean number of presses on such a morning, in thousandths: 2.4 (Robbins and others, Scientific Reports
    /// 2025, of more than 3 million nights); that it is the same for all kinds of people is an assumption.
    var pressesThousandths: Int64 = 2_400
    /// How often sleep comes again between snoozes: 60 %, an assumption; so many of those who snooze say that
    /// it does most often or always (Sundelin and others, Journal of Sleep Research 2023).
    var fallsAsleepBetween = Probability(partsPerMillion: 600_000)
    /// How often an alarm is stopped half asleep, without memory of it; no figure found: an assumption.
    var stopsHalfAsleep = Probability(partsPerMillion: 50_000)
    /// How often one who has done with snoozing answers rather than rises alone; an assumption.
    var answers = Probability(partsPerMillion: 900_000)
    /// How long it takes from noticing to acting; an assumption around the 3.1 s that a person took to answer
    /// a call in one log (react-native-callkeep, issue 244).
    var reaction = LatencyLaw(median: .seconds(4), sigmaMillionths: 700_000)
    /// How long it takes to answer a question; an assumption.
    var speaking = LatencyLaw(median: .seconds(3), sigmaMillionths: 500_000)
    /// How long sleep inertia lasts: 30 min as a rule, 15 to 60 (McFarlane and others, Clocks & Sleep 2020).
    var inertia: Duration = .seconds(1_800)
    /// How many times longer answers take meanwhile; an assumption.
    var inertiaFactor = 2
    /// How often a question makes the person give up: three questions leave 90 %, an assumption.
    var givesUp = Probability(partsPerMillion: 34_511)
    /// How often a question is left by one who gets up without another word; no figure found.
    var leaves = Probability.zero
    /// How often another word than the expected one is said; an assumption.
    var saysOther = Probability(partsPerMillion: 50_000)
    /// How often nothing is said; an assumption.
    var saysNothing = Probability(partsPerMillion: 50_000)

    /// A person who snoozes so often.
    init(snooze: Probability) {
        self.snooze = snooze
    }

    /// Snoozes on more than 80 % of days, 90 % by assumption; 45.2 % of the people whom Robbins and others 2025
    /// put into one of three classes, which they did with 12,961 of 21,222.
    static let heavy = SleeperPersona(snooze: Probability(partsPerMillion: 900_000))
    /// Snoozes on 40 to 60 % of days, 50 % by assumption; 27.9 % (the same).
    static let moderate = SleeperPersona(snooze: Probability(partsPerMillion: 500_000))
    /// Snoozes on fewer than 20 % of days, 10 % by assumption; 26.9 % (the same).
    static let light = SleeperPersona(snooze: Probability(partsPerMillion: 100_000))

    /// Snoozes every day and long: on 30 % of mornings for more than 30 min, as Sleep as Android reports.
    ///
    /// That is with the interval of 8 min of Sundelin and others 2023. That such a person stops the alarm half
    /// asleep more often, answers less often and gives up more often are assumptions.
    static let pessimistic = {
        var persona = SleeperPersona(snooze: .one)
        persona.pressesThousandths = 3_025
        persona.stopsHalfAsleep = Probability(partsPerMillion: 200_000)
        persona.answers = Probability(partsPerMillion: 700_000)
        persona.givesUp = Probability(partsPerMillion: 100_000)
        return persona
    }()

    /// A person drawn from the mixture of Robbins and others 2025; one draw.
    static func drawn(from draws: inout RandomStream) -> SleeperPersona {
        switch draws.uniform(below: 1_000) {
        case ..<452: heavy
        case ..<731: moderate
        default: light
        }
    }

    /// The mean number of presses after so much sleep: 2.4 after 6 h and 5.85 after 10 h, in a straight line
    /// (Robbins and others 2025).
    static func pressesThousandths(afterMinutesOfSleep minutes: Int64) -> Int64 {
        let held = max(360, min(600, minutes))
        return 2_400 + (held - 360) * (5_850 - 2_400) / 240
    }

    /// Draws how often a person snoozes this morning.
    ///
    /// The number of presses is geometric; two indices are consumed.
    func snoozes(from draws: inout RandomStream) -> Int {
        let isSnoozing = draws.bernoulli(snooze)
        let going = 1_000_000 - 1_000_000_000 / max(1_000, pressesThousandths)
        let lot = Int64(draws.uniform(below: 1_000_000_000))
        guard isSnoozing else { return 0 }
        var presses = 1
        var tail: Int64 = 1_000_000_000
        // The lot lies below the tail with the probability of yet another press.
        while presses < 50 {
            tail = tail * going / 1_000_000
            guard lot < tail else { break }
            presses += 1
        }
        return presses
    }
}

/// When a sleeper notices a sound, by how far it stands above the noise.
///
/// Young adults in bed who were to switch a smoke detector off and to telephone the fire brigade took so long
/// (Nober and others, Fire Journal 75(4), 1981; final report NBS-GCR 83-439):
///
/// - in a quiet room, all of them: 49 to 115 s at 55 dBA, 24 to 109 s at 85 dBA
/// - beside a window air conditioner: 36 to 119 s at 70 dBA; 45 to 137 s at 55 dBA, but for three of ten, of whom
///   one woke after more than 4 min and two did not
///
/// Assumptions: the room had 35 dBA and the air conditioner 50 dBA, so that these are 20, 50, 20 and 5 dB; the
/// deeds took 23 s of each time, all but a second of the shortest; the times are spread evenly; the three never
/// notice. Kahn (NBS-GCR 83-435, 1983) saw men wake without fail at 34 dB and far less often at 10 dB or less.
/// Drugs, children and hearing loss are not modelled.
struct AuditoryArousal: Sendable, Equatable {
    /// Where nobody notices any more, in decibels above the noise; an assumption.
    var least = -15
    /// How many decibels louder a signal counts: 0, an assumption.
    ///
    /// A square wave of 520 Hz is at least 4 to 12 times as effective as the high tone of a smoke detector (Bruck
    /// & Thomas).
    var bonusDecibels = 0

    /// AuditoryArousal of young adults.
    init() {}

    /// How long it takes a sleeper of this depth to notice a sound.
    ///
    /// - Parameters:
    ///   - level: The sound at the ear.
    ///   - noise: The room.
    ///   - depth: Which part of all people notices sooner, in millionths.
    /// - Returns: The time from the sound's beginning; `nil` for never.
    func delay(of level: SoundLevel, over noise: SoundLevel, depth: Int64) -> Duration? {
        let margin = Int64(level.decibelsA - noise.decibelsA + bonusDecibels)
        let share = Self.line(
            margin,
            [(Int64(min(4, least)), 0), (5, 700_000), (20, 1_000_000)]
        )
        guard depth < share else { return nil }
        let earliest = Self.line(margin, [(5, 22_000), (20, 13_000), (50, 1_000)])
        let latest = Self.line(margin, [(5, 114_000), (20, 96_000), (50, 86_000)])
        return .milliseconds(earliest + (latest - earliest) * depth / max(1, share))
    }

    /// The height at `x` of straight lines between points, level beyond the first and last.
    static func line(_ x: Int64, _ points: [(x: Int64, y: Int64)]) -> Int64 {
        guard let first = points.first, x > first.x else { return points.first?.y ?? 0 }
        for (left, right) in zip(points, points.dropFirst()) where x <= right.x {
            return left.y + (right.y - left.y) * (x - left.x) / (right.x - left.x)
        }
        return points[points.count - 1].y
    }
}
