@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("Waits for a first word that never comes (S-GRP-003, D-10)")
struct MeetingsTests {
    /// Ann and Ben, whose apps are in a group from 0 on; Ann talks from 1 s to 59 s.
    private struct Story {
        static let phones = ["a", "b", "a.intercom", "b.intercom", "ann", "ben"]
        static let radio = ["a/b"]
        static let internet = ["a/cellular", "b/cellular", "match"]

        var builder: TraceBuilder

        init(by ways: [String], talks: Bool = true, groups: (Int64, Int64) = (1, 1)) {
            builder = TraceBuilder(Self.phones + ways)
            builder.add(GroupJoined(group: groups.0), at: 0, "a.intercom")
            builder.add(GroupJoined(group: groups.1), at: 0, "b.intercom")
            guard talks else { return }
            builder.add(SpeechBegan(spurt: 1), at: 1_000, "ann", "a")
            builder.add(SpeechEnded(spurt: 1), at: 59_000, "ann", "a")
        }

        /// An app's microphone works in a time, given in milliseconds.
        mutating func run(_ app: String, _ time: Range<Int64>) {
            for start in stride(from: time.lowerBound, to: time.upperBound, by: 500) {
                let frame = FrameCaptured(
                    index: start / 20,
                    start: .ns(start * 1_000_000),
                    durationNanoseconds: 20_000_000
                )
                builder.add(frame, at: start, app)
            }
        }

        /// Both microphones work until 60 s.
        mutating func runBoth() {
            for app in ["a.intercom", "b.intercom"] { run(app, 0..<60_000) }
        }

        /// The first words, in milliseconds: how many, and the greatest.
        var waits: (count: Int, max: Int64?) {
            var whole = builder
            whole.end(at: 60_000)
            let found = Findings(whole.trace).distribution("group.first_word.time")
            return (found?.count ?? 0, found?.maximum.map { $0 / 1_000_000 })
        }
    }

    @Test(
        "Who is never heard waits for as long as both could have met, by radio or the Internet",
        arguments: [Story.radio, Story.internet]
    )
    func never(ways: [String]) {
        var story = Story(by: ways)
        story.runBoth()
        // From Ben nobody hears anything either, but he says nothing.
        #expect(story.waits == (1, 59_500))
    }

    @Test("A first word ends the wait, however late, and counts once")
    func late() {
        var story = Story(by: Story.radio)
        story.runBoth()
        story.builder.add(
            FramePlayed(
                index: 2_500,
                samples: 960,
                heard: .ns(50_100_000_000),
                captured: .ns(50_000_000_000)
            ),
            at: 50_080,
            "b.intercom",
            "a.intercom"
        )
        #expect(story.waits == (1, 50_100))
    }

    @Test("Nobody waits for another group, for silence, or without a way to the other")
    func others() {
        let stories = [
            Story(by: Story.radio, groups: (1, 2)),
            Story(by: Story.radio, talks: false),
            Story(by: []),
            Story(by: ["a/cellular", "match"]),
            Story(by: ["a/cellular", "b/cellular"]),
        ]
        for (index, story) in stories.enumerated() {
            var story = story
            story.runBoth()
            #expect(story.waits.count == 0, "story \(index)")
        }
    }

    @Test("Only a time in which both apps run counts, and the longest one at that")
    func asleep() {
        var story = Story(by: Story.radio)
        story.run("a.intercom", 0..<60_000)
        #expect(story.waits.count == 0, "Ben's app never runs")
        story.run("b.intercom", 0..<10_000)
        #expect(story.waits.count == 1, "however short")
        story.run("b.intercom", 20_000..<45_000)
        #expect(story.waits == (1, 24_500))
    }

    @Test("A way that is closed for a while ends the time that counts")
    func closedWays() {
        let closings: [(inout TraceBuilder) -> Void] = [
            { $0.add(LinkChanged(disruption: .stopped, parameter: 0), at: 25_000, "a/b") },
            { $0.add(LinkChanged(disruption: .changed, parameter: 0), at: 25_000, "a/b") },
            { $0.add(PeerRadioSwitched(isOn: TraceFlag(false)), at: 25_000, "b.intercom") },
            { builder in
                let reached = LinkReached(
                    reach: .weak,
                    distanceMillimetres: 60_000,
                    lostPartsPerMillion: 100_000
                )
                builder.add(reached, at: 25_000, "a/b")
            },
        ]
        for (index, close) in closings.enumerated() {
            var story = Story(by: Story.radio)
            story.runBoth()
            close(&story.builder)
            #expect(story.waits == (1, 25_000), "closing \(index)")
            // Where the Internet goes on, so does the wait.
            var both = Story(by: Story.radio + Story.internet)
            both.runBoth()
            close(&both.builder)
            #expect(both.waits == (1, 59_500), "closing \(index)")
        }
    }

    @Test("A phone without network is not reached over the Internet")
    func offline() {
        let radio = "b/cellular"
        for fault in [WorldFault.radioDown, .blackHole] {
            var story = Story(by: Story.internet)
            story.runBoth()
            story.builder.add(FaultBegan(fault: fault, parameter: 0), at: 10_000, radio)
            #expect(story.waits.count == 1, "\(fault)")
            if fault == .radioDown {
                story.builder.add(FaultBegan(fault: .radioUp, parameter: 0), at: 30_000, radio)
            } else {
                story.builder.add(FaultEnded(fault: fault), at: 30_000, radio)
            }
            #expect(story.waits == (1, 29_500), "\(fault)")
        }
    }

    @Test("A farewell ends the wait, and who is not let in waits for nobody (S-GRP-001)")
    func farewells() {
        for time in [15_000 as Int64, 40_000] {
            var story = Story(by: Story.radio)
            story.runBoth()
            story.builder.add(GroupLeft(group: 1), at: time, "a.intercom")
            #expect(story.waits.count == 1, "\(time) ms")
        }
        var refused = Story(by: Story.radio)
        refused.runBoth()
        refused.builder.add(MemberRefused(capacity: 6), at: 40_000, "a.intercom")
        #expect(refused.waits.count == 0)
    }
}
