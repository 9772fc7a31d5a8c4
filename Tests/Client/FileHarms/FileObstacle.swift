import Foundation

/// What stands where a database's own files belong.
public enum FileObstacle {
    /// Puts a folder that is not empty, or a link that leads nowhere, in place of whatever is there.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - isLink: Whether it is a link.
    /// - Throws: What the system says.
    public static func put(at path: String, isLink: Bool) throws {
        let files = FileManager.default
        try? files.removeItem(atPath: path)
        guard !isLink else {
            return try files.createSymbolicLink(
                atPath: path,
                withDestinationPath: path + ".nowhere/file"
            )
        }
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path + "/file"))
    }
}
