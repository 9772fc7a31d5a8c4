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

    /// The scenario file that somebody means who names one that is not there.
    ///
    /// - Parameters:
    ///   - path: What they wrote; perhaps without `.yaml`, without a folder, or with a slip of the keyboard.
    ///   - folder: Where scenarios of which only a name is given are looked for.
    /// - Returns: Its path, if one file is near enough.
    public static func nearest(to path: String, in folder: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last.map(String.init), !name.isEmpty else { return nil }
        let before = parts.dropLast().map { "\($0)/" }.joined()
        // What lies below is looked at in the folder of scenarios alone, for others may hold anything.
        let beside = try? FileManager.default.contentsOfDirectory(
            atPath: before.isEmpty ? "." : before
        )
        let own = (beside ?? []).filter(isScenario).sorted().map { before + $0 }
        let others = before.isEmpty ? (try? files(in: folder).sorted()) ?? [] : []
        return nearest(to: name, among: own) ?? nearest(to: name, among: others)
    }

    private static func nearest(to name: String, among files: [String]) -> String? {
        let names = files.map { String($0.split(separator: "/").last ?? "") }
        let exact = names.firstIndex(of: "\(name).yaml") ?? names.firstIndex(of: name)
        let whole = isScenario(name) ? name : "\(name).yaml"
        // The slip may be in the ending: 'first.yam'.
        let near = [whole, name].lazy.compactMap { Suggestion.nearest(to: $0, among: names) }.first
            .flatMap { names.firstIndex(of: $0) }
        return (exact ?? near).map { files[$0] }
    }

    /// What lies in a folder that cannot be read is not known, and so is not left out either.
    private static func files(in folder: String) throws(FileReadError) -> [String] {
        let place = folder.isEmpty ? "/" : folder
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            throw FileReadError(.refused, path: place)
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
