/// A part's settings that parameters read and set: a value with a default for every figure.
public protocol Tunable: Sendable, Equatable {
    /// The default figures.
    init()
}

extension Tunable {
    /// Whether another part is of the same kind and has the same figures.
    fileprivate func equals(_ other: any Tunable) -> Bool { self == other as? Self }

    /// Whether all figures are the default ones.
    fileprivate var isStandard: Bool { self == Self() }
}

/// What is tuned, part by part; what nobody has set has its default figures.
///
/// A system's parts are its own affair: a phone takes from it what its apps need, servers what is
/// theirs.
public struct Tuning: Sendable, Equatable {
    /// At most one part of a kind, in no order that could be seen.
    private var parts: [any Tunable] = []

    /// The default figures of all parts.
    public init() {}

    /// The figures of one part.
    public subscript<Part: Tunable>(_ kind: Part.Type) -> Part {
        get { parts.lazy.compactMap { $0 as? Part }.first ?? Part() }
        set {
            parts.removeAll { $0 is Part }
            parts.append(newValue)
        }
    }

    /// Whether every part has the same figures in both.
    public static func == (left: Tuning, right: Tuning) -> Bool {
        left.covers(right) && right.covers(left)
    }

    /// Whether every part of another tuning has the same figures here.
    private func covers(_ other: Tuning) -> Bool {
        other.parts.allSatisfy { part in
            part.isStandard && !has(partLike: part) || parts.contains { $0.equals(part) }
        }
    }

    private func has(partLike other: any Tunable) -> Bool {
        parts.contains { type(of: $0) == type(of: other) }
    }
}

/// A named choice of figures to start from; parameters win over it.
///
/// Every system says for itself what a preset means to it.
public enum Preset: String, Sendable, Hashable, CaseIterable {
    /// Our own figures: those that meet the promises.
    case standard = "default"
    /// The source designs' figures (D-07, D-15).
    case asSpecified = "as-specified"

    /// What it means, in one sentence.
    var summary: String {
        switch self {
        case .standard: "Our own figures: those that meet the promises."
        case .asSpecified: "The source designs' figures."
        }
    }
}

/// Whose figure a parameter is.
public enum ParameterScope: Sendable, Hashable {
    /// That of a system's app, on each phone that has it.
    case app(String)
    /// That of every phone's system.
    case phones
    /// That of the servers that a system's apps need; the same for all phones.
    case servers(of: String)
}
