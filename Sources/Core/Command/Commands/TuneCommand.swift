import ArgumentParser
import Foundation
import KodamaHarness

/// Starts Scripts/tune, which searches a scenario's parameters for good settings.
struct TuneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tune",
        abstract: "Searches settings by several figures at once; starts Kodama's Scripts/tune.",
        discussion: """
            The search is written in Python around 'kodama evaluate', and lies in Kodama's repository: above this \
            program, or above the working folder. 'kodama tune --help' prints its options.

              kodama tune FILE --vary PARAMETER=2s..10s --minimize METRIC:p95
            """,
        // The script's own.
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "What Scripts/tune is given.")
    var words: [String] = []

    func run() throws {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
        let working = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        guard let program,
            let script = Self.script(above: program) ?? Self.script(above: working)
        else {
            throw Failure(
                .inputMissing,
                "there is no Scripts/tune above this program or the working folder; call that of Kodama's repository, "
                    + "with --kodama \(program?.path ?? "kodama")"
            )
        }
        // The script takes this process over, so that signals and the exit code are its own.
        signal(SIGPIPE, SIG_DFL)
        let line = [script, "--kodama", program.path] + words
        var pointers = line.map { strdup($0) } + [nil]
        execv(script, &pointers)
        throw Failure(
            .inputMissing,
            "\(script) cannot be started: \(String(cString: strerror(errno)))"
        )
    }

    /// The script in a place or in a folder above it.
    private static func script(above place: URL) -> String? {
        let folder = ([place] + place.foldersAbove).first { folder in
            ["Scripts/tune", "Scripts/tune.d/tune.py"].allSatisfy {
                FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
            }
        }
        return folder?.appendingPathComponent("Scripts/tune").path
    }
}
