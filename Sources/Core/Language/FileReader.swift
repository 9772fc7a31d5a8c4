import Foundation

/// Gives the loader the files that scenarios name.
public struct FileReader: Sendable {
    /// The text of the file at a path.
    public let read: @Sendable (String) -> Result<String, FileReadError>

    /// Makes a reader, for tests or for files that are not on disk.
    public init(read: @escaping @Sendable (String) -> Result<String, FileReadError>) {
        self.read = read
    }

    /// Reads files from disk, as UTF-8.
    public static let disk = FileReader { path in
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return .failure(FileReadError(.missing))
        }
        guard !isFolder.boolValue else { return .failure(FileReadError(.folder)) }
        // Unlike `FileManager.contents`, this reads pipes too; there may be no end to them.
        guard let file = FileHandle(forReadingAtPath: path) else {
            return .failure(FileReadError(.refused))
        }
        var data = Data()
        do {
            while data.count <= byteCountMax,
                let more = try file.read(upToCount: byteCountMax + 1 - data.count), !more.isEmpty
            {
                data += more
            }
        } catch {
            return .failure(FileReadError(.refused))
        }
        guard data.count <= byteCountMax else { return .failure(FileReadError(.tooLarge)) }
        guard let text = String(validating: data, as: UTF8.self) else {
            return .failure(FileReadError(.notUTF8))
        }
        return .success(text)
    }

    /// How many bytes of a file are read: ten minutes of a fast link's trace have a quarter of it.
    public static let byteCountMax = 1 << 24

    /// Reads only ordinary files in a folder or below it, wherever names and links may lead.
    func within(_ folder: String) -> FileReader {
        let folder = Self.normalized(folder)
        return FileReader { path in
            guard Self.isInside(path, folder) else { return .failure(FileReadError(.outside)) }
            // Nobody who looks at a scenario is to wait for ever for what it names.
            guard !Self.mayBlock(path) else { return .failure(FileReadError(.notOrdinary)) }
            return read(path)
        }
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool {
        guard folder != "/" else { return true }
        let real = [path, folder.isEmpty ? "." : folder].map(realPath)
        if let path = real[0], let folder = real[1] {
            return folder == "/" || path.hasPrefix(folder + "/")
        }
        // Nothing is there, or the reader is not the disk: names alone decide.
        return folder.isEmpty
            ? !path.hasPrefix("/") && !path.hasPrefix("../")
            : path.hasPrefix(folder + "/")
    }

    /// Whether there is a pipe, a device or a socket on disk.
    private static func mayBlock(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// Where a path leads on disk, links followed; `nil` if nothing is there.
    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folder that a file lies in, as its path says it; empty for the working directory.
    static func folder(of file: String) -> String {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        guard !parts.isEmpty else { return "" }
        return normalized(parts.joined(separator: "/") + "/")
    }

    /// The path of a file that is named in another one, with `.` and `..` resolved.
    static func path(_ path: String, namedIn file: String) -> String {
        // What comes on stdin lies in the working folder.
        guard !path.hasPrefix("/"), file != "/dev/stdin" else { return normalized(path) }
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return normalized((folder.map(String.init) + [path]).joined(separator: "/"))
    }

    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }
}

/// A file that could not be read.
public struct FileReadError: Error, Sendable, Equatable {
    /// Why.
    public let fault: FileFault
    /// Which file or folder, if not the one that was asked for.
    public let path: String?

    /// Makes the error.
    public init(_ fault: FileFault, path: String? = nil) {
        (self.fault, self.path) = (fault, path)
    }
}
