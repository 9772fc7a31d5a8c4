public import Foundation
import KodamaEvidence
import SansIO

extension FailureOdds {
    /// The text form: the odds as bars, then the moment that made the failure certain.
    public var text: String {
        let head = [
            "\(scenario), seed \(seed), digest \(digest)", "fails: \(failure)", "",
            "how often it fails, of \(forkCount) runs with the same history up to an instant and other "
                + "weather after it",
        ]
        let rows = points.map { point in
            [
                Self.seconds(point.instant), "\(point.failureCount)/\(forkCount)",
                Self.bar(point.failureCount, of: forkCount)
                    + (point == turn?.after ? "  <- certain from here" : ""),
            ]
        }
        return (head + Self.aligned(rows) + [""] + verdict).joined(separator: "\n")
    }

    /// What is found, in words.
    private var verdict: [String] {
        guard let turn else {
            guard isCertainFromTheBeginning else {
                return [
                    "No one record makes it certain: the odds rise little by little, or not at all."
                ]
            }
            let start = points.first?.failureCount ?? 0
            let runs =
                start == forkCount
                ? "every run fails too" : "\(start) of \(forkCount) runs fail too"
            return ["Weather does not decide it: with all of it drawn anew \(runs)."] + causes
        }
        let rise =
            "\(Self.share(turn.before.failureCount, forkCount)) to "
            + Self.share(turn.after.failureCount, forkCount)
        return [
            "It became certain at \(Self.seconds(turn.instant)), where the odds of failing rise from "
                + "\(rise) (95 % intervals \(interval(turn.before)) and \(interval(turn.after))):",
            "  " + turn.record,
        ] + turn.sentences.map { "  \($0.component.map { "\($0): " } ?? "")\($0.line)" }
    }

    /// What it takes to fail, found by leaving each thing out.
    private var causes: [String] {
        let count = FailureQuestion.leftOutForkCount
        guard let sufficing else {
            return leftOut.filter(\.isNeeded).map {
                "  It fails in \($0.failureCount) of \(count) without \($0.words)."
            }
        }
        let all = counted(leftOut.count, "thing")
        let alike = "It fails as well without any one of its \(all) (entries, faults, settings)"
        guard !sufficing.isEmpty else {
            return ["\(alike), and without all of its entries and faults: the rest makes it fail."]
        }
        return ["\(alike). Of its entries and faults these suffice:"] + sufficing.map { "  \($0)" }
    }

    private func interval(_ point: Point) -> String {
        let interval = WilsonInterval(
            successes: Int64(point.failureCount),
            trials: Int64(forkCount)
        )
        let (lower, upper) = (interval?.lowerPartsPerMillion, interval?.upperPartsPerMillion)
        return "\((lower ?? 0) / 10_000) to \(((upper ?? 0) + 9_999) / 10_000) %"
    }

    private static func share(_ count: Int, _ total: Int) -> String { "\(count * 100 / total) %" }

    private static func bar(_ count: Int, of total: Int) -> String {
        String(repeating: "#", count: (count * 40 + total / 2) / total)
    }

    private static func seconds(_ instant: Instant) -> String {
        let thousandths = String(instant.nanoseconds / 1_000_000 % 1_000)
        return "\(instant.nanoseconds / 1_000_000_000)."
            + String(repeating: "0", count: 3 - thousandths.count) + thousandths + " s"
    }

    /// Rows of three cells, the first two of which end below each other.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (0..<2).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = (0..<2).map { column in
                String(repeating: " ", count: widths[column] - row[column].count) + row[column]
            }
            let line = "  \(cells[0])  \(cells[1])  \(row[2])"
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The JSON form: sorted keys, one line.
    ///
    /// - Throws: What the encoder throws.
    public var json: Data {
        get throws {
            try JSONEncoder.repeatable.encode(FailureOddsJSON(self)) + Data("\n".utf8)
        }
    }
}

/// What the JSON form holds.
private struct FailureOddsJSON: Encodable {
    struct Point: Encodable {
        var atNanoseconds: Int64
        var failureCount: Int

        init(_ point: FailureOdds.Point) {
            atNanoseconds = point.instant.nanoseconds
            failureCount = point.failureCount
        }
    }

    struct Turn: Encodable {
        var atNanoseconds: Int64
        var before: Point
        var after: Point
        var record: String
        var sentences: [String]
    }

    var schemaVersion = 1
    var scenario: String
    var seed: UInt64
    var digest: String
    var failure: String
    var forkCount: Int
    var isCertainFromTheBeginning: Bool
    var points: [Point]
    var turn: Turn?
    var leftOut: [LeftOut]?
    var sufficing: [String]?

    struct LeftOut: Encodable {
        var words: String
        var failureCount: Int
    }

    init(_ odds: FailureOdds) {
        scenario = odds.scenario
        seed = odds.seed
        digest = odds.digest.description
        failure = odds.failure
        forkCount = odds.forkCount
        isCertainFromTheBeginning = odds.isCertainFromTheBeginning
        points = odds.points.map(Point.init)
        let leftOut = odds.leftOut.map { LeftOut(words: $0.words, failureCount: $0.failureCount) }
        self.leftOut = leftOut.isEmpty ? nil : leftOut
        sufficing = odds.sufficing
        turn = odds.turn.map { turn in
            Turn(
                atNanoseconds: turn.instant.nanoseconds,
                before: Point(turn.before),
                after: Point(turn.after),
                record: turn.record,
                sentences: turn.sentences.map(\.line)
            )
        }
    }
}
