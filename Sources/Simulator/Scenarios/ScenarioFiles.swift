import Foundation

/// Finds scenario files.
public enum ScenarioFiles {
    /// Files in a folder of scenarios that are none.
    private static let others = [RequirementList.fileName]

    /// The scenario files at and under `path`, sorted by path.
    ///
    /// A file is taken as it is; of a folder, everything that ends in `.yaml` or `.yml` and whose
    /// name does not begin with a dot, whatever the folder below.
    ///
    /// - Parameter path: A file or a folder.
    /// - Returns: Paths that begin with `path`.
    /// - Throws: `FileReadError` if there is nothing at `path` or a folder cannot be read.
    public static func find(under path: String) throws(FileReadError) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw FileReadError(.missing)
        }
        guard isFolder.boolValue else { return [path] }
        guard let found = FileManager.default.enumerator(atPath: path) else {
            throw FileReadError(.refused)
        }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        var paths: [String] = []
        for case let relative as String in found where isScenario(relative) {
            paths.append("\(folder)/\(relative)")
        }
        return paths.sorted()
    }

    private static func isScenario(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") }) else {
            return false
        }
        let isYAML = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        return isYAML && !others.contains(String(name))
    }
}
