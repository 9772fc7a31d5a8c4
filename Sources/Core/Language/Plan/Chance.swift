public import KodamaSimulation
public import SansIO

/// Something that can go wrong by chance: what is drawn for it, and what it does to the world.
public struct Chance: Sendable, Equatable {
    /// The name, by which chances are told apart.
    public let name: String
    /// What happens, in one sentence.
    let summary: String
    /// How many radios a phone needs for it.
    let radios: Int
    /// The app that a phone needs for it.
    let app: AppNeed
    private let fault: @Sendable (inout ChanceDraw) -> Void

    /// Which app a phone needs.
    package enum AppNeed: Sendable, Equatable {
        /// None.
        case none
        /// Any; of several one must be named.
        case any
        /// That of a system.
        case system(String)
        /// That of one of these systems; which of them makes no difference.
        case oneOf([String])

        /// The systems of which the phone needs one, as they are called in a sentence.
        var words: String? {
            switch self {
            case .none, .any: nil
            case .system(let system): system
            case .oneOf(let systems): systems.joined(separator: " or ")
            }
        }

        /// Whether the app must be another system's.
        func excludes(_ system: String) -> Bool {
            switch self {
            case .none, .any: false
            case .system(let needed): needed != system
            case .oneOf(let systems): !systems.contains(system)
            }
        }
    }

    /// Describes something that can go wrong; `fault` draws one, beginning at the draw's `begin`, and
    /// sets its `end`.
    package init(
        _ name: String,
        _ summary: String,
        radios: Int = 0,
        app: AppNeed = .none,
        fault: @escaping @Sendable (inout ChanceDraw) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.radios = radios
        self.app = app
        self.fault = fault
    }

    /// What happens, and which app it takes if it takes a certain one.
    var meaning: String { Vocabulary.meaning(summary, needing: app.words) }

    /// Draws one that begins at an instant.
    ///
    /// - Returns: What is done to the world, in order of delay, and when it is over.
    public func draw(
        at begin: Instant,
        of phone: PhonePlan,
        app: String?,
        from random: inout RandomStream
    ) -> (acts: [TimedAct], end: Instant) {
        var draw = ChanceDraw(phone: phone, app: app ?? "", begin: begin, random: random)
        fault(&draw)
        random = draw.random
        return (draw.acts, draw.end)
    }

    /// Whether two are the same: names are unique.
    public static func == (left: Chance, right: Chance) -> Bool { left.name == right.name }
}

/// One fault as it is drawn.
package struct ChanceDraw {
    /// The phone that it happens to.
    package let phone: PhonePlan
    /// The name of the phone's app that it concerns, if it concerns one.
    package let app: String
    /// When it begins.
    package let begin: Instant
    /// When it is over.
    package var end: Instant
    /// Where its figures come from.
    package var random: RandomStream
    fileprivate var acts: [TimedAct] = []

    fileprivate init(phone: PhonePlan, app: String, begin: Instant, random: RandomStream) {
        self.phone = phone
        self.app = app
        self.begin = begin
        self.random = random
        end = begin
    }

    /// A length between two whole seconds, to the millisecond.
    package mutating func seconds(_ range: ClosedRange<Int64>) -> Duration {
        .milliseconds(random.uniform(in: range.lowerBound * 1_000...range.upperBound * 1_000))
    }

    /// Does something to a component at an instant.
    package mutating func add(_ act: any SystemAct, to target: String, at instant: Instant) {
        let delay = Duration.nanoseconds(instant.nanoseconds - begin.nanoseconds)
        acts.append(TimedAct(act, to: target, after: delay))
    }

    /// Does something at the beginning and something else at the end, so much later.
    package mutating func add(
        _ first: any SystemAct,
        then second: any SystemAct,
        to target: String,
        apart length: Duration
    ) {
        end = begin.advanced(by: length)
        add(first, to: target, at: begin)
        add(second, to: target, at: end)
    }
}

/// What goes wrong by chance: one fault after the other, with pauses in between.
public struct FaultMixPlan: Sendable, Equatable {
    /// A kind of fault and how often it is drawn.
    public struct Share: Sendable, Equatable {
        /// The kind.
        public var chance: Chance
        /// How often, relative to the others' weights.
        public var weight: Int

        /// Makes a share.
        public init(_ chance: Chance, weight: Int) {
            self.chance = chance
            self.weight = weight
        }
    }

    /// How many faults one run may hold of all mixes, by the mean time between them.
    static let countMax = 1_000_000

    /// The phone that it happens to.
    public var phone: String
    /// The phone's app that is concerned where one is; `nil` if none is.
    public var app: String?
    /// What may happen.
    public var shares: [Share]
    /// The mean time from the end of one to the beginning of the next; exponential.
    public var meanGap: Duration
    /// When the first may begin.
    public var from: Duration
    /// When the last has ended.
    public var until: Duration

    /// Makes a mix.
    public init(
        phone: String,
        app: String? = nil,
        shares: [Share],
        meanGap: Duration,
        from: Duration,
        until: Duration
    ) {
        self.phone = phone
        self.app = app
        self.shares = shares
        self.meanGap = meanGap
        self.from = from
        self.until = until
    }
}
