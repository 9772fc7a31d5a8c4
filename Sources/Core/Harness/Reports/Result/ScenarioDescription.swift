import KodamaEvidence
public import KodamaLanguage
import SansIO

/// What is known of a scenario before it runs, as far as reports speak of it.
public struct ScenarioDescription: Sendable, Equatable, Codable {
    /// Whether all its runs are to pass, or a gate is documented to fail.
    public enum Expected: String, Sendable, Codable {
        /// Every gate passes.
        case pass
        /// A gate fails at one of the points that may.
        case fail
    }

    /// What is swept.
    public struct Sweep: Sendable, Equatable, Codable {
        /// The names, in order.
        public var names: [String]
        /// Whether the points are all combinations of the values.
        public var isGrid: Bool
    }

    /// The scenario's name.
    public var name: String
    /// Its file, as the user named it.
    public var file: String
    /// What the story is about.
    public var summary: String?
    /// The requirement ids that its gates and invariants show.
    public var covers: [String]
    /// Whether its runs are to pass.
    public var expected: Expected
    /// Why it is documented to fail, if it is.
    public var because: String?
    /// What is swept, if anything is.
    public var sweep: Sweep?
    /// What does not keep it from running but hardly is what was meant.
    public var warnings: [String]

    /// Describes a scenario.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; of a sweep, with the points that are run.
    ///   - file: Its file, as the user named it.
    public init(_ scenario: Scenario, file: String) {
        name = scenario.name
        self.file = file
        summary = scenario.summary
        covers = scenario.points.first?.expectations.covers ?? []
        switch scenario.outcome {
        case .pass: expected = .pass
        case .fail(let reason, _):
            expected = .fail
            because = reason
        }
        let names = scenario.sweep.names
        sweep = names.isEmpty ? nil : Sweep(names: names, isGrid: scenario.sweep.isGrid)
        warnings = scenario.warnings.map(\.description)
    }
}

/// What is known of one point of a scenario before it runs, as far as reports speak of it.
public struct PointDescription: Sendable, Equatable, Codable {
    /// A name with its value.
    public struct Value: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The name.
        public var name: String
        /// The value as scenario files write it.
        public var value: String

        /// The value as `--only` and `--set` take it: `outage=5s`.
        public var description: String { "\(name)=\(value)" }
    }

    /// A parameter that has another value than its default.
    public struct Setting: Sendable, Equatable, Codable, CustomStringConvertible {
        /// The parameter's name.
        public var name: String
        /// The value as scenario files write it.
        public var value: String
        /// Whether it comes from the preset, and not from the scenario or the command line.
        public var isOfPreset: Bool

        /// The setting as `--set` takes it.
        public var description: String { "\(name)=\(value)" }
    }

    /// The swept values, in the order of the sweep; empty without one.
    public var values: [Value]
    /// The preset, where there is a choice of one.
    public var preset: String?
    /// Every parameter that does not have its default, in the order of the catalogue.
    public var settings: [Setting]
    /// A digest of every value of the resolved scenario, wherever it comes from.
    public var digest: String
    /// How long each run lasts.
    public var durationNanoseconds: Int64
    /// How real the sound of apps that carry samples is, if there are any.
    public var audio: String?
    /// How much of the media of other apps is carried, if there are any.
    public var media: String?
    /// How many seeds the scenario asks for; more or fewer may have been run.
    public var plannedSeeds: Int
    /// Whether the scenario documents that a gate may fail here.
    public var mayFail: Bool

    /// The swept values for people, such as `outage=5s preset=default`; empty without a sweep.
    public var label: String { values.map(\.description).joined(separator: " ") }

    /// Describes a point of a scenario.
    public init(_ point: ScenarioPoint, of scenario: Scenario) {
        values = point.values.map { Value(name: $0.name, value: $0.text) }
        let resolved = point.resolved.values
        preset = resolved.first { $0.path == "preset" }?.value
        settings = resolved.compactMap(Setting.init)
        digest = Self.digest(of: resolved)
        let plan = point.plan
        durationNanoseconds = plan.duration.wholeNanoseconds
        let apps = plan.phones.flatMap(\.apps).map(\.settings)
        // The keys of reports say it by app; a scenario says it once, as 'voice'.
        let isReal = plan.voice == .real
        let makesSound = apps.contains { isReal ? $0.carriesSamples : $0.carriesSizedSound }
        audio = makesSound || plan.phones.isEmpty ? (isReal ? "real" : "sized") : nil
        let statesMedia = apps.contains { $0.statesMedia && !(isReal && $0.carriesSamples) }
        media = statesMedia ? (plan.voice == .reachability ? "reachability" : "sized") : nil
        plannedSeeds = point.seeds
        mayFail = scenario.outcome.allowsFailure(at: point)
    }

    private static func digest(of values: [ResolvedValue]) -> String {
        let lines = values.map { "\($0.path): \($0.value)\n" }
        return Digest64(of: lines.joined()).description
    }
}

extension PointDescription.Setting {
    private static let prefix = "parameters."

    fileprivate init?(_ value: ResolvedValue) {
        guard value.path.hasPrefix(Self.prefix), value.origin != .standard else { return nil }
        name = String(value.path.dropFirst(Self.prefix.count))
        self.value = value.value
        if case .preset = value.origin { isOfPreset = true } else { isOfPreset = false }
    }
}

extension Digest64 {
    /// The digest of a text in UTF-8.
    init(of text: String) {
        self = Array(text.utf8).withUnsafeBytes { Digest64(of: $0) }
    }

    /// The digest of bytes: words of eight folded one after the other, the length last.
    init(of bytes: UnsafeRawBufferPointer) {
        self.init(bits: 0)
        let wordCount = bytes.count / 8
        for index in 0..<wordCount {
            let word = bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            self = folding(Digest64(bits: UInt64(littleEndian: word)))
        }
        var last: UInt64 = 0
        for byte in bytes[(wordCount * 8)...] { last = last << 8 | UInt64(byte) }
        self = folding(Digest64(bits: last)).folding(Digest64(bits: UInt64(bytes.count)))
    }
}
