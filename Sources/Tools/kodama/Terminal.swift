import Foundation

/// The two streams: results on stdout, everything else on stderr.
enum Terminal {
    /// Writes a result.
    static func say(_ text: String) {
        write(text, to: .standardOutput)
    }

    /// Writes an error.
    static func complain(_ text: String) {
        write("error: \(text)", to: .standardError)
    }

    /// Writes a remark.
    static func remark(_ text: String) {
        write(text, to: .standardError)
    }

    /// Whether stderr is a terminal on which a line may be written over.
    static var isInteractive: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    private static func write(_ text: String, to handle: FileHandle) {
        let line = text.hasSuffix("\n") ? text : text + "\n"
        // A reader that has gone away (`| head`) is no error of ours.
        try? handle.write(contentsOf: Data(line.utf8))
    }
}

/// Says on stderr how far long work has come: over one line on a terminal, a line per tenth elsewhere.
struct ProgressLine {
    private let total: Int
    private let isQuiet: Bool
    private var tenths = 0

    /// Begins work of `total` steps.
    init(total: Int, isQuiet: Bool) {
        self.total = total
        self.isQuiet = isQuiet
    }

    /// Says that `done` steps are done, the latest one on `subject`.
    mutating func show(_ done: Int, _ subject: String) {
        guard !isQuiet, total > 0 else { return }
        if Terminal.isInteractive {
            let line = "\r\u{1B}[K\(done)/\(total) \(subject)" + (done == total ? "\r\u{1B}[K" : "")
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        } else if done * 10 / total > tenths {
            tenths = done * 10 / total
            Terminal.remark("\(done)/\(total) runs, \(tenths * 10) %")
        }
    }
}
