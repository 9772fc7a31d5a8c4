import KodamaLanguage

/// Finds scenario files that the user names.
enum ScenarioPaths {
    /// What `-` stands for: the scenario that comes on stdin, whose paths begin at the working folder.
    static let standardInput = "/dev/stdin"

    /// Where scenarios are looked for if nobody says where.
    static let defaultFolder = "Scenarios"

    private static let firstSteps =
        "; name a scenario, or write one with 'kodama init'"

    /// The scenario files at and under `paths`, each with the folder that it was found in, if one was
    /// named; what the scenario names in turn must lie there.
    static func find(_ paths: [String]) throws -> [(file: String, folder: String?)] {
        var files: [(file: String, folder: String?)] = []
        var seen: Set<String> = []
        for path in paths {
            guard path != "-" else {
                if seen.insert(path).inserted { files.append((standardInput, ".")) }
                continue
            }
            let found: [String]
            do throws(FileReadError) {
                found = try ScenarioFiles.find(under: path)
            } catch {
                let fault = "'\(error.path ?? path)': \(error.fault.rawValue)"
                throw Failure(.inputMissing, fault + hint(on: error, at: path))
            }
            guard !found.isEmpty else {
                throw Failure(.inputMissing, "there is no scenario (*.yaml) under '\(path)'")
            }
            // A file named twice, or a folder and a file in it, runs once.
            let new = found.filter { seen.insert(Outputs.place($0)).inserted }
            files += new.map { ($0, $0 == path ? nil : path) }
        }
        return files
    }

    private static func hint(on error: FileReadError, at path: String) -> String {
        guard error.fault == .missing else { return "" }
        guard path != defaultFolder else { return firstSteps }
        let meant = ScenarioFiles.nearest(to: path, in: defaultFolder)
        return meant.map { "; did you mean '\($0)'?" } ?? ""
    }
}
