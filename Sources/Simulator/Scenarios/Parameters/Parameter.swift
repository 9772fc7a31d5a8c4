public import SansIO

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
    var ofSound: Parameter {
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
    var shape: Shape {
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

extension [Parameter] {
    /// The same parameters, marked as figures of another system as well.
    func shared(with system: String) -> [Parameter] {
        map { parameter in
            var shared = parameter
            shared.alsoOf.append(system)
            return shared
        }
    }
}

/// The way to a figure within a part's settings; it may cross threads.
public typealias ConfigurationPath<Part: Tunable, Value> = WritableKeyPath<Part, Value> & Sendable

extension Parameter {
    /// Describes a time.
    public static func duration<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Duration>,
        _ range: ClosedRange<Duration>,
        step: Duration = .nanoseconds(1),
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.duration),
            range: range.lowerBound.wholeNanoseconds...range.upperBound.wholeNanoseconds,
            step: step.wholeNanoseconds,
            meaning: meaning,
            source: source,
            value: { $0[Part.self][keyPath: path].wholeNanoseconds },
            set: { $1[Part.self][keyPath: path] = .nanoseconds($0) }
        )
    }

    /// Describes a share.
    public static func share<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Probability>,
        _ range: ClosedRange<Probability>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.share),
            range: Int64(
                range.lowerBound.partsPerMillion
            )...Int64(range.upperBound.partsPerMillion),
            step: 1,
            meaning: meaning,
            source: source,
            value: { Int64($0[Part.self][keyPath: path].partsPerMillion) },
            set: { $1[Part.self][keyPath: path] = Probability(partsPerMillion: Int32($0)) }
        )
    }

    /// Describes a ratio that the configuration holds in millionths.
    public static func millionths<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Int64>,
        _ range: ClosedRange<Int64>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.share),
            range: range,
            step: 1,
            meaning: meaning,
            source: source,
            value: { $0[Part.self][keyPath: path] },
            set: { $1[Part.self][keyPath: path] = $0 }
        )
    }

    /// Describes a share that the configuration holds in whole per cent.
    public static func percent<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Int>,
        _ range: ClosedRange<Int>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.share),
            range: Int64(range.lowerBound) * 10_000...Int64(range.upperBound) * 10_000,
            step: 10_000,
            meaning: meaning,
            source: source,
            value: { Int64($0[Part.self][keyPath: path]) * 10_000 },
            set: { $1[Part.self][keyPath: path] = Int($0 / 10_000) }
        )
    }

    /// Describes a data rate.
    public static func rate<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, DataRate>,
        _ range: ClosedRange<DataRate>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.dataRate),
            range: range.lowerBound.bitsPerSecond...range.upperBound.bitsPerSecond,
            step: 1,
            meaning: meaning,
            source: source,
            value: { $0[Part.self][keyPath: path].bitsPerSecond },
            set: { $1[Part.self][keyPath: path] = DataRate(bitsPerSecond: $0) }
        )
    }

    /// Describes a ratio of levels that the configuration holds in thousandths of a decibel.
    public static func level<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Int64>,
        _ range: ClosedRange<Int64>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .quantity(.level),
            range: range,
            step: 1,
            meaning: meaning,
            source: source,
            value: { $0[Part.self][keyPath: path] },
            set: { $1[Part.self][keyPath: path] = $0 }
        )
    }

    /// Describes a whole number.
    public static func integer<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Int>,
        _ range: ClosedRange<Int>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .integer,
            range: Int64(range.lowerBound)...Int64(range.upperBound),
            step: 1,
            meaning: meaning,
            source: source,
            value: { Int64($0[Part.self][keyPath: path]) },
            set: { $1[Part.self][keyPath: path] = Int($0) }
        )
    }

    /// Describes one of a few words.
    ///
    /// The words are the names of the cases, with hyphens.
    public static func choice<Part: Tunable, Value: CaseIterable & Equatable & Sendable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Value>,
        meaning: String,
        source: String
    ) -> Parameter {
        let words = CaseWords(of: Value.self)
        return Parameter(
            name: name,
            kind: .choice(words.words),
            range: 0...Int64(words.words.count - 1),
            step: 1,
            meaning: meaning,
            source: source,
            value: { Int64(words.index(of: $0[Part.self][keyPath: path])) },
            set: { $1[Part.self][keyPath: path] = words.values[Int($0)] }
        )
    }

    /// Describes a time that the configuration holds in whole seconds.
    public static func seconds<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Int64>,
        _ range: ClosedRange<Int64>,
        meaning: String,
        source: String
    ) -> Parameter {
        let second: Int64 = 1_000_000_000
        return Parameter(
            name: name,
            kind: .quantity(.duration),
            range: range.lowerBound * second...range.upperBound * second,
            step: second,
            meaning: meaning,
            source: source,
            value: { $0[Part.self][keyPath: path] * second },
            set: { $1[Part.self][keyPath: path] = $0 / second }
        )
    }

    /// Describes a truth value.
    public static func boolean<Part: Tunable>(
        _ name: String,
        _ path: any ConfigurationPath<Part, Bool>,
        meaning: String,
        source: String
    ) -> Parameter {
        Parameter(
            name: name,
            kind: .boolean,
            range: 0...1,
            step: 1,
            meaning: meaning,
            source: source,
            value: { $0[Part.self][keyPath: path] ? 1 : 0 },
            set: { $1[Part.self][keyPath: path] = $0 != 0 }
        )
    }
}
