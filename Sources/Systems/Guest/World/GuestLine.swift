import KodamaLanguage

/// The line to a guest: its process, or what it said in an earlier run.
enum GuestLine {
    case process(GuestProcess)
    case transcript(GuestTranscript)

    func exchange(_ line: String) throws(GuestFault) -> String {
        switch self {
        case .process(let process): try process.exchange(line)
        case .transcript(let transcript): try transcript.exchange(line)
        }
    }

    func end() {
        if case .process(let process) = self { process.end() }
    }
}

/// What a guest was told and answered in an earlier run, over all its processes.
final class GuestTranscript {
    private let lines: [String]
    private var next = 0

    init(_ lines: [String]) {
        self.lines = lines
    }

    /// A line that a guest is told, as transcripts have it.
    static func told(_ line: String) -> String { "> " + line }
    /// A line that a guest answers, as transcripts have it.
    static func answered(_ line: String) -> String { "< " + line }

    func exchange(_ line: String) throws(GuestFault) -> String {
        guard next + 1 < lines.count else {
            throw GuestFault("the transcript ends here: this is not the run that was written down")
        }
        guard lines[next] == Self.told(line) else {
            throw GuestFault(
                "this is not the run that was written down; line \(next + 1) of the transcript is\n"
                    + "    \(lines[next])\n  and this run tells\n    \(Self.told(line))"
            )
        }
        next += 2
        return String(lines[next - 1].dropFirst(2))
    }
}
