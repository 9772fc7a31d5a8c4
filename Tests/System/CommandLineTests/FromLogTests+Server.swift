import Testing

// What the room server did, and what a recovery is counted from.

extension FromLogTests {
    @Test(
        "A reason that the app logs for its room's end is what the server did, and no loss without a word (HN-12)"
    )
    func reasonsOfTheApp() throws {
        let log =
            Self.line("09:00:00.000000", "RTC", "connecting")
            + Self.line("09:00:00.700000", "RTC", "connected")
            + Self.line("09:01:20.000000", "RTC", "reconnecting")
            + Self.line("09:01:25.000000", "RTC", "disconnected: SERVER_SHUTDOWN")
            + Self.line("09:01:26.000000", "RTC", "connecting")
            + Self.line("09:01:27.000000", "RTC", "connected")
            + Self.line("09:02:00.000000", "RTC", "disconnected: participantRemoved")
            + Self.line("09:03:00.000000", "RTC", "connecting")
            + Self.line("09:03:01.000000", "RTC", "connected")
            + Self.line("09:04:00.000000", "RTC", "disconnected: CLIENT_INITIATED")
        try workshop.write(log, to: "phone.ndjson")
        let end = try kodama("from-log", "phone.ndjson", "-o", "server.yaml")
        #expect(end.status == 0, "\(end.stderr)")
        let text = try workshop.read("server.yaml")
        for line in [
            "{ at: 80s, do: { server: { does: restart, for: 5s } } }  # phone.ndjson:4, 5s is a guess",
            "action: disconnect, reason: participant-removed } } }  # phone.ndjson:7\n",
            "{ at: 180s, do: { user: { of: phone, does: connect } } }  # phone.ndjson:8",
            "{ at: 240s, do: { user: { of: phone, does: disconnect } } }  # phone.ndjson:10",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
        #expect(!text.contains("block"), "\(text)")
        try expectSound("server.yaml")

        // The server's own word on the same end adds nothing.
        let hook =
            "{\"event\":\"participant_left\",\"createdAt\":\"1793606485\",\"participant\":"
            + "{\"identity\":\"mika\",\"sid\":\"PA_1\",\"disconnectReason\":\"SERVER_SHUTDOWN\"}}\n"
        try workshop.write(hook, to: "hooks.jsonl")
        let both = try kodama("from-log", "phone.ndjson", "hooks.jsonl").stdout
        #expect(both.split(separator: "\n").count { $0.contains("does: restart") } == 1, "\(both)")
    }

    @Test(
        "A recovery is counted from what the system told only where that explains the loss (HN-12)"
    )
    func recoveriesOfTheirOwn() throws {
        let log =
            Self.line("09:00:00.000000", "RTC", "connecting")
            + Self.line("09:00:00.700000", "RTC", "connected")
            + Self.line("09:00:05.000000", "NWPath", "satisfied (Path is satisfied), uses wifi")
            + Self.line("09:00:30.000000", "NWPath", "unsatisfied (No network route)")
            + Self.line("09:00:30.300000", "RTC", "reconnecting")
            + Self.line("09:00:37.000000", "NWPath", "satisfied (Path is satisfied), uses wifi")
            + Self.line("09:00:37.700000", "RTC", "reconnected")
            + Self.line("09:01:20.000000", "RTC", "reconnecting")
            + Self.line("09:01:28.000000", "RTC", "reconnected")
        try workshop.write(log, to: "phone.ndjson")
        let text = try kodama("from-log", "phone.ndjson").stdout
        #expect(text.contains("the log has the connection back within 0.7s.\n"), "\(text)")
        #expect(text.contains("lost once without a word of the system"), "\(text)")
    }

    @Test("An agent whose leaving has no reason, or a fault's, left while its user stayed (HN-12)")
    func agentLeft() throws {
        func hook(_ event: String, _ second: Int, _ participant: String) -> String {
            "{\"event\":\"participant_\(event)\",\"createdAt\":\"\(1_793_606_400 + second)\","
                + "\"participant\":{\(participant)}}\n"
        }
        let (mika, agent) = (
            "\"identity\":\"mika\",\"sid\":\"PA_1\"", "\"identity\":\"bot\",\"kind\":\"AGENT\""
        )
        let hooks =
            hook("joined", 0, mika) + hook("joined", 1, agent) + hook("left", 40, agent)
            + hook("joined", 42, agent)
            + hook("left", 80, agent + ",\"disconnectReason\":\"CONNECTION_TIMEOUT\"")
            + hook("joined", 82, agent)
            + hook("left", 120, agent + ",\"disconnectReason\":\"ROOM_DELETED\"")
            + hook("left", 120, mika + ",\"disconnectReason\":\"ROOM_DELETED\"")
        try workshop.write(hooks, to: "hooks.jsonl")
        let end = try kodama("from-log", "hooks.jsonl")
        #expect(end.status == 0, "\(end.stderr)")
        for line in ["hooks.jsonl:3, to the second", "hooks.jsonl:5, to the second"] {
            let told = "do: { agent: { does: leave, of: phone } } }  # " + line
            #expect(end.stdout.contains(told), "\(end.stdout)")
        }
        #expect(end.stderr.contains("agents that left with their user: hooks.jsonl:7\n"))
    }
}
