/// One thing that can be tuned: described once, for scenario files, command line, sweeps, lists and
/// the schema.
public struct Parameter: Sendable {
    /// The dotted name, such as `vad.attack`.
    public let name: String
    /// What its values are.
    public let kind: Kind
    /// The values that validation accepts, in the unit of the kind.
    public let range: ClosedRange<Int64>
    /// The values are whole multiples of this.
    public let step: Int64
    /// What it does, in one sentence.
    public let meaning: String
    /// Where its range comes from: a requirement id or an outside specification.
    public let source: String
    /// Whose figure it is.
    public internal(set) var scope = ParameterScope.phones
    /// The other systems whose figure it is as well: what they have of it is the same.
    public internal(set) var alsoOf: [String] = []
    /// Whether it acts on sound alone: `voice: sized` has neither detector nor encoder.
    public internal(set) var needsSound = false
    /// Why it changes nothing in a world, in a clause; `nil` if it may change something.
    public internal(set) var lack: @Sendable (WorldPlan) -> String? = { _ in nil }
    /// Reads the value from a configuration, in the unit of the kind.
    public let value: @Sendable (Tuning) -> Int64
    /// Sets the value in a configuration; it must lie in the range and on the step.
    public let set: @Sendable (Int64, inout Tuning) -> Void

    package init(
        name: String,
        kind: Kind,
        range: ClosedRange<Int64>,
        step: Int64,
        meaning: String,
        source: String,
        value: @escaping @Sendable (Tuning) -> Int64,
        set: @escaping @Sendable (Int64, inout Tuning) -> Void
    ) {
        self.name = name
        self.kind = kind
        self.range = range
        self.step = step
        self.meaning = meaning
        self.source = source
        self.value = value
        self.set = set
    }

    /// What a parameter's values are.
    public enum Kind: Sendable, Equatable {
        /// A quantity, held in the unit of its kind.
        case quantity(QuantityKind)
        /// A whole number without a unit.
        case integer
        /// A truth value, held as 0 or 1.
        case boolean
        /// One of a few words, held as its index among them.
        case choice([String])
    }

    /// The same parameter, marked as one that acts on sound alone.
    package var ofSound: Parameter {
        var marked = self
        marked.needsSound = true
        return marked
    }

    /// The systems whose figure it is; none for one of every phone.
    var systems: [String] {
        switch scope {
        case .phones: []
        case .app(let system), .servers(of: let system): [system] + alsoOf
        }
    }

    /// The value that holds when nobody sets it, in the unit of the kind.
    public var defaultValue: Int64 { value(Tuning()) }

    /// A value as scenario files write it, such as `60ms`.
    public func text(of value: Int64) -> String {
        switch kind {
        case .quantity(let kind): kind.text(of: value)
        case .integer: "\(value)"
        case .boolean: value == 0 ? "false" : "true"
        case .choice(let words): words[Int(value)]
        }
    }

    /// The value that holds when nobody sets it, as scenario files write it.
    public var defaultText: String { text(of: defaultValue) }

    /// The range as people read it, such as `40ms to 60ms in steps of 20ms`.
    public var rangeText: String {
        switch kind {
        case .boolean: return "true or false"
        case .choice(let words): return words.joined(separator: " or ")
        case .quantity, .integer: break
        }
        let ends = "\(text(of: range.lowerBound)) to \(text(of: range.upperBound))"
        return step == 1 ? ends : "\(ends) in steps of \(text(of: step))"
    }

    /// What may stand behind the name.
    package var shape: Shape {
        switch kind {
        case .quantity(let kind): .quantity(kind, range, step: step)
        case .integer: .integer(range, step: step)
        case .boolean: .boolean
        case .choice(let words):
            .choice(words.map { Choice(word: $0, summary: "") }, noun: "value of \(name)")
        }
    }

    /// The value that a checked value of the parameter's shape stands for.
    func amount(of value: CheckedValue) -> Int64? {
        switch kind {
        case .quantity, .integer: value.number
        case .boolean: value.boolean.map { $0 ? 1 : 0 }
        case .choice(let words): value.text.flatMap(words.firstIndex).map { Int64($0) }
        }
    }
}

extension Parameter {
    /// The same parameter, marked as a figure of another system as well.
    package func shared(with system: String) -> Parameter {
        var shared = self
        shared.alsoOf.append(system)
        return shared
    }
}

extension [Parameter] {
    /// The same parameters, marked as figures of another system as well.
    package func shared(with system: String) -> [Parameter] {
        map { $0.shared(with: system) }
    }
}
