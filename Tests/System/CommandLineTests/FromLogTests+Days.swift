import Foundation
import Testing

// Whole days out of logs, good and bad.

extension FromLogTests {
    @Test(
        "A push in the middle of a call is another's, and nobody's end ends the wrong one (HN-12)"
    )
    func secondPush() throws {
        let log =
            Self.line("09:00:00.000000", "RTC", "push")
            + Self.line("09:00:05.000000", "RTC", "answered")
            + Self.line("09:00:20.000000", "RTC", "push")
            + Self.line("09:00:23.000000", "RTC", "declined")
            + Self.line("09:00:30.000000", "RTC", "push")
            + Self.line("09:00:32.000000", "RTC", "ended: cancelled")
            + Self.line("09:00:40.000000", "RTC", "push")
            + Self.line("09:00:44.000000", "RTC", "answered")
            + Self.line("09:01:00.000000", "RTC", "ended: hung up")
            + Self.line("09:01:10.000000", "RTC", "ended")
            + Self.line("09:02:00.000000", "RTC", "push")
        try workshop.write(log, to: "phone.ndjson")
        let end = try kodama("from-log", "phone.ndjson", "-o", "calls.yaml")
        #expect(end.status == 0, "\(end.stderr)")
        let text = try workshop.read("calls.yaml")
        for line in [
            "{ at: 10s, do: { call: { from: caller-phone, to: user } } }",
            "{ at: 30s, do: { call: { from: caller-2-phone, to: user } } }",
            "{ at: 42s, do: { user: { of: caller-2-phone, does: end-call } } }",
            "{ at: 70s, do: { user: { of: caller-2-phone, does: end-call } } }",
            "{ at: 80s, do: { user: { of: phone, does: end-call } } }",
            "{ at: 130s, do: { call: { from: caller-phone, to: user } } }",
        ] {
            #expect(text.contains(line), "\(line)\n\(text)")
        }
        #expect(!text.contains("caller-3"))
        try expectSound("calls.yaml")
        // Each push of the log rings, and is declined where the log says so.
        let story = try kodama("explain", "calls.yaml").stdout
        #expect(!story.contains("busy") && !story.contains("but none rings"), "\(story)")
        try workshop.write(Self.line("09:00:00.000000", "RTC", "muted"), to: "mute.ndjson")
        let silent = try kodama("from-log", "mute.ndjson", "--app", "calls")
        #expect(
            silent.status == 66 && silent.stderr.contains("begin with push"),
            "\(silent.stderr)"
        )
    }

    @Test("A log in which nothing goes wrong becomes a scenario that passes (HN-12)")
    func goodDay() throws {
        let log =
            Self.line("09:00:00.000000", "RTC", "connecting")
            + Self.line("09:00:01.000000", "RTC", "connected")
            + Self.line("09:00:12.000000", "RTC", "muted")
            + Self.line("09:00:20.000000", "RTC", "unmuted")
        try workshop.write(log, to: "phone.ndjson")
        #expect(try kodama("from-log", "phone.ndjson", "-o", "good.yaml").status == 0)
        try expectSound("good.yaml")
    }

    @Test("A packed log, and one that is no UTF-8, are told apart from what is no log (HN-12)")
    func otherEncodings() throws {
        let file = workshop.folder.appending(path: "log")
        try Data([0x1F, 0x8B, 0x08, 0x00]).write(to: file)
        #expect(try kodama("from-log", "log").stderr.contains("log:1: this is packed by gzip; "))
        let text = Self.line("09:00:00.000000", "RTC", "connected")
        try #require(text.data(using: .utf16)).write(to: file)
        let end = try kodama("from-log", "log")
        #expect(end.stderr.contains("log:1: this is UTF-16; save it as UTF-8"), "\(end.stderr)")
        #expect(end.status == 66)
    }
}
