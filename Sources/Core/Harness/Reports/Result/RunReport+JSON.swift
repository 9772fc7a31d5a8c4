public import Foundation
import KodamaEvidence

// The JSON form: sorted keys, whole numbers, one line per scenario, a line feed at the end.

extension RunReport {
    /// The report's bytes, the same for equal reports.
    ///
    /// Scenarios are encoded one at a time, so that the encoder's memory does not grow with the suite.
    ///
    /// - Throws: What the encoder throws.
    public var json: Data {
        get throws {
            var head = self
            head.scenarios = []
            let encoder = JSONEncoder.repeatable
            var data = try encoder.encode(head)
            let hollow = Data("\"scenarios\":[]".utf8)
            guard let gap = data.range(of: hollow) else { return data }
            let rear = data[gap.upperBound...]
            data = data[..<gap.lowerBound] + Data("\"scenarios\":[".utf8)
            for (index, scenario) in scenarios.enumerated() {
                data += Data((index == 0 ? "\n" : ",\n").utf8)
                data += try encoder.encode(scenario)
            }
            return data + Data("\n]".utf8) + rear + Data("\n".utf8)
        }
    }

    /// Reads a report back.
    ///
    /// - Parameter data: What `json` gave.
    /// - Throws: `ReportError` that says what is wrong.
    public init(json data: Data) throws(ReportError) {
        struct Head: Decodable {
            /// A scenario of any version.
            struct Hollow: Decodable {
                init(from decoder: any Decoder) {}
            }
            var schemaVersion: Int
            var scenarios: [Hollow]
        }
        let decoder = JSONDecoder()
        let version: Int
        do {
            version = try decoder.decode(Head.self, from: data).schemaVersion
        } catch {
            throw ReportError(data, isNo: .report)
        }
        guard version == Self.currentSchemaVersion else {
            throw ReportError(
                "the report has schema version \(version); this build reads "
                    + "\(Self.currentSchemaVersion), so run the scenarios again"
            )
        }
        do {
            self = try decoder.decode(RunReport.self, from: data)
        } catch let error as DecodingError {
            throw ReportError(error)
        } catch {
            throw ReportError("\(error)")
        }
        try refuseUnevenRows()
    }

    /// Rows that do not match the runs would be shown beside the wrong seeds.
    private func refuseUnevenRows() throws(ReportError) {
        for scenario in scenarios {
            for point in scenario.points {
                let gates = point.gates.map(\.bySeed)
                let columns = point.metrics.flatMap { metric in
                    let rows = metric.bySeed
                    return [rows.value, rows.p50, rows.p95, rows.max, rows.sum].compactMap(\.self)
                }
                for column in gates + columns where column.count != point.runs.count {
                    throw ReportError(
                        "\(scenario.about.name): a row has \(column.count) figures for "
                            + counted(point.runs.count, "run")
                    )
                }
            }
        }
    }
}

/// What is wrong with a file of results.
public struct ReportError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, in a sentence without the file's name.
    public var description: String

    /// Says what is wrong.
    public init(_ description: String) {
        self.description = description
    }

    /// Says where a file is not of the form that is promised.
    init(_ error: DecodingError) {
        func text(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let keys = context.codingPath + (last.map { [$0] } ?? [])
            let path = keys.reduce("") { path, key in
                key.intValue.map { "\(path)[\($0)]" }
                    ?? (path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)")
            }
            return path.isEmpty ? "the file" : path
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init("\(text(context, key)) is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init("\(text(context)) has a value of another kind")
        case .dataCorrupted(let context):
            self.init("\(text(context)): \(context.debugDescription)")
        @unknown default:
            self.init("the file is not of the form that is promised")
        }
    }
}
