import Foundation
public import KodamaLanguage
import KodamaSpeech

extension ScenarioVocabulary {
    /// Every name that systems and the core define, and the requirements that belong to a scenario's file.
    ///
    /// - Parameters:
    ///   - file: The scenario's path.
    ///   - systems: The systems whose names may be used.
    /// - Throws: `InvalidScenario` if the list of requirements is wrong.
    public init(for file: String, systems: SystemRegistry) throws(InvalidScenario) {
        self.init(
            systems: systems,
            requirements: try RequirementFile.load(for: file).map(\.id),
            voices: Self.standardVoices
        )
    }

    /// The names of the voices that this build has.
    static var standardVoices: [String] {
        RecordedVoice.allCases.map(\.rawValue) + SpeechMaterial.syntheticVoiceNames
    }
}

/// Finds the list of requirements that a scenario's `covers` are checked against.
public enum RequirementFile {
    /// The requirements of the nearest list, in its order; none if there is no list.
    ///
    /// Looked for in the folders above the scenario, then in `Scenarios` of the working folder, then
    /// in `Scenarios` above this program: a scenario may lie anywhere.
    ///
    /// - Parameter file: The scenario's path.
    /// - Returns: The requirements.
    /// - Throws: `InvalidScenario` if the list is wrong.
    public static func load(for file: String) throws(InvalidScenario) -> [Requirement] {
        for path in candidates(for: file) {
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            return try RequirementList.load(text: text, file: path)
        }
        return []
    }

    private static func candidates(for file: String) -> [String] {
        let scenario = URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent()
        let working = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let program = (Bundle.main.executableURL ?? working).deletingLastPathComponent()
        let beside = ancestors(of: scenario).map { $0.appendingPathComponent(name) }
        let below = ([working] + ancestors(of: program)).map {
            $0.appendingPathComponent("Scenarios").appendingPathComponent(name)
        }
        return (beside + below).map(\.path)
    }

    private static let name = RequirementList.fileName

    private static func ancestors(of folder: URL) -> [URL] {
        var folders = [folder]
        while let last = folders.last, last.path != "/", folders.count < 16 {
            folders.append(last.deletingLastPathComponent())
        }
        return folders
    }
}
