@testable import KodamaEvidence
@testable import KodamaLanguage
import Testing

@Suite("What cannot be measured is said before anything runs")
struct DataNeedTests {
    /// Two phones with the intercom.
    private static let talk = """
        version: 2
        scenario: story
        duration: 60s
        voice: sized
        phones:
          - { name: mika-phone, apps: { intercom: { group: ridge } } }
          - { name: taro-phone, apps: { intercom: { group: ridge } } }
        links:
          - { between: [mika-phone, taro-phone], profile: local-clean }
        people:
          - { name: mika, holds: mika-phone }
          - { name: taro, holds: taro-phone }
        talk:
          - { conversation: p59, between: [mika, taro] }
        expect:

        """

    /// What is said of a text, without the place.
    private func remarks(_ text: String) throws -> [String] {
        let loader = try Fixture.standardLoader()
        return try loader.load(text: text, file: "story.yaml").warnings.map(\.message)
    }

    /// What is said of a gate on a metric in the talk, with one piece of text replaced.
    private func remark(
        on metric: String,
        replacing piece: String = "",
        with other: String = ""
    ) throws -> String? {
        let kept = piece.isEmpty ? Self.talk : Self.talk.replacing(piece, with: other)
        let remarks = try remarks("\(kept)  - { metric: \(metric), max: \"<= 1s\" }\n")
        #expect(remarks.count <= 1)
        return remarks.first
    }

    @Test("A metric of an app that no phone has never gets data (HN-03)")
    func app() throws {
        #expect(try remark(on: "voice.mouth_to_ear.time") == nil)
        #expect(
            try remark(on: "session.connect.time")
                == "'session.connect.time' has no data here, so it never passes: no phone has the session app"
        )
        #expect(try remark(on: "call.ring.time")?.hasSuffix("no phone has the calls app") == true)
        #expect(
            try remark(on: "handover.interval.time")?
                .hasSuffix("no phone has the intercom with 'secured: true'") == true
        )
        for metric in ["voice.round_trip.time", "session.audio.lost.time"] {
            let remark = try remark(on: metric)
            #expect(remark?.hasSuffix("no phone has the session app") == true, "\(metric)")
        }
        for metric in ["group.card.shown.time", "group.owner.wrong.time", "group.members.shown"] {
            let gate = "  - { metric: \(metric), count: \">= 1\" }\n"
            let remarks = try remarks(Self.talk + gate)
            #expect(remarks.count == 1)
            #expect(remarks.first?.hasSuffix("'secured: true'") == true, "\(metric)")
        }
        let conduct = try remarks(Self.talk + "  - { metric: conduct.breaches, value: \"== 0\" }\n")
        #expect(conduct.count == 1)
        #expect(conduct.first?.hasSuffix("no phone has the session app") == true)
    }

    @Test("Sound, talk, links and radios are missed where a metric needs them (HN-03)")
    func means() throws {
        let remarks = try remarks(
            Self.talk + """
                  - { metric: voice.edge.step.pcm16, max: "<= 1000" }
                  - { metric: network.up.bytes, value: "<= 1000B" }
                  - { metric: network.peer.bytes, value: "<= 1000B" }
                  - { invariant: session.no-ghost }
                  - { invariant: voice.order-kept }

                """
        )
        #expect(
            remarks == [
                "'voice.edge.step.pcm16' has no data here, so it never passes: 'voice: sized' makes no sound",
                "'network.up.bytes' has no data here, so it never passes: no phone has a radio",
                "'session.no-ghost' has no data here, so it never passes: no phone has the session app",
            ]
        )
        let silent = try remark(
            on: "voice.onset.clipped.sender.time",
            replacing: "  - { conversation: p59, between: [mika, taro] }",
            with: "  []"
        )
        #expect(silent?.hasSuffix(": nobody talks") == true)
    }

    @Test("Music that nobody plays and headsets that nobody connects give no data (HN-03)")
    func sounds() throws {
        for (metric, reason, word) in [
            ("phone.music.stopped.time", "nobody plays music", "play-music"),
            ("phone.headset.unused.time", "nobody connects a headset", "plug-headset"),
            ("phone.headset.unused.time", "nobody connects a headset", "connect-bluetooth"),
        ] {
            #expect(try remark(on: metric)?.hasSuffix(": \(reason)") == true)
            let act = "{ user: { of: mika-phone, does: \(word) } }"
            let timeline = "timeline:\n  - { at: 5s, do: \(act) }\nexpect:"
            #expect(try remark(on: metric, replacing: "expect:", with: timeline) == nil, "\(word)")
        }
    }

    @Test("What is measured of mutes needs somebody who mutes an intercom (HN-03)")
    func mutes() throws {
        let lack =
            "'voice.nobody-overhears' has no data here, so it never passes: "
            + "nobody mutes an intercom"
        let gate = "  - { invariant: voice.nobody-overhears }\n"
        #expect(try remarks(Self.talk + gate) == [lack])
        let order = "timeline:\n  - { at: 9s, do: { user: { of: mika-phone, does: mute } } }\n"
        let muted = Self.talk.replacing("expect:\n", with: order + "expect:\n")
        #expect(try remarks(muted + gate).isEmpty)
        let card = try remark(
            on: "group.card.mute.time",
            replacing: "expect:\n",
            with: order + "expect:\n"
        )
        #expect(card?.hasSuffix("no phone has the intercom with 'secured: true'") == true)
    }

    @Test("Groups that never meet are found, in talk and in what is measured (HN-02, HN-03)")
    func groups() throws {
        let text =
            Self.talk.replacing(
                "taro-phone, apps: { intercom: { group: ridge",
                with: "taro-phone, apps: { intercom: { group: rigde"
            ) + "  - { metric: voice.mouth_to_ear.time, p95: \"<= 120ms\" }\n"
        #expect(
            try remarks(text) == [
                "'mika' and 'taro' are in different groups, so neither hears the other",
                "'voice.mouth_to_ear.time' has no data here, so it never passes: "
                    + "no two phones of one group can reach each other",
            ]
        )
    }

    @Test("A gate at each device on what is no single phone's is refused (HN-03)")
    func phoneless() throws {
        let loader = try Fixture.standardLoader()
        let names = Vocabularies.shipped.systems.flatMap(\.phonelessMetrics)
        #expect(names.contains("call.answer.time") && names.contains("call.conduct.breaches"))
        for name in names {
            let metric = try #require(loader.vocabulary.metrics.first { $0.name == name })
            let statistic = metric.form == .distribution ? "max" : "value"
            let unit = metric.unit == .nanoseconds ? "s" : metric.unit == .count ? "" : "%"
            let gate = "metric: \(name), \(statistic): \"<= 1\(unit)\", each: device"
            let text = Self.talk + "  - { \(gate) }\n"
            let error = #expect(throws: InvalidScenario.self, "\(name)") {
                try loader.load(text: text, file: "story.yaml")
            }
            #expect(error?.diagnostics.map(\.code) == ["no-device"], "\(name)")
        }
        let spread = "  - { metric: voice.late, value: \"<= 1%\", each: device }\n"
        #expect(try remarks(Self.talk + spread).isEmpty)
    }

    @Test(
        "A metric that may be without data, and one that may get some, are not remarked on (HN-03)"
    )
    func silence() throws {
        #expect(
            try remarks(
                Self.talk
                    + "  - { metric: session.connect.time, max: \"<= 1s\", allow_no_data: true }\n"
            ).isEmpty
        )
        let secured = Self.talk
            .replacing("group: ridge", with: "group: ridge, secured: true")
            .replacing("-phone, apps", with: "-phone, radios: { cellular: lte-good }, apps")
            .replacing(
                "  - { between: [mika-phone, taro-phone], profile: local-clean }",
                with: "  []"
            )
        let gate = "  - { metric: voice.mouth_to_ear.time, p95: \"<= 120ms\" }\n"
        let remarks = try remarks(secured + gate)
        #expect(!remarks.contains { $0.contains("no data") }, "over the Internet they meet")
    }
}
