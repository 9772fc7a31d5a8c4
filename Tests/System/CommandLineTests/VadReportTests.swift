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
}
