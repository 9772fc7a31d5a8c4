public import Foundation
import Synchronization

/// Files that are written whole or not at all.
public enum WholeFile {
    /// Writes a file under its name only once all of it is written.
    ///
    /// What is no ordinary file, such as `/dev/null` or a pipe, is written to as it stands.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - path: Where; folders on the way are made.
    /// - Throws: `WriteError`, after which the place is as it was.
    public static func write(_ data: Data, to path: String) throws(WriteError) {
        try write([(path, data)])
    }

    /// Writes files that belong together: none is under its name before all are written.
    ///
    /// - Parameters:
    ///   - files: Where each goes, and its contents.
    ///   - seal: The one that is away while the others take their names; where a process is killed right
    ///     then, `finish` goes on with what it left.
    /// - Throws: `WriteError`, after which the places are as they were if a file could not be written.
    package static func write(
        _ files: [(path: String, data: Data)],
        seal: String? = nil
    ) throws(WriteError) {
        var deliveries: [Delivery] = []
        defer { for delivery in deliveries { delivery.draft?.drop() } }
        // Where the draft of the seal is whole, all others are.
        for (path, data) in files.filter({ $0.path != seal }) + files.filter({ $0.path == seal }) {
            deliveries.append(try Delivery(of: data, to: path))
        }
        // A pipe may wait for its reader as long as it likes.
        for delivery in deliveries where delivery.draft == nil { try delivery.finish() }
        let drafted = deliveries.filter { $0.draft != nil }
        try exchange.withLock { (_) throws(WriteError) in
            if let seal { unlink(seal) }
            for delivery in drafted { try delivery.finish() }
        }
    }

    /// Held while files that belong together take their names.
    private static let exchange = Mutex(())

    /// Does something between two sets of files: none is half under its names, no draft is left, and
    /// nothing is written meanwhile.
    ///
    /// - Parameter body: What ends the process.
    public static func conclude(_ body: () -> Void) {
        exchange.withLock { _ in
            for path in draftPaths.withLock({ $0 }) { unlink(path) }
            body()
        }
    }

    /// Finishes a set of files in a folder whose process was killed while they took their names.
    ///
    /// Its seal is away then and lies beside as a draft, so all drafts of that process are whole. Where the seal
    /// is there, or no process has left one, nothing is done.
    ///
    /// - Parameters:
    ///   - names: The files' names, the seal's among them.
    ///   - seal: The name of the one that comes last.
    ///   - folder: The folder.
    /// - Throws: `WriteError` if they cannot take their names: the set is of two results.
    package static func finish(
        _ names: [String],
        seal: String,
        in folder: String
    ) throws(WriteError) {
        var status = stat()
        guard stat("\(folder)/\(seal)", &status) != 0, errno == ENOENT else { return }
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for draft in found.sorted() {
            guard let process = process(ofDraft: draft, for: seal), isGone(process),
                stat("\(folder)/\(draft)", &status) == 0, status.st_size > 0
            else { continue }
            for name in names.filter({ $0 != seal }) + [seal] {
                let draft = "\(folder)/\(name).\(process).part"
                guard rename(draft, "\(folder)/\(name)") == 0 || errno == ENOENT else {
                    throw WriteError("\(folder)/\(name)", errno)
                }
            }
        }
    }

    /// The process that wrote a draft of a file; `nil` if it is none of that file.
    private static func process(ofDraft draft: String, for name: String) -> pid_t? {
        guard draft.hasPrefix(name + "."), draft.hasSuffix(".part") else { return nil }
        let number = pid_t(draft.dropFirst(name.count + 1).dropLast(".part".count))
        return number.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether a process has ended; one of this one's number has, where this one has written nothing yet.
    private static func isGone(_ process: pid_t) -> Bool {
        guard process != getpid() else { return draftPaths.withLock(\.isEmpty) }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    /// A file that is written, but not under its name yet.
    private struct Delivery {
        let data: Data
        let path: String
        /// The file that becomes the one; `nil` where one is written to as it stands.
        var draft: Draft?
        private var target = ""
        private var hasOtherNames = false

        init(of data: Data, to path: String) throws(WriteError) {
            (self.data, self.path) = (data, path)
            var status = stat()
            let exists = stat(path, &status) == 0
            guard !exists || !isSpecial(path) else { return }
            guard !exists || status.st_mode & S_IFMT == S_IFREG else {
                throw WriteError(path, EISDIR)
            }
            target = resolved(path)
            hasOtherNames = exists && status.st_nlink > 1
            try makeFolder(parent(of: target))
            let mode = exists ? status.st_mode & 0o7777 : nil
            draft = try Draft(of: data, for: target, named: path, mode: mode)
        }

        func finish() throws(WriteError) {
            var status = stat()
            guard let draft else {
                let isThere = stat(path, &status) == 0
                guard isThere, let stream = stream(status, named: path) else {
                    return try put(data, in: path, named: path, flags: O_WRONLY)
                }
                if let fault = Descriptor.writeAll(data, to: stream) {
                    throw WriteError(path, fault)
                }
                return
            }
            if hasOtherNames {
                // Other names are to show the same. The draft has proved that there is room.
                return try put(data, in: target, named: path, flags: O_WRONLY | O_TRUNC)
            }
            guard rename(draft.path, target) == 0 else { throw WriteError(path, errno) }
        }
    }

    /// Whether something is there that is no ordinary file and no folder, such as a pipe.
    ///
    /// - Parameter path: Where.
    /// - Returns: Whether a file is written to it as it stands, whatever folder it is in.
    public static func isSpecial(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return stream(status, named: path) != nil
            || ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    }

    /// The stream that is called by a name such as `/dev/stdout`, if one is.
    ///
    /// It may lead to an ordinary file: a new one in its place would lose what was printed.
    private static func stream(_ status: stat, named path: String) -> Int32? {
        guard path.hasPrefix("/dev/") || path.hasPrefix("/proc/") else { return nil }
        return [STDOUT_FILENO, STDERR_FILENO].first { number in
            var own = stat()
            return fstat(number, &own) == 0 && own.st_dev == status.st_dev
                && own.st_ino == status.st_ino
        }
    }

    /// The drafts that have not become files.
    private static let draftPaths = Mutex<[String]>([])
    /// The drafts that lay in each folder when this process first wrote into it.
    private static let foundDrafts = Mutex<[String: [String]]>([:])

    /// Removes the drafts of a file that processes have left which were killed.
    private static func dropAbandoned(of target: String) {
        let folder = parent(of: target)
        let drafts = foundDrafts.withLock { found in
            if let drafts = found[folder] { return drafts }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            found[folder] = names.filter { $0.hasSuffix(".part") }
            return found[folder] ?? []
        }
        let name = URL(fileURLWithPath: target).lastPathComponent
        for draft in drafts {
            guard let process = process(ofDraft: draft, for: name), process != getpid(),
                isGone(process)
            else { continue }
            unlink("\(folder)/\(draft)")
        }
    }

    /// A file beside the one that it is to become.
    private struct Draft {
        let path: String

        /// Writes a draft that no other process has opened or put there as a trap.
        init(
            of data: Data,
            for target: String,
            named name: String,
            mode: mode_t?
        ) throws(WriteError) {
            path = "\(target).\(getpid()).part"
            let path = path
            // A process of that number may have left one behind.
            unlink(path)
            dropAbandoned(of: target)
            draftPaths.withLock { $0.append(path) }
            do throws(WriteError) {
                let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
                try put(data, in: path, named: name, flags: flags, mode: mode)
            } catch {
                drop()
                throw error
            }
        }

        /// Removes it, unless it has become the file.
        func drop() {
            unlink(path)
            draftPaths.withLock { $0.removeAll { [path] in $0 == path } }
        }
    }

    /// Makes a folder, with those above it, and sees that files can be made in it.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `WriteError` with the system's reason.
    public static func makeFolder(_ path: String) throws(WriteError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw WriteError(path, ENOTDIR) }
            guard access(path, W_OK | X_OK) == 0 else { throw WriteError(path, errno) }
            return
        }
        guard errno == ENOENT else { throw WriteError(path, errno) }
        try makeFolder(parent(of: path))
        // Another process may have made it meanwhile; or it is a link that leads nowhere.
        guard mkdir(path, 0o777) == 0 || errno == EEXIST && stat(path, &status) == 0 else {
            throw WriteError(path, errno)
        }
    }

    /// Where a symbolic link leads, so that the link is kept, even one that leads to nothing yet.
    private static func resolved(_ path: String, depth: Int = 0) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        guard depth < 16,
            let end = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        else { return path }
        let isAbsolute = end.hasPrefix("/")
        return resolved(isAbsolute ? end : "\(parent(of: path))/\(end)", depth: depth + 1)
    }

    private static func parent(of path: String) -> String {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return parent.isEmpty ? "/" : parent
    }

    private static func put(
        _ data: Data,
        in path: String,
        named name: String,
        flags: Int32,
        mode: mode_t? = nil
    ) throws(WriteError) {
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else { throw WriteError(name, errno) }
        if let mode { fchmod(descriptor, mode) }
        let fault = Descriptor.writeAll(data, to: descriptor)
        // Some file systems say only here that the disk is full.
        let closes = close(descriptor) == 0
        if let fault { throw WriteError(name, fault) }
        guard closes else { throw WriteError(name, errno) }
    }

    /// A file that could not be written.
    public struct WriteError: Error, CustomStringConvertible {
        /// The file's path, as the user gave it.
        public var path: String
        /// The system's reason.
        public var reason: String
        /// The error in one line.
        public var description: String { "cannot write \(path): \(reason)" }

        init(_ path: String, _ code: Int32) {
            self.path = path
            reason = Descriptor.reason(code)
        }
    }
}

/// Writing to what is open already, with the system's own words for what goes wrong.
public enum Descriptor {
    /// Writes all bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - descriptor: An open file.
    /// - Returns: The system's error number, or `nil` if all went well.
    public static func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(
                    descriptor,
                    UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    rest.count
                )
                if count < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                rest = rest.dropFirst(count)
            }
            return nil
        }
    }

    /// An error number in the system's words.
    public static func reason(_ code: Int32) -> String {
        String(cString: strerror(code))
    }
}
