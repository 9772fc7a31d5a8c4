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
        // Unlike `FileManager.contents`, this reads pipes too.
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.readToEnd() ?? Data()
        else {
            return .failure(FileReadError(.refused))
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            return .failure(FileReadError(.notUTF8))
        }
        return .success(text)
    }

    /// The path of a file that is named in another one, with `.` and `..` resolved.
    static func path(_ path: String, namedIn file: String) -> String {
        guard !path.hasPrefix("/") else { return normalized(path) }
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
