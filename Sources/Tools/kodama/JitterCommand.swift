import AppCoordination
import ArgumentParser
import Harness
import PlayoutTrials

/// Feeds delay traces to the app's own jitter buffer.
struct JitterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jitter",
        abstract: "Plays delay traces through the jitter buffer and says what a listener gets.",
        discussion: """
            A trace is a CSV of kind,send_ms,arrive_ms lines, one per 20 ms frame, -1 for a frame \
            that was lost; several kinds may stand in one file, and times may start anywhere. Delay counts above the trace's \
            fastest frame; concealed is what was made up beyond the network's own loss, inserted \
            sound included; a change is a run of adjustments in one direction.
            """
    )

    @Argument(help: "CSV files; - for stdin.", completion: .file(extensions: ["csv"]))
    var files: [String]

    @OptionGroup var parameters: ParameterOptions

    @Flag(help: "Print the figures as JSON.")
    var json = false

    private struct Row: Encodable {
        var kind: String
        var framesSent: Int
        var networkLossPercent: String
        var meanDelayMilliseconds: String
        var p95DelayMilliseconds: String
        var concealedPercent: String
        var latePercent: String
        var changesPerMinute: String
    }

    func run() throws {
        var trial = JitterTraceRun()
        trial.configuration = try Settings.intercom(parameters.settings).jitterBuffer
        var rows: [Row] = []
        for file in files {
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
            rows += traces.map { row($0.name, trial.measure($0)) }
        }
        if json {
            struct Result: Encodable {
                var schemaVersion = 1
                var traces: [Row]
            }
            try Terminal.say(try Outputs.json(Result(traces: rows)))
        } else {
            let head = [
                "trace", "frames", "network loss %", "mean delay ms", "p95 ms", "concealed %",
                "late %",
                "changes/min",
            ]
            let cells = rows.map {
                [
                    $0.kind, "\($0.framesSent)", $0.networkLossPercent, $0.meanDelayMilliseconds,
                    $0.p95DelayMilliseconds, $0.concealedPercent, $0.latePercent,
                    $0.changesPerMinute,
                ]
            }
            let table = TextTable([head] + cells, rightAligned: Set(1...7))
            try Terminal.say(table.lines.joined(separator: "\n"))
        }
    }

    private func row(_ name: String, _ result: JitterTraceResult) -> Row {
        let lost = Int64(result.framesLost) * 1_000_000 / Int64(max(result.framesSent, 1))
        return Row(
            kind: name,
            framesSent: result.framesSent,
            networkLossPercent: Decimals.text(lost, over: 10_000),
            meanDelayMilliseconds: Decimals.text(result.delayMeanNanoseconds, over: 1_000_000),
            p95DelayMilliseconds: Decimals.text(
                result.delayNanoseconds(quantilePercent: 95),
                over: 1_000_000
            ),
            concealedPercent: Decimals.text(result.concealedPartsPerMillion, over: 10_000),
            latePercent: Decimals.text(result.latePartsPerMillion, over: 10_000),
            changesPerMinute: Decimals.text(result.changesPerMinuteThousandths, over: 1_000)
        )
    }
}

/// Whole numbers of small units as decimal fractions of large ones.
enum Decimals {
    /// `amount / unit` with three decimals, rounded away from zero.
    static func text(_ amount: Int64, over unit: Int64) -> String {
        let (thousandths, rest) = (amount.magnitude * 1_000).quotientAndRemainder(
            dividingBy: UInt64(unit)
        )
        let rounded = thousandths + (rest > 0 ? 1 : 0)
        let digits = String(rounded % 1_000)
        let padding = String(repeating: "0", count: 3 - digits.count)
        return (amount < 0 ? "-" : "") + "\(rounded / 1_000).\(padding)\(digits)"
    }
}
