import KodamaEvidence
import SansIO

extension RunStory {
    /// What led to the moment that a run is shown for, and what happened until its end, in sentences.
    public struct Account: Sendable, Equatable, Codable {
        /// When the moment begins, in nanoseconds.
        public var from: Int64
        /// When it ends.
        public var until: Int64
        /// The sentences, in the order of time; of many the first and the last.
        public var lines: [Line]

        /// A sentence, or what stands for some that are left out.
        public struct Line: Sendable, Equatable, Codable {
            /// When, in nanoseconds.
            public var at: Int64
            /// To whom, if to one.
            public var component: String?
            /// What happened.
            public var text: String
        }
    }
}

extension RunStory.Account {
    /// What led to a moment mostly lies in the second before it.
    private static let lead: Int64 = 1_000_000_000
    /// More are not read; what led to it stands at the beginning.
    private static let firstCount = 8
    private static let lastCount = 4
    /// Where fewer tell of it, what was said last before it is told too, unless that is longer ago than `reach`.
    private static let countMin = 6
    private static let reach: Int64 = 30_000_000_000

    /// Tells of a moment.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - sentences: All that is said about the run. Of many only those about the moment's owners, their radios and
    ///     links, and those about nobody are told.
    init(of moment: Moment, _ sentences: [Sentence]) {
        let owners = moment.owners
        var near = Array(sentences[Self.near(moment.from, moment.until, sentences)])
        let countMax = Self.firstCount + Self.lastCount
        if near.count > countMax, !owners.isEmpty {
            near = near.filter { sentence in
                guard let component = sentence.component else { return true }
                return owners.contains { component == $0 || component.hasPrefix("\($0)/") }
            }
        }
        var lines = SentenceFolding(near).lines.map { line in
            Line(at: line.at.nanoseconds, component: line.component, text: line.words)
        }
        if lines.count > countMax + 1 {
            let left = lines.count - countMax
            let after = lines.suffix(Self.lastCount)
            let words = "… \(left) more until \(Self.text(after[after.startIndex].at))"
            let gap = Line(at: lines[Self.firstCount - 1].at, component: nil, text: words)
            lines = lines.prefix(Self.firstCount) + [gap] + after
        }
        self.init(from: moment.from, until: moment.until, lines: lines)
    }

    /// Which of all sentences, in the order of time, tell of a stretch and of the second before it.
    ///
    /// Where few do, what was said last before that is told too.
    static func near(_ from: Int64, _ until: Int64, _ sentences: [Sentence]) -> Range<Int> {
        let first = from.minus(lead)
        func index(_ isThere: (Int64) -> Bool) -> Int {
            sentences.firstIndex { isThere($0.at.nanoseconds) } ?? sentences.count
        }
        let begin = index { $0 >= first }
        let end = max(begin, index { $0 > max(first, until) })
        let earliest = index { $0 >= from.minus(reach) }
        let more = max(0, countMin - (end - begin))
        return min(begin, max(earliest, begin - more))..<end
    }

    /// An instant as sentences give it.
    static func text(_ instant: Int64) -> String {
        PlotNumber.text(Int(instant / 1_000_000), over: 1_000) + " s"
    }

    /// Whether any of it is of the moment itself, and not only of what came long before.
    var tellsMoment: Bool { lines.contains { $0.at >= from.minus(Self.lead) } }

    /// Whether it is about a moment.
    func isAbout(_ moment: Moment?) -> Bool {
        moment.map { $0.from == from && $0.until == until } ?? false
    }
}
