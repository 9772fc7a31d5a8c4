import Foundation

/// The built laboratory, run as its users run it.
enum Lab {
    /// The laboratory beside the tool under test, or else the one beside the tests.
    static let binary: URL = {
        let folders = [Kodama.binary.deletingLastPathComponent(), Kodama.buildFolder]
        let places = folders.map { $0.appendingPathComponent("kodama-lab") }
        let built = places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        return built ?? places[0]
    }()

    /// Runs the laboratory to its end.
    static func run(
        _ arguments: String...,
        in folder: URL = Kodama.root,
        stdin: String = ""
    ) throws -> Kodama.End {
        try run(arguments, in: folder, stdin: stdin)
    }

    /// Runs the laboratory to its end.
    static func run(
        _ arguments: [String],
        in folder: URL,
        stdin: String = ""
    ) throws -> Kodama.End {
        try Running(binary, arguments, in: folder, stdin: stdin).wait()
    }
}
