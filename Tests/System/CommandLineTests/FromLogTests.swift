import Foundation
import Testing

@Suite("kodama from-log")
struct FromLogTests {
    let workshop = Workshop()

    func kodama(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(arguments, in: workshop.folder)
    }

    /// A line of the phone's log.
    static func line(_ time: String, _ category: String, _ message: String) -> String {
        "{\"timestamp\":\"2026-11-02 \(time)+0100\",\"category\":\"\(category)\",\"eventMessage\":\"\(message)\"}\n"
    }

    private static let wifi =
        "satisfied (Path is satisfied), interface: en0[802.11], ipv4, dns, uses wifi"
    private static let cellular =
        "satisfied (Path is satisfied), interface: pdp_ip0[lte], ipv4, dns, expensive, uses cell"
    private static let noPath = "unsatisfied (No network route)"

    /// An evening with all that a log can tell.
    private static let evening =
        "Filtering the log data using \"subsystem == 'org.example.app'\"\n"
        + line("09:00:00.000000", "NWPath", wifi)
        + line("09:00:00.100000", "RTC", "connecting room 1")
        + line("09:00:00.600000", "RTC", "connected")
        + "{\"category\":\"UI\",\"eventMessage\":\"a button\",\"timestamp\":\"no time at all\"}\n"
        + line("09:00:30.120417", "NWPath", noPath)
        + line("09:00:30.500000", "RTC", "reconnecting")
        + line("09:00:37.620417", "NWPath", wifi)
        + line("09:00:38.000000", "RTC", "reconnected")
        + line("09:01:00.000000", "RTC", "muted")
        + line("09:01:10.000000", "RTC", "unmuted by the user")
        + line("09:01:12.000000", "RTC", "the weather is fine")
        + line("09:01:40.000000", "NWPath", cellular)
        + line("09:01:41.000000", "NWPath", cellular)
        + line("09:02:40.000000", "RTC", "reconnecting")
        + line("09:02:50.000000", "RTC", "reconnected")
        + "{\"count\":15,\"finished\":1}\n"

    /// Whether what was made of a log is checked without a warning, and runs without a miss.
    func expectSound(_ file: String) throws {
        let check = try kodama("check", file, "--strict")
        #expect(check.status == 0, "\(check.stderr)")
        let run = try kodama("run", file, "--seeds", "5", "-q")
        #expect(run.status == 0, "\(run.stdout)")
    }

    @Test(
        "What a log tells happens at its instant, with the line that it comes from; the rest is swept (HN-12)"
    )
    func tells() throws {
        try workshop.write(Self.evening, to: "phone.ndjson")
        let end = try kodama("from-log", "phone.ndjson", "-o", "bad-evening.yaml")
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.isEmpty)
        let text = try workshop.read("bad-evening.yaml")
        for line in [
            "scenario: bad-evening",
            "# 0s is 2026-11-02T08:00:00.100Z; each line says where it comes from.",
            "  - { at: 30.02s, do: { outage: { of: phone, for: 7.5s } } }"
                + "  # phone.ndjson:6: no network; phone.ndjson:8: back on wifi",
            "  - { at: 59.9s, do: { user: { of: phone, does: mute } } }  # phone.ndjson:10",
            "  - { at: 69.9s, do: { user: { of: phone, does: unmute } } }  # phone.ndjson:11",
            "  - { at: 99.9s, do: { handover: { of: phone, to: cellular } } }"
                + "  # phone.ndjson:13: wifi to cellular",
            "  - { at: $lost, do: { block: { of: phone, for: $gone } } }"
                + "  # phone.ndjson:15: the app noticed; back by phone.ndjson:16; the system told nothing",
            "  - { lost: 144.9s, gone: 15s }  # not of the log: early in what it allows",
            "  - { lost: 157.4s, gone: 12s }  # not of the log: late in what it allows",
        ] {
            #expect(text.contains("\n\(line)\n") || text.hasPrefix(line), "\(line)\n\(text)")
        }
        for line in [
            "not used: lines that 'log' writes about itself: phone.ndjson:1",
            "not used: lines of other categories than RTC and NWPath: phone.ndjson:5 and 1 more",
            "not used: lines of RTC whose first word is not known: phone.ndjson:12",
            "not used: lines that say again what was said before: phone.ndjson:14",
        ] {
            #expect(end.stderr.contains(line), "\(end.stderr)")
        }
        try expectSound("bad-evening.yaml")
    }

    @Test("Webhooks alone say when the server acted and missed its participant (HN-12)")
    func webhooks() throws {
        func hook(_ event: String, _ second: Int, _ participant: String) -> String {
            "{\"event\":\"\(event)\",\"createdAt\":\"\(1_793_606_400 + second)\",\"participant\":{\(participant)}}\n"
        }
        let mika = "\"identity\":\"mika\",\"sid\":"
        let hooks =
            "{\"event\":\"room_started\",\"createdAt\":1793606400,\"room\":{\"name\":\"a\"}}\n"
            + hook("participant_joined", 0, mika + "\"PA_1\",\"joinedAtMs\":\"1793606400780\"")
            + hook(
                "participant_joined",
                1,
                "\"identity\":\"bot\",\"sid\":\"PA_A\",\"kind\":\"AGENT\""
            )
            + hook(
                "participant_left",
                60,
                mika + "\"PA_1\",\"disconnectReason\":\"CONNECTION_TIMEOUT\""
            )
            + hook("participant_joined", 70, mika + "\"PA_2\",\"joinedAtMs\":\"1793606470100\"")
            + hook(
                "participant_left",
                100,
                mika + "\"PA_2\",\"disconnectReason\":\"SERVER_SHUTDOWN\""
            )
            + hook("participant_joined", 107, mika + "\"PA_3\"")
            + hook(
                "participant_left",
                200,
                mika + "\"PA_3\",\"disconnectReason\":\"CLIENT_INITIATED\""
            )
        try workshop.write(hooks, to: "hooks.jsonl")
        let end = try kodama("from-log", "hooks.jsonl")
        #expect(end.status == 0, "\(end.stderr)")
        for line in [
            "server: { does: restart, for: 5s } } }  # hooks.jsonl:6, to the second, 5s is a guess",
            "do: { user: { of: phone, does: disconnect } } }  # hooks.jsonl:8",
            "# hooks.jsonl:4: the server noticed, to the second; back by hooks.jsonl:5",
            "radios: { wifi: wifi-internet }",
        ] {
            #expect(end.stdout.contains(line), "\(end.stdout)")
        }
        try workshop.write(end.stdout, to: "hooks.yaml")
        let check = try kodama("check", "hooks.yaml", "--strict")
        #expect(check.status == 0, "\(check.stderr)")

        let both = hooks + hook("participant_joined", 210, "\"identity\":\"taro\"")
        try workshop.write(both, to: "both.jsonl")
        let question = try kodama("from-log", "both.jsonl")
        #expect(question.status == 66)
        #expect(
            question.stderr.contains(
                "webhooks of 2 participants: mika, taro; name the user with --participant"
            )
        )
        #expect(try kodama("from-log", "both.jsonl", "--participant", "mika").status == 0)
        let nobody = try kodama("from-log", "both.jsonl", "--participant", "mira")
        #expect(nobody.status == 66)
        #expect(nobody.stderr.contains("no participant is called 'mira'; there is mika, taro"))
    }

    @Test("A table of path and signal changes the cellular link where its class changes (HN-12)")
    func table() throws {
        let table = """
            time,path,rsrp
            2026-11-02T08:00:00Z,cellular,-97
            2026-11-02T08:00:10Z,,-99
            2026-11-02T08:00:20Z,,-121
            1793606431,none,
            2026-11-02T09:00:40.500+01:00,wifi,
            """
        try workshop.write(table, to: "drive.csv")
        let end = try kodama("from-log", "drive.csv", "--output", "drive.yaml", "--app", "session")
        #expect(end.status == 0, "\(end.stderr)")
        let text = try workshop.read("drive.yaml")
        for line in [
            "radios: { wifi: { profile: wifi-internet, up: false }, cellular: lte-good }",
            "{ at: 30s, do: { change: { link: phone/cellular, profile: lte-weak } } }  # drive.csv:4: -121 dBm",
            "{ at: 41s, do: { radio: { of: phone/cellular, is: down } } }  # drive.csv:5: no network",
            "{ at: 50.5s, do: { radio: { of: phone/wifi, is: up } } }  # drive.csv:6: back on wifi",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        try expectSound("drive.yaml")
    }

    @Test(
        "A table with other columns, semicolons, decimals and milliseconds is read, and what is not used is told (HN-12)"
    )
    func tableOfAnotherTool() throws {
        let table = """
            Timestamp;Cell name;RSRP;Path;SINR
            1793606400000;"Shibuya; ""A"" east";-97,4;cellular;13
            1793606420250;;-120,6;;2,5
            1793606431500;;;none;
            1793606440000;;;cellular;
            """
        try workshop.write(table, to: "drive.csv")
        let end = try kodama("from-log", "drive.csv", "--app", "session")
        #expect(end.status == 0, "\(end.stderr)")
        for line in [
            "# 0s is 2026-11-02T07:59:50.000Z;",
            "{ at: 30.25s, do: { change: { link: phone/cellular, profile: lte-weak } } }  # drive.csv:3: -121 dBm",
            "{ at: 41.5s, do: { outage: { of: phone, for: 8.5s } } }  # drive.csv:4: no network; drive.csv:5",
        ] {
            #expect(end.stdout.contains(line), "\(end.stdout)")
        }
        for column in ["Cell name", "SINR"] {
            #expect(
                end.stderr.contains("not used: the column '\(column)': drive.csv:1\n"),
                "\(end.stderr)"
            )
        }
        let comma = table.replacing(",", with: ".").replacing(";", with: ",")
        try workshop.write(comma, to: "drive.csv")
        #expect(try kodama("from-log", "drive.csv", "--app", "session").stdout == end.stdout)
    }

    @Test("JSON over several lines and in arrays says what one object a line says (HN-12)")
    func spreadJSON() throws {
        try workshop.write(Self.evening, to: "phone.log")
        let wanted = try kodama("from-log", "phone.log").stdout
        // As 'log show --style json' writes it: an array whose objects have a key on each line.
        let lines = Self.evening.split(separator: "\n").map(String.init)
        let objects = Array(lines[1...])
        let spread = objects.map { object in
            object.replacing("{\"", with: "{\n  \"").replacing(",\"", with: ",\n  \"")
                .replacing("\":\"", with: "\" : \"").replacing("}", with: "\n}")
        }
        let pretty = "\(lines[0])\n[\(spread.joined(separator: ","))]\n"
        let texts = [
            pretty, pretty.replacing("\n", with: "\r\n"), "[\(objects.joined(separator: ","))]",
        ]
        for text in texts {
            try workshop.write(text, to: "phone.log")
            let end = try kodama("from-log", "phone.log")
            #expect(end.status == 0, "\(end.stderr)")
            // All but the lines' numbers.
            let numbers = #/phone\.log:[0-9]+/#
            #expect(end.stdout.replacing(numbers, with: "") == wanted.replacing(numbers, with: ""))
        }
        let place = try #require(pretty.firstRange(of: "unsatisfied"))
        let object = try #require(pretty[..<place.lowerBound].lastIndex(of: "{"))
        let line = pretty[..<object].count { $0 == "\n" } + 1
        try workshop.write(pretty, to: "phone.log")
        let told = try kodama("from-log", "phone.log").stdout
        #expect(told.contains("# phone.log:\(line): no network"), "\(line)\n\(told)")
    }

    @Test(
        "A server whose clock is wrong is noticed by its joins, and its lines are moved (HN-12)",
        arguments: [0, 40, -40]
    )
    func clocksApart(lead: Int) throws {
        func hook(_ event: String, _ milliseconds: Int, _ more: String) -> String {
            let at = 1_793_606_400_000 + milliseconds + lead * 1_000
            return
                "{\"event\":\"\(event)\",\"createdAt\":\"\(at / 1_000)\",\"participant\":{\"identity\":\"mika\","
                + "\(more.replacing("AT", with: "\"joinedAtMs\":\"\(at)\""))}}\n"
        }
        let phone =
            Self.line("09:00:00.100000", "RTC", "connecting")
            + Self.line("09:00:00.700000", "RTC", "connected")
            + Self.line("09:01:00.500000", "RTC", "reconnecting")
            + Self.line("09:01:08.000000", "RTC", "reconnected")
            + Self.line("09:02:00.000000", "RTC", "disconnected")
            + Self.line("09:03:00.000000", "RTC", "connecting")
            + Self.line("09:03:00.500000", "RTC", "connected")
            + Self.line("09:04:00.000000", "RTC", "muted")
        let hooks =
            hook("participant_joined", 400, "\"sid\":\"PA_1\",AT")
            + hook(
                "participant_left",
                60_000,
                "\"sid\":\"PA_1\",\"disconnectReason\":\"SERVER_SHUTDOWN\""
            )
            + hook("participant_joined", 67_800, "\"sid\":\"PA_2\",AT")
            + hook("participant_joined", 180_300, "\"sid\":\"PA_3\",AT")
        try workshop.write(phone, to: "phone.ndjson")
        try workshop.write(hooks, to: "hooks.jsonl")
        let end = try kodama("from-log", "phone.ndjson", "hooks.jsonl")
        #expect(end.status == 0, "\(end.stderr)")
        let note = end.stdout.firstMatch(
            of: #/The server's clock is taken to be ([0-9.]+)s (ahead of|behind) the phone's/#
        )
        #expect((note == nil) == (lead == 0), "\(end.stdout)")
        if let note {
            #expect(abs(try #require(Double(note.1)) - 40) <= 0.5)
            #expect((note.2 == "behind") == (lead < 0))
        }
        // The restart explains the loss wherever the server's clock is.
        #expect(end.stdout.contains("server: { does: restart, for: 5s }"), "\(end.stdout)")
        #expect(
            !end.stdout.contains("the system told nothing; ") && !end.stdout.contains("block:"),
            "\(end.stdout)"
        )
    }

    @Test("A push calls at its instant, and what its user does follows (HN-12)")
    func pushes() throws {
        let log =
            Self.line("09:00:00.000000", "NWPath", Self.cellular)
            + Self.line("09:00:10.250000", "RTC", "push received")
            + Self.line("09:00:14.000000", "RTC", "answered")
            + Self.line("09:00:40.000000", "RTC", "ended: by the other side")
            + Self.line("09:02:00.000000", "RTC", "push received")
            + Self.line("09:02:05.000000", "RTC", "declined")
        try workshop.write(log, to: "phone.ndjson")
        let end = try kodama("from-log", "phone.ndjson", "-o", "calls.yaml")
        #expect(end.status == 0, "\(end.stderr)")
        let text = try workshop.read("calls.yaml")
        for line in [
            "{ at: 20.25s, do: { call: { from: caller-phone, to: user } } }  # phone.ndjson:2",
            "{ at: 24s, do: { user: { of: phone, does: answer-call } } }  # phone.ndjson:3",
            "{ at: 50s, do: { user: { of: caller-phone, does: end-call } } }  # phone.ndjson:4",
            "{ at: 135s, do: { user: { of: phone, does: decline-call } } }  # phone.ndjson:6",
            "radios: { cellular: lte-good }",
        ] {
            #expect(text.contains(line), "\(text)")
        }
        try expectSound("calls.yaml")
    }

    @Test("64: where no line says which app wrote it, the apps that read logs are listed")
    func whichApp() throws {
        try workshop.write("time,path\n1,wifi\n9,none\n", to: "path.csv")
        let end = try kodama("from-log", "path.csv")
        #expect(end.status == 64)
        #expect(end.stderr.contains("say which app wrote them"))
        #expect(end.stderr.contains("--app session"))
        #expect(try kodama("from-log", "path.csv", "--app", "session").status == 0)
    }

    /// The median of a session's recovery times over some seeds, in milliseconds.
    private func recovery(_ file: String, seeds: Int) throws -> Double {
        let end = try kodama(
            "evaluate",
            file,
            "--objective",
            "session.recovery.time:p50",
            "--seeds",
            "\(seeds)",
            "--json",
            "--quiet"
        )
        let objectives = try #require(try end.json()["objectives"] as? [[String: Any]])
        return try #require(objectives[0]["value"] as? Double) / 1e6
    }

    @Test(
        "A log of a bad session becomes a scenario whose recovery times agree with the log's within 10 % (HN-12)",
        arguments: ["outage: 1", "outage: 3, handover: 1"]
    )
    func recoveryTimesAgree(kinds: String) throws {
        let forgotten = """
            version: 2
            scenario: forgotten
            duration: 900s
            voice: reachability
            phones:
              - name: mika-phone
                radios: { wifi: wifi-internet, cellular: lte-good }
                apps: { session: {} }
            faults:
              - { of: mika-phone, every: 40s, from: 20s, until: 840s, kinds: { \(kinds) } }
              - { of: mika-phone, every: 120s, from: 20s, until: 840s, kinds: { mute: 1 } }
            expect:
              - { metric: session.recovery.time, p95: "<= 10s" }
            """
        try workshop.write(forgotten, to: "forgotten.yaml")
        let trace = try kodama("trace", "record", "forgotten.yaml")
        #expect(trace.status == 0, "\(trace.stderr)")
        let truth = try recovery("forgotten.yaml", seeds: 1)
        let logs = RunLogs(trace: trace.stdout, user: "mika-phone")
        try workshop.write(logs.phone, to: "phone.ndjson")
        try workshop.write(logs.webhooks, to: "webhooks.jsonl")
        try FileManager.default.removeItem(at: workshop.url("forgotten.yaml"))
        let made = try kodama("from-log", "phone.ndjson", "webhooks.jsonl", "-o", "made.yaml")
        #expect(made.status == 0, "\(made.stderr)")
        let text = try workshop.read("made.yaml")
        #expect(!text.contains("\nsweep:"), "everything was told\n\(text)")
        let check = try kodama("check", "made.yaml", "--strict")
        #expect(check.status == 0, "\(check.stderr)")
        let found = try recovery("made.yaml", seeds: 20)
        #expect(abs(found - truth) <= truth / 10, "\(found) ms, and \(truth) ms in the log")
    }

    @Test(
        "66: a line that cannot be read is named with its file, what is wrong and what to write",
        arguments: [
            (
                "a.ndjson", evening + "{\"category\":\"RTC\",\"timesta",
                "a.ndjson:18: this is no JSON: "
            ),
            (
                // What was cut off may have been a line of the app's.
                "q.ndjson",
                line("09:00:00.000000", "RTC", "connected") + "{\"timestamp\":\"2026-11-02 09:00:0",
                "q.ndjson:2: this is no JSON: "
            ),
            (
                "b.ndjson",
                line("09:00:00.000000", "RTC", "connected").replacing("+0100", with: ""),
                "b.ndjson:1: '2026-11-02 09:00:00.000000' is no time with a zone; write it like"
            ),
            (
                "c.json", "[{\n  \"event\" : \"room_started\",\n  \"id\" : EV\n}]\n",
                "c.json:3: this is no JSON: 'EV' is no value; "
            ),
            (
                "l.json", "[\n{ \"event\" : \"room_started\",\n",
                "l.json:3: this is no JSON: a key in quotes should be here; "
            ),
            (
                "d.jsonl", "{\"event\":\"participant_left\"}\n",
                "d.jsonl:1: 'createdAt' is missing; each line says when it was written"
            ),
            (
                "e.csv", "time,sinr\n",
                "e.csv:1: a column is missing; time is needed, and path or rsrp beside it;"
            ),
            ("f.csv", "time,rsrp\n1,-97,3\n", "f.csv:2: 3 cells where the head has 2; "),
            (
                "g.csv", "time,path\n1,lan\n",
                "g.csv:2: 'lan' is no path; write wifi, cellular or none"
            ),
            ("h.csv", "time,rsrp\n1,-97dBm\n", "h.csv:2: '-97dBm' is no RSRP; write dBm from"),
            ("m.csv", "time,rsrp\n1,-29.9\n", "m.csv:2: '-29.9' is no RSRP; write dBm from"),
            ("n.csv", "time,path,timestamp\n", "n.csv:1: the column 'time' stands twice; "),
            (
                "i.txt", "Dear diary\n",
                "i.txt:1: this is no log that is known; a log is LiveKit's webhooks"
            ),
            ("j.txt", "", "j.txt:1: the file is empty; a log is"),
            (
                "o.csv", "time,path\n1,wifi\n2,none\n8999999999,wifi\n",
                "o.csv:4: this was written more than 2015 h after o.csv:2, and a run lasts 2016 h"
            ),
            (
                // The server's clock would be set by as much twice.
                "p.ndjson",
                """
                {"category":"RTC","timestamp":"8999999990","eventMessage":"connecting"}
                {"category":"RTC","timestamp":"8999999991","eventMessage":"connected"}
                {"category":"RTC","timestamp":"1","eventMessage":"disconnected"}\n
                """,
                "p.ndjson:2: this was written more than 2015 h after p.ndjson:3"
            ),
            (
                "k.ndjson", "{\"category\":\"UI\",\"eventMessage\":\"\"}\n",
                "k.ndjson: no line says anything; needed are webhooks of a participant,"
            ),
        ]
    )
    func badInput(file: String, text: String, complaint: String) throws {
        try workshop.write(text, to: file)
        let end = try kodama("from-log", file)
        #expect(end.status == 66, "\(end.stderr)")
        #expect(end.stdout.isEmpty)
        #expect(end.stderr.hasPrefix("error: \(complaint)"), "\(end.stderr)")
    }

    @Test("64 and 66: an app that reads no logs, a file that is read, twice named or not there")
    func wrongUse() throws {
        try workshop.write(Self.evening, to: "phone.ndjson")
        let app = try kodama("from-log", "phone.ndjson", "--app", "sesion")
        #expect(app.status == 64)
        #expect(app.stderr.contains("no app 'sesion' reads logs; did you mean 'session'?"))
        let over = try kodama("from-log", "phone.ndjson", "-o", "phone.ndjson")
        #expect(over.status == 64)
        #expect(over.stderr.contains("this would write over 'phone.ndjson', which is read"))
        #expect(try kodama("from-log", "phone.ndjson", "phone.ndjson").status == 64)
        #expect(try kodama("from-log", "nothing.ndjson").status == 66)
    }
}
