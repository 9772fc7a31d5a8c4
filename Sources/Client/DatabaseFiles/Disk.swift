#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The few things that are done to files without SQLite.
package enum Disk {
    /// What SQLite puts beside a database.
    private static let companions = ["-journal", "-wal", "-shm"]

    /// Whether there is a file.
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether this process may write a file.
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// A file's bytes; `nil` if they cannot be read.
    package static func bytes(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        let size = 65_536
        var part = [UInt8](repeating: 0, count: size)
        while true {
            let count = fread(&part, 1, size, file)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return ferror(file) == 0 ? bytes : nil
    }

    /// How many bytes a file has; `nil` if it cannot be read.
    package static func byteCount(of path: String) -> Int? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0 else { return nil }
        let count = ftell(file)
        return count < 0 ? nil : count
    }

    /// Deletes a database, if there is one; what cannot be deleted gets another name.
    package static func remove(_ path: String) {
        for name in [path] + companions.map({ path + $0 })
        where unlink(name) != 0 && errno != ENOENT && rmdir(name) != 0 {
            _ = rename(name, freeName(for: name))
        }
    }

    private static func freeName(for path: String) -> String {
        var number = 1
        while exists("\(path).damaged-\(number)") { number += 1 }
        return "\(path).damaged-\(number)"
    }

    /// Gives a database another name; whatever had it is gone at once.
    ///
    /// - Parameters:
    ///   - path: Its name; nobody has it open.
    ///   - other: The new name.
    /// - Returns: Whether it was done.
    package static func move(_ path: String, to other: String) -> Bool { rename(path, other) == 0 }

    /// Sets a database aside under a name that is free.
    ///
    /// Its companions are moved: a journal that stays would be rolled back into the file that takes
    /// the name. The file itself stays there under its own name too, so that whenever the process
    /// ends the next launch finds the damaged file or the new one, and never none.
    ///
    /// - Parameter path: Its name; nobody has it open.
    /// - Returns: The name that it has now; `nil` if it could not be set aside.
    package static func setAside(_ path: String) -> String? {
        let other = freeName(for: path)
        guard link(path, other) == 0 || rename(path, other) == 0 else { return nil }
        // Also a link that leads nowhere, which a file of that name is not made through.
        for companion in companions where rename(path + companion, other + companion) != 0 {
            guard errno == ENOENT else { return nil }
        }
        return other
    }
}
