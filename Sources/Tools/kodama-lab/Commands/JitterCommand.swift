import AppCoordination
import ArgumentParser
import Foundation
import KodamaCommand
import KodamaHarness
import PlayoutTrials

/// Feeds delay traces to the app's own jitter buffer.
struct JitterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jitter",
        abstract: "Plays delay traces through the jitter buffer and says what a listener gets.",
        discussion: """
            A trace is a CSV of kind,send_ms,arrive_ms lines, one per 20 ms frame, -1 for a frame \
            that was lost; several kinds may stand in one file, and times may start anywhere. Delay \
            counts above the trace's fastest frame; concealed is what was made up beyond the \
            network's own loss, inserted sound included; a change is a run of adjustments in one \
            direction. Stalls of 100 ms and more with none in the minute before them get a table of \
            their own: how far the delay still is above the median of the 10 s before.
            """
    )

    @Argument(help: "CSV files; - for stdin.", completion: .file(extensions: ["csv"]))
    var files: [String]

    @OptionGroup var parameters: ParameterOptions

    @Flag(help: "Print the figures as JSON.")
    var json = false

    private struct Row: Encodable {
        var file: String
        var kind: String
        var framesSent: Int
        var networkLossPercent: Figure
        /// None if no frame sounded.
        var meanDelayMilliseconds: Figure?
        var p95DelayMilliseconds: Figure?
        var concealedPercent: Figure
        var latePercent: Figure
        var changesPerMinute: Figure
        /// The lone stalls; see `StallRecovery`.
        var stalls: [StallRow]
    }

    private struct StallRow: Encodable {
        var stallMilliseconds: Figure
        var delayBeforeMilliseconds: Figure
        /// Above the delay before; none where nothing sounded.
        var excessAfter3sMilliseconds: Figure?
        var excessAfter10sMilliseconds: Figure?
        var excessAfter20sMilliseconds: Figure?
        var excessAfter60sMilliseconds: Figure?

        var figures: [Figure?] {
            [
                stallMilliseconds, delayBeforeMilliseconds, excessAfter3sMilliseconds,
                excessAfter10sMilliseconds, excessAfter20sMilliseconds, excessAfter60sMilliseconds,
            ]
        }
    }

    func run() throws {
        try Inputs.refuseSharedStdin(files)
        var trial = JitterTraceRun()
        trial.configuration =
            try IntercomConfiguration(parameters.settings, of: "jitter").jitterBuffer
        var rows: [Row] = []
        for file in files {
            rows += try traces(in: file).map { row(file, $0, trial.measure($0)) }
        }
        if json {
            struct Result: Encodable {
                var schemaVersion = 3
                var traces: [Row]
            }
            try Terminal.say(try Outputs.json(Result(traces: rows)))
        } else {
            let stalls = stallTable(rows).map { [""] + $0.lines } ?? []
            try Terminal.say((table(rows).lines + stalls).joined(separator: "\n"))
        }
    }

    private func traces(in file: String) throws -> [JitterTrace] {
        let text = String(decoding: try Inputs.read(file), as: UTF8.self)
        let traces: [JitterTrace]
        do throws(JitterTrace.ParseFailure) {
            traces = try JitterTrace.parse(text)
        } catch {
            throw Failure(.inputMissing, "\(file):\(error.line): \(error.what)")
        }
        guard !traces.isEmpty else {
            throw Failure(
                .inputMissing,
                "\(file): it has no frame; lines of kind,send_ms,arrive_ms are needed"
            )
        }
        return traces
    }

    /// The rows for people; files are named only where there are several.
    private func table(_ rows: [Row]) -> TextTable {
        let namesFiles = files.count > 1
        let head = [
            "trace", "frames", "network loss %", "mean delay ms", "p95 ms", "concealed %", "late %",
            "changes/min",
        ]
        let cells = rows.map { row in
            let figures = [
                row.networkLossPercent, row.meanDelayMilliseconds, row.p95DelayMilliseconds,
                row.concealedPercent, row.latePercent, row.changesPerMinute,
            ]
            return (namesFiles ? [row.file] : []) + [row.kind, "\(row.framesSent)"]
                + figures.map { $0?.text ?? "–" }
        }
        let first = namesFiles ? 2 : 1
        return TextTable(
            [(namesFiles ? ["file"] : []) + head] + cells,
            rightAligned: Set(first..<first + 7)
        )
    }

    /// The lone stalls for people, if there are any.
    private func stallTable(_ rows: [Row]) -> TextTable? {
        let namesFiles = files.count > 1
        let head =
            ["lone stall in", "ms", "delay before ms"]
            + StallRecovery.secondsAfter.map { "+\($0) s" }
        let cells = rows.flatMap { row in
            row.stalls.map { stall in
                (namesFiles ? [row.file] : []) + [row.kind]
                    + stall.figures.map { $0?.text ?? "–" }
            }
        }
        guard !cells.isEmpty else { return nil }
        let first = namesFiles ? 2 : 1
        return TextTable(
            [(namesFiles ? ["file"] : []) + head] + cells,
            rightAligned: Set(first..<first + 6)
        )
    }

    private func stallRow(_ recovery: StallRecovery) -> StallRow {
        let excess = recovery.excessNanoseconds.map { $0.map { Figure($0, over: 1_000_000) } }
        return StallRow(
            stallMilliseconds: Figure(recovery.stall.lengthNanoseconds, over: 1_000_000),
            delayBeforeMilliseconds: Figure(recovery.beforeNanoseconds, over: 1_000_000),
            excessAfter3sMilliseconds: excess[0],
            excessAfter10sMilliseconds: excess[1],
            excessAfter20sMilliseconds: excess[2],
            excessAfter60sMilliseconds: excess[3]
        )
    }

    private func row(_ file: String, _ trace: JitterTrace, _ result: JitterTraceResult) -> Row {
        let lost = Int64(result.framesLost) * 1_000_000 / Int64(max(result.framesSent, 1))
        return Row(
            file: file,
            kind: trace.name,
            framesSent: result.framesSent,
            networkLossPercent: Figure(lost, over: 10_000),
            meanDelayMilliseconds: result.delayMeanNanoseconds.map { Figure($0, over: 1_000_000) },
            p95DelayMilliseconds: result.delayNanoseconds(quantilePercent: 95).map {
                Figure($0, over: 1_000_000)
            },
            concealedPercent: Figure(result.concealedPartsPerMillion, over: 10_000),
            latePercent: Figure(result.latePartsPerMillion, over: 10_000),
            changesPerMinute: Figure(result.changesPerMinuteThousandths, over: 1_000),
            stalls: result.recoveries(from: trace.loneStalls).map(stallRow)
        )
    }
}

/// A decimal fraction with three places; a number in JSON.
private struct Figure: Encodable {
    let text: String

    init(_ amount: Int64, over unit: Int64) {
        text = Decimals.text(amount, over: unit)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Decimal(string: text))
    }
}

/// Whole numbers of small units as decimal fractions of large ones.
enum Decimals {
    /// `amount / unit` with three decimals, rounded away from zero.
    static func text(_ amount: Int64, over unit: Int64) -> String {
        // The whole first: a thousand times a stall of months has no room in 64 bits.
        let (whole, part) = amount.magnitude.quotientAndRemainder(dividingBy: UInt64(unit))
        let (thousandths, rest) = (part * 1_000).quotientAndRemainder(dividingBy: UInt64(unit))
        let rounded = whole * 1_000 + thousandths + (rest > 0 ? 1 : 0)
        let digits = String(rounded % 1_000)
        let padding = String(repeating: "0", count: 3 - digits.count)
        return (amount < 0 ? "-" : "") + "\(rounded / 1_000).\(padding)\(digits)"
    }
}
