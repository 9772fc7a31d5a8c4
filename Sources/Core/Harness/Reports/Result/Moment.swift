import KodamaEvidence

/// A stretch of a run that is worth looking at.
public struct Moment: Sendable, Equatable {
    /// When it begins, in nanoseconds since the run's beginning.
    public var from: Int64
    /// When it ends.
    public var until: Int64
    /// The phones and servers that it befell, if that is known.
    public var owners: [String]

    /// Describes an instant or a stretch.
    public init(from: Int64, until: Int64, owners: [String] = []) {
        self.from = from
        self.until = until
        self.owners = owners
    }

    /// Describes when a sample arose, and whom it concerns.
    init(_ sample: LocatedSample) {
        let components = [sample.component, sample.subject].compactMap(\.self)
        let owners = components.map { TraceDirectory.owner(of: $0) ?? $0 }
        self.init(from: sample.from, until: sample.until, owners: owners.distinct)
    }

    /// What led to it, and what came of it, is told in the second before and after.
    private static let margin: Int64 = 1_000_000_000
    private static let millisecond: Int64 = 1_000_000

    /// The options of `replay` that show it with a second before and after, in whole milliseconds.
    var options: [String] {
        let first = (max(from, Self.margin) - Self.margin) / Self.millisecond
        let end = (min(until, .max - 2 * Self.margin) + Self.margin) / Self.millisecond + 1
        return ["--from", Self.text(first), "--until", Self.text(end)]
    }

    private static func text(_ milliseconds: Int64) -> String {
        MetricUnit.nanoseconds.exactText(milliseconds * millisecond)
    }
}

extension LocatedSample {
    /// The sample in words: what, when, where, and why if a record says it.
    func sentence(in unit: MetricUnit) -> String {
        let words = [value.map { unit.text($0) }, occasion].compactMap(\.self)
        return words.joined(separator: " ") + (record ?? "")
    }

    /// The record that brought it about, as it follows the sentence.
    var record: String? { cause.map { "; record: \(TraceText.squeezed($0))" } }

    /// When and where it arose, in words.
    var occasion: String {
        func seconds(_ instant: Int64) -> String {
            PlotNumber.text(Int(instant / 1_000_000), over: 1_000) + " s"
        }
        let span = "from \(seconds(from)) to \(seconds(until))"
        var words = from == until ? "at \(seconds(from))" : span
        if let component { words += " at \(component)" }
        if let subject { words += ", with \(subject)" }
        return words
    }
}

extension TraceText {
    /// A line of a trace without what aligns its columns.
    static func squeezed(_ line: String) -> String {
        line.split(separator: " ").joined(separator: " ")
    }
}
