import Foundation
import Testing

/// The built tool, run as its users run it.
enum Kodama {
    /// How a process ended, and what it said.
    struct End {
        var status: Int32
        var stdout: String
        var stderr: String

        /// Stdout as JSON.
        func json() throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: Data(stdout.utf8))
            return try #require(value as? [String: Any])
        }
    }

    /// The tool that `KODAMA` names, such as an optimised one, or else the one beside the tests in the build folder.
    static let binary: URL = {
        if let chosen = ProcessInfo.processInfo.environment["KODAMA"] {
            return URL(fileURLWithPath: chosen)
        }
        return buildFolder.appendingPathComponent("kodama")
    }()

    /// The build folder in which the tests lie.
    static let buildFolder: URL = {
        let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.executableURL]
        let tests = bundles.compactMap(\.self).first { $0.pathExtension == "xctest" }
        return tests?.deletingLastPathComponent() ?? Bundle.main.bundleURL
    }()

    /// The repository's root folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Runs the tool to its end.
    static func run(
        _ arguments: String...,
        in folder: URL = root,
        stdin: String = ""
    ) throws -> End {
        try run(arguments, in: folder, stdin: stdin)
    }

    /// Runs the tool to its end.
    static func run(_ arguments: [String], in folder: URL, stdin: String = "") throws -> End {
        let running = try Running(binary, arguments, in: folder, stdin: stdin)
        return try running.wait()
    }

    /// Runs a line of shell in which `$KODAMA` is the tool and `$KODAMA_LAB` the laboratory.
    static func shell(_ line: String, in folder: URL) throws -> End {
        let shell = URL(fileURLWithPath: "/bin/sh")
        return try Running(shell, ["-c", line], in: folder, stdin: "").wait()
    }
}

/// A process whose streams are files, so that none of them can fill up.
final class Running {
    private let process = Process()
    private let streams = Workshop()

    init(_ binary: URL, _ arguments: [String], in folder: URL, stdin: String) throws {
        try streams.write(stdin, to: "stdin")
        try streams.write("", to: "stdout")
        try streams.write("", to: "stderr")
        process.executableURL = binary
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // Whatever the tests are run in, what they compare has no colour.
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("CLICOLOR") && $0.key != "NO_COLOR" }
            .merging(
                ["KODAMA": Kodama.binary.path, "KODAMA_LAB": Lab.binary.path],
                uniquingKeysWith: { _, new in new }
            )
        process.standardInput = try FileHandle(forReadingFrom: streams.url("stdin"))
        process.standardOutput = try FileHandle(forWritingTo: streams.url("stdout"))
        process.standardError = try FileHandle(forWritingTo: streams.url("stderr"))
        try process.run()
    }

    /// Waits until stderr holds something, or the process has ended.
    func waitForFirstSign() throws {
        while process.isRunning, try streams.read("stderr").isEmpty { usleep(5_000) }
    }

    /// Waits until stderr holds a text, or the process has ended.
    func waitForStderr(_ text: String) throws {
        while process.isRunning, try !streams.read("stderr").contains(text) { usleep(5_000) }
    }

    /// Waits until stdout holds something, or the process has ended.
    func waitForStdout() throws {
        while process.isRunning, try streams.read("stdout").isEmpty { usleep(5_000) }
    }

    /// What it has printed so far.
    func stdout() throws -> String { try streams.read("stdout") }

    func interrupt() { process.interrupt() }

    /// Sends a signal, unless the process has ended.
    func send(_ signal: Int32) {
        if process.isRunning { kill(process.processIdentifier, signal) }
    }

    func wait() throws -> Kodama.End {
        process.waitUntilExit()
        return Kodama.End(
            status: process.terminationStatus,
            stdout: try streams.read("stdout"),
            stderr: try streams.read("stderr")
        )
    }
}
