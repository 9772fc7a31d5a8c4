import Foundation
import Testing

@Suite("Colour stresses words, and says nothing of its own")
struct ColourTests {
    private let workshop = Workshop()

    init() throws {
        try workshop.write(ScenarioText.talk(), to: "all/talk.yaml")
        try workshop.write(ScenarioText.impossible, to: "all/impossible.yaml")
        try workshop.write(ScenarioText.silent, to: "all/silent.yaml")
        try workshop.write("version: 2\nscenario: Bad\n", to: "bad.yaml")
    }

    private func kodama(_ setting: String, _ arguments: String) throws -> Kodama.End {
        try Kodama.shell("\(setting) \"$KODAMA\" \(arguments)", in: workshop.folder)
    }

    private func isColoured(_ text: String) -> Bool { text.contains("\u{1B}[") }

    private func plain(_ text: String) -> String { text.replacing(/\u{1B}\[[0-9;]*m/, with: "") }

    @Test("Without its colour a report is the one that a file gets, every verdict a word (HN-04)")
    func words() throws {
        let file = try kodama("", "run all -q")
        #expect(!isColoured(file.stdout) && !isColoured(file.stderr))
        let forced = try kodama("CLICOLOR_FORCE=1", "run all -q")
        #expect(plain(forced.stdout) == file.stdout)
        for word in [
            "\u{1B}[32mpass", "\u{1B}[1;31mfail", "\u{1B}[33mundecided", "\u{1B}[1;31mFAIL",
        ] {
            #expect(forced.stdout.contains(word), "\(word)")
        }
        let mistake = try kodama("CLICOLOR_FORCE=1", "check bad.yaml")
        #expect(mistake.stderr.contains("bad.yaml:2:11: \u{1B}[1;31merror\u{1B}[0m: "))
        #expect(plain(mistake.stderr) == (try kodama("", "check bad.yaml")).stderr)
    }

    @Test(
        "NO_COLOR wins over all, CLICOLOR_FORCE=0 forces nothing, and JSON never has colour (HN-04)"
    )
    func settings() throws {
        #expect(!isColoured(try kodama("NO_COLOR=1 CLICOLOR_FORCE=1", "run all -q").stdout))
        #expect(isColoured(try kodama("NO_COLOR= CLICOLOR_FORCE=1", "run all -q").stdout))
        #expect(!isColoured(try kodama("CLICOLOR_FORCE=0", "run all -q").stdout))
        #expect(!isColoured(try kodama("CLICOLOR_FORCE=1", "run all -q --json").stdout))
        #expect(!isColoured(try kodama("CLICOLOR_FORCE=1", "list metrics").stdout))
    }

    @Test("On a terminal there is colour, unless it is dumb or the user wants none (HN-04)")
    func terminal() throws {
        func onTerminal(_ setting: String) throws -> String {
            let python =
                "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
            let command = "\(setting) python3 -c '\(python)' \"$KODAMA\" run all -q"
            let end = try Kodama.shell(command, in: workshop.folder)
            #expect(end.status == 1, "\(end.stderr)")
            return end.stdout
        }
        let shown = try onTerminal("TERM=xterm")
        #expect(shown.contains("\u{1B}[1;31mfail\u{1B}[0m"))
        #expect(!isColoured(try onTerminal("TERM=dumb")))
        #expect(!isColoured(try onTerminal("TERM=xterm NO_COLOR=1")))
        #expect(!isColoured(try onTerminal("TERM=xterm CLICOLOR=0")))
    }
}
