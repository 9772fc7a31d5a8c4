@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("Voice metrics on small calls with worked answers")
struct VoiceMetricsTimelineTests {
    @Test("A spurt sent and heard from its first frame on is not clipped (K-15)")
    func unclipped() {
        let call = Timeline(
            speech: "...##########....",
            sent: "..############...",
            played: "..############..."
        )
        #expect(call.findings.milliseconds("voice.onset.clipped.sender.time") == [0])
        #expect(call.findings.milliseconds("voice.onset.clipped.listener.time") == [0])
        #expect(call.findings.proportion("voice.speech.not_sent") == [0, 200_000_000])
        #expect(call.findings.proportion("voice.speech.not_played") == [0, 200_000_000])
    }

    @Test("Two frames cut off the front clip 40 ms, and one more lost on the way 60 ms (K-15)")
    func clipped() {
        let call = Timeline(
            speech: "...##########....",
            sent: ".....########....",
            played: "......#######...."
        )
        #expect(call.findings.milliseconds("voice.onset.clipped.sender.time") == [40])
        #expect(call.findings.milliseconds("voice.onset.clipped.listener.time") == [60])
        #expect(call.findings.proportion("voice.speech.not_sent") == [40_000_000, 200_000_000])
        #expect(call.findings.proportion("voice.speech.not_played") == [60_000_000, 200_000_000])
    }

    @Test("A spurt of which nothing is sent is clipped by its whole length (K-15)")
    func unheard() {
        let call = Timeline(speech: "..#####...", sent: "..........", played: "..........")
        #expect(call.findings.milliseconds("voice.onset.clipped.sender.time") == [100])
        #expect(call.findings.milliseconds("voice.onset.clipped.listener.time") == [100])
    }

    @Test("A frame sent in the release of the spurt before covers the onset of the next (K-15)")
    func release() {
        let call = Timeline(
            speech: "##..###...",
            sent: "#####.#...",
            played: "#####.#..."
        )
        #expect(call.findings.milliseconds("voice.onset.clipped.sender.time") == [0, 0])
        #expect(call.findings.milliseconds("voice.speech.gap.time") == [20])
    }

    @Test("A spurt that ends less than 2 s before the run does not count (K-15)")
    func cutOff() {
        let speech = "...##########"
        let sent = ".....########"
        let tooSoon = Timeline(speech: speech, sent: sent, played: sent, endsAtMilliseconds: 2_259)
        #expect(tooSoon.findings.milliseconds("voice.onset.clipped.sender.time") == [])
        let inTime = Timeline(speech: speech, sent: sent, played: sent, endsAtMilliseconds: 2_260)
        #expect(inTime.findings.milliseconds("voice.onset.clipped.sender.time") == [40])
    }

    @Test("Silence sent is the share of the time without speech that frames cover (S-VAD-001)")
    func silence() {
        // 3 of 12 silent frames are sent; the run ends 2 s after the last frame.
        let call = Timeline(
            speech: "....####........",
            sent: "..#######.......",
            played: "................",
            endsAtMilliseconds: 2_320
        )
        #expect(call.findings.proportion("voice.silence.sent") == [60_000_000, 240_000_000])
    }

    @Test("Without anybody in a group nothing is measured")
    func nobody() {
        let call = Timeline(
            speech: "...##########",
            sent: "kk...########",
            played: ".....###x####",
            joins: false
        )
        #expect(call.findings.total("voice.bytes") == 0)
        for metric in Systems.shipped.metrics {
            #expect(call.findings.value(metric.name)?.samples == 0, "\(metric.name)")
        }
    }

    @Test("Speech lost in the middle is a gap of its length (K-13)")
    func gap() {
        let call = Timeline(
            speech: "..##########..",
            sent: "..##########..",
            played: "....##...##.#."
        )
        // The front is no gap, and the end is one of its own.
        #expect(call.findings.milliseconds("voice.speech.gap.time") == [20, 60])
        #expect(call.findings.milliseconds("voice.onset.clipped.listener.time") == [40])
    }

    @Test("Mouth to ear counts from 2 s into a spurt on, the onset up to 300 ms (K-12)")
    func mouthToEar() {
        let speech = String(repeating: "#", count: 110)
        let call = Timeline(speech: speech, sent: speech, played: speech + "#####")
        let steady = call.findings.distribution("voice.mouth_to_ear.time")
        // Frames 101 to 109 begin more than 2 s after the onset; 110 and later carry no speech.
        #expect(steady?.count == 9)
        #expect(steady?.minimum == 100_000_000)
        #expect(steady?.maximum == 100_000_000)
        #expect(steady?.quantile(perMille: 950) == 100_000_000)
        #expect(call.findings.distribution("voice.mouth_to_ear.onset.time")?.count == 15)
    }

    @Test("Extrapolated, repaired and stretched frames are told apart")
    func concealment() {
        let call = Timeline(
            speech: "##########..",
            sent: "##########..",
            played: "##xx#r#s#x.."
        )
        #expect(call.findings.proportion("voice.concealed") == [3 * 960, 10 * 960])
        #expect(call.findings.proportion("voice.repaired") == [960, 10 * 960])
        #expect(call.findings.proportion("voice.stretched") == [144, 9_744])
        #expect(call.findings.milliseconds("voice.concealed.run.time") == [20, 40])
    }

    @Test("A repaired frame parts two rows of extrapolated ones")
    func runs() {
        let parted = Timeline(speech: "########", sent: "########", played: "##xrxx##")
        #expect(parted.findings.milliseconds("voice.concealed.run.time") == [20, 40])
    }

    @Test("Of a stretched frame what was inserted counts, of a compressed one nothing (D-16)")
    func stretching() {
        var builder = TraceBuilder(["a", "b"])
        builder.add(GroupJoined(group: 0), at: 0, "a")
        builder.add(GroupJoined(group: 0), at: 0, "b")
        for (position, samples) in [Int64(960), 1_104, 816].enumerated() {
            let index = Int64(position)
            builder.add(
                FramePlayed(index: index, samples: samples, heard: .zero, captured: .zero),
                at: index,
                "b",
                "a"
            )
        }
        builder.add(
            FrameConcealed(index: 3, samples: 1_104, heard: .zero, means: TraceWord(.repaired)),
            at: 3,
            "b",
            "a"
        )
        #expect(Findings(builder.trace).proportion("voice.stretched") == [288, 3_984])
    }

    @Test("Extrapolating past the end of a spurt is no gap in speech")
    func ghost() {
        let call = Timeline(
            speech: "#####.......##",
            sent: "#####.......##",
            played: "#####xxx....##"
        )
        #expect(call.findings.milliseconds("voice.concealed.run.time") == [])
        #expect(call.findings.proportion("voice.concealed") == [3 * 960, 10 * 960])
    }

    @Test("A frame heard twice is one duplicate, and broken order is another thing (K-14)")
    func duplicates() {
        let twice = Timeline(speech: "####", sent: "####", played: "#2##")
        #expect(twice.findings.total("voice.duplicates.played") == 1)
        #expect(twice.findings.total("voice.order.broken") == 0)

        var builder = TraceBuilder(["a", "b"])
        builder.add(GroupJoined(group: 0), at: 0, "a")
        builder.add(GroupJoined(group: 0), at: 0, "b")
        for (position, index) in [1, 2, 4, 3, 5, 2].enumerated() {
            builder.add(
                FramePlayed(index: Int64(index), samples: 960, heard: .zero, captured: .zero),
                at: Int64(position),
                "b",
                "a"
            )
        }
        #expect(Findings(builder.trace).total("voice.duplicates.played") == 1)
        #expect(Findings(builder.trace).total("voice.order.broken") == 2)
    }

    @Test("A frame that was repaired and is played later was heard twice (K-14)")
    func repairedAndPlayed() {
        func trace(_ means: ConcealmentMeans, then index: Int64) -> RecordedTrace {
            var builder = TraceBuilder(["a", "b"])
            builder.add(GroupJoined(group: 0), at: 0, "a")
            builder.add(GroupJoined(group: 0), at: 0, "b")
            let made = FrameConcealed(index: 5, samples: 960, heard: .zero, means: TraceWord(means))
            builder.add(made, at: 10, "b", "a")
            let played = FramePlayed(index: index, samples: 960, heard: .zero, captured: .zero)
            builder.add(played, at: 20, "b", "a")
            return builder.trace
        }
        let cases: [(ConcealmentMeans, Int64, Int64)] = [
            (.repaired, 5, 1), (.repaired, 6, 0), (.extrapolated, 5, 0),
        ]
        for (means, index, count) in cases {
            let trace = trace(means, then: index)
            #expect(Findings(trace).total("voice.duplicates.played") == count)
            var meter = RunMeter()
            meter.fold(trace)
            let broken = meter.invariants.first { $0.name == "voice.never-played-twice" }
            #expect(broken?.violationCount == Int(count))
        }
    }

    @Test("Keepalives are timed from the datagram before, voice or not (A-F-015)")
    func keepalives() {
        let call = Timeline(
            speech: "",
            sent: "##....k....k..#..k",
            played: "",
            endsAtMilliseconds: 3_000
        )
        #expect(call.findings.milliseconds("voice.keepalive.period") == [60, 100, 100])
        // Nothing follows the last keepalive at 360 ms.
        #expect(call.findings.milliseconds("voice.send.gap.time") == [2_640])
        #expect(call.findings.total("voice.bytes") == 240)
        #expect(call.findings.total("voice.frames.sent") == 3)
    }

    @Test("Growth of the delay is told minute by minute against the first (A-F-007)")
    func growth() {
        var builder = TraceBuilder(["person", "a", "b"])
        builder.add(GroupJoined(group: 0), at: 0, "a")
        builder.add(GroupJoined(group: 0), at: 0, "b")
        builder.add(SpeechBegan(spurt: 1), at: 0, "person", "a")
        for frame in 0..<Int64(3 * 60 * 50) {
            // Each frame is heard 1 µs later than the one before: 3 ms in a minute.
            let captured = frame * 20_000_000
            let heard = captured + 80_000_000 + frame * 1_000
            let played = FramePlayed(
                index: frame,
                samples: 960,
                heard: .ns(heard),
                captured: .ns(captured)
            )
            builder.add(played, atNanoseconds: heard, "b", "a")
        }
        builder.end(at: 181_000)
        let growth = Findings(builder.trace).distribution("voice.delay.growth.time")
        #expect(growth?.count == 2)
        // The first minute lacks its first 2 s, so its mean lies 50 µs later.
        #expect((2_940_000...2_960_000).contains(growth?.minimum ?? 0))
        #expect((5_940_000...5_960_000).contains(growth?.maximum ?? 0))
    }

    @Test("The share thrown away as late is one of the frames that arrived")
    func late() {
        var builder = TraceBuilder(["a", "b"])
        builder.add(GroupJoined(group: 0), at: 0, "a")
        builder.add(GroupJoined(group: 0), at: 0, "b")
        for frame in 0..<Int64(4) {
            builder.add(
                PacketArrived(index: frame, bytes: 60, content: .voice, path: .local),
                at: frame,
                "b",
                "a"
            )
        }
        builder.add(
            PacketArrived(index: 0, bytes: 20, content: .keepalive, path: .local),
            at: 5,
            "b",
            "a"
        )
        for reason in JitterBuffer.DiscardReason.allCases.prefix(4) {
            builder.add(
                FrameDiscarded(index: reason.rawValue, reason: TraceWord(reason)),
                at: 6,
                "b",
                "a"
            )
        }
        #expect(Findings(builder.trace).proportion("voice.late") == [1, 4])
    }

    @Test("Two groups do not hear each other and owe each other nothing")
    func groups() {
        var builder = TraceBuilder(["person", "a", "b", "c"])
        builder.add(GroupJoined(group: 0), at: 0, "a")
        builder.add(GroupJoined(group: 0), at: 0, "b")
        builder.add(GroupJoined(group: 1), at: 0, "c")
        builder.add(SpeechBegan(spurt: 1), at: 100, "person", "a")
        builder.add(SpeechEnded(spurt: 1), at: 300, "person", "a")
        for frame in 0..<Int64(30) {
            let captured = FrameCaptured(
                index: frame,
                start: .ns(frame * 20_000_000),
                durationNanoseconds: 20_000_000
            )
            builder.add(captured, at: frame * 20 + 20, "a")
        }
        builder.end(at: 4_000)
        let findings = Findings(builder.trace)
        #expect(findings.milliseconds("voice.onset.clipped.listener.time") == [200])
        #expect(findings.proportion("voice.speech.not_played") == [200_000_000, 200_000_000])
    }
}
