import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage

/// Writes a package with a system of its own, to begin with.
struct NewSystemCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-system",
        abstract: "Writes a package with a system of its own, which builds and runs as it is.",
        discussion: """
            A client machine, an app and its server, a verb, a record, metrics, narration, a scenario, \
            a test, and a command line that knows this system alone. Change one after the other into \
            what your app does.
            """
    )

    @Argument(help: "The system's name: a lowercase letter, then lowercase letters and digits.")
    var name: String

    @Option(
        name: .customLong("in"),
        help: .init("The folder in which the package's folder is made.", valueName: "folder"),
        completion: .directory
    )
    var folder = "."

    @Option(
        help: .init(
            "Kodama's package: a folder, or the URL of a repository, whose branch main is used. The "
                + "default is the folder that this command was built from.",
            valueName: "folder or url"
        ),
        completion: .directory
    )
    var kodama: String?

    func run() throws {
        try SystemName.check(name, beside: CommandLineTool.systems)
        let target = Outputs.path(name, in: folder)
        guard !folder.isEmpty else { throw Failure(.usage, "--in needs the name of a folder") }
        guard !Self.exists(target) else {
            throw Failure(
                .cannotWrite,
                "'\(target)' is there already; choose another name, or another folder with --in"
            )
        }
        let package = SystemPackage(name: name, kodama: try source(for: target))
        try Self.write(package.files, to: target)
        Terminal.remark(
            "wrote \(target); now: cd \(target) && swift run \(name) run Scenarios && swift test"
        )
    }

    // MARK: Where Kodama is

    /// The folder that this command was built from, if it is still there.
    private static let ownFolder: String? = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return holdsPackage(folder.path) ? folder.path : nil
    }()

    private static func holdsPackage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: Outputs.path("Package.swift", in: folder))
    }

    /// How the package that will be at `target` refers to Kodama.
    ///
    /// A folder given relative to the working folder is written relative to the package, so that both can
    /// be moved together; any other is written as it is.
    private func source(for target: String) throws -> SystemPackage.Source {
        guard let kodama else {
            guard let own = Self.ownFolder else {
                throw Failure(
                    .usage,
                    "the folder that this command was built from is gone; "
                        + "name Kodama's package with --kodama, a folder or a URL"
                )
            }
            return .folder(own)
        }
        if let source = SystemPackage.Source(url: kodama) { return source }
        guard Self.holdsPackage(kodama) else {
            throw Failure(
                .inputMissing,
                "--kodama \(kodama): there is no Package.swift; name the folder of Kodama's package, "
                    + "or a URL"
            )
        }
        guard !kodama.hasPrefix("/") else { return .folder(kodama) }
        let manifest = Outputs.path("Package.swift", in: target)
        return .folder(Outputs.reference(to: kodama, from: manifest))
    }

    // MARK: Writing

    private static func exists(_ path: String) -> Bool {
        // A link that leads nowhere is something too.
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// Writes all files beside the folder that they are to be in, and gives it its name last.
    private static func write(_ files: [SystemPackage.File], to target: String) throws {
        let place = Outputs.place(target)
        let draft = "\(place).\(getpid()).part"
        defer { try? FileManager.default.removeItem(atPath: draft) }
        for file in files {
            try Outputs.write(file.text, to: Outputs.path(file.path, in: draft))
        }
        // Unlike a move by FileManager this never goes into a folder that came meanwhile.
        guard rename(draft, place) == 0 else {
            throw Failure(.cannotWrite, "cannot write \(target): \(Descriptor.reason(errno))")
        }
    }
}
