import KodamaEvidence
import KodamaHarness
package import KodamaLanguage
import KodamaSpeech

/// Scenarios that have been found valid, and what they need to run.
package struct LoadedScenarios {
    var scenarios: [(file: String, scenario: Scenario)]
    var usesSyntheticVoice = false
    var seedCount: SeedCount?
    var onlySeed: UInt64?

    /// Loads every scenario at and under `paths`; all mistakes of all files are shown.
    ///
    /// - Parameters:
    ///   - paths: Files and folders.
    ///   - settings: Parameters set on the command line.
    ///   - sweeping: What is swept, and which points are run.
    ///   - arguments: What settings are called that were not given as `--set`, by that name.
    /// - Throws: An end, if there is nothing at a path or something is wrong with a scenario.
    init(
        _ paths: [String],
        settings: [String],
        sweeping: SweepOptions,
        arguments: [String: String] = [:]
    ) throws {
        let loading = try ScenarioLoading(
            paths,
            settings: settings,
            sweeps: sweeping.sweeps,
            arguments: arguments
        )
        try loading.mistakes.end()
        scenarios = try PointChoice(sweeping.only).apply(to: loading.scenarios)
    }

    /// Loads a point of a scenario where only one will do.
    init(one path: String, settings: [String], sweeping: SweepOptions) throws {
        try self.init([path], settings: settings, sweeping: sweeping)
        guard scenarios.count == 1, let points = scenarios.first?.scenario.points else {
            throw Failure(.usage, "\(path) holds \(scenarios.count) scenarios; name one of them")
        }
        guard points.count == 1 else {
            let example = points[0].values.map { "--only \($0)" }.joined(separator: " ")
            throw Failure(.usage, "\(path) has \(points.count) points; choose one: \(example)")
        }
    }

    /// Loads the plan of one point, for a tool that runs a part of its world.
    package static func plan(
        of path: String,
        settings: [String],
        sweeping: SweepOptions
    ) throws -> WorldPlan {
        guard let one = try Self(one: path, settings: settings, sweeping: sweeping).one else {
            throw Failure(.usage, "\(path) holds no run")
        }
        return one.point.plan
    }

    /// Lets every gate count with a single sample, for those who only look.
    mutating func askForOneSample() {
        for scenario in scenarios.indices {
            for point in scenarios[scenario].scenario.points.indices {
                let gates = scenarios[scenario].scenario.points[point].expectations.gates
                for gate in gates.indices {
                    scenarios[scenario].scenario.points[point].expectations.gates[gate]
                        .minimumSamples = 1
                }
            }
        }
    }

    /// The scenario and its point, where only one of each was loaded.
    var one: (scenario: Scenario, point: ScenarioPoint)? {
        guard let scenario = scenarios.first?.scenario, let point = scenario.points.first else {
            return nil
        }
        return (scenario, point)
    }

    /// Lets the command line say how many seeds are run, if it does.
    mutating func choose(_ seeds: SeedCount?) {
        switch seeds {
        case nil: break
        case .exactly, .times, .tenth: seedCount = seeds
        case .auto:
            for scenario in scenarios.indices {
                for point in scenarios[scenario].scenario.points.indices {
                    scenarios[scenario].scenario.points[point].looks = .usual
                    scenarios[scenario].scenario.points[point].seeds = PlannedLooks.usual.cap
                }
            }
        }
    }

    /// Lets every scenario begin at a seed.
    mutating func begin(at seed: UInt64) {
        for scenario in scenarios.indices {
            for point in scenarios[scenario].scenario.points.indices {
                scenarios[scenario].scenario.points[point].firstSeed = seed
            }
        }
    }

    /// Tells each gate how many seeds are run, where its scenario asks for another number.
    ///
    /// - Parameter isQuick: Whether only that fails which all seeds would fail as well.
    mutating func tellGates(isQuick: Bool = false) {
        for scenario in scenarios.indices {
            for index in scenarios[scenario].scenario.points.indices {
                let point = scenarios[scenario].scenario.points[index]
                // As many as decide a verdict are no other number.
                guard point.looks == nil || seedCount != nil || onlySeed != nil else { continue }
                let count = seeds(of: point).count
                scenarios[scenario].scenario.points[index].tellGates(count, isQuick: isQuick)
            }
        }
    }

    /// The first scenario of which it is open how many seeds will be run.
    var openScenario: String? {
        guard seedCount == nil, onlySeed == nil else { return nil }
        return scenarios.first { $0.scenario.points.contains { $0.looks != nil } }?.scenario.name
    }

    /// The seeds that a point runs.
    func seeds(of point: ScenarioPoint) -> [UInt64] {
        if let onlySeed { return [onlySeed] }
        let count = seedCount?.count(point.seeds) ?? point.seeds
        return (0..<UInt64(count)).map { point.firstSeed &+ $0 }
    }

    /// How many runs there are in all.
    var runCount: Int {
        scenarios.reduce(0) { count, entry in
            entry.scenario.points.reduce(count) { $0 + seeds(of: $1).count }
        }
    }

    /// Whether a scenario makes sound: one in which an app records samples of real voices.
    private var needsSound: Bool {
        scenarios.contains { entry in
            entry.scenario.points.contains { point in
                point.plan.voice == .real
                    && point.plan.phones.flatMap(\.apps).contains(where: \.settings.carriesSamples)
            }
        }
    }

    /// Lets the built-in voice talk instead of recordings.
    ///
    /// - Throws: An end, if nobody would hear it.
    mutating func useSyntheticVoice() throws {
        guard needsSound else {
            throw Failure(
                .usage,
                "--synthetic does nothing: no scenario makes sound; choose one with voice: real"
            )
        }
        usesSyntheticVoice = true
    }

    /// The voices, if a scenario needs them, and a sentence on what is heard and coded.
    func voices() throws -> Voices {
        do {
            return try Voices(
                needsSound: needsSound,
                isSynthetic: usesSyntheticVoice,
                libraries: CommandLineTool.systems.libraries,
                decoder: CommandLineTool.systems.decoder
            )
        } catch {
            throw Failure(.inputMissing, "\(error)")
        }
    }
}
