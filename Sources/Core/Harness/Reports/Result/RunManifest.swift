public import Foundation
import KodamaEvidence

/// What made a result: kept apart from it, because equal runs give equal results on any machine.
///
/// No rendering, merge or comparison takes anything from it but a line that says where a result is from.
public struct RunManifest: Sendable, Equatable, Codable {
    /// The version of the format in which it is written.
    public var schemaVersion = 1
    /// The version of this program.
    public var version: String
    /// The commit that is checked out where the program lies, if it lies in a checkout.
    public var commit: String?
    /// Whether what the program was built from may differ from that commit; `nil` if that cannot be told.
    public var isModified: Bool?
    /// A digest of the program's own bytes.
    public var build: String
    /// Whether the program was compiled with optimisation or for debugging.
    public var configuration: String
    /// The command, with its arguments.
    public var command: String

    /// Describes a program and what it was asked for.
    ///
    /// - Parameters:
    ///   - version: The version of this program.
    ///   - program: The program's file.
    ///   - arguments: The command's words, without the program.
    public init(version: String, program: URL?, arguments: [String]) {
        self.version = version
        let file = program?.resolvingSymlinksInPath()
        commit = file.flatMap { Self.commit(above: $0) }
        build =
            file.flatMap { try? Data(contentsOf: $0, options: .mappedIfSafe) }
            .map { $0.withUnsafeBytes { Digest64(of: $0).description } } ?? "unknown"
        #if DEBUG
        configuration = "debug"
        #else
        configuration = "release"
        #endif
        command = (["kodama"] + arguments.map(ShellText.quoted)).joined(separator: " ")
    }

    /// The manifest's bytes, with a line feed at the end.
    public var json: Data {
        get throws {
            let encoder = JSONEncoder.repeatable
            encoder.outputFormatting.insert(.prettyPrinted)
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    /// Which program made a result, in one line.
    public var line: String {
        let change = isModified == true ? " modified" : ""
        let commit = commit.map { ", commit \($0.prefix(12))\(change)" } ?? ""
        return "kodama \(version)\(commit), \(configuration) build \(build)"
    }

    /// The commit at which the checkout above a file stands, read from the files that Git keeps
    /// (gitrepository-layout(5)).
    private static func commit(above file: URL) -> String? {
        file.foldersAbove.lazy.compactMap(gitFolder).first.flatMap(commit(in:))
    }

    private static func gitFolder(of folder: URL) -> URL? {
        let git = folder.appendingPathComponent(".git")
        // A linked worktree has a file that leads to its folder.
        if let link = text(git), link.hasPrefix("gitdir: ") {
            return URL(fileURLWithPath: String(link.dropFirst(8)), relativeTo: folder)
        }
        return text(git.appendingPathComponent("HEAD")) == nil ? nil : git
    }

    private static func commit(in git: URL) -> String? {
        guard let head = text(git.appendingPathComponent("HEAD")) else { return nil }
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst(5))
        let common =
            text(git.appendingPathComponent("commondir"))
            .map { URL(fileURLWithPath: $0, relativeTo: git.appendingPathComponent("")) } ?? git
        if let commit = text(common.appendingPathComponent(name)) { return commit }
        let packed = text(common.appendingPathComponent("packed-refs")) ?? ""
        return packed.split(separator: "\n").first { $0.hasSuffix(" \(name)") }
            .map { String($0.prefix { $0 != " " }) }
    }

    private static func text(_ file: URL) -> String? {
        (try? String(contentsOf: file, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
