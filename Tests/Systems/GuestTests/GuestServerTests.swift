import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import Testing

@testable import KodamaGuest

@Suite("A guest asks servers over HTTP and streams, through the world's faults (HN-07)")
struct GuestServerTests {
    private typealias Story = GuestStory

    private static let path = "/api/mobile/rtc/ephemeral-token"
    /// A request for a token, which waits 8 s for its answer.
    private static let token =
        #"{"http":"t","to":"api","path":"\#(path)?deviceId=mika","timeout":8000000000}"#

    @Test("An answer comes with status, headers and body, and stands in the trace, twice alike")
    func answered() throws {
        let runs = try (0..<2).map { _ in
            try Story(
                Story.once(
                    Self.token,
                    #"{"http":"h","to":"api","path":"\#(Self.path)","headers":{"X-Device-Id":"d"}}"#,
                    #"{"http":"n","to":"api","path":"\#(Self.path)"}"#,
                    #"{"http":"p","to":"api","method":"POST","path":"/auth/passkey-begin","body":"{}"}"#
                )
            )
        }
        let answers = runs[0].told("answered")
        for (name, rest) in [
            ("t", #""status":200,"headers":{},"body":"{\"token\":"#), ("h", #""status":200,"#),
            ("n", #""status":400,"#), ("p", #""status":200,"headers":{},"body":"{\"challenge\":"#),
        ] {
            let prefix = #","request":"\#(name)",\#(rest)"#
            #expect(answers.contains { $0.hasPrefix(prefix) }, "\(name): \(answers)")
        }
        #expect(runs[0].records(GuestRequested.self).map(\.request) == [1, 2, 3, 4])
        let outcomes = runs[0].records(GuestAnswered.self).sorted { $0.request < $1.request }
        #expect(outcomes.map(\.outcome.number) == [200, 200, 400, 200])
        #expect(runs[0].outcome.transcripts == runs[1].outcome.transcripts)
    }

    @Test(
        "What befalls the path or the server fails the request as it fails every app's",
        arguments: [
            ("{ at: 0s, do: { block: { of: mika, for: 15s } } }", "timed-out"),
            ("{ at: 0s, do: { api: { does: dark, for: 15s } } }", "timed-out"),
            ("{ at: 0s, do: { api: { does: silent, for: 15s } } }", "timed-out"),
            ("{ at: 0s, do: { outage: { of: mika, for: 15s } } }", "offline"),
        ]
    )
    func failed(fault: String, why: String) throws {
        // A timer of 1 s lets the fault come first.
        let story = try Story(Story.odd("asks-late"), timeline: [fault])
        #expect(story.told("failed") == [#","request":"t","why":"\#(why)"}"#])
        #expect(story.told("answered").isEmpty)
        #expect(story.records(GuestAnswered.self).count == 1)
    }

    @Test("An address that is lost breaks the requests and streams that stand on it")
    func lost() throws {
        let story = try Story(
            Story.once(Self.token, #"{"open":"s","to":"guest-relay"}"#),
            timeline: [
                "{ at: 0s, do: { api: { does: silent, for: 15s } } }",
                "{ at: 3s, do: { outage: { of: mika, for: 5s } } }",
            ]
        )
        #expect(story.told("failed") == [#","request":"t","why":"lost"}"#])
        #expect(story.told("closed") == [#","stream":"s","why":"failed"}"#])
    }

    @Test("A kill ends its requests; a suspended guest hears of their time-outs when it resumes")
    func processes() throws {
        let silent = "{ at: 0s, do: { api: { does: silent, for: 60s } } }"
        let killed = try Story(
            Story.once(Self.token),
            timeline: [
                silent, "{ at: 3s, do: { user: { of: mika, does: kill-app } } }",
                "{ at: 5s, do: { user: { of: mika, does: open-app } } }",
            ],
            duration: "61s"
        )
        #expect(killed.told("launched").count == 2)
        #expect(killed.told("failed").isEmpty)
        let held = try Story(
            Story.once(Self.token),
            timeline: [
                silent, "{ at: 1s, do: { user: { of: mika, does: leave-app } } }",
                "{ at: 40s, do: { user: { of: mika, does: open-app } } }",
            ],
            duration: "61s"
        )
        let resumed = try #require(held.lines.firstIndex { $0.contains("\"resumed\"") })
        let failed = try #require(held.lines.firstIndex { $0.contains("\"failed\"") })
        #expect(failed > resumed && held.lines[failed].contains("\"now\":40"))
    }

    @Test("The relay says back what is said over a stream through the Internet, once and in order")
    func echo() throws {
        let says = (0..<20).map { #"{"say":"s","text":"\#($0)","bytes":2000}"# }
        let orders = ([#"{"open":"s","to":"guest-relay"}"#] + says).joined(separator: ",")
        let story = try Story(
            Story.odd("once") + " '[\(orders)]'",
            timeline: ["{ at: 0s, do: { block: { of: mika, for: 2s } } }"]
        )
        let opened = try #require(story.lines.first { $0.contains("\"opened\"") })
        #expect(opened.contains(#""now":3"#), "\(opened)")
        let echoes = (0..<20).map { #","stream":"s","text":"\#($0)","bytes":2000}"# }
        #expect(story.told("said") == echoes)
    }
}
