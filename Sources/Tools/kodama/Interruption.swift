import Foundation

/// Ends this process when it is told to, and with it the one that it waits for.
///
/// A child has a process group of its own, which no Ctrl-C of a terminal reaches: it would go on
/// computing for nobody.
enum Interruption {
    /// The process that is waited for; 0 if none.
    ///
    /// A signal handler reads it, hence a plain number.
    nonisolated(unsafe) static var childProcess: pid_t = 0

    /// Listens, from the beginning of the program on.
    static func listen() {
        signal(SIGINT) { _ in
            Interruption.endChild()
            _exit(ExitStatus.interrupted.rawValue)
        }
        signal(SIGTERM) { number in
            Interruption.endChild()
            signal(number, SIG_DFL)
            raise(number)
        }
        // Whoever started this process may have had them blocked, and that is inherited.
        var numbers = sigset_t()
        sigemptyset(&numbers)
        for number in [SIGINT, SIGTERM] { sigaddset(&numbers, number) }
        pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    }

    private static func endChild() {
        if childProcess > 0 { kill(childProcess, SIGKILL) }
    }
}
