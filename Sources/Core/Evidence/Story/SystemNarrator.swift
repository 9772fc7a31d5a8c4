public import SansIO

/// Says what the records of one system mean, for people who do not know them.
///
/// It sees the records of all systems, as meters do, so that it can name causes; it speaks of its own.
public protocol SystemNarrator: Sendable {
    /// Makes the narrator of a run that begins.
    init(_ directory: TraceDirectory)

    /// Follows the next record of the run, and says what it means if that is worth a sentence.
    mutating func follow(_ record: TraceRecord, in narration: inout Narration)

    /// Says, when there are no more records, what was not clear before.
    mutating func finish(in narration: inout Narration)
}

extension SystemNarrator {
    /// Most have said everything.
    public mutating func finish(in narration: inout Narration) {}
}

/// The sentences about a run so far.
public struct Narration: Sendable {
    /// The sentences, in the order in which they were said.
    public private(set) var sentences: [Sentence] = []
    /// Of each sentence how many records had come.
    private var positions: [Int] = []
    /// How many records have come, or had when what is said now happened.
    package var position = 0
    /// By component its phone's name, or its own.
    private let names: [String]
    /// By component what an app is called.
    private let apps: [String]

    package init(_ directory: TraceDirectory) {
        let owners = directory.names.map { TraceDirectory.owner(of: $0) }
        names = zip(directory.names, owners).map { $1 ?? $0 }
        var counts: [String: Int] = [:]
        for case let owner? in owners { counts[owner, default: 0] += 1 }
        apps = zip(directory.names, owners).map { name, owner in
            guard let owner, counts[owner, default: 0] > 1 else { return "the app" }
            return "the \(name.dropFirst(owner.count + 1)) app"
        }
    }

    /// The sentences in the order of time; of one instant in the order of the records.
    package var inOrder: [Sentence] {
        sentences.indices
            .sorted { left, right in
                (sentences[left].at, positions[left], left)
                    < (sentences[right].at, positions[right], right)
            }
            .map { sentences[$0] }
    }

    /// The name that sentences use for a component: an app goes by its phone's.
    public func name(of component: ComponentIndex) -> String? {
        component == .none ? nil : names[Int(component.index)]
    }

    /// What sentences call an app: `the app`, or which one it is where its phone has several.
    public func app(_ component: ComponentIndex) -> String {
        component == .none ? "the app" : apps[Int(component.index)]
    }

    /// Says a sentence.
    ///
    /// - Parameters:
    ///   - text: What happened, without a capital or a full stop.
    ///   - component: To whom.
    ///   - instant: When.
    ///   - cause: What led to it; left out if nothing came between the two.
    public mutating func say(
        _ text: String,
        of component: ComponentIndex,
        at instant: Instant,
        after cause: Sentence.Cause? = nil
    ) {
        let name = name(of: component)
        let sentence = Sentence(at: instant, of: name, after: cause, text)
        // Two systems may see the same.
        let isSaid = sentences.suffix(8).contains { $0 == sentence }
        guard !isSaid else { return }
        sentences.append(sentence)
        positions.append(position)
    }

    /// Says something else instead of what was just said of the same component at the same instant.
    ///
    /// - Returns: Whether there was such a sentence.
    package mutating func amend(
        _ text: String,
        insteadOf old: String,
        of component: ComponentIndex,
        at instant: Instant
    ) -> Bool {
        let name = name(of: component)
        let index = sentences.lastIndex { sentence in
            sentence.at == instant && sentence.component == name && sentence.text == old
        }
        guard let index else { return false }
        sentences[index].text = text
        return true
    }
}

/// Explains a run from its records: one narrator for each system that has any.
public struct RunNarrator: TraceSink {
    private var narrators: [any SystemNarrator] = []
    private var narration = Narration(TraceDirectory(names: [], systems: .core))

    /// Makes the narrator of a run.
    public init() {}

    /// Starts anew over `directory`.
    public mutating func begin(_ directory: TraceDirectory) {
        narrators = directory.systems.narrators(directory)
        narration = Narration(directory)
    }

    /// Follows one record.
    public mutating func record(_ record: TraceRecord) {
        narration.position += 1
        for index in narrators.indices { narrators[index].follow(record, in: &narration) }
    }

    /// What happened, in the order in which it did.
    public var sentences: [Sentence] {
        var narration = narration
        for narrator in narrators {
            var narrator = narrator
            narrator.finish(in: &narration)
        }
        return narration.inOrder
    }
}

extension Int64 {
    /// A length of time for people, such as `4.33 s`.
    package var lengthText: String { MetricUnit.nanoseconds.text(self) }
}

extension TraceWord where Word: RawRepresentable, Word.RawValue: FixedWidthInteger {
    /// The word for people, such as `socket timeout`; a number without a word as it is.
    package var spoken: String {
        value.map { Hyphenation.words(of: "\($0)").split(separator: "-").joined(separator: " ") }
            ?? "\(number)"
    }
}
