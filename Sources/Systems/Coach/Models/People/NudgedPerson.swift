import KodamaPhone
import SansIO
import KodamaSimulation

/// How people of one kind answer nudges.
struct NudgePersona: Sendable, Equatable {
    /// How often a nudge is taken up, of all that come, noticed or not.
    var engages: Probability
    /// How often the person goes back to the app before by the breadcrumb, where there is one; an assumption.
    var usesBreadcrumb = Probability(partsPerMillion: 500_000)
    /// How often they reopen that app otherwise; an assumption.
    var reopens = Probability(partsPerMillion: 300_000)
    /// How long they take for either; an assumption.
    var returning = LatencyLaw(median: .seconds(5), sigmaMillionths: 800_000)
    /// How often the intervention is done to its end: 90 %, an assumption.
    var finishes = Probability(partsPerMillion: 900_000)
    /// How often the phone has the person's attention: 12.1 of 16 h awake (Dingler & Pielot, MobileHCI 2015).
    var isAttentive = Probability(partsPerMillion: 756_250)
    /// The mean time until an inattentive person looks again: 3.6 min, so that three of four such spells end
    /// within 5 min (the same source).
    var inattention: Duration = .seconds(216)
    /// How long a person who takes a nudge up needs to tap it: half within 30 s, 83 % within 5 min, an
    /// assumption; others quote Sahami Shirazi and others, CHI 2014, so, and the abstract has no such figure.
    var click = LatencyLaw(median: .seconds(30), sigmaMillionths: 2_400_000)

    /// A person who takes nudges up so often.
    init(engages: Probability) {
        self.engages = engages
    }

    /// A trained participant of a paid study: 75.1 % of prompts (Jones and others 2019, 126 studies).
    static let committed = NudgePersona(engages: Probability(partsPerMillion: 751_000))
    /// A user who chose an app for this: 35 %, an assumption between the two others.
    static let app = NudgePersona(engages: Probability(partsPerMillion: 350_000))
    /// An ordinary user: 15 to 25 % of notifications other than messages (Pielot, Vradi & Park, MobileHCI
    /// 2018).
    static let ordinary = NudgePersona(engages: Probability(partsPerMillion: 200_000))
    /// The worst measured: 4.92 % of pushed news were opened (Saikia and others, MDM 2017).
    static let pessimistic = NudgePersona(engages: Probability(partsPerMillion: 49_200))
}

extension AlertModality {
    /// How often an alert of this kind is missed: 14.6 % silent, 15.4 % with vibration, 23.8 % with sound,
    /// 21.1 % with both (Mehrotra and others, CHI 2016, data).
    var missed: Probability {
        switch self {
        case .silent: Probability(partsPerMillion: 146_000)
        case .vibration: Probability(partsPerMillion: 154_000)
        case .sound: Probability(partsPerMillion: 238_000)
        case .both: Probability(partsPerMillion: 211_000)
        }
    }
}

/// A person whom an app nudges: notices it or not, taps it or not, and goes back to what went before.
struct NudgedPerson: StateMachine {
    /// A fact for the person.
    enum Event: Sendable, Equatable {
        /// A nudge comes; one that waits is forgotten for it.
        case nudged(AlertModality)
        /// The intervention begins, in the app that was opened.
        case interventionBegan
        /// A call takes the intervention's place.
        case interrupted
        /// The intervention is over; whether a breadcrumb leads back.
        case interventionEnded(hasBreadcrumb: Bool)
    }

    /// An order from the person.
    enum Effect: Sendable, Equatable {
        /// Misses the nudge.
        case misses
        /// Sees it, and lets it be.
        case ignores
        /// Taps it.
        case taps
        /// Breaks the intervention off.
        case breaksOff
        /// Taps the breadcrumb.
        case tapsBreadcrumb
        /// Opens the app before by hand.
        case reopens
        /// Does neither.
        case staysAway
    }

    struct Plan: Sendable, Equatable {
        let deed: Effect
        let at: Instant
    }

    /// One deed.
    static var effectsPerCallMax: Int { 1 }

    /// A person is never done.
    var isFinished: Bool { false }

    private let persona: NudgePersona
    private var draws: RandomStream
    private var plan: Plan?

    /// Makes a person whom nobody has nudged.
    ///
    /// - Parameters:
    ///   - persona: Their habits.
    ///   - draws: What they do is drawn from.
    init(_ persona: NudgePersona, draws: RandomStream) {
        self.persona = persona
        self.draws = draws
    }

    /// When the person does something.
    var deadline: Deadline? { plan.map { Deadline($0.at, "person acts") } }

    /// Takes one fact.
    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .nudged(let modality):
            // Both figures are of all nudges, those among them that nobody notices (K-06).
            let lot = draws.uniform(in: 0...999_999)
            let missed = Int64(modality.missed.partsPerMillion)
            let taken = missed + Int64(persona.engages.partsPerMillion)
            let isAttentive = draws.bernoulli(persona.isAttentive)
            let mean = persona.inattention.wholeNanoseconds
            let absence = Duration.nanoseconds(draws.exponential(meanNanoseconds: mean))
            let click = draws.latency(persona.click)
            let seen = isAttentive ? turn.now : turn.now.advanced(by: absence)
            let deed: Effect = lot < missed ? .misses : lot < taken ? .taps : .ignores
            let wait = deed == .taps ? min(click, .seconds(86_400)) : .zero
            plan = Plan(deed: deed, at: seen.advanced(by: wait))
        case .interventionBegan:
            let finishes = draws.bernoulli(persona.finishes)
            // In the middle of a short one, by assumption.
            let time = turn.now.advanced(by: .seconds(15))
            plan = finishes ? nil : Plan(deed: .breaksOff, at: time)
        case .interrupted: if plan?.deed == .breaksOff { plan = nil }
        case .interventionEnded(let hasBreadcrumb):
            let usesBreadcrumb = draws.bernoulli(persona.usesBreadcrumb)
            let reopens = draws.bernoulli(persona.reopens)
            let deed: Effect =
                usesBreadcrumb && hasBreadcrumb ? .tapsBreadcrumb : reopens ? .reopens : .staysAway
            let time = min(draws.latency(persona.returning), .seconds(3_600))
            plan = Plan(deed: deed, at: turn.now.advanced(by: time))
        }
    }

    /// Does what was decided.
    mutating func wake(in turn: inout Turn<Effect>) {
        guard let plan, plan.at <= turn.now else { return }
        self.plan = nil
        turn.order(plan.deed)
    }
}
