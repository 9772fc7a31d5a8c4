public import SansIO

/// What a machine's second round is compared by (law L12).
public struct SecondRoundRule<Machine: StateMachine> {
    /// The events after which the machine rests, whatever was before; they say all that it knows of its
    /// surroundings.
    public var rest: [Machine.Event]
    /// How long it is left alone then; its last deadline lies within.
    public var restTime: Duration
    /// The stored fields that outlive a round: numbers of ids, and what was learnt on purpose.
    public var kept: Set<String>
    /// The types whose values are identities: only where they appear again counts.
    public var identities: Set<String>
    /// The answer to an order that is given while the machine comes to rest.
    public var answer: (Machine.Effect) -> Machine.Event?
    /// Whether an effect is compared; those that tell of the whole past are not.
    public var compares: (Machine.Effect) -> Bool
    /// Whether a second story is told and compared; not where chance goes on from the first one.
    public var tellsAgain: Bool

    /// Makes a rule.
    public init(
        rest: [Machine.Event],
        restTime: Duration = .seconds(7_200),
        kept: Set<String>,
        identities: Set<String> = ["OperationID"],
        answer: @escaping (Machine.Effect) -> Machine.Event? = { _ in nil },
        compares: @escaping (Machine.Effect) -> Bool = { _ in true },
        tellsAgain: Bool = true
    ) {
        self.rest = rest
        self.restTime = restTime
        self.kept = kept
        self.identities = identities
        self.answer = answer
        self.compares = compares
        self.tellsAgain = tellsAgain
    }
}

/// Draws the next event from what was ordered since the one before.
public typealias StoryTeller<Machine: StateMachine> = (
    inout LawRandom, Instant, [Machine.Effect]
) -> Machine.Event

/// Checks law L12, the second round is like the first: throws where a machine that has been through a story
/// and rests again differs from a fresh one at rest, or orders anything else in the next story.
///
/// - Parameters:
///   - seed: Chooses both stories.
///   - steps: How many events each of them has.
///   - make: Makes the machine.
///   - rule: When it rests, and what may differ.
///   - teller: Makes the teller of one round for one machine; rounds count from 0.
/// - Returns: How many effects were compared, or how many the first story has had where it alone is told;
///   without any nothing is shown.
/// - Throws: The first difference.
@discardableResult
public func checkSecondRound<Machine: StateMachine>(
    seed: UInt64,
    steps: Int,
    make: () -> Machine,
    rule: SecondRoundRule<Machine>,
    teller: (_ round: Int) -> StoryTeller<Machine>
) throws(LawViolation) -> Int {
    var used = Performer(make(), rule)
    var time = used.tell(seed: seed, steps: steps, from: .zero, teller(0))
    let told = used.takeTexts().count
    time = used.rest(from: time)
    var fresh = Performer(make(), rule)
    _ = fresh.rest(from: time.advanced(by: .zero - rule.restTime))
    func violation(_ step: Int, _ what: String) -> LawViolation {
        LawViolation(law: "L12", seed: seed, step: step, what: what)
    }
    if let difference = used.difference(from: fresh) {
        throw violation(0, "at rest \(difference)")
    }
    guard rule.tellsAgain else { return told }
    var random = LawRandom(seed: ~seed)
    let (usedTeller, freshTeller) = (teller(1), teller(1))
    var compared = 0
    (used.names, fresh.names) = (IdentityNames(rule.identities), IdentityNames(rule.identities))
    for step in 0..<steps {
        time = time.advanced(by: random.pause())
        used.wake(until: time)
        fresh.wake(until: time)
        var other = random
        used.send(usedTeller(&random, time, used.takeOrders()), at: time)
        fresh.send(freshTeller(&other, time, fresh.takeOrders()), at: time)
        let (orders, expected) = (used.takeTexts(), fresh.takeTexts())
        guard orders == expected else {
            throw violation(step, "the second round gave \(orders), the first \(expected)")
        }
        guard used.machine.deadline?.instant == fresh.machine.deadline?.instant else {
            let deadlines = [used.machine.deadline, fresh.machine.deadline].map { "\($0 as Any)" }
            throw violation(
                step,
                "the second round has the deadline \(deadlines[0]), the first \(deadlines[1])"
            )
        }
        compared += orders.count
    }
    return compared
}

/// A machine that is told stories.
private struct Performer<Machine: StateMachine> {
    var machine: Machine
    let rule: SecondRoundRule<Machine>
    var names: IdentityNames
    private var orders: [Machine.Effect] = []
    /// The orders of the story that is told; what has had no answer gets one before the rest.
    private var outstanding: [Machine.Effect] = []
    private var texts: [String] = []

    init(_ machine: Machine, _ rule: SecondRoundRule<Machine>) {
        self.machine = machine
        self.rule = rule
        names = IdentityNames(rule.identities)
    }

    mutating func tell(
        seed: UInt64,
        steps: Int,
        from start: Instant,
        _ teller: StoryTeller<Machine>
    ) -> Instant {
        var random = LawRandom(seed: seed)
        var time = start
        for _ in 0..<steps {
            time = time.advanced(by: random.pause())
            wake(until: time)
            send(teller(&random, time, takeOrders()), at: time)
        }
        return time
    }

    /// Brings the machine to rest, and lets it.
    mutating func rest(from start: Instant) -> Instant {
        let end = start.advanced(by: rule.restTime)
        wake(until: start)
        orders = outstanding
        outstanding = []
        obey(at: start)
        for event in rule.rest {
            send(event, at: start)
            obey(at: start)
        }
        wake(until: end, isObeying: true)
        (orders, outstanding, texts) = ([], [], [])
        return end
    }

    mutating func wake(until end: Instant, isObeying: Bool = false) {
        var isLeft = 100_000
        while isLeft > 0, let due = machine.deadline?.instant, due <= end {
            note(machine.drive(nil, at: due))
            if isObeying { obey(at: due) }
            isLeft -= 1
        }
    }

    /// Answers what was ordered, and what is ordered upon that.
    private mutating func obey(at now: Instant) {
        for _ in 0..<100 where !orders.isEmpty {
            for order in takeOrders() {
                if let answer = rule.answer(order) { send(answer, at: now) }
            }
        }
    }

    mutating func send(_ event: Machine.Event, at now: Instant) {
        note(machine.drive(event, at: now))
    }

    private mutating func note(_ effects: [Machine.Effect]) {
        orders += effects
        outstanding += effects
        for effect in effects where rule.compares(effect) { texts.append(names.text(effect)) }
    }

    mutating func takeOrders() -> [Machine.Effect] {
        defer { orders = [] }
        return orders
    }

    mutating func takeTexts() -> [String] {
        defer { texts = [] }
        return texts
    }

    /// The first stored field that differs and may not.
    func difference(from other: Performer) -> String? {
        let (mine, theirs) = (
            Mirror(reflecting: machine).children, Mirror(reflecting: other.machine).children
        )
        for (own, fresh) in zip(mine, theirs) where !rule.kept.contains(own.label ?? "") {
            var (ownNames, freshNames) = (
                IdentityNames(rule.identities), IdentityNames(rule.identities)
            )
            let (text, expected) = (
                ownNames.text(own.value, without: rule.kept),
                freshNames.text(fresh.value, without: rule.kept)
            )
            if text != expected {
                return "\(own.label ?? "?") is \(text), of a fresh machine \(expected)"
            }
        }
        return nil
    }
}

/// Writes values with identities named by the order in which they appear.
private struct IdentityNames {
    private let identities: Set<String>
    private var numbers: [String: Int] = [:]

    init(_ identities: Set<String>) {
        self.identities = identities
    }

    mutating func text(_ value: Any, without kept: Set<String> = []) -> String {
        let type = "\(Swift.type(of: value))"
        if identities.contains(type) { return name(of: "\(value)", type) }
        if let string = value as? String {
            return Self.isUUID(string) ? name(of: string, "UUID") : string
        }
        let mirror = Mirror(reflecting: value)
        var parts: [String] = []
        for child in mirror.children where !kept.contains(child.label ?? "") {
            let text = text(child.value, without: kept)
            let isNamed = mirror.displayStyle != .collection && mirror.displayStyle != .optional
            parts.append(isNamed ? "\(child.label ?? ""): \(text)" : text)
        }
        switch mirror.displayStyle {
        case .set, .dictionary: return "\(type)[\(parts.sorted().joined(separator: ", "))]"
        case .optional: return parts.first ?? "nil"
        case .collection: return "[\(parts.joined(separator: ", "))]"
        default:
            return mirror.children.isEmpty
                ? "\(value)" : "\(type)(\(parts.joined(separator: ", ")))"
        }
    }

    private mutating func name(of value: String, _ type: String) -> String {
        let key = "\(type) \(value)"
        let number = numbers[key] ?? numbers.count
        numbers[key] = number
        return "\(type) #\(number)"
    }

    /// Whether a text is an identity as RFC 9562 (section 4) writes one.
    private static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 36 && [8, 13, 18, 23].allSatisfy { bytes[$0] == UInt8(ascii: "-") }
    }
}

extension LawRandom {
    /// Mostly some milliseconds; now and then none at all, or as long as patience lasts.
    fileprivate mutating func pause() -> Duration {
        switch below(20) {
        case 0: .zero
        case 1...3: .milliseconds(below(60_000))
        case 4...9: .milliseconds(below(2_000))
        default: .microseconds(below(40_000))
        }
    }
}
