import Foundation
import Testing

@Suite("Scripts/vad-report refuses what it cannot do before it installs or builds anything")
struct VadReportTests {
    private func run(_ arguments: String) throws -> Kodama.End {
        try Kodama.shell("Scripts/vad-report \(arguments)", in: Kodama.root)
    }

    @Test(
        "Wrong usage ends with 64 and says what is wrong",
        arguments: [
            ("", "--scenes FOLDER or --make-scenes FOLDER is needed"),
            ("--scenes", "--scenes takes a value"),
            ("--scene x", "there is no option '--scene'"),
            ("--make-scenes x --json", "--json needs --scenes"),
            ("--scenes x --seconds 5", "--seconds needs --make-scenes"),
        ]
    )
    func usage(arguments: String, words: String) throws {
        let end = try run(arguments)
        #expect(end.status == 64)
        #expect(end.stdout.isEmpty)
        #expect(end.stderr.hasPrefix("error: \(words)"), "\(end.stderr)")
    }

    @Test("Help names every detector and every option")
    func help() throws {
        let end = try run("--help")
        #expect(end.status == 0)
        for word in ["WebRTC", "RNNoise", "Silero", "TEN", "--scenes", "--only", "--json"] {
            #expect(end.stdout.contains(word), "\(word)")
        }
    }

    @Test("The scorer finds the figures that were worked out by hand (needs python3 and numpy)")
    func scorer() throws {
        // The system's own Python has what apt-get installs, whichever comes first on the PATH.
        let end = try Kodama.shell(
            """
            for python in python3 /usr/bin/python3; do
                "$python" -c 'import numpy' 2>/dev/null && break
            done
            PYTHONDONTWRITEBYTECODE=1 "$python" Scripts/vad-report.d/test_scorer.py
            """,
            in: Kodama.root
        )
        let hint = "if a module is missing: apt-get install python3-numpy"
        #expect(end.status == 0, "\(end.stderr)\(hint)")
        #expect(end.stderr.hasSuffix("\nOK\n"), "\(end.stderr)")
    }
}
