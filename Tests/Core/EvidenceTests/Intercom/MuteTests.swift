@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("A microphone that is off: what is heard, missed and shown of it (K-22, S-UI-001)")
struct MuteTests {
    /// The overheard times, how many times there were, and how many frames broke the invariant.
    private func overheard(_ trace: RecordedTrace) -> [Int] {
        let meter = RunMeter.of(trace)
        let metric = meter.metrics.first { $0.name == "voice.conduct.breaches" }
        let invariant = meter.invariants.first { $0.name == "voice.nobody-overhears" }
        let total = Findings(trace).total("voice.conduct.breaches") ?? -1
        return [Int(total), metric?.samples ?? -1, invariant?.violationCount ?? -1]
    }

    @Test(
        "What was captured while its user was muted and is played or repaired is a breach (K-22)",
        arguments: [
            ("###....##.##", [0, 2, 0]), ("####...##.##", [1, 2, 1]), ("###..####.##", [1, 2, 2]),
            ("############", [2, 2, 5]), ("###r...##.##", [1, 2, 1]), ("###....##r##", [1, 2, 1]),
            ("##rx...r#.##", [0, 2, 0]),
        ]
    )
    func breach(played: String, found: [Int]) {
        let call = Timeline(
            speech: "############",
            sent: played,
            played: played,
            muted: "...####..#.."
        )
        #expect(overheard(call.trace) == found)
    }

    @Test("A frame counts by its end: across a mute it is a breach, across an unmute it is none")
    func edges() {
        func overheard(capturedAt start: Int64) -> Int {
            var builder = TraceBuilder(["ann", "ben"])
            for app in ["ann", "ben"] { builder.add(GroupJoined(group: 1), at: 0, app) }
            builder.add(MicrophoneMuted(isMuted: TraceFlag(true)), at: 1_000, "ann")
            builder.add(MicrophoneMuted(isMuted: TraceFlag(false)), at: 1_100, "ann")
            let frame = FramePlayed(
                index: 0,
                samples: 960,
                heard: .ns(2_000_000_000),
                captured: .ns(start * 1_000_000)
            )
            builder.add(frame, at: 1_900, "ben", "ann")
            builder.end(at: 3_000)
            return self.overheard(builder.trace)[0]
        }
        let breaches = [970, 980, 985, 1_000, 1_080, 1_085, 1_100].map { overheard(capturedAt: $0) }
        #expect(breaches == [0, 0, 1, 1, 1, 0, 0])
    }

    @Test("Speech while muted is neither cut off nor lost, and counts again from the unmute (K-15)")
    func due() {
        let call = Timeline(
            speech: "..##########....",
            sent: "..###....####...",
            played: "..###....####...",
            muted: ".....####......."
        )
        let findings = call.findings
        #expect(findings.milliseconds("voice.onset.clipped.sender.time") == [0, 0])
        #expect(findings.milliseconds("voice.onset.clipped.listener.time") == [0, 0])
        #expect(findings.proportion("voice.speech.not_sent") == [0, 120_000_000])
        #expect(findings.proportion("voice.speech.not_played") == [0, 120_000_000])
        #expect(findings.milliseconds("voice.speech.gap.time") == [])
    }

    @Test("Who begins to speak while muted, and is unmuted then, is cut off from there (K-15)")
    func late() {
        let call = Timeline(
            speech: "...#########....",
            sent: "........####....",
            played: ".........###....",
            muted: ".######........."
        )
        let findings = call.findings
        #expect(findings.milliseconds("voice.onset.clipped.sender.time") == [20])
        #expect(findings.milliseconds("voice.onset.clipped.listener.time") == [40])
        let whole = Timeline(
            speech: "...####.........",
            sent: "................",
            played: "................",
            muted: ".######........."
        )
        #expect(whole.findings.milliseconds("voice.onset.clipped.sender.time") == [])
        #expect(whole.findings.proportion("voice.speech.not_sent") == [0, 0])
    }

    @Test("What a mute breaks off before a gate could have opened is not cut off (S-VAD-003)")
    func hushed() {
        func clipped(_ frames: Int) -> [Double]? {
            let speech = String(repeating: "#", count: frames) + "########........"
            let muted = String(repeating: ".", count: frames) + "########........"
            return Timeline(speech: speech, sent: "", played: "", muted: muted)
                .findings.milliseconds("voice.onset.clipped.sender.time")
        }
        #expect(clipped(4) == [])
        #expect(clipped(5) == [100])
    }

    /// Two apps of one group, of which each screen shows the other.
    private struct Screens {
        var builder = TraceBuilder(["a", "b"])

        init() {
            for app in ["a", "b"] { builder.add(GroupJoined(group: 1), at: 0, app) }
        }

        mutating func show(
            _ connection: CardConnection = .local,
            isMuted: Bool,
            at time: Int64
        ) {
            let card = CardShown(
                connection: connection,
                isTalking: false,
                isOwner: false,
                isMuted: isMuted
            )
            builder.add(card, at: time, "b", "a")
        }

        mutating func mute(_ isMuted: Bool, at time: Int64) {
            builder.add(MicrophoneMuted(isMuted: TraceFlag(isMuted)), at: time, "a")
        }

        /// How long b's card of a was wrong, each time.
        func wrong(until end: Int64 = 60_000) -> [Double]? {
            var whole = builder
            whole.end(at: end)
            return Findings(whole.trace).milliseconds("group.card.mute.time")
        }
    }

    @Test("A card is wrong from a mute or an unmute until it says so, or until the run ends")
    func shown() {
        var screens = Screens()
        screens.show(isMuted: false, at: 1_000)
        screens.mute(true, at: 10_000)
        screens.show(isMuted: true, at: 10_512)
        screens.mute(false, at: 20_000)
        #expect(screens.wrong(until: 24_096) == [512, 4_096])
        screens.show(isMuted: false, at: 21_024)
        #expect(screens.wrong() == [512, 1_024])
        // Taken back before anybody was told.
        screens.mute(true, at: 30_000)
        screens.mute(false, at: 30_256)
        #expect(screens.wrong() == [256, 512, 1_024])
    }

    @Test("Who is not reached does not count; whoever is reached while muted is shown so at once")
    func reached() {
        var screens = Screens()
        screens.show(.connecting, isMuted: false, at: 1_000)
        screens.mute(true, at: 10_000)
        #expect(screens.wrong() == [])
        screens.show(isMuted: true, at: 20_000)
        #expect(screens.wrong() == [0])
        screens.show(.connecting, isMuted: true, at: 30_000)
        screens.show(isMuted: false, at: 40_000)
        screens.show(isMuted: true, at: 40_512)
        #expect(screens.wrong() == [0, 512])
    }

    @Test("A new launch begins with the microphone on, and its card is right once it says so")
    func relaunched() {
        var screens = Screens()
        screens.show(isMuted: false, at: 1_000)
        screens.mute(true, at: 10_000)
        screens.show(isMuted: true, at: 10_000)
        screens.builder.add(GroupLeft(group: 1), at: 20_000, "a")
        screens.mute(false, at: 20_000)
        screens.builder.add(GroupJoined(group: 1), at: 25_000, "a")
        screens.show(isMuted: false, at: 27_048)
        #expect(screens.wrong() == [0, 2_048])
        // Its own screen is closed, and shows nobody.
        screens.mute(true, at: 30_000)
        screens.builder.add(GroupLeft(group: 1), at: 30_128, "b")
        #expect(screens.wrong() == [0, 128, 2_048])
    }
}
