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
    public internal(set) var scope = ParameterScope.intercom
    /// Whether it acts on sound alone: `audio: sized` has neither detector nor encoder.
    public internal(set) var needsSound = false
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
        /// One of a few words, held as its place among them.
        case choice([String])
    }

    /// The same parameter, marked as one that acts on sound alone.
    var ofSound: Parameter {
        var marked = self
        marked.needsSound = true
        return marked
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

/// A key path that may cross threads.
public typealias ConfigurationPath<Value> = WritableKeyPath<Tuning, Value> & Sendable

extension Parameter {
    /// Describes a time.
    public static func duration(
        _ name: String,
        _ path: any ConfigurationPath<Duration>,
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
            value: { $0[keyPath: path].wholeNanoseconds },
            set: { $1[keyPath: path] = .nanoseconds($0) }
        )
    }

    /// Describes a share.
    public static func share(
        _ name: String,
        _ path: any ConfigurationPath<Probability>,
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
            value: { Int64($0[keyPath: path].partsPerMillion) },
            set: { $1[keyPath: path] = Probability(partsPerMillion: Int32($0)) }
        )
    }

    /// Describes a ratio that the configuration holds in millionths.
    public static func millionths(
        _ name: String,
        _ path: any ConfigurationPath<Int64>,
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
            value: { $0[keyPath: path] },
            set: { $1[keyPath: path] = $0 }
        )
    }

    /// Describes a share that the configuration holds in whole per cent.
    public static func percent(
        _ name: String,
        _ path: any ConfigurationPath<Int>,
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
            value: { Int64($0[keyPath: path]) * 10_000 },
            set: { $1[keyPath: path] = Int($0 / 10_000) }
        )
    }

    /// Describes a data rate.
    public static func rate(
        _ name: String,
        _ path: any ConfigurationPath<DataRate>,
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
            value: { $0[keyPath: path].bitsPerSecond },
            set: { $1[keyPath: path] = DataRate(bitsPerSecond: $0) }
        )
    }

    /// Describes a whole number.
    public static func integer(
        _ name: String,
        _ path: any ConfigurationPath<Int>,
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
            value: { Int64($0[keyPath: path]) },
            set: { $1[keyPath: path] = Int($0) }
        )
    }

    /// Describes one of a few words.
    ///
    /// The words are the names of the cases, with hyphens.
    public static func choice<Value: CaseIterable & Equatable & Sendable>(
        _ name: String,
        _ path: any ConfigurationPath<Value>,
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
            value: { Int64(words.place(of: $0[keyPath: path])) },
            set: { $1[keyPath: path] = words.values[Int($0)] }
        )
    }

    /// Describes a time that the configuration holds in whole seconds.
    public static func seconds(
        _ name: String,
        _ path: any ConfigurationPath<Int64>,
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
            value: { $0[keyPath: path] * second },
            set: { $1[keyPath: path] = $0 / second }
        )
    }

    /// Describes a truth value.
    public static func boolean(
        _ name: String,
        _ path: any ConfigurationPath<Bool>,
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
            value: { $0[keyPath: path] ? 1 : 0 },
            set: { $1[keyPath: path] = $0 != 0 }
        )
    }
}
