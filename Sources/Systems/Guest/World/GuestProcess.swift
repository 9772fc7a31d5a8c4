import KodamaLanguage
import KodamaSimulation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a guest does not keep to its protocol, in a clause.
struct GuestFault: Error {
    let reason: String
    /// What the program said on stderr last.
    var errors = ""

    init(_ reason: String) { self.reason = reason }
}

/// A program beside the simulator: a line to it, a line from it.
///
/// Real time only decides whether it hangs, which ends the run; no result depends on it.
final class GuestProcess {
    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let errorOutput: Int32
    private let patienceMilliseconds: Int
    private var pauses: RandomStream?
    /// What it wrote beyond the lines that were taken.
    private var pending: [UInt8] = []
    private var errors: [UInt8] = []
    private var isEnded = false

    /// Between making a pipe and closing it to others no second process may be started: it would keep an end.
    private static let starting = Mutex(())
    /// How much of stderr is kept.
    private static let errorBytesMax = 4_096
    /// The longest line that a guest may answer with.
    private static let lineBytesMax = 16 << 20

    /// Starts a program in a process group of its own.
    ///
    /// - Parameters:
    ///   - command: What a shell is to run.
    ///   - programs: How long it may take, and whether pauses are made.
    ///   - name: The guest's component, for the pauses' draws.
    /// - Throws: What the system has against it.
    init(_ command: String, _ programs: Programs, name: String) throws(GuestFault) {
        patienceMilliseconds = programs.patienceMilliseconds
        pauses = programs.pauseSeed.map {
            RandomStream(seed: $0, purpose: "guest.pause", entity: name)
        }
        // A program that has ended must not end this one.
        signal(SIGPIPE, SIG_IGN)
        let started = Self.starting.withLock { _ in Self.start(command) }
        guard let started else {
            throw GuestFault("it cannot be started: \(String(cString: strerror(errno)))")
        }
        (process, input, output, errorOutput) = started
    }

    deinit { end() }

    private static func start(
        _ command: String
    ) -> (process: pid_t, input: Int32, output: Int32, errors: Int32)? {
        var ends: [Int32] = []
        for _ in 0..<3 {
            var pair: [Int32] = [-1, -1]
            guard pipe(&pair) == 0 else {
                for end in ends { close(end) }
                return nil
            }
            for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            ends += pair
        }
        let (theirs, ours) = ([ends[0], ends[3], ends[5]], [ends[1], ends[2], ends[4]])
        let process = spawn(command, input: theirs[0], output: theirs[1], errors: theirs[2])
        for end in theirs { close(end) }
        guard let process else {
            for end in ours { close(end) }
            return nil
        }
        for end in ours { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        return (process, ours[0], ours[1], ours[2])
    }

    private static func spawn(
        _ command: String,
        input: Int32,
        output: Int32,
        errors: Int32
    ) -> pid_t? {
        #if canImport(Glibc)
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #else
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, end) in [input, output, errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
        }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int(POSIX_SPAWN_SETPGROUP) | Int(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let texts = ["/bin/sh", "-c", command]
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
        guard failure == 0 else {
            errno = failure
            return nil
        }
        return process
    }

    // MARK: A turn

    /// Tells it a line and waits for its answer.
    ///
    /// - Parameter line: The line, without its end.
    /// - Returns: The answer, without its end.
    /// - Throws: What it does instead.
    func exchange(_ line: String) throws(GuestFault) -> String {
        try refuseEarlyWords()
        pause()
        let deadline = Self.milliseconds() + patienceMilliseconds
        try write(Array((line + "\n").utf8), until: deadline)
        pause()
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let answer = pending[..<end]
                pending = Array(pending[(end + 1)...])
                guard let text = String(validating: answer, as: UTF8.self) else {
                    throw fault("its answer is no UTF-8")
                }
                guard pending.isEmpty else {
                    throw fault("it speaks out of turn: it wrote more than one line")
                }
                return text
            }
            guard pending.count < Self.lineBytesMax else {
                throw fault("its answer is longer than \(Self.lineBytesMax) bytes")
            }
            try wait(for: output, Int16(POLLIN), until: deadline)
            try read()
        }
    }

    /// Nothing may have come since its last answer.
    private func refuseEarlyWords() throws(GuestFault) {
        var set = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&set, 1, 0) > 0 else { return }
        try read()
        guard pending.isEmpty else {
            throw fault("it speaks out of turn: it wrote a line that nothing asked for")
        }
    }

    private func pause() {
        guard pauses != nil, let bits = pauses?.next(), bits % 8 == 0 else { return }
        usleep(UInt32(bits >> 32) % 20_000)
    }

    private func write(_ bytes: [UInt8], until deadline: Int) throws(GuestFault) {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { rest in
                #if canImport(Glibc)
                Glibc.write(input, rest.baseAddress, rest.count)
                #else
                Darwin.write(input, rest.baseAddress, rest.count)
                #endif
            }
            if count > 0 {
                done += count
            } else if errno == EAGAIN {
                try wait(for: input, Int16(POLLOUT), until: deadline)
            } else if errno != EINTR {
                throw endFault()
            }
        }
    }

    /// Takes what is there.
    private func read() throws(GuestFault) {
        let count = Self.read(output, into: &pending)
        if count == 0 { throw endFault() }
    }

    private static func read(_ end: Int32, into buffer: inout [UInt8]) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { space in
            #if canImport(Glibc)
            let count = Glibc.read(end, space.baseAddress, space.count)
            #else
            let count = Darwin.read(end, space.baseAddress, space.count)
            #endif
            if count > 0 { buffer.append(contentsOf: space[..<count]) }
            return count
        }
    }

    /// Waits until an end is ready, and takes meanwhile what comes on stderr.
    private func wait(
        for end: Int32,
        _ events: Int16,
        until deadline: Int
    ) throws(GuestFault) {
        while true {
            let left = deadline - Self.milliseconds()
            guard left > 0 else {
                throw fault("it hangs: no answer within \(patienceMilliseconds) ms of real time")
            }
            var set = [
                pollfd(fd: end, events: events, revents: 0),
                pollfd(fd: errorOutput, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&set, 2, Int32(clamping: left)) > 0 else { continue }
            if set[1].revents & Int16(POLLIN) != 0 { readErrors() }
            if set[0].revents != 0 { return }
            // A closed stderr is ready at once, again and again.
            if set[1].revents & Int16(POLLIN) == 0 { usleep(200) }
        }
    }

    private func readErrors() {
        while Self.read(errorOutput, into: &errors) > 0 {
            errors.removeFirst(max(0, errors.count - Self.errorBytesMax))
        }
    }

    private static func milliseconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
    }

    // MARK: The end

    private func fault(_ reason: String) -> GuestFault {
        readErrors()
        var fault = GuestFault(reason)
        fault.errors = String(decoding: errors, as: UTF8.self)
        return fault
    }

    private func endFault() -> GuestFault {
        let status = end()
        let signal = status & 0x7F
        let how = signal == 0 ? "with exit code \(status >> 8 & 0xFF)" : "by signal \(signal)"
        return fault("it ended by itself, \(how)")
    }

    /// Kills it with all that it started.
    ///
    /// - Returns: How it ended, as `waitpid` says it.
    @discardableResult
    func end() -> Int32 {
        guard !isEnded else { return 0 }
        isEnded = true
        readErrors()
        kill(-process, SIGKILL)
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        readErrors()
        for end in [input, output, errorOutput] { close(end) }
        return status
    }
}
