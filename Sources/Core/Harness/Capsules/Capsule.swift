public import Foundation
import KodamaEvidence
public import KodamaLanguage

/// A failing run in one file: everything that repeats it, what failed, and the build that it failed in.
///
/// The scenario is resolved, so that it stands alone: no other file, no preset and no default can change
/// under it.
public struct Capsule: Sendable, Equatable, Codable {
    /// The version of the file's format; raised when it changes.
    public static let currentVersion = 1
    /// The ending of its files' names.
    public static let fileSuffix = ".capsule.json"

    /// The version of the format in which it is written.
    public var capsule = Capsule.currentVersion
    /// The program in which the run failed, and its arguments.
    public var made: RunManifest
    /// The scenario's file, as the user named it.
    public var file: String
    /// The scenario of this point alone with every value filled in, line by line.
    public var scenario: [String]
    /// The point, as the report that showed the failure describes it.
    public var point: PointDescription
    /// The texts of the files that it names, by path.
    public var files: [String: String]
    /// The requirements that it names.
    public var requirements: [String]
    /// The seed.
    public var seed: UInt64
    /// The seed that shuffles simultaneous deliveries, if one does.
    public var tieShuffleSeed: UInt64?
    /// Whether the built-in voice talks.
    public var isSynthetic: Bool
    /// The speech material and the codec that the runs used.
    public var material: String
    /// The digest of the run's trace.
    public var digest: String
    /// What failed.
    public var failure: Failure
    /// What was said to and by programs beside the simulator, by component: a repetition needs none of them.
    public var transcripts: [String: [String]]?

    /// A gate or an invariant that did not hold.
    public struct Failure: Sendable, Equatable, Codable {
        /// The gate's metric, or the invariant.
        public var name: String
        /// The gate's rule, if it is one.
        public var rule: String?
        /// What was wrong over all runs, in a sentence.
        public var sentence: String
        /// The stretch of the run that shows it, in nanoseconds since its beginning, if that is known.
        public var from: Int64?
        /// The end of that stretch.
        public var until: Int64?

        package init(
            name: String,
            rule: String? = nil,
            sentence: String,
            from: Int64? = nil,
            until: Int64? = nil
        ) {
            self.name = name
            self.rule = rule
            self.sentence = sentence
            self.from = from
            self.until = until
        }
    }
}

extension Capsule {
    /// The bytes, the same for equal capsules.
    public var json: Data {
        get throws {
            let encoder = JSONEncoder.repeatable
            encoder.outputFormatting.insert(.prettyPrinted)
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    /// Reads a capsule back.
    ///
    /// - Parameter data: What `json` gave.
    /// - Throws: `ReportError` that says what is wrong.
    public init(json data: Data) throws(ReportError) {
        struct Head: Decodable {
            var capsule: Int
        }
        let decoder = JSONDecoder()
        guard let head = try? decoder.decode(Head.self, from: data) else {
            throw ReportError(data, isNo: .capsule)
        }
        guard head.capsule == Self.currentVersion else {
            throw ReportError(
                "the capsule has version \(head.capsule); this build reads \(Self.currentVersion)"
            )
        }
        do {
            self = try decoder.decode(Capsule.self, from: data)
        } catch let error as DecodingError {
            throw ReportError(error)
        } catch {
            throw ReportError("\(error)")
        }
    }
}

extension Capsule {
    /// What besides the scenario decides what happens in a run.
    public struct Circumstances: Sendable {
        /// The program that ran it, and its arguments.
        public var made: RunManifest
        /// The seed that shuffles simultaneous deliveries, if one does.
        public var tieShuffleSeed: UInt64?
        /// Whether the built-in voice talks.
        public var isSynthetic: Bool
        /// The systems that the program knows.
        public var systems: SystemRegistry

        /// Describes how runs were made.
        public init(
            made: RunManifest,
            tieShuffleSeed: UInt64?,
            isSynthetic: Bool,
            systems: SystemRegistry
        ) {
            self.systems = systems
            self.made = made
            self.tieShuffleSeed = tieShuffleSeed
            self.isSynthetic = isSynthetic
        }
    }

    /// A capsule of each gate and invariant that failed in a scenario, with its worst run at its worst point.
    ///
    /// - Parameters:
    ///   - index: The scenario's index in the report.
    ///   - report: The report.
    ///   - scenario: The scenario that was run.
    ///   - how: What besides the scenario decides what happens.
    /// - Returns: The capsules with names for their files.
    /// - Throws: `InvalidScenario` if a resolved scenario is not that which was run.
    public static func all(
        ofScenario index: Int,
        in report: RunReport,
        _ scenario: Scenario,
        _ how: Circumstances
    ) throws(InvalidScenario) -> [(name: String, capsule: Capsule)] {
        let outcome = report.scenarios[index]
        var capsules: [(name: String, capsule: Capsule)] = []
        for miss in outcome.misses where miss.verdict == .fail {
            let point = outcome.points[miss.point]
            guard let run = point.runs.first(where: { $0.seed == miss.seed }) else { continue }
            let text = scenario.points[miss.point].resolved.yaml
            let gate = miss.gate.map { point.gates[$0] }
            let reading = try FilesRead(
                text: text,
                file: outcome.about.file,
                systems: how.systems
            )
            guard reading.scenario.points.map(\.plan) == [scenario.points[miss.point].plan] else {
                preconditionFailure("\(outcome.about.file) resolves to another scenario")
            }
            let capsule = Capsule(
                made: how.made,
                file: outcome.about.file,
                scenario: text.split(separator: "\n", omittingEmptySubsequences: false).map {
                    String($0)
                },
                point: point.about,
                files: reading.files,
                requirements: reading.requirements,
                seed: run.seed,
                tieShuffleSeed: how.tieShuffleSeed,
                isSynthetic: how.isSynthetic,
                material: report.material,
                digest: run.digest,
                failure: Failure(
                    name: miss.name,
                    rule: gate?.rule,
                    sentence: miss.sentence,
                    from: miss.moment?.from,
                    until: miss.moment?.until
                )
            )
            capsules.append((name(of: miss, gate, outcome), capsule))
        }
        return capsules
    }

    private static func name(
        of miss: Miss,
        _ gate: GateReport?,
        _ outcome: ScenarioReport
    ) -> String {
        let point = [outcome.about.name] + outcome.points[miss.point].about.values.map(\.value)
        let shown = [miss.name] + [gate?.figure, "seed-\(miss.seed ?? 0)"].compactMap(\.self)
        return "\(plain(point).prefix(pointLengthMax))-\(plain(shown))\(fileSuffix)"
    }

    /// A file's name has 255 bytes at most.
    private static let pointLengthMax = 120

    private static func plain(_ words: [String]) -> String {
        let letters = words.joined(separator: "-").unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_": Character(scalar)
            default: "-"
            }
        }
        return String(letters)
    }
}

/// Loads a text, and keeps what else was read for it.
private struct FilesRead {
    private(set) var scenario: Scenario
    private(set) var files: [String: String] = [:]
    private(set) var requirements: [String]

    init(text: String, file: String, systems: SystemRegistry) throws(InvalidScenario) {
        let vocabulary = try ScenarioVocabulary(for: file, systems: systems)
        let texts = Texts()
        let loader = ScenarioLoader(
            vocabulary: vocabulary,
            files: FileReader { path in
                let result = FileReader.disk.read(path)
                if case .success(let text) = result { texts.keep(text, path) }
                return result
            },
            // What it names was read when it was loaded to be run.
            folder: "/"
        )
        scenario = try loader.load(text: text, file: file)
        files = texts.byPath
        let covered = scenario.points.flatMap(\.expectations.covers)
        requirements = vocabulary.requirements.filter(covered.contains)
    }

    /// The loader's reader is called on this thread only; a box lets it keep what it reads.
    private final class Texts: @unchecked Sendable {
        private(set) var byPath: [String: String] = [:]

        func keep(_ text: String, _ path: String) { byPath[path] = text }
    }
}

extension Capsule {
    /// The scenario of the run, as it was.
    ///
    /// - Parameter systems: The systems that the program knows.
    /// - Returns: The scenario.
    /// - Throws: `InvalidScenario` if this build understands it otherwise, or not at all.
    public func load(systems: SystemRegistry) throws(InvalidScenario) -> Scenario {
        try loader(systems: systems).load(text: scenario.joined(separator: "\n"), file: file)
    }

    /// Reads its scenario, and others that name the same files.
    ///
    /// - Parameter systems: The systems that the program knows.
    /// - Returns: A loader for which no other file is there.
    public func loader(systems: SystemRegistry) -> ScenarioLoader {
        let voices = ScenarioVocabulary.standardVoices
        let files = files
        return ScenarioLoader(
            vocabulary: ScenarioVocabulary(
                systems: systems,
                requirements: requirements,
                voices: voices
            ),
            files: FileReader { path in
                files[path].map { .success($0) } ?? .failure(FileReadError(.missing))
            },
            folder: "/"
        )
    }

    /// Judges a repetition of the run: it is the same to the byte, or these builds differ.
    ///
    /// - Parameters:
    ///   - digest: The digest of the repetition.
    ///   - program: The program that repeated it.
    ///   - material: What was heard and coded now.
    /// - Returns: Whether it is the same, and a sentence.
    public func verdict(
        onDigest digest: String,
        by program: RunManifest,
        material: String
    ) -> (isSame: Bool, sentence: String) {
        guard digest != self.digest else {
            return (true, "the run of the capsule to the byte: digest \(digest)")
        }
        var sentence = "not the run of the capsule: digest \(digest) instead of \(self.digest)"
        if program.build != made.build {
            sentence += "\n  made by:  \(made.line)\n  this is:  \(program.line)"
        } else if material == self.material {
            sentence += "\n  by the same build: this is a fault of determinism, please report it"
        }
        if material != self.material {
            sentence += "\n  heard then: \(self.material)\n  heard now:  \(material)"
        }
        return (false, sentence)
    }
}
