import Foundation
import KodamaSwarm
import Synchronization

/// Runs scenarios in a program of their own, which they may end.
enum ChildRun {
    /// How long a run may take, in seconds: drawn worlds take a few.
    static let secondsMax = 600.0
    private static let isBusy = Mutex(())

    /// Runs a scenario with a seed, one at a time.
    ///
    /// - Parameters:
    ///   - text: The scenario.
    ///   - seed: The seed.
    /// - Returns: How the run failed as a run; `nil` if it came to an end, whatever failed in it.
    /// - Throws: An end if no program can be started.
    static func end(of text: String, seed: UInt64) throws -> FailureName? {
        try isBusy.withLock { _ in
            let folder = FileManager.default.temporaryDirectory.path
            let path = Outputs.path(
                "kodama-\(ProcessInfo.processInfo.processIdentifier).yaml",
                in: folder
            )
            try Outputs.write(text, to: path)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let process = Process()
            process.executableURL = URL(
                fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0]
            )
            process.arguments = [
                "run", path, "--first-seed", "\(seed)", "--seeds", "1", "--jobs", "1",
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            // Nobody reads where it ended; printing that takes seconds.
            process.environment = ProcessInfo.processInfo.environment
                .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            do {
                try Interruption.start(process)
            } catch {
                throw Failure(.internalError, "cannot start a run by itself: \(error)")
            }
            defer { Interruption.forgetChild() }
            let end = Date.now.addingTimeInterval(secondsMax)
            while process.isRunning, Date.now < end { usleep(5_000) }
            let isLate = process.isRunning
            if isLate { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            return isLate ? .endless : process.terminationReason == .uncaughtSignal ? .crash : nil
        }
    }
}
