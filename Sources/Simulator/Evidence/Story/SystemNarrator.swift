public import SansIO

/// Says what the records of one system mean, for people who do not know them.
///
/// It sees the records of all systems, as meters do, so that it can name causes; it speaks of its own.
public protocol SystemNarrator: Sendable {
    /// Makes the narrator of a run that begins.
    init(_ directory: TraceDirectory)

    /// Follows the next record of the run, and says what it means if that is worth a sentence.
    mutating func follow(_ record: TraceRecord, in narration: inout Narration)
}

/// The sentences about a run so far.
public struct Narration: Sendable {
    /// The sentences, in the order in which they were said.
    public private(set) var sentences: [Sentence] = []
    /// By component its phone's name, or its own.
    private let names: [String]

    init(_ directory: TraceDirectory) {
        names = directory.names.map { TraceDirectory.owner(of: $0) ?? $0 }
    }

    /// The name that sentences use for a component: an app goes by its phone's.
    public func name(of component: ComponentIndex) -> String? {
        component == .none ? nil : names[Int(component.index)]
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
        if !isSaid { sentences.append(sentence) }
    }

    /// Says something else instead of what was just said of the same component at the same instant.
    ///
    /// - Returns: Whether there was such a sentence.
    mutating func amend(
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
    private var narration = Narration(TraceDirectory(names: []))

    /// Makes the narrator of a run.
    public init() {}

    /// Starts anew over `directory`.
    public mutating func begin(_ directory: TraceDirectory) {
        narrators = directory.systems.narrators(directory)
        narration = Narration(directory)
    }

    /// Follows one record.
    public mutating func record(_ record: TraceRecord) {
        for index in narrators.indices { narrators[index].follow(record, in: &narration) }
    }

    /// What happened, in the order in which it did.
    public var sentences: [Sentence] {
        narration.sentences.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }
}

extension Int64 {
    /// A length of time for people, such as `4.33 s`.
    var lengthText: String { MetricUnit.nanoseconds.text(self) }
}

extension TraceWord where Word: CaseIterable {
    /// The word for people, such as `socket timeout`; a number without a word as it is.
    var spoken: String {
        value.map { Hyphenation.words(of: "\($0)").split(separator: "-").joined(separator: " ") }
            ?? "\(number)"
    }
}
