import SansIO
import KodamaSimulation

/// For how long people use an app before they leave it for good: a mixture of exponential laws.
struct Disengagement: Sendable, Equatable {
    /// A part of the people.
    struct Group: Sendable, Equatable {
        /// How many of a thousand people they are.
        var perThousand: Int64
        /// The mean time until one leaves; `nil` for never.
        var mean: Duration?

        /// Describes a group.
        init(perThousand: Int64, mean: Duration?) {
            self.perThousand = perThousand
            self.mean = mean
        }
    }

    /// The groups, a thousand people together.
    let groups: [Group]

    /// Makes a mixture.
    init(_ groups: [Group]) {
        let people = groups.reduce(0) { $0 + $1.perThousand }
        precondition(people == 1_000, "\(people) people are not a thousand")
        self.groups = groups
    }

    /// A behaviour-change app, of whose users half are gone by day 22.
    ///
    /// 24.2 % stay, 19.1 % leave slowly and 56.7 % fast; gone is who does not use it for 7 days (Bell and
    /// others, JMIR 2020, of 19,233 users of Drink Less). A mean of 90 days for the slow is an assumption; that
    /// of the fast follows.
    static let behaviourChange = Disengagement([
        Group(perThousand: 242, mean: nil),
        Group(perThousand: 191, mean: .seconds(90 * 86_400)),
        Group(perThousand: 567, mean: .seconds(1_148_975)),
    ])
    /// A mental-health app, which few use on day 15 and hardly fewer on day 30.
    ///
    /// 3.9 % and 3.3 %, the medians of 93 apps (Baumel and others, JMIR 2019). That 3.3 % stay is an assumption; the mean of the
    /// others follows.
    static let mentalHealth = Disengagement([
        Group(perThousand: 33, mean: nil),
        Group(perThousand: 967, mean: .seconds(254_970)),
    ])
    /// A remote study, in which half of the people stay 5.5 days.
    ///
    /// The median of eight studies with more than 100,000 people, 2 to 26 days in each (Pratap and others, npj
    /// Digital Medicine 2020); that the law is exponential is an assumption.
    static let remoteStudies = Disengagement([
        Group(perThousand: 1_000, mean: .seconds(685_580))
    ])

    /// Draws when a person leaves.
    ///
    /// - Parameter draws: Two indices are consumed.
    /// - Returns: How long after their start; `nil` for never.
    func leaves(from draws: inout RandomStream) -> Duration? {
        var lot = Int64(draws.uniform(below: 1_000))
        var wait = draws
        draws.index &+= 1
        for group in groups {
            lot -= group.perThousand
            guard lot < 0 else { continue }
            return group.mean.map {
                .nanoseconds(wait.exponential(meanNanoseconds: $0.wholeNanoseconds))
            }
        }
        return nil
    }
}

/// How automatic a daily habit has become: y = a − b·e^(−cx) of Lally and others 2010, day by day.
///
/// After `daysTo95` repetitions it has 95 % of what it will ever have; the median is 66 and 18 to 254 were
/// measured. A day that is missed changes nothing (the same source).
struct Automaticity: Sendable, Equatable {
    /// How automatic it is, in millionths of the most.
    private(set) var millionths: Int64 = 0
    /// After how many repetitions it has 95 %.
    let daysTo95: Int64

    /// Makes a habit that has not begun; `daysTo95` is 1 at least.
    init(daysTo95: Int64) {
        self.daysTo95 = max(1, daysTo95)
    }

    /// Draws a person's: log-normal around 66 days, held between the 18 and 254 that were measured; the spread,
    /// so that 254 is the 98.6th percentile, is an assumption.
    static func drawn(from draws: inout RandomStream, median: Int64 = 66) -> Automaticity {
        let days = draws.logNormal(median: median, sigmaMillionths: 610_000)
        return Automaticity(daysTo95: max(18, min(254, days)))
    }

    /// A day at which it was done; `share` is what that adds, beside a day on which nobody asked for it.
    mutating func repeated(_ share: Probability = .one) {
        // ln 20 = 2.995732: what a share of 1/20 left takes.
        let added = (1_000_000 - millionths) * 2_995_732 / (1_000_000 * daysTo95 + 1_497_866)
        millionths += added * Int64(share.partsPerMillion) / 1_000_000
    }
}
