package import KodamaLanguage
package import KodamaSimulation
package import SansIO

/// Draws the faults of one run from a mix: one after the other, with pauses in between.
package struct RandomFaults {
    /// A drawn fault and its instant.
    package struct Occurrence {
        package var instant: Instant
        package var target: String
        package var act: any SystemAct
    }

    private let mix: FaultMixPlan
    private let phone: PhonePlan
    /// The name that keys the mix's draws.
    private let entity: String
    /// The fork after which faults are drawn anew; `nil` once it is past.
    private var fork: WeatherFork?
    private var random: RandomStream
    package private(set) var occurrences: [Occurrence] = []

    /// Draws all of a run's occurrences, in order.
    package static func occurrences(
        of plan: WorldPlan,
        seed: UInt64,
        fork: WeatherFork? = nil
    ) -> [Occurrence] {
        var all: [Occurrence] = []
        for (index, mix) in plan.faults.enumerated() {
            guard let phone = plan.phones.first(where: { $0.name == mix.phone }) else {
                preconditionFailure("a mix of faults names phone \(mix.phone), which is unknown")
            }
            let earlier = plan.faults[..<index].count { $0.phone == mix.phone }
            var faults = RandomFaults(
                mix: mix,
                number: earlier + 1,
                of: phone,
                seed: seed,
                fork: fork
            )
            faults.draw()
            all += faults.occurrences
        }
        // Stable by instant: simultaneous ones keep the order of their mixes.
        return all.enumerated()
            .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
            .map(\.element)
    }

    /// Begins to draw from the mix with that number among the phone's, from 1: each has figures of its
    /// own, and one that is added changes nothing of those before it.
    private init(
        mix: FaultMixPlan,
        number: Int,
        of phone: PhonePlan,
        seed: UInt64,
        fork: WeatherFork?
    ) {
        self.mix = mix
        self.phone = phone
        self.fork = fork
        entity = number == 1 ? mix.phone : "\(mix.phone) \(number)"
        random = RandomStream(seed: seed, purpose: "fault-mix", entity: entity)
    }

    private mutating func draw() {
        var now = Instant.zero.advanced(by: mix.from)
        let end = Instant.zero.advanced(by: mix.until)
        while true {
            let gap = random.exponential(meanNanoseconds: mix.meanGap.wholeNanoseconds)
            if let fork, now.advanced(by: .nanoseconds(gap)) >= fork.instant {
                // An exponential gap that has lasted until now lasts as long again: drawn anew.
                now = max(now, fork.instant)
                random = RandomStream(seed: fork.seed, purpose: "fault-mix", entity: entity)
                self.fork = nil
                continue
            }
            now = now.advanced(by: .nanoseconds(gap))
            let fault = drawKind().draw(at: now, of: phone, app: mix.app, from: &random)
            guard fault.end <= end else { return }
            occurrences += fault.acts.map {
                Occurrence(instant: now.advanced(by: $0.delay), target: $0.target, act: $0.act)
            }
            now = fault.end
        }
    }

    private mutating func drawKind() -> Chance {
        let total = mix.shares.reduce(0) { $0 + $1.weight }
        var position = Int(random.uniform(below: UInt64(total)))
        for share in mix.shares {
            if position < share.weight { return share.chance }
            position -= share.weight
        }
        preconditionFailure("a draw below the sum of the weights meets one of them")
    }
}
