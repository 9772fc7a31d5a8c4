import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import Testing

@testable import KodamaGuest

@Suite("A guest in another language runs in virtual time (HN-07)")
struct GuestRunTests {
    private typealias Story = GuestStory

    @Test("Two guests over a lossy link are the same each time, and others with another seed")
    func repeats() throws {
        let runs = try [1, 1, 2].map { try Story(Story.pigeon, and: Story.pigeon, seed: $0) }
        #expect(runs[0].outcome.digest == runs[1].outcome.digest)
        #expect(runs[0].outcome.transcripts == runs[1].outcome.transcripts)
        #expect(runs[0].outcome.digest != runs[2].outcome.digest)
        #expect(try runs[0].count("guest.received") >= 30)
        #expect(try runs[0].count("guest.retries") > 0)
    }

    @Test("Pauses in real time change nothing")
    func pauses() throws {
        let usual = try Story(Story.pigeon, and: Story.pigeon)
        var programs = Programs(commands: ["one": Story.pigeon, "other": Story.pigeon])
        programs.pauseSeed = 5
        let paused = try Story(Story.pigeon, programs: programs)
        #expect(usual.outcome.transcripts == paused.outcome.transcripts)
        // The same by a guest that looks at the clock does show.
        let clocks = try (0..<2).map { _ in try Story(Story.odd("by-clock")) }
        #expect(clocks[0].lines != clocks[1].lines)
    }

    @Test("A run is repeated from its transcripts without any program")
    func transcripts() throws {
        let run = try Story(Story.pigeon, and: Story.pigeon, timeline: Self.kill)
        let programs = Programs(transcripts: run.outcome.transcripts)
        let again = try Story("", timeline: Self.kill, programs: programs)
        #expect(again.outcome.digest == run.outcome.digest)
        #expect(again.outcome.transcripts == run.outcome.transcripts)
        #expect(throws: (any Error).self) {
            try Story("", timeline: Self.kill, seed: 2, programs: programs)
        }
    }

    private static let kill = [
        "{ at: 5s, do: { user: { of: mika, does: kill-app } } }",
        "{ at: 8s, do: { user: { of: mika, does: open-app } } }",
    ]

    @Test("A kill loses what was not synced, and a new process has the rest")
    func storage() throws {
        let story = try Story(Story.odd("writes"), timeline: Self.kill)
        #expect(story.records(WritesLost.self).map(\.writes) == [1])
        #expect(try story.count("guest.writes.lost") == 1)
        let launches = story.lines.filter { $0.contains("\"launched\"") }
        #expect(launches.count == 2)
        #expect(launches[0].hasSuffix("\"storage\":{}}"))
        #expect(launches[1].hasSuffix("\"storage\":{\"kept\":\"1\"}}"))
        #expect(launches[1].contains("{\"turn\":1,"))
    }

    @Test("One more draw disturbs no other, and each launch has its own")
    func draws() throws {
        func dice(_ word: String) throws -> [String] {
            try Story(Story.odd(word), timeline: Self.kill).lines
                .filter { $0.contains("\"purpose\":\"dice\"") }
                .map { String($0[($0.range(of: "\"values\"")?.lowerBound ?? $0.startIndex)...]) }
        }
        let (one, more) = (try dice("draws"), try dice("draws-more"))
        #expect(one.count == 2)
        #expect(one == more)
        #expect(Set(one).count == 2)
    }

    @Test("A suspended guest hears nothing, and its timers come when it resumes")
    func suspended() throws {
        let story = try Story(
            Story.odd("ticks"),
            timeline: [
                "{ at: 5s, do: { user: { of: mika, does: leave-app } } }",
                "{ at: 40s, do: { user: { of: mika, does: open-app } } }",
            ],
            duration: "60s"
        )
        let resumed = try #require(story.lines.firstIndex { $0.contains("\"resumed\"") })
        let before = story.lines[..<resumed].last { $0.hasPrefix("> ") } ?? ""
        #expect(story.lines[resumed].contains("\"now\":40"))
        #expect(!before.contains("\"now\":3"))
        #expect(story.lines[(resumed + 2)...].contains { $0.contains("\"timer\"") })
    }

    @Test("Timers call when they are due, in the order in which they are set, and once")
    func timers() throws {
        let calls = try Story(Story.odd("timers")).lines.filter {
            $0.contains("\"timer\",\"name\"")
        }
        let due = [("a", 1), ("b", 2), ("c", 4), ("d", 4)]
        #expect(calls.count == due.count)
        for (call, (name, second)) in zip(calls, due) {
            #expect(call.contains("\"now\":\(second)000000000,"))
            #expect(call.hasSuffix("\"name\":\"\(name)\"}"))
        }
    }

    @Test("The relay passes datagrams on between phones without a link that it has heard of")
    func relay() throws {
        let story = try Story(Story.odd("relay"), and: Story.odd("relay"), link: "loss: 100%")
        #expect(try story.count("guest.received") >= 1)
    }

    @Test("A stream carries everything once and in order over a link that loses a fifth")
    func streams() throws {
        let runs = try (0..<2).map { _ in
            try Story(Story.odd("caller"), and: Story.odd("answerer"))
        }
        #expect(try runs[0].count("guest.received") == 100)
        #expect(try runs[0].count("guest.failures") == 0)
        #expect(runs[0].outcome.transcripts == runs[1].outcome.transcripts)
    }

    @Test("A kill resets its streams; so does a suspension, of which the guest hears later")
    func brokenStreams() throws {
        let killed = try Story(
            Story.odd("caller"),
            and: Story.odd("answerer"),
            link: "loss: 0%",
            timeline: Self.kill
        )
        #expect(try killed.count("guest.received") == 200)
        let other = killed.outcome.transcripts["bo.guest"] ?? []
        let reset = #""event":"closed","stream":"mika/1","why":"reset"}"#
        #expect(other.contains { $0.hasSuffix(reset) })
        let held = try Story(
            Story.odd("caller"),
            and: Story.odd("answerer"),
            timeline: [
                "{ at: 5s, do: { user: { of: mika, does: leave-app } } }",
                "{ at: 40s, do: { user: { of: mika, does: open-app } } }",
            ],
            duration: "60s"
        )
        let resumed = try #require(held.lines.firstIndex { $0.contains("\"resumed\"") })
        #expect(held.lines[resumed + 2].contains("\"event\":\"closed\""))
    }

    @Test("What a scenario sets and what the user says reaches the guest")
    func told() throws {
        let story = try Story(
            Story.odd("mute"),
            settings: ["interval=2s", "name=a=b"],
            timeline: ["{ at: 3s, do: { tell-guest: { of: mika, text: send 5 } } }"]
        )
        #expect(story.lines[0].contains(#""settings":{"interval":"2s","name":"a=b"}"#))
        let told = story.lines.first { $0.contains("\"told\"") }
        #expect(told?.hasSuffix(#""now":3000000000,"event":"told","text":"send 5"}"#) ?? false)
    }

    /// Judges a shipped scenario with these guests.
    private func judge(_ file: String, _ commands: [String: String]) async throws -> ScenarioEnding
    {
        let path = "\(Story.examples)/\(file)"
        var scenario = try ScenarioLoader(vocabulary: ScenarioVocabulary(systems: Story.registry))
            .load(text: String(contentsOfFile: path, encoding: .utf8), file: path)
        scenario.points[0].plan.systems = Story.registry.with(Programs(commands: commands))
        let seeds = (1...UInt64(scenario.points[0].seeds)).map { $0 }
        let run = ScenarioRun(scenario: scenario, file: path, seeds: [seeds], material: nil)
        return try await run.judge(in: JobSlots(2)).ending(isStrict: true)
    }

    private static let folder = FileManager.default.temporaryDirectory.appending(
        path: "guests-\(ProcessInfo.processInfo.processIdentifier)"
    )

    @Test("The shipped guests, in Python and in C, keep the gates of their scenario")
    func examples() async throws {
        let dove = Self.folder.path + "-dove"
        defer { try? FileManager.default.removeItem(atPath: dove) }
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Swift's toolchain brings it, where a bare machine has no cc.
        compiler.arguments = ["clang", "-o", dove, "\(Story.examples)/dove.c"]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        let ending = try await judge("pigeons.yaml", ["pigeon": Story.pigeon, "dove": "'\(dove)'"])
        #expect(ending == .passed)
    }

    @Test("The shipped client of a server keeps its gates, and each planted mistake breaks them")
    func client() async throws {
        let source = "\(Story.examples)/lark.py"
        #expect(try await judge("lark.yaml", ["lark": "python3 '\(source)'"]) == .passed)
        let text = try String(contentsOfFile: source, encoding: .utf8)
        let mistakes = [
            ("reset", "        self.tries = 0\n        orders", "        orders"),
            (
                "deadline", "orders.append({\"timer\": \"patience\", \"at\": now + PATIENCE})",
                "pass"
            ),
        ]
        for (name, line, planted) in mistakes {
            try #require(text.components(separatedBy: line).count == 2, "\(name)")
            let path = "\(Self.folder.path)-\(name).py"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try text.replacing(line, with: planted)
                .write(toFile: path, atomically: true, encoding: .utf8)
            let ending = try await judge("lark.yaml", ["lark": "python3 '\(path)'"])
            #expect(ending == .failed, "forgetting the \(name) is not found")
        }
    }
}
