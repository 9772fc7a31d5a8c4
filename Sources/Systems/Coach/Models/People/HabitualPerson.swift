import KodamaSimulation
import SansIO

/// A person over weeks: keeps an app for so long, and runs its routine alone the more often, the more of a
/// habit it is.
struct HabitualPerson: Sendable {
    /// What a day begins with.
    enum Dawn: Sendable, Equatable {
        /// The person has left the app for good.
        case left
        /// They are up, and run the routine before the app asks for it.
        case alone
        /// They wait to be asked.
        case prompted
    }

    private let configuration: HabitConfiguration
    /// How much of a habit the routine is.
    private(set) var automaticity: Automaticity
    private let leaves: Duration?
    private var draws: RandomStream

    /// Draws a person; `nil` where the configuration has no programme.
    init?(_ configuration: HabitConfiguration, draws: RandomStream) {
        let law: Disengagement
        switch configuration.mix {
        case .none: return nil
        case .stays: law = Disengagement([Disengagement.Group(perThousand: 1_000, mean: nil)])
        case .behaviourChange: law = .behaviourChange
        case .mentalHealth: law = .mentalHealth
        }
        self.configuration = configuration
        var draws = draws
        leaves = law.leaves(from: &draws)
        automaticity = .drawn(from: &draws, median: Int64(configuration.daysTo95))
        self.draws = draws
    }

    /// Decides how a day begins.
    mutating func dawns(at now: Instant) -> Dawn {
        let first = Int64(configuration.aloneAtFirst.partsPerMillion)
        let full = Int64(configuration.aloneAtFull.partsPerMillion)
        let share = first + (full - first) * automaticity.millionths / 1_000_000
        let isAlone = draws.bernoulli(Probability(partsPerMillion: Int32(share)))
        if let leaves, leaves <= Instant.zero.duration(to: now) { return .left }
        return isAlone ? .alone : .prompted
    }

    /// Decides whether the person wishes to be nudged today.
    mutating func calls() -> Bool { draws.bernoulli(configuration.calls) }

    /// The routine was run, alone or after the app had asked for it.
    mutating func repeated(alone: Bool) {
        automaticity.repeated(alone ? .one : configuration.prompted)
    }
}
