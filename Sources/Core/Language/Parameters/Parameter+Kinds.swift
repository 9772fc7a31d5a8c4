public import SansIO

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
