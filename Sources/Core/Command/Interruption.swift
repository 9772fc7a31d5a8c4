import Foundation
import KodamaHarness
import Synchronization

/// Ends this process when it is told to: what is finished is kept, what is half done goes away, and the
/// process that is waited for ends with it.
///
/// A child has a process group of its own, which no Ctrl-C of a terminal reaches: it would go on
/// computing for nobody.
enum Interruption {
    private struct State {
        /// The process that is waited for; 0 if none.
        var childProcess: pid_t = 0
        /// Keeps what is finished.
        var keep: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Starts a process that is to end with this one; no signal comes between its start and its note.
    static func start(_ process: Process) throws {
        try state.withLock { state in
            try process.run()
            state.childProcess = process.processIdentifier
        }
    }

    /// The process that was waited for has ended.
    static func forgetChild() {
        state.withLock { $0.childProcess = 0 }
    }

    /// Calls `keep` before the end, from a thread of its own; `nil` where there is nothing to keep.
    static func keep(_ keep: (@Sendable () -> Void)?) {
        state.withLock { $0.keep = keep }
    }

    /// Whether this process is about to end.
    private static let isEnding = Atomic(false)

    /// Lets a thread that works for a result go no further once this process ends: what it found would not be
    /// kept, and what is kept would have to wait for it.
    static func standStill() {
        guard isEnding.load(ordering: .relaxed) else { return }
        while true { Thread.sleep(forTimeInterval: 60) }
    }

    /// Does what is to be done whole: the first signal waits for its end, and nothing else is kept then.
    static func hold(_ body: () throws -> Void) rethrows {
        try state.withLock { state in
            state.keep = nil
            try body()
        }
    }

    /// The end of a pipe that signal handlers write to; they may do next to nothing else.
    ///
    /// A handler reads it, hence a plain number.
    nonisolated(unsafe) private static var alarm: Int32 = -1

    /// Listens, from the beginning of the program on: a thread of its own waits for signals, so that
    /// everything may be done then.
    static func listen() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        alarm = ends[1]
        let thread = Thread { [end = ends[0]] in
            let first = Self.next(from: end)
            Thread.detachNewThread { Self.end(by: first) }
            // A second signal ends what takes too long.
            Self.leave(by: Self.next(from: end))
        }
        thread.name = "signals"
        thread.start()
        for number in numbers {
            let former = signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Interruption.alarm, &byte, 1)
            }
            // What was started by nohup outlives its terminal.
            let isIgnored = unsafeBitCast(former, to: Int.self) == 1
            if number == SIGHUP, isIgnored { signal(number, SIG_IGN) }
        }
        // Whoever started this process may have had them blocked, and that is inherited.
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// The number of the next signal.
    private static func next(from end: Int32) -> Int32 {
        var number: UInt8 = 0
        while read(end, &number, 1) != 1 {}
        return Int32(number)
    }

    private static func end(by number: Int32) {
        isEnding.store(true, ordering: .relaxed)
        state.withLock { state in
            if state.childProcess > 0 { kill(state.childProcess, SIGKILL) }
            state.keep?()
            // Still locked: whoever holds what is to be done whole would begin it now.
            leave(by: number)
        }
    }

    /// Ends this process, but not while files that belong together take their names.
    private static func leave(by number: Int32) {
        // Should even that never end, a third signal does.
        for number in numbers { signal(number, SIG_DFL) }
        WholeFile.conclude {
            guard number != SIGINT else { _exit(ExitStatus.interrupted.rawValue) }
            raise(number)
            _exit(128 + number)
        }
    }
}
