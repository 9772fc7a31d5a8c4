import Foundation
import Testing

@Suite("kodama explain and kodama why")
struct ExplainTests {
    private let workshop = Workshop()

    /// A session that an outage of its radio may hit, or a planned one does.
    private func write(planned: Bool = false) throws {
        let timeline = """
            timeline:
              - { at: 20s, do: { outage: { of: phone, for: 5s, notice: never } } }
            """
        let text = """
            version: 2
            scenario: driving
            duration: 60s
            voice: reachability
            phones:
              - name: phone
                radios: { cellular: { profile: lte-good, outages: driving } }
                apps: { session: {} }
            \(planned ? timeline : "")
            expect:
              - { metric: session.audio.lost.time, max: "<= 1500ms" }
            """
        try workshop.write(text, to: "driving.yaml")
    }

    private func kodama(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(arguments, in: workshop.folder)
    }

    @Test("explain says what happened, of a component or a stretch if asked, as JSON too (HN-06)")
    func explains() throws {
        try write(planned: true)
        let whole = try kodama("explain", "driving.yaml", "--seed", "3")
        #expect(whole.status == 0)
        #expect(whole.stdout.hasPrefix("driving, seed 3, digest "))
        #expect(whole.stdout.contains("The user opens the app."))
        #expect(whole.stdout.contains("after the path was lost: the path is back."))
        let part = try kodama(
            "explain",
            "driving.yaml",
            "--seed",
            "3",
            "--component",
            "phone*",
            "--from",
            "19s",
            "--until",
            "24s"
        )
        #expect(!part.stdout.contains("The user opens the app."))
        #expect(part.stdout.contains("The path to the servers is lost"))
        #expect(!part.stdout.contains("the path is back"))
        let json = try kodama("explain", "driving.yaml", "--seed", "3", "--json").json()
        let sentences = try #require(json["sentences"] as? [[String: Any]])
        let all = try kodama("explain", "driving.yaml", "--seed", "3", "--all")
        #expect(sentences.count + 2 == all.stdout.split(separator: "\n").count + 1)
    }

    @Test("explain --about tells each sample beyond the limit with what led to it (HN-06)")
    func samples() throws {
        try write(planned: true)
        let metric = "session.audio.lost.time"
        let end = try kodama("explain", "driving.yaml", "--seed", "3", "--about", metric)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.contains("\n\(metric) max <= 1.5s: 1 of 1 sample beyond the limit\n"))
        #expect(
            end.stdout.contains(/\n[0-9.]+ s from [0-9.]+ s to [0-9.]+ s at phone/),
            "\(end.stdout)"
        )
        let free = try kodama("explain", "driving.yaml", "--about", "session.connect.time")
        #expect(free.stdout.contains("session.connect.time: 1 of 1 sample, the greatest"))
        let typo = try kodama("explain", "driving.yaml", "--about", "session.connect.tim")
        #expect(typo.status == 64)
        #expect(typo.stderr.contains("did you mean 'session.connect.time'?"))
        let json = try kodama("explain", "driving.yaml", "--seed", "3", "--about", metric, "--json")
        let about = try #require(try json.json()["about"] as? [String: Any])
        #expect(about["metric"] as? String == metric)
        #expect(about["rules"] as? [String] == ["max <= 1.5s"])
        #expect(about["sampleCount"] as? Int == 1)
        let samples = try #require(about["samples"] as? [[String: Any]])
        #expect(samples.count == 1)
        #expect(samples.allSatisfy { $0["value"] as? Int ?? 0 > 1_500_000_000 })
        #expect(samples.allSatisfy { $0["component"] as? String == "phone" })
        try workshop.write(json.stdout, to: "about.json")
        try workshop.write(try kodama("schema", "explain").stdout, to: "about.schema.json")
        let answer = try ReportFormatTests.python.run(
            ReportFormatTests.schemaExam,
            "about.schema.json",
            "about.json",
            in: workshop.folder
        )
        #expect(answer == "0\n0 True")
    }

    @Test("explain --about without a gate tells the least where more is better (HN-06)")
    func direction() throws {
        for (duration, told) in [
            ("20s", "1 of 1 sample, the least"), ("1h", "nothing missing in 1 sample"),
        ] {
            let text = """
                version: 2
                scenario: steps
                duration: \(duration)
                clock: 22:00:00
                phones:
                  - name: phone
                    radios: { wifi: wifi-internet }
                    apps: { coach: { account: mika, onboards: true, wakes: [06:30:00] } }
                expect:
                  - { metric: onboarding.steps.repeated, value: '== 0' }
                """
            try workshop.write(text, to: "steps.yaml")
            let end = try kodama("explain", "steps.yaml", "--about", "onboarding.finished.rate")
            let head = "onboarding.finished.rate: \(told)\n"
            #expect(end.stdout.contains(head), "\(end.stdout)\(end.stderr)")
        }
    }

    @Test(
        "explain --about says of a sum whether this run's share of it is kept, and by what (HN-06)"
    )
    func sums() throws {
        // Of what three runs come to, one has a third; the second invite leads into a group that the guest is in.
        let rules = [
            ("== 3", "1 in this run, within the limit, from 1 of 2 samples"),
            ("<= 5", "1 in this run, within the limit, from 1 of 2 samples"),
            ("<= 2", "1 in this run, beyond the limit, from 1 of 2 samples"),
            (">= 6", "1 in this run, beyond the limit, nothing from 1 of 2 samples"),
        ]
        for (rule, told) in rules {
            let text = """
                version: 2
                scenario: guests
                seeds: 3
                duration: 20s
                voice: sized
                phones:
                  - name: host
                    radios: { wifi: wifi-internet }
                    apps: { intercom: { group: hill, secured: true } }
                  - { name: guest, radios: { wifi: wifi-internet }, apps: { intercom: { secured: true } } }
                timeline:
                  - { at: 5s, do: { invite: { from: host, to: guest, by: qr } } }
                  - { at: 12s, do: { invite: { from: host, to: guest, by: qr } } }
                expect:
                  - { metric: group.invites.joined, value: '\(rule)' }
                """
            try workshop.write(text, to: "guests.yaml")
            let end = try kodama("explain", "guests.yaml", "--about", "group.invites.joined")
            let head = "group.invites.joined value \(rule): \(told)\n"
            #expect(end.stdout.contains(head), "\(end.stdout)\(end.stderr)")
        }
    }

    @Test("explain --about tells what was open, and could be beyond an upper limit (HN-06)")
    func openSamples() throws {
        let text = """
            version: 2
            scenario: cut
            duration: 30s
            voice: reachability
            phones:
              - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            timeline:
              - { at: 20s, do: { block: { of: phone, for: 10s } } }
            expect:
              - { metric: session.reconnect.whole.time, max: '<= 60s' }
            """
        try workshop.write(text, to: "cut.yaml")
        let metric = "session.reconnect.whole.time"
        let end = try kodama("explain", "cut.yaml", "--about", metric)
        #expect(end.stdout.contains(": 0 of 1 sample beyond the limit, 1 open that may be\n"))
        #expect(end.stdout.contains(/[0-9] s or more from .* at phone, open at its end\n/))
        let allowed = text.replacing("max: '<= 60s'", with: "max: '<= 60s', allow_censored: true")
        try workshop.write(allowed, to: "cut.yaml")
        let all = try kodama("explain", "cut.yaml", "--about", metric)
        #expect(all.stdout.contains(": 0 of 1 sample beyond the limit\n"), "\(all.stdout)")
    }

    @Test(
        "explain --about counts no sample outside a gate's stretch, and says where there is none (HN-06)"
    )
    func scopedSamples() throws {
        let text = """
            version: 2
            scenario: twice
            duration: 90s
            voice: reachability
            phones:
              - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            timeline:
              - { at: 20s, do: { block: { of: phone, for: 8s } } }
              - { at: 60s, do: { block: { of: phone, for: 8s } } }
            expect:
              - { metric: session.recovery.time, max: '<= 0s', in: { from: 50s, until: 80s } }
            """
        try workshop.write(text, to: "twice.yaml")
        let late = try kodama("explain", "twice.yaml", "--about", "session.recovery.time")
        #expect(late.stdout.contains(" from 50s until 80s: 1 of 1 sample beyond the limit\n"))
        #expect(!late.stdout.contains(" 20.000 s"), "\(late.stdout)")
        let whole = try kodama("explain", "twice.yaml", "--about", "session.unrecovered")
        #expect(whole.stdout.contains(/\nsession.unrecovered: nothing in [0-9]+ samples\n/))
        let none = try kodama("explain", "twice.yaml", "--about", "voice.mouth_to_ear.time")
        #expect(none.stdout.contains("voice.mouth_to_ear.time: no sample in this run"))
    }

    @Test(
        "explain --about tells frames of one lag together, with what led to it long before (HN-06)"
    )
    func stretchOfSamples() throws {
        // The second talk is late, eleven seconds after the cause.
        let talk = ScenarioText.talk(duration: "40s").replacing(
            "talk:\n",
            with:
                "timeline:\n  - { at: 6s, do: { slow: { link: left/right, by: 300ms, for: 30s } } }\n"
                + "talk:\n  - { monologue: ann, at: 15s, for: 8s }\n"
        )
        try workshop.write(talk, to: "slow.yaml")
        let metric = "voice.mouth_to_ear.time"
        let end = try kodama("explain", "slow.yaml", "--about", metric)
        let blocks = end.stdout.split(separator: "\n\n").dropFirst(2)
        let folded = blocks.filter {
            $0.contains(/: the worst of [0-9]+ from [0-9.]+ s to [0-9.]+ s\n/)
        }
        #expect(!folded.isEmpty, "\(end.stdout)")
        for block in folded {
            #expect(block.contains("The link takes 300 ms longer for 30 s."), "\(block)")
        }
        // Each sample is in one block, and stands alone if all are asked for.
        func count(_ blocks: some Sequence<Substring>) -> Int {
            blocks.reduce(0) { sum, block in
                sum + (block.firstMatch(of: /the worst of ([0-9]+)/).flatMap { Int($0.1) } ?? 1)
            }
        }
        let all = try kodama("explain", "slow.yaml", "--about", metric, "--all").stdout
        // Of a stretch, and of a phone, only their samples count.
        let part = try kodama("explain", "slow.yaml", "--about", metric, "--until", "18s").stdout
        #expect(part.contains(" beyond the limit\n") && !part.contains("from 20."), "\(part)")
        let left = try kodama("explain", "slow.yaml", "--about", metric, "--component", "left")
        #expect(
            left.stdout.contains("p50 <= 90ms: no sample there"),
            "\(left.stdout)\(left.stderr)"
        )
        #expect(count(blocks) == all.split(separator: "\n\n").count - 2, "\(end.stdout)")
        #expect(blocks.count < 20)
    }

    @Test("A connection that was made anew while a call rang is not said to have stayed up (HN-06)")
    func connectedAnew() throws {
        let text = """
            version: 2
            scenario: declined
            duration: 80s
            voice: sized
            phones:
              - { name: phone, radios: { wifi: wifi-internet, cellular: lte-good }, apps: { session: {} } }
            timeline:
              - { at: 20s, do: { outage: { of: phone, for: 15s, notice: never } } }
              - { at: 33s, do: { user: { of: phone, does: phone-call-rings } } }
              - { at: 40s, do: { user: { of: phone, does: decline-phone-call } } }
              - { at: 60s, do: { user: { of: phone, does: phone-call-begins } } }
              - { at: 65s, do: { user: { of: phone, does: phone-call-ends } } }
            """
        try workshop.write(text, to: "declined.yaml")
        let story = try kodama("explain", "declined.yaml", "--from", "39s")
        #expect(story.stdout.components(separatedBy: "; the connection was up by then").count == 2)
        #expect(story.stdout.components(separatedBy: "; the connection had stayed up").count == 2)
    }

    @Test("64: names, instants and runs that are none are refused in a sentence")
    func refusals() throws {
        try write()
        let name = try kodama("explain", "driving.yaml", "--component", "fone")
        #expect(name.status == 64)
        #expect(name.stderr.contains("did you mean 'phone'?"))
        let stretch = try kodama("explain", "driving.yaml", "--from", "5s", "--until", "5s")
        #expect(stretch.status == 64)
        #expect(stretch.stderr.contains("nothing lies between them"))
        #expect(try kodama("explain", "absent.yaml").status == 66)
        #expect(try kodama("explain", "absent.json").status == 66)
        #expect(try kodama("explain", "driving.yaml", "--from", "soon").status == 64)
        #expect(try kodama("why", "driving.yaml", "--forks", "1").status == 64)
        #expect(try kodama("why", "driving.yaml", "--jobs", "0").status == 64)
        let other = try kodama("why", "absent.yaml")
        #expect(other.status == 66)
    }

    @Test(
        "why names the record, also of a capsule; JSON keeps its schema; a run that holds has no failure (HN-06)"
    )
    func why() throws {
        try write()
        let run = try kodama("run", "driving.yaml", "--seeds", "20", "--output", "result")
        #expect(run.status == 1)
        let name = try #require(try workshop.names(in: "result/capsules").first)
        let seed = try #require(
            name.dropLast(".capsule.json".count).split(separator: "-").last
        )
        let why = try kodama(
            "why",
            "driving.yaml",
            "--seed",
            String(seed),
            "--forks",
            "8",
            "--quiet"
        )
        #expect(why.status == 0)
        #expect(why.stderr.isEmpty)
        #expect(why.stdout.contains("link.changed - disruption=stopped"))
        #expect(why.stdout.contains("<- certain from here"))
        let capsule = try kodama(
            "why",
            "result/capsules/\(name)",
            "--forks",
            "8",
            "--quiet",
            "--jobs",
            "1"
        )
        #expect(capsule.stdout == why.stdout)
        let json = try kodama("why", "result/capsules/\(name)", "--forks", "8", "--quiet", "--json")
        try workshop.write(json.stdout, to: "why.json")
        let explained = try kodama("explain", "driving.yaml", "--seed", String(seed), "--json")
        try workshop.write(explained.stdout, to: "explain.json")
        for subject in ["why", "explain"] {
            try workshop.write(try kodama("schema", subject).stdout, to: "\(subject).schema.json")
            let answer = try ReportFormatTests.python.run(
                ReportFormatTests.schemaExam,
                "\(subject).schema.json",
                "\(subject).json",
                in: workshop.folder
            )
            #expect(answer == "0\n0 True", "\(subject)")
        }
        let about = try kodama(
            "why",
            "driving.yaml",
            "--seed",
            String(seed),
            "--about",
            "session.audio.lost.tim"
        )
        #expect(about.status == 64)
        #expect(about.stderr.contains("did you mean 'session.audio.lost.time'?"))
        let greens = try (1...20).filter { seed in
            try kodama("replay", "driving.yaml", "--seed", "\(seed)").status == 0
        }
        let green = try kodama("why", "driving.yaml", "--seed", "\(try #require(greens.first))")
        #expect(green.status == 64)
        #expect(green.stderr.contains("does not fail"))
    }
}
