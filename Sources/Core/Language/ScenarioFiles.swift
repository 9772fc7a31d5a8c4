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
    /// - Throws: `FileReadError` if there is nothing at `path`, or a folder or a name cannot be read.
    public static func find(under path: String) throws(FileReadError) -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw FileReadError(isMangled(path) ? .nameNotUTF8 : .missing)
        }
        guard isFolder.boolValue else { return [path] }
        return try files(in: path.hasSuffix("/") ? String(path.dropLast()) : path).sorted()
    }

    /// What lies in a folder that cannot be read is not known, and so is not left out either.
    private static func files(in folder: String) throws(FileReadError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw FileReadError(.refused, path: folder)
        }
        var paths: [String] = []
        for name in names where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            // Not of what a link leads to, which may lead back.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            if attributes?[.type] as? FileAttributeType == .typeDirectory {
                paths += try files(in: path)
            } else if attributes == nil, isMangled(name) {
                // It may be a folder, of which nothing is left out.
                throw FileReadError(.nameNotUTF8, path: path)
            } else if isScenario(name) {
                paths.append(path)
            }
        }
        return paths
    }

    /// Whether bytes of a name that are not UTF-8 may have been replaced.
    private static func isMangled(_ name: String) -> Bool { name.contains("\u{FFFD}") }

    private static func isScenario(_ name: String) -> Bool {
        (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !others.contains(name)
    }
}
