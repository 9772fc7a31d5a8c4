import KodamaLanguage

// Values, towards the plain ones; and what is said of those that remain.

extension Shrinker {
    /// Makes each value plainer: the least, a fraction, fewer digits, the first of several words.
    mutating func simplifyValues() async throws {
        for place in places() where !isOver {
            var isGoingOn = true
            while isGoingOn, !isOver {
                guard let now = current.document[path: place.path]?.text else { break }
                let candidates = place.shape.plainer(than: now).map { text in
                    var document = current.document
                    document[path: place.path] = .plain(text)
                    return document
                }
                isGoingOn = try await take(firstOf: candidates, repairing: []) != nil
            }
        }
    }

    /// The values that can be made plainer: all but names, moments, what is expected and the quiet phase.
    private func places() -> [(path: [DocumentNode.Step], shape: Shape)] {
        var places: [(path: [DocumentNode.Step], shape: Shape)] = []
        current.document.walk(as: .mapping(shape)) { path, shape, _ in
            guard path.first != .key("expect"), path.count > 1 || path.first == .key("voice"),
                // More of something is not plainer.
                path.last != .key("every"),
                !current.document.isRigid(path), current.document[path: path]?.text != nil
            else { return }
            places.append((path, shape))
        }
        return places
    }

    /// What can be said of each value that is left: whether any fails, from where to where, or which words.
    mutating func remarks() async throws -> [[DocumentNode.Step]: String] {
        var remarks: [[DocumentNode.Step]: String] = [:]
        let end = current.document[key: "duration"]?.text.flatMap(QuantityKind.duration.amount)
        let moments = ValueScale(
            kind: .duration,
            range: 0...(end ?? 0),
            step: 1_000_000,
            isTriedWhole: true
        )
        for place in places() where !isOver {
            guard let text = current.document[path: place.path]?.text else { continue }
            if let words = place.shape.words {
                remarks[place.path] = try await remark(on: text, among: words, place.path)
                continue
            }
            guard let scale = place.shape.isInstant ? moments : place.shape.scale,
                let value = scale.amount(text)
            else { continue }
            let low = try await edge(
                from: value,
                to: scale.least(below: value),
                bound: scale.range.lowerBound,
                place.path,
                scale
            )
            let high = try await edge(
                from: value,
                to: scale.most(above: value),
                bound: scale.range.upperBound,
                place.path,
                scale
            )
            guard !isOver else { break }
            remarks[place.path] = Self.remark(low, high, scale)
        }
        return remarks
    }

    /// How far values fail on one side of a value that fails.
    private struct Edge {
        /// The last one tried that fails.
        var failing: Int64
        /// The next one tried that does not; `nil` if each one tried fails.
        var sound: Int64?
        /// Whether nothing may stand here beyond the one that fails.
        var isBound: Bool
        /// Whether nothing was tried though something may stand beyond.
        var isOpen: Bool { sound == nil && !isBound }
    }

    /// Says what was tried, and no more.
    private static func remark(_ low: Edge, _ high: Edge, _ scale: ValueScale) -> String {
        if low.isBound, high.isBound { return "any value fails" }
        let (first, last) = (scale.text(low.failing), scale.text(high.failing))
        var parts =
            if first == last {
                ["fails at \(first)"]
            } else if low.isBound {
                ["fails up to \(last)"]
            } else if high.isBound {
                ["fails from \(first) on"]
            } else {
                ["fails from \(first) to \(last)"]
            }
        let sound = [low.sound, high.sound].compactMap(\.self).map(scale.text)
        if !sound.isEmpty { parts.append("not at \(sound.joined(separator: " and "))") }
        let untried: String? =
            switch (low.isOpen, high.isOpen) {
            case (true, true): "beyond"
            case (true, false): "smaller"
            case (false, true): "greater"
            case (false, false): nil
            }
        if let untried { parts.append("nothing \(untried) was tried") }
        return parts.joined(separator: ", ")
    }

    /// Which other words fail; nothing where there are too many to try.
    private mutating func remark(
        on word: String,
        among words: [String],
        _ path: [DocumentNode.Step]
    ) async throws -> String? {
        guard words.count <= Self.wordsMax else { return nil }
        var failing: [String] = []
        for other in words where other != word && !isOver {
            var document = current.document
            document[path: path] = .plain(other)
            if try await fails(document) { failing.append(other) }
        }
        if isOver { return nil }
        if failing.count == words.count - 1 { return "any word fails" }
        return failing.isEmpty
            ? "no other word fails" : "\(failing.joined(separator: ", ")) fails as well"
    }

    /// How many words are tried at most in the place of one.
    private static let wordsMax = 12

    /// How often the stretch between a value that fails and one that does not is halved.
    private static let halvings = 4

    /// How far values fail from one that fails towards another, as some halvings show.
    private mutating func edge(
        from value: Int64,
        to end: Int64,
        bound: Int64,
        _ path: [DocumentNode.Step],
        _ scale: ValueScale
    ) async throws -> Edge {
        guard value != end else { return Edge(failing: value, isBound: value == bound) }
        if try await fails(with: end, at: path, scale) {
            return Edge(failing: end, isBound: end == bound)
        }
        var (bad, good) = (value, end)
        for _ in 0..<Self.halvings where !isOver {
            let middle = scale.between(bad, good)
            guard middle != bad, middle != good else { break }
            if try await fails(with: middle, at: path, scale) {
                bad = middle
            } else {
                good = middle
            }
        }
        return Edge(failing: bad, sound: good, isBound: false)
    }

    private mutating func fails(
        with value: Int64,
        at path: [DocumentNode.Step],
        _ scale: ValueScale
    ) async throws -> Bool {
        var document = current.document
        document[path: path] = .plain(scale.text(value))
        return try await fails(document)
    }
}

/// A kind of numbers: how they are written, and how far they reach.
struct ValueScale {
    let kind: QuantityKind?
    let range: ClosedRange<Int64>
    let step: Int64
    /// Whether all of the range is tried, however far it reaches from the value.
    var isTriedWhole = false

    /// How many times greater or smaller than the value others are tried.
    private static let reach: Int64 = 16

    func amount(_ text: String) -> Int64? { kind.map { $0.amount(of: text) } ?? Int64(text) }

    func text(_ amount: Int64) -> String { kind?.text(of: amount) ?? "\(amount)" }

    func least(below value: Int64) -> Int64 {
        if isTriedWhole { return range.lowerBound }
        guard value > 0 else { return value }
        let least = max(0, range.lowerBound)
        return least > 0 || step > 1 ? max(least, snapped(value / Self.reach)) : 0
    }

    func most(above value: Int64) -> Int64 {
        if isTriedWhole { return range.upperBound }
        guard value >= 0 else { return value }
        let (product, overflow) = max(value, unit).multipliedReportingOverflow(by: Self.reach)
        return min(range.upperBound, overflow ? range.upperBound : snapped(product))
    }

    /// What is tried in place of nothing is some of these: seconds, per cent, or what is counted.
    private var unit: Int64 {
        switch kind {
        case .duration: 1_000_000_000
        case .share: 10_000
        default: max(step, 1)
        }
    }

    /// About half way, where one is many times the other by their ratio.
    func between(_ one: Int64, _ other: Int64) -> Int64 {
        let (low, high) = (min(one, other), max(one, other))
        let middle =
            low > 0 && high / low >= 4 ? low * (high / low >= 16 ? 4 : 2) : low + (high - low) / 2
        return snapped(rounded(middle, within: low...high))
    }

    private func snapped(_ value: Int64) -> Int64 {
        let least = max(0, range.lowerBound)
        guard value >= least else { return least }
        return least + (value - least) / step * step
    }

    /// With two digits at most, if that is still in between.
    private func rounded(_ value: Int64, within range: ClosedRange<Int64>) -> Int64 {
        var unit: Int64 = 1
        while value / unit >= 100 { unit *= 10 }
        let round = value / unit * unit
        return range.contains(round) ? round : value
    }
}

extension Shape {
    /// The kind of numbers that may stand here, if it is numbers.
    var scale: ValueScale? {
        switch self {
        case .integer(let range, let step): ValueScale(kind: nil, range: range, step: step)
        case .quantity(let kind, let range, let step):
            ValueScale(kind: kind, range: range, step: step)
        case .word(_, let other): other.scale
        case .scalar(let scalar, _): scalar.scale
        default: nil
        }
    }

    /// The words that may stand here, if it is one of a few.
    fileprivate var words: [String]? {
        switch self {
        case .boolean: ["true", "false"]
        case .choice(let choices, _): choices.map(\.word)
        default: nil
        }
    }

    /// Plainer values, the plainest first.
    func plainer(than text: String) -> [String] {
        switch self {
        case .boolean: return text == "true" ? ["false"] : []
        case .choice(let choices, _):
            let words = choices.map(\.word)
            return Array(words.prefix(words.firstIndex(of: text) ?? 0))
        case .reference(.profile): return text == "ideal" ? [] : ["ideal"]
        case .word(let choice, let other):
            return text == choice.word ? [] : other.plainer(than: text)
        case .scalar(let scalar, _): return scalar.plainer(than: text)
        case .integer, .quantity: return scale?.plainer(than: text) ?? []
        default: return []
        }
    }
}

extension ValueScale {
    /// The least, then an eighth, a quarter, a half, and the value with fewer digits.
    fileprivate func plainer(than text: String) -> [String] {
        guard let value = amount(text), value != 0 else { return [] }
        let magnitude = value.magnitude > Int64.max ? Int64.max : Int64(value.magnitude)
        let sign: Int64 = value < 0 ? -1 : 1
        var amounts: [Int64] = range.contains(0) ? [0] : []
        if sign > 0, range.lowerBound > 0 { amounts.append(snapped(plainLeast)) }
        amounts += [8, 4, 2].map { sign * snapped(magnitude / $0) }
        var unit: Int64 = 1
        while magnitude / unit >= 10 { unit *= 10 }
        amounts += [unit, unit / 10].filter { $0 > 0 }.map { sign * snapped(magnitude / $0 * $0) }
        let smaller = amounts.filter { $0.magnitude < value.magnitude && range.contains($0) }
        var texts: [String] = []
        for text in smaller.map(self.text) where !texts.contains(text) { texts.append(text) }
        return texts
    }

    /// The least that a person would write: a whole second, or one of what is counted.
    private var plainLeast: Int64 {
        kind == .duration ? max(range.lowerBound, 1_000_000_000) : range.lowerBound
    }
}
