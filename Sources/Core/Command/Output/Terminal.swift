import Foundation
import KodamaHarness
import KodamaLanguage

/// The two streams: results on stdout, everything else on stderr.
package enum Terminal {
    /// Writes a result.
    ///
    /// - Throws: An end that says why it cannot be written. A reader that has gone away (`| head`)
    ///   has seen what it wanted, and is no error.
    ///
    /// - Parameters:
    ///   - text: The result; what a terminal would obey is shown instead.
    ///   - isPainted: Whether it is for people, so that colour may stress its words.
    package static func say(_ text: String, isPainted: Bool = false) throws {
        let columns = isPainted ? columns(of: STDOUT_FILENO) : nil
        let text = columns.map { wrapped(text, at: $0) } ?? text
        try pour(line(text, isPainted: isPainted && Paint.isWanted(on: STDOUT_FILENO)))
    }

    /// How wide a terminal is; `nil` of what is none.
    private static func columns(of stream: Int32) -> Int? {
        var size = winsize()
        guard isatty(stream) == 1, ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }

    /// Lines broken between words, those behind the first indented by four more; commands stay whole, so
    /// that they can be copied.
    static func wrapped(_ text: String, at columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > columns, !line.contains("replay with: ") else { return String(line) }
            let indent = line.prefix { $0 == " " }.count
            let further = String(repeating: " ", count: min(indent + 4, columns / 2))
            var lines: [String] = []
            var current = String(line.prefix(indent))
            var isEmpty = true
            for word in line.dropFirst(indent).split(
                separator: " ",
                omittingEmptySubsequences: false
            ) {
                if !isEmpty, current.count + 1 + word.count > columns {
                    lines.append(current)
                    (current, isEmpty) = (further, true)
                }
                // What aligned columns on a line that is broken is nothing.
                if word.isEmpty, isEmpty, !lines.isEmpty { continue }
                current += (isEmpty ? "" : " ") + word
                isEmpty = false
            }
            return (lines + [current]).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Writes a result that is for programs, byte by byte.
    ///
    /// - Throws: An end that says why it cannot be written, as `say` does.
    static func pour(_ bytes: Data) throws {
        let fault = Descriptor.writeAll(bytes, to: STDOUT_FILENO)
        if let fault, fault != EPIPE {
            throw Failure(.cannotWrite, "cannot write to stdout: \(Descriptor.reason(fault))")
        }
    }

    /// Writes an error.
    static func complain(_ text: String) {
        remark("error: \(text)")
    }

    /// Writes a remark; what stderr does not take is lost.
    package static func remark(_ text: String) {
        // A file's excerpt, which is indented, stays whole: the mark below it points at its place.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let columns = line.hasPrefix(" ") ? nil : columns(of: STDERR_FILENO)
            return columns.map { wrapped(String(line), at: $0) } ?? String(line)
        }
        let text = lines.joined(separator: "\n")
        let line = line(text, isPainted: Paint.isWanted(on: STDERR_FILENO))
        _ = Descriptor.writeAll(line, to: STDERR_FILENO)
    }

    /// Writes over the current line of a terminal.
    static func overwrite(_ text: String) {
        _ = Descriptor.writeAll(Data("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
    }

    /// Whether stderr is a terminal on which a line may be written over.
    static var isInteractive: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// Fills the places of closed streams, so that no file that is opened later takes one of them.
    ///
    /// They are filled with something that cannot be written: what goes to a closed stdout is an
    /// error, not a success.
    static func fillClosedStreams() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) == -1 {
            // The lowest free number is taken, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    private static func line(_ text: String, isPainted: Bool) -> Data {
        let escaped = ShownText.escaped(text)
        let shown = isPainted ? Paint.painted(escaped) : escaped
        return Data((shown.hasSuffix("\n") ? shown : shown + "\n").utf8)
    }
}
