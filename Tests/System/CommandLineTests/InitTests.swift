import Foundation
import Testing

@Suite("Scenarios to begin with")
struct InitTests {
    private let workshop = Workshop()

    private func kodama(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(arguments, in: workshop.folder)
    }

    @Test("What init writes is valid and passes as it is, for both kinds of app (HN-02)")
    func runs() throws {
        for (file, options) in [("My first one.yaml", []), ("phone.yaml", ["--session"])] {
            let end = try Kodama.run(["init", file] + options, in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
            #expect(end.stdout.isEmpty)
            let check = try kodama("check", file, "--strict")
            #expect(check.status == 0, "\(check.stderr)")
            let run = try kodama("run", file, "-q")
            #expect(run.status == 0, "\(run.stdout)")
        }
        #expect(try workshop.read("My first one.yaml").contains("\nscenario: my-first-one\n"))
    }

    @Test("73: a file that is there is written over only by --force")
    func refusal() throws {
        try workshop.write("precious", to: "a.yaml")
        let end = try kodama("init", "a.yaml")
        #expect(end.status == 73)
        #expect(end.stderr.contains("'a.yaml' is there already"))
        #expect(try workshop.read("a.yaml") == "precious")
        #expect(try kodama("init", "a.yaml", "--force").status == 0)
        #expect(try workshop.read("a.yaml").contains("scenario: a\n"))
        #expect(try kodama("init", "-").stdout.contains("scenario: scenario\n"))
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
