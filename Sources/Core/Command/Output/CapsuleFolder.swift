import Foundation
import KodamaHarness

/// The capsules of one run, each in a file of its own.
struct CapsuleFolder {
    private let folder: String
    private var names: Set<String> = []

    /// Begins without a file; the folder is made for the first.
    init(folder: String) {
        self.folder = folder
    }

    /// Writes a capsule; where another has its name already, under that name with a number.
    ///
    /// Gates may bound the same figure of other samples, and scenarios may share a name.
    ///
    /// - Parameters:
    ///   - capsule: The capsule.
    ///   - name: The file's name.
    /// - Returns: The file's path.
    /// - Throws: An end that says what could not be written.
    mutating func write(_ capsule: Capsule, as name: String) throws -> String {
        let stem = name.dropLast(Capsule.fileSuffix.count)
        var own = name
        var number = 1
        while !names.insert(own).inserted {
            number += 1
            own = "\(stem)-\(number)\(Capsule.fileSuffix)"
        }
        try Outputs.makeFolder(folder, option: "--capsules")
        let path = Outputs.path(own, in: folder)
        try Outputs.write(try capsule.json, to: path)
        return path
    }

    /// Removes the capsules in the folder that this run has not written.
    func removeOthers() throws {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in found where name.hasSuffix(Capsule.fileSuffix) && !names.contains(name) {
            let path = Outputs.path(name, in: folder)
            do {
                try FileManager.default.removeItem(atPath: path)
            } catch {
                throw Failure(.cannotWrite, "cannot remove \(path), which is of an earlier result")
            }
        }
    }
}
