import Foundation
import Testing

/// Python packages in an environment of their own, installed at first use into the build folder.
struct PythonEnvironment {
    /// What is installed, with versions.
    let packages: [String]
    private let python: Result<URL, Missing>

    /// Why it cannot be had, and the command that helps.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// Installs packages, which may take minutes, unless they are there.
    ///
    /// - Parameters:
    ///   - name: The folder's name.
    ///   - packages: The packages with their versions.
    init(_ name: String, _ packages: [String]) {
        self.packages = packages
        python = Result { () throws(Missing) in try Self.install(name, packages) }
    }

    private static func install(_ name: String, _ packages: [String]) throws(Missing) -> URL {
        let folder = Kodama.root.appendingPathComponent(".build/\(name)")
        let python = folder.appendingPathComponent("bin/python")
        let done = folder.appendingPathComponent(packages.joined(separator: "+"))
        guard !FileManager.default.fileExists(atPath: done.path) else { return python }
        let words = packages.map { "'\($0)'" }.joined(separator: " ")
        let line =
            "python3 -m venv --clear '\(folder.path)' && '\(python.path)' -m pip install --quiet "
            + "--disable-pip-version-check \(words) && touch '\(done.path)'"
        let end: Kodama.End
        do {
            end = try Kodama.shell(line, in: Kodama.root)
        } catch {
            throw Missing(description: "cannot run a shell: \(error)")
        }
        guard end.status == 0 else {
            throw Missing(
                description: """
                    \(name) cannot be installed: \(end.stderr)
                    It needs Python 3 with venv (apt-get install --yes python3-venv) and a network for:
                      \(line)
                    """
            )
        }
        return python
    }

    /// Runs a script with arguments, and gives what it printed.
    func run(
        _ script: String,
        _ arguments: String...,
        in folder: URL = Kodama.root
    ) throws -> String {
        let end = try Running(
            try python.get(),
            ["-c", script] + arguments,
            in: folder,
            stdin: ""
        ).wait()
        try #require(end.status == 0, "\(end.stderr)")
        return end.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Sees that it is there.
    func prepare() throws { _ = try python.get() }
}
