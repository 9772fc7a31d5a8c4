internal import Foundation

/// Where recordings lie: beside the program, as an archive of `Scripts/package` has them, or else where
/// Debian's packages put them.
enum RecordingStore {
    /// The folder of an archive's recordings, from the program's own.
    private static let own: String? = {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        let folder = program.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("share/kodama/sounds").path
        return FileManager.default.fileExists(atPath: folder) ? folder : nil
    }()

    /// The folder of the voices' folders.
    static let folder = own ?? "/usr/share/asterisk/sounds"

    /// What says which versions of their packages they are, as dpkg writes it.
    static let statusFile = own.map { "\($0)/packages" } ?? "/var/lib/dpkg/status"
}
