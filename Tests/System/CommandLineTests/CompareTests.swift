import Foundation
import Testing

@Suite("Results and settings compared")
struct CompareTests {
    private let workshop = Workshop()

    private func run(_ folder: String, seeds: Int = 3, _ options: String...) throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(
            ["run", "talk.yaml", "--seeds", "\(seeds)", "-q", "-o", folder] + options,
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
    }

    private func compare(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(["compare"] + arguments, in: workshop.folder)
    }

    @Test("0: a result compared with itself, and with its baseline, shows no difference (HN-03)")
    func same() throws {
        try run("a")
        try run("b")
        let end = try compare("a", "b", "--all")
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout == "EQUAL: no difference at all (1 point, 3 runs in common)\n")
        let slim = try Kodama.run("report", "a", "--baseline", "base.json", in: workshop.folder)
        #expect(slim.status == 0)
        #expect(try compare("base.json", "b").stdout == end.stdout)
    }

    @Test("4: what is worse over too few seeds is undecided; a failure leaves no old page (HN-03)")
    func undecided() throws {
        try run("a")
        try run("b", "--set", "jitter.floor=30ms")
        let end = try compare("a", "b", "--html", "c.html", "--junit", "c.xml")
        #expect(end.status == 4, "\(end.stderr)\(end.stdout)")
        #expect(end.stdout.contains("  undecided: voice.mouth_to_ear.time p50 <= 90ms: "))
        let verdict = "\nUNDECIDED: talk (1 point, 3 runs in common); 3 seeds in common"
        #expect(end.stdout.contains(verdict))
        #expect(try workshop.read("c.xml").contains("<skipped message=\"undecided: "))
        #expect(try compare("a", "b", "--undecided", "pass").status == 0)
        let failed = try compare("a", "nowhere", "--html", "c.html", "--junit", "c.xml")
        #expect(failed.status == 66)
        let names = try workshop.names(in: ".")
        #expect(!names.contains("c.html") && !names.contains("c.xml"))
    }

    @Test("2: what is worse than before ends with 2 although every gate holds (HN-03)")
    func regression() throws {
        try run("a", seeds: 10)
        try run("b", seeds: 10, "--set", "jitter.floor=30ms")
        let end = try compare(
            "a",
            "b",
            "--markdown",
            "c.md",
            "--junit",
            "c.xml",
            "--html",
            "c.html"
        )
        #expect(end.status == 2, "\(end.stderr)\(end.stdout)")
        #expect(end.stdout.contains("  before with defaults; after with jitter.floor=30ms\n"))
        #expect(end.stdout.contains("  regression: voice.mouth_to_ear.time p50 <= 90ms: "))
        #expect(end.stdout.contains("replay with: kodama replay talk.yaml --seed "))
        #expect(end.stdout.hasSuffix("\nREGRESSION: talk (1 point, 10 runs in common)\n"))
        #expect(try workshop.read("c.md").hasPrefix("## Kodama: REGRESSION: talk"))
        #expect(try workshop.read("c.xml").contains("type=\"regression\""))
        #expect(try workshop.read("c.html").contains("class=\"curve b\""))
        #expect(try compare("b", "a").status == 0)
        #expect(try compare("a", "b", "--margin", "300%").status == 0)
        let json = try compare("a", "b", "--json")
        #expect(json.status == 2)
        #expect(try json.json()["verdict"] as? String == "regression")
    }

    @Test("Two settings are run and compared now, with lanes of the seed that shows it (HN-05)")
    func settings() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try compare(
            "talk.yaml",
            "--seeds",
            "10",
            "--before",
            "jitter.floor=20ms",
            "--after",
            "jitter.floor=30ms",
            "--html",
            "c.html",
            "-qj1"
        )
        #expect(end.status == 2, "\(end.stderr)")
        #expect(end.stderr.isEmpty)
        #expect(
            end.stdout.contains("before with jitter.floor=20ms; after with jitter.floor=30ms")
        )
        let page = try workshop.read("c.html")
        #expect(page.components(separatedBy: "class=\"lanes\"").count == 3)
    }

    @Test("64: a mistake in a setting is said of the option that gave it")
    func wrongSettings() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        for (option, other) in [("--before", "--after"), ("--after", "--set")] {
            let end = try compare("talk.yaml", option, "bogus", other, "jitter.floor=30ms")
            #expect(end.status == 64, "\(end.stderr)")
            #expect(
                end.stderr.contains("\(option) bogus:1: error: 'bogus' is not name=value"),
                "\(end.stderr)"
            )
        }
        let both = try compare("talk.yaml", "--set", "bogus", "--before", "jitter.floor=30ms")
        #expect(both.status == 64, "\(both.stderr)")
        #expect(both.stderr.contains("--set bogus:1: error: "), "\(both.stderr)")
    }

    @Test("64, 66: what cannot be compared is refused in a sentence")
    func refusals() throws {
        try run("a")
        try workshop.write(ScenarioText.talk(name: "other"), to: "other.yaml")
        let other = try Kodama.run("run", "other.yaml", "-q", "-o", "o", in: workshop.folder)
        #expect(other.status == 0)
        let foreign = try compare("a", "o")
        #expect(foreign.status == 66)
        #expect(foreign.stderr == "error: the results have no point in common\n")
        let new = try compare("a", "o", "--allow-new")
        #expect(new.status == 0, "\(new.stderr)")
        #expect(new.stdout.hasSuffix("NOTHING TO COMPARE: 1 point only after\n"), "\(new.stdout)")
        for (arguments, words) in [
            (["a"], "there is 1 name"), (["a", "a", "a"], "there are 3 names"),
            (["a", "a", "--seeds", "3"], "--seeds is for runs"),
            (["a", "a", "--jobs", "2"], "--jobs is for runs"),
            (["-", "-"], "- and -: only one file can come from stdin"),
            (["a", "a", "--margin", "x"], "--margin x: write a share"),
            (["a", "a", "--margin", "-1%"], "--margin -1%: write a share"),
        ] {
            let end = try Kodama.run(["compare"] + arguments, in: workshop.folder)
            #expect(end.status == 64, "\(arguments)")
            #expect(end.stderr.contains(words), "\(end.stderr)")
        }
        #expect(try compare("a", "away").status == 66)
    }
}
