internal import Foundation

/// A Debian package and its version, for reports that say where a sound came from.
public struct InstalledPackage: Sendable, Equatable, CustomStringConvertible {
    /// The package's name.
    public var name: String
    /// The installed version, or "unknown".
    public var version: String

    /// Looks a package up in the package manager's status file.
    ///
    /// - Parameters:
    ///   - name: The package's name.
    ///   - statusFile: The status file of dpkg; the version is "unknown" if it does not tell.
    public init(named name: String, statusFile: String = "/var/lib/dpkg/status") {
        self.name = name
        version = "unknown"
        guard let status = FileManager.default.contents(atPath: statusFile),
            let entry = status.range(of: Data("Package: \(name)\n".utf8))
        else { return }
        let paragraphEnd =
            status.range(of: Data("\n\n".utf8), in: entry.upperBound..<status.endIndex)?.lowerBound
            ?? status.endIndex
        let paragraph = String(decoding: status[entry.upperBound..<paragraphEnd], as: UTF8.self)
        for line in paragraph.split(separator: "\n") where line.hasPrefix("Version: ") {
            version = String(line.dropFirst("Version: ".count))
        }
    }

    /// Name and version, such as "asterisk-core-sounds-en-g722 1.6.1-1".
    public var description: String { "\(name) \(version)" }
}
