import Foundation
import Testing

@Suite("Scenarios to begin with")
struct InitTests {
    private let workshop = Workshop()

    private func kodama(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(arguments, in: workshop.folder)
    }

    @Test(
        "What init writes is valid and passes as it is, for each app (HN-02)",
        arguments: ["calls", "coach", "intercom", "replica", "session"]
    )
    func runs(app: String) throws {
        let file = "My first one.yaml"
        let end = try kodama("init", file, "--app", app)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.isEmpty)
        let check = try kodama("check", file, "--strict")
        #expect(check.status == 0, "\(check.stderr)")
        let run = try kodama("run", file, "-q")
        #expect(run.status == 0, "\(run.stdout)")
        #expect(try workshop.read(file).contains("\nscenario: my-first-one\n"))
    }

    @Test(
        "What init comments out is valid where it stands (HN-02)",
        arguments: ["calls", "coach", "intercom", "session"]
    )
    func comments(app: String) throws {
        _ = try kodama("init", "a.yaml", "--app", app)
        let commented = #/^( *)# ((?:timeline|faults|parameters):.*|- .*| +.*)$/#
        let lines = try workshop.read("a.yaml").components(separatedBy: "\n")
        let text = lines.map { line in
            guard let match = line.wholeMatch(of: commented) else { return line }
            return String(match.1 + match.2)
        }
        try workshop.write(text.joined(separator: "\n"), to: "b.yaml")
        #expect(text != lines)
        let check = try kodama("check", "b.yaml")
        #expect(check.status == 0, "\(check.stderr)")
    }

    @Test("64: without an app, or with one that has no scenario, those that have one are listed")
    func choice() throws {
        let none = try kodama("init", "a.yaml")
        #expect(none.status == 64)
        let list = "--app session   A phone in a voice session loses its network for a while"
        #expect(none.stderr.contains(list))
        let wrong = try kodama("init", "a.yaml", "--app", "intercon")
        #expect(wrong.status == 64)
        #expect(wrong.stderr.contains("did you mean 'intercom'?"))
        #expect(wrong.stderr.contains(list))
        #expect(try workshop.names().isEmpty)
    }

    @Test("73: a file that is there is written over only by --force")
    func refusal() throws {
        try workshop.write("precious", to: "a.yaml")
        let end = try kodama("init", "a.yaml", "--app", "session")
        #expect(end.status == 73)
        #expect(end.stderr.contains("'a.yaml' is there already"))
        #expect(try workshop.read("a.yaml") == "precious")
        #expect(try kodama("init", "a.yaml", "--app", "session", "--force").status == 0)
        #expect(try workshop.read("a.yaml").contains("scenario: a\n"))
        #expect(try kodama("init", "-", "--app", "session").stdout.contains("scenario: scenario\n"))
    }

    @Test("Completions for three shells are made, and know commands and files")
    func completions() throws {
        for shell in ["bash", "zsh", "fish"] {
            let end = try kodama("--generate-completion-script", shell)
            #expect(end.status == 0, "\(end.stderr)")
            for word in ["compare", "merge", "replay"] { #expect(end.stdout.contains(word)) }
        }
    }
}
