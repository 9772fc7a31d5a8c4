import Foundation
import Testing

@Suite("Scenarios are checked, shown and described")
struct CheckTests {
    private let workshop = Workshop()

    @Test("A file that is named in two ways is one file, and days are no slip of seconds (HN-02)")
    func twoWays() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let twice = try Kodama.run("check", "talk.yaml", "./talk.yaml", ".", in: workshop.folder)
        #expect(twice.stdout == "1 scenario valid\n")
        try workshop.write(ScenarioText.talk(duration: "7d"), to: "long.yaml")
        let long = try Kodama.run("check", "long.yaml", in: workshop.folder)
        #expect(long.stderr.contains("unknown unit 'd' for a time"))
        #expect(!long.stderr.contains("write 7s"))
    }

    @Test("A folder of broken files gives all diagnostics at once, and no trap (HN-02)")
    func brokenFolder() throws {
        let broken = "Tests/Core/ScenariosTests/Broken"
        let end = try Kodama.run("check", broken, "--json")
        #expect(end.status == 65)
        #expect(end.stderr.isEmpty)
        let json = try end.json()
        let diagnostics = try #require(json["diagnostics"] as? [[String: Any]])
        let files = try #require(json["files"] as? [String])
        #expect(files.count > 80)
        let accused = Set(
            diagnostics.compactMap { ($0["location"] as? [String: Any])?["file"] as? String }
        )
        // The mistakes of these stand in the files that they extend.
        let heirs = ["mistake-in-base", "version-1-base"].map { "\(broken)/\($0).yaml" }
        #expect(files.filter { !accused.contains($0) } == heirs)
        for diagnostic in diagnostics {
            let location = try #require(diagnostic["location"] as? [String: Any])
            #expect(location["line"] is Int)
            #expect(location["column"] is Int)
        }
    }

    @Test("A mistake in --set is said once, however many scenarios it meets")
    func settingOnce() throws {
        let end = try Kodama.run("check", "Scenarios", "--set", "vad.attak=40ms")
        #expect(end.status == 64)
        #expect(end.stderr.components(separatedBy: "no parameter 'vad.attak'").count == 2)
    }

    @Test("A list of scenarios shows the valid ones and still fails for the others")
    func list() throws {
        try workshop.write(ScenarioText.talk(), to: "some/talk.yaml")
        try workshop.write("version: 3\n", to: "some/wrong.yaml")
        let end = try Kodama.run("list", "scenarios", "some", "--json", in: workshop.folder)
        #expect(end.status == 65)
        let rows = try #require(try end.json()["rows"] as? [[String: String]])
        #expect(rows.map { $0["name"] } == ["talk"])
        #expect(end.stderr.contains("some/wrong.yaml:1:10: error: "))
    }

    @Test(
        "Every list parses as JSON and has a name in each row",
        arguments: [
            "scenarios", "requirements", "metrics", "parameters", "profiles", "invariants",
            "records",
        ]
    )
    func lists(subject: String) throws {
        let rows = try #require(
            try Kodama.run("list", subject, "--json").json()["rows"] as? [[String: String]]
        )
        #expect(!rows.isEmpty)
        #expect(rows.allSatisfy { !($0["name"] ?? "").isEmpty })
        // The systems make theirs in turn; people look them up.
        let names = rows.compactMap { $0["name"] }
        if subject == "records" { #expect(names == names.sorted()) }
    }

    @Test("Metrics are listed in the units of gates for people, in those of results for programs")
    func units() throws {
        let shown = try Kodama.run("list", "metrics").stdout
        for (name, unit) in [
            ("voice.mouth_to_ear.time", "ms, s"), ("voice.late", "%"), ("voice.bytes", "B"),
            ("voice.mos.estimated", "MOS"), ("voice.duplicates.played", "count"),
        ] {
            let line = shown.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
            let rest = line?.dropFirst(name.count).drop { $0 == " " }
            #expect(rest?.hasPrefix("\(unit)  ") == true, "\(line ?? "")")
        }
        let rows = try Kodama.run("list", "metrics", "--json").json()["rows"] as? [[String: String]]
        #expect(rows?.first { $0["name"] == "voice.late" }?["unit"] == "ppm")
    }

    @Test("A list of requirements says which scenarios show each, and which none does")
    func requirements() throws {
        try workshop.write(ScenarioText.talk(), to: "some/talk.yaml")
        let end = try Kodama.run("list", "requirements", "some", "--json", in: workshop.folder)
        let rows = try #require(try end.json()["rows"] as? [[String: String]])
        #expect(rows.first { $0["name"] == "K-12" }?["scenarios"] == "talk")
        #expect(rows.first { $0["name"] == "K-18" }?["scenarios"] == "")
        // One that documents a failure shows nothing, and hides no requirement.
        let failing = "Scenarios/session/outages-as-specified.yaml"
        let unshown = try #require(
            try Kodama.run("list", "requirements", failing, "--json").json()["rows"]
                as? [[String: String]]
        )
        #expect(unshown.map { $0["name"] } == rows.map { $0["name"] })
        #expect(unshown.allSatisfy { $0["scenarios"] == "" })
        let shipped = try Kodama.run("list", "requirements")
        #expect(shipped.stdout.contains(/K-01b +.*media-cut.* +\S/))
    }

    @Test("A requirement's verdict is that of the files that show it, not of their namesakes")
    func verdicts() throws {
        try workshop.write("K-12: Speech is soon heard.\n", to: "some/requirements.yaml")
        try workshop.write(ScenarioText.talk(), to: "some/a/talk.yaml")
        let slow = ScenarioText.talk().replacing("<= 90ms", with: "<= 1ms")
        try workshop.write(slow, to: "some/b/talk.yaml")
        let run = try Kodama.run("run", "some", "-q", "-o", "out", in: workshop.folder)
        #expect(run.status == 1, "\(run.stderr)")
        for (folder, verdict) in [("some", "fail"), ("some/a", "pass"), ("some/b", "fail")] {
            let end = try Kodama.run(
                "list",
                "requirements",
                folder,
                "--verdicts",
                "out",
                "--json",
                in: workshop.folder
            )
            let rows = try #require(try end.json()["rows"] as? [[String: String]])
            #expect(rows.first { $0["name"] == "K-12" }?["verdict"] == verdict, "\(folder)")
        }
        let table = try Kodama.run(
            "list",
            "requirements",
            "./some",
            "--verdicts",
            "out",
            in: workshop.folder
        )
        #expect(table.stdout.contains(/K-12 +fail +Speech is soon heard\. +talk talk/))
        // Where not all that show it were run, that is said.
        let part = try Kodama.run("run", "some/a", "-q", "-o", "part", in: workshop.folder)
        #expect(part.status == 0, "\(part.stderr)")
        let some = try Kodama.run(
            ["list", "requirements", "some", "--verdicts", "part"],
            in: workshop.folder
        )
        #expect(some.stdout.contains(/K-12 +pass +1 of 2 +Speech is soon heard\./))
        let swept = ScenarioText.talk().replacing("500ms", with: "$at")
        try workshop.write(swept + "sweep: { at: [500ms, 600ms] }\n", to: "some/a/talk.yaml")
        let point = try Kodama.run(
            ["run", "some/a", "-q", "-o", "point", "--only", "at=500ms"],
            in: workshop.folder
        )
        #expect(point.status == 0, "\(point.stderr)")
        let none = try Kodama.run(
            ["list", "requirements", "some/a", "--verdicts", "point"],
            in: workshop.folder
        )
        #expect(none.stdout.contains(/K-12 +pass +0 of 1 +Speech is soon heard\./))
    }

    @Test("A scenario outside the repository is held to the same requirements")
    func outside() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        #expect(try Kodama.run("check", "talk.yaml", in: workshop.folder).status == 0)
        try workshop.write(ScenarioText.talk().replacing("K-12", with: "K-99"), to: "talk.yaml")
        let end = try Kodama.run("check", "talk.yaml", in: workshop.folder)
        #expect(end.status == 65)
        #expect(end.stderr.contains("no requirement 'K-99'"))
    }

    @Test("A scenario may come through a pipe, and a folder's text file is none")
    func pipe() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.shell(
            "cat talk.yaml | \"$KODAMA\" check /dev/stdin",
            in: workshop.folder
        )
        #expect(end.stdout == "1 scenario valid\n")
        try workshop.write(Data([0xFF, 0x00, 0xFE]), to: "bytes.yaml")
        let bytes = try Kodama.run("check", "bytes.yaml", in: workshop.folder)
        #expect(bytes.status == 65)
        #expect(bytes.stderr.contains("it is not UTF-8 text"))
    }

    @Test("What a scenario extends must be an ordinary file, lest whoever checks it waits for ever")
    func extendedPipe() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        try workshop.write("version: 2\nscenario: heir\nextends: base.yaml\n", to: "heir.yaml")
        let refused = try Kodama.shell(
            "mkfifo base.yaml && timeout 60 \"$KODAMA\" check heir.yaml",
            in: workshop.folder
        )
        #expect(refused.status == 65, "\(refused.stderr)")
        #expect(
            refused.stderr.hasPrefix(
                "heir.yaml:3:10: error: cannot read 'base.yaml': it is a pipe or a device; "
                    + "name an ordinary file"
            ),
            "\(refused.stderr)"
        )
        let named = try Kodama.shell(
            "{ cat talk.yaml > base.yaml & timeout 60 \"$KODAMA\" check base.yaml; }",
            in: workshop.folder
        )
        #expect(named.stdout == "1 scenario valid\n", "\(named.stderr)")
    }

    @Test("What resolve prints is a scenario with the same plan and the same runs")
    func resolve() throws {
        // Of each system one; that all shipped ones resolve to the same plan ResolveTests shows without a process each.
        for name in [
            "call/day.yaml", "coach/clean.yaml", "intercom/hike.yaml", "replica/hour.yaml",
            "session/random-faults.yaml",
        ].map({ "Scenarios/\($0)" }) {
            let printed = try Kodama.run("resolve", name)
            #expect(printed.status == 0, "\(printed.stderr)")
            try workshop.write(printed.stdout, to: "resolved.yaml")
            let copy = workshop.url("resolved.yaml").path
            #expect(try values(of: copy) == values(of: name), "\(name)")
        }
        let original = "Scenarios/intercom/local-clean-sized.yaml"
        try workshop.write(try Kodama.run("resolve", original).stdout, to: "resolved.yaml")
        let digests = try [original, workshop.url("resolved.yaml").path].map { file in
            try Kodama.run("run", file, "--seed", "1").stdout.split(separator: "\n")
                .filter { $0.contains("digest") }
        }
        #expect(digests[0] == digests[1])
        #expect(!digests[0].isEmpty)
    }

    private func values(of file: String) throws -> [String] {
        let end = try Kodama.run("resolve", file, "--json")
        let values = try #require(try end.json()["values"] as? [[String: String]], "\(end.stderr)")
        return values.map { "\($0["path"] ?? "") = \($0["value"] ?? "")" }
    }

    private func shippedScenarios() throws -> [String] {
        let rows = try Kodama.run("list", "scenarios", "--json").json()["rows"]
        return try #require(rows as? [[String: String]]).compactMap { $0["file"] }
    }

    @Test("The committed schema is the one that this build prints, and every scenario points at it")
    func schema() throws {
        let committed = Kodama.root.appendingPathComponent("Scenarios/scenario.schema.json")
        let printed = try Kodama.run("schema").stdout
        #expect(
            try String(contentsOf: committed, encoding: .utf8) == printed,
            "update it with: kodama schema --output Scenarios/scenario.schema.json"
        )
        for name in try shippedScenarios() {
            let file = Kodama.root.appendingPathComponent(name)
            let text = try String(contentsOf: file, encoding: .utf8)
            let start = "# yaml-language-server: $schema="
            let first = try #require(text.split(separator: "\n").first)
            #expect(first.hasPrefix(start), "\(name)")
            let schema = file.deletingLastPathComponent()
                .appendingPathComponent(String(first.dropFirst(start.count)))
            #expect(schema.standardizedFileURL == committed.standardizedFileURL, "\(name)")
        }
    }
}
