import Glibc
import GroupSecurity

/// What opening packets costs, and whether any packet gets through that should not.
@main
struct SecurityBench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 1, let text = arguments.first, let count = Int(text),
            count >= Forgery.allCases.count
        else {
            complain(
                """
                usage: security-bench COUNT

                Changes authentic packets once, or sends them again, COUNT times over all kinds, and
                gives each to the session that the authentic ones are for. Prints a line per kind:
                how many were tried, for which reasons they were refused, how many were accepted.
                Then how many authentic packets came through between them, and what sealing, opening
                and refusing cost. Ends with 1 if a wrong packet was accepted or a right one was not.

                """
            )
            exit(arguments.first == "--help" ? 0 : 64)
        }
        var trial = Trial()
        trial.run(forgeries: count)
        trial.report()
        PacketCost.report()
        exit(trial.isPassed ? 0 : 1)
    }

    static func complain(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
