package import Foundation
package import KodamaHarness

/// Writes results to files or stdout.
package enum Outputs {
    /// Writes a text file, whole or not at all.
    package static func write(_ text: String, to path: String) throws {
        try write(Data(text.utf8), to: path)
    }

    /// Writes a file, whole or not at all.
    package static func write(_ data: Data, to path: String) throws {
        try write([(path, data)])
    }

    /// Writes files that belong together, all of them or none; what goes to `-` comes first, to stdout.
    ///
    /// - Parameters:
    ///   - files: Where each goes, and its contents.
    ///   - seal: The one that says that all are there.
    /// - Throws: An end with the file that cannot be written.
    package static func write(
        _ files: [(path: String, data: Data)],
        seal: String? = nil
    ) throws {
        // Nothing to say is no empty line.
        for (path, data) in files where path == "-" && !data.isEmpty { try deliver(data, to: path) }
        do {
            try WholeFile.write(files.filter { $0.path != "-" }, seal: seal)
        } catch {
            throw Failure(.cannotWrite, "\(error)")
        }
    }

    /// Writes to a file, or to stdout if none or `-` is named.
    package static func deliver(_ data: Data, to path: String?) throws {
        guard let path, path != "-" else {
            try Terminal.say(String(decoding: data, as: UTF8.self))
            return
        }
        try write(data, to: path)
    }

    /// Writes bytes to a file, or as they are to stdout if `-` is named.
    static func pour(_ data: Data, to path: String) throws {
        guard path != "-" else { return try Terminal.pour(data) }
        try write(data, to: path)
    }

    /// Refuses to write over what was given to be read; before work whose result would be lost.
    package static func refuse(_ path: String?, option: String, over inputs: [String]) throws {
        guard let path, path != "-" else { return }
        func identity(_ path: String) -> [NSNumber]? {
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            )
            return [.systemNumber, .systemFileNumber].compactMap { attributes?[$0] as? NSNumber }
        }
        guard let own = identity(path), own.count == 2 else { return }
        for input in inputs where identity(input) == own {
            throw Failure(
                .usage,
                "\(option) \(path): this would write over '\(input)', which is read"
            )
        }
    }

    /// Refuses a file that cannot be written or is read, and makes the folders above it, before work
    /// whose result would be lost.
    static func prepare(_ path: String, option: String, over inputs: [String] = []) throws {
        guard path != "-" else { return }
        guard !path.isEmpty else { throw Failure(.usage, "\(option) needs the name of a file") }
        try refuse(path, option: option, over: inputs)
        guard !WholeFile.isSpecial(path) else { return }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue
        {
            throw Failure(.cannotWrite, "cannot write \(path): it is a folder")
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try WholeFile.makeFolder(folder)
        } catch {
            throw Failure(.cannotWrite, "\(error)")
        }
    }

    /// Refuses results of which one would be written over another, or behind another on stdout.
    ///
    /// - Parameters:
    ///   - files: Where the results go, with their options.
    ///   - json: Whether stdout carries the result as JSON besides.
    /// - Throws: An end with the options.
    static func refuseShared(_ files: [(option: String, path: String)], json: Bool) throws {
        let shown =
            (json ? ["--json"] : [])
            + files.filter { isStdout($0.path) }.map { "\($0.option) \($0.path)" }
        guard shown.count <= 1 else {
            throw Failure(
                .usage,
                "\(shown.joined(separator: " and ")): only one of them can go to stdout; "
                    + "write the others to files"
            )
        }
        var taken: [String: String] = [:]
        for (option, path) in files where !isStdout(path) {
            let place = place(path)
            if let other = taken[place] {
                throw Failure(.usage, "\(other) and \(option) would both be written to '\(path)'")
            }
            taken[place] = option
        }
    }

    /// Whether a name is one of stdout's.
    private static func isStdout(_ path: String) -> Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(path)
    }

    /// Where a path leads to, however it is written; there need be no file yet.
    package static func place(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }

    /// How one file refers to another, seen from the folder in which it lies.
    static func reference(to target: String, from page: String) -> String {
        let goal = place(target).split(separator: "/")
        let start = place(page == "-" ? "page" : page).split(separator: "/").dropLast()
        let shared = zip(goal, start).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: start.count - shared)
        return (up + goal[shared...].map(String.init)).joined(separator: "/")
    }

    /// Makes a folder for results, before work whose result would be lost without it.
    package static func makeFolder(_ path: String, option: String) throws {
        guard !path.isEmpty, path != "-" else {
            throw Failure(.usage, "\(option) needs the name of a folder")
        }
        do {
            try WholeFile.makeFolder(path)
        } catch {
            throw Failure(.cannotWrite, "\(error)")
        }
    }

    /// The path of a file in a folder, as the user named the folder.
    package static func path(_ name: String, in folder: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// A value as JSON with sorted keys.
    package static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Reads files that the user names.
package enum Inputs {
    /// How many bytes are read of what is no ordinary file and so may have no end.
    private static let endlessMax = 1 << 30

    /// The bytes of a file; `-` is stdin.
    package static func read(_ path: String) throws -> Data {
        if path == "-" { return try read(FileHandle.standardInput, named: "stdin") }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(.inputMissing, "there is no file '\(path)'")
        }
        guard !isFolder.boolValue else {
            throw Failure(.inputMissing, "'\(path)' is a folder; a file is needed")
        }
        // Unlike `FileManager.contents`, this reads pipes too.
        guard let file = FileHandle(forReadingAtPath: path) else { throw unreadable("'\(path)'") }
        return try read(file, named: "'\(path)'")
    }

    /// Refuses to read stdin for several files: nothing would be left for the second.
    package static func refuseSharedStdin(_ paths: [String]) throws {
        let shared = paths.filter { $0 == "-" || $0 == "/dev/stdin" }
        guard shared.count <= 1 else {
            throw Failure(
                .usage,
                "\(shared.joined(separator: " and ")): only one file can come from stdin"
            )
        }
    }

    private static func read(_ file: FileHandle, named name: String) throws -> Data {
        var status = stat()
        let isOrdinary =
            fstat(file.fileDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        if isOrdinary {
            guard let data = try? file.readToEnd() ?? Data() else { throw unreadable(name) }
            return data
        }
        var data = Data()
        while data.count <= endlessMax {
            let piece: Data
            do {
                piece = try file.read(upToCount: 1 << 20) ?? Data()
            } catch {
                throw unreadable(name)
            }
            guard !piece.isEmpty else { return data }
            data += piece
        }
        throw Failure(
            .inputMissing,
            "\(name) is no ordinary file and has more than 1 GiB; "
                + "write what is needed of it into a file"
        )
    }

    private static func unreadable(_ name: String) -> Failure {
        Failure(.inputMissing, "\(name) cannot be read; look at its permissions")
    }
}

/// Reads recordings that the user names.
package enum WaveFiles {
    package static func read(_ path: String) throws -> WaveFile {
        let data = try Inputs.read(path)
        do {
            return try WaveFile(data)
        } catch {
            throw Failure(.inputMissing, "\(path): \(error)")
        }
    }
}
