public import Foundation

/// Files that are written whole or not at all.
public enum WholeFile {
    /// Writes a file under its name only once all of it is on the disk.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - path: Where; folders on the way are made.
    /// - Throws: `WriteError`, after which the place is as it was.
    public static func write(_ data: Data, to path: String) throws(WriteError) {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url, options: .atomic)
        } catch {
            throw WriteError(path: path, reason: error.localizedDescription)
        }
    }

    /// A file that could not be written.
    public struct WriteError: Error, CustomStringConvertible {
        /// The file's path.
        public var path: String
        /// The system's reason.
        public var reason: String
        /// The error in one line.
        public var description: String { "cannot write \(path): \(reason)" }
    }
}
