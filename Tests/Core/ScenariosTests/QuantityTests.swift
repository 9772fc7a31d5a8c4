@testable import KodamaLanguage
import Testing

@Suite("Quantities")
struct QuantityTests {
    private let all = Int64.min...Int64.max

    @Test(
        "Quantities are read exactly, with or without one space (HN-02)",
        arguments: [
            ("25s", QuantityKind.duration, 25_000_000_000), ("150 ms", .duration, 150_000_000),
            ("2min", .duration, 120_000_000_000), ("1h", .duration, 3_600_000_000_000),
            ("20us", .duration, 20_000), ("7ns", .duration, 7), ("0s", .duration, 0),
            ("0.1s", .duration, 100_000_000), ("1.5000 ms", .duration, 1_500_000),
            ("2Mbps", .dataRate, 2_000_000), ("24kbps", .dataRate, 24_000),
            ("5%", .share, 50_000), ("1.5%", .share, 15_000), ("200ppm", .share, 200),
            ("-20ppm", .share, -20), ("0.0001%", .share, 1), ("64kB", .dataSize, 64_000),
            ("1000B", .dataSize, 1000), ("30dB", .level, 30_000), ("-0.5dB", .level, -500),
            ("2562047.788015215h", .duration, 9_223_372_036_854_774_000),
        ] as [(String, QuantityKind, Int64)]
    )
    func reads(_ text: String, _ kind: QuantityKind, _ amount: Int64) throws {
        #expect(try QuantityReader.quantity(text, kind, in: all) == amount)
    }

    @Test(
        "What is no quantity is refused, and says which mistake it is (HN-02)",
        arguments: [
            ("25", "missing-unit"), ("25 parsecs", "unknown-unit"), ("25sec", "unknown-unit"),
            ("25  s", "unknown-unit"), ("s", "not-a-quantity"), ("", "not-a-quantity"),
            ("1.s", "not-a-quantity"), (".5s", "not-a-quantity"), ("+5s", "not-a-quantity"),
            ("05s", "not-a-quantity"), ("1_000s", "not-a-quantity"), ("1e3s", "not-a-quantity"),
            ("--5s", "not-a-quantity"), ("1.2.3s", "not-a-quantity"), ("1:30", "not-a-quantity"),
            ("0.5ns", "too-precise"), ("1.0000000001s", "too-precise"),
            ("1234567890123456789s", "too-many-digits"), ("9999999999999s", "out-of-range"),
            ("5%", "wrong-unit"), ("٥s", "not-a-quantity"),
        ]
    )
    func refuses(_ text: String, _ code: String) {
        let finding = #expect(throws: Finding.self) {
            try QuantityReader.quantity(text, .duration, in: all)
        }
        #expect(finding?.problem.wording.code == code)
    }

    @Test(
        "A time that people would understand is answered with what to write (HN-02)",
        arguments: [
            ("1m30s", "90s"), ("1h 30min", "5400s"), ("1e3ms", "1s"), ("2E0s", "2s"),
            ("1,5s", "1500ms"), ("1h30", nil), ("1e99s", nil), ("1,5,5s", nil), ("30s1", nil),
            ("40ms,60ms", nil),
        ] as [(String, String?)]
    )
    func repairs(_ text: String, _ meant: String?) {
        #expect(QuantityRepair.meaning(of: text, .duration) == meant)
    }

    @Test(
        "What is written out reads back as the same amount (HN-02)",
        arguments: QuantityKind.allCases
    )
    func writesOut(_ kind: QuantityKind) throws {
        var amount: Int64 = 1
        var state: UInt64 = 7
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            amount = Int64(state >> 33) * [1, 10, 1000, 60_000_000][Int(state >> 62)]
            for signed in [amount, -amount] {
                let text = kind.text(of: signed)
                #expect(try QuantityReader.quantity(text, kind, in: all) == signed, "\(text)")
            }
        }
    }

    @Test("Times are written in the unit that people would choose (HN-02)")
    func familiarTimes() {
        #expect(QuantityKind.duration.text(of: 1_500_000_000) == "1500ms")
        #expect(QuantityKind.duration.text(of: 90_000_000_000) == "90s")
        #expect(QuantityKind.duration.text(of: 604_800_000_000_000) == "168h")
        #expect(QuantityKind.share.text(of: 17_500) == "1.75%")
        #expect(QuantityKind.share.text(of: 20) == "20ppm")
    }

    @Test("The nearest word is found over one or two slips, swaps included (HN-02)")
    func suggestions() {
        let words = ["attack", "release", "preroll", "loss"]
        #expect(Suggestion.nearest(to: "atack", among: words) == "attack")
        #expect(Suggestion.nearest(to: "relaese", among: words) == "release")
        #expect(Suggestion.nearest(to: "Release", among: words) == "release")
        #expect(Suggestion.nearest(to: "volume", among: words) == nil)
        // Everyday words for what is called otherwise.
        #expect(Suggestion.nearest(to: "tunnel", among: ["outage", "stop"]) == "outage")
        #expect(Suggestion.nearest(to: "lte", among: ["wifi", "cellular"]) == "cellular")
        #expect(
            Suggestion.nearest(to: "wifi", among: ["wifi-internet", "wifi-home"]) == "wifi-home"
        )
        let one = ["session.connect.time"]
        let limit = Problem.limit(in: "session.connect.time < 2s", of: .metric, among: one)
        #expect(limit?.message.contains("{ metric: session.connect.time, max: \"< 2s\" }") == true)
        #expect(Suggestion.nearest(to: "los", among: words) == "loss")
        let acts = ["answer-call", "mute-call", "mute-app"]
        #expect(Suggestion.nearest(to: "answer", among: acts) == "answer-call")
        #expect(Suggestion.nearest(to: "mute", among: acts) == nil)
        #expect(Suggestion.nearest(to: "lo", among: words) == nil)
        let metrics = ["voice.late", "voice.mos.estimated", "voice.mos.a.b", "voice.bytes"]
        #expect(Suggestion.nearest(to: "voice.mos", among: metrics) == "voice.mos.estimated")
        #expect(Suggestion.nearest(to: "voice", among: metrics) == nil)
        #expect(Suggestion.editDistance("ca", "abc") == 3)
        #expect(Suggestion.editDistance("", "abc") == 3)
    }
}
