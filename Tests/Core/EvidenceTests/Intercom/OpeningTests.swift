@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

@Suite("How often a phone begins to send though nobody at it speaks (S-VAD-001)")
struct OpeningTests {
    /// The needless openings in an hour of a call as drawn, after which Aoi speaks for ten frames
    /// that are sent with five of pre-roll and five of release.
    private func openings(speech: String = "", sent: String, quiet frames: Int = 500) -> [Int64] {
        func padded(_ drawing: String) -> String {
            drawing + String(repeating: ".", count: frames - drawing.count)
        }
        let call = Timeline(
            speech: padded(speech) + ".....##########.....",
            sent: padded(sent) + "####################",
            played: ""
        )
        return samples(call.findings)
    }

    /// One sample at most, as only Aoi's phone captures.
    private func samples(_ findings: Findings) -> [Int64] {
        guard let found = findings.distribution("voice.openings.needless"), found.count < 2 else {
            return [-1, -1]
        }
        return found.count == 0 ? [] : [found.sum]
    }

    @Test("Each stretch of frames sent none of which holds speech counts, by the silent hour")
    func needless() {
        // 510 frames of 20 ms are silent: 10.2 s.
        #expect(openings(sent: "") == [0])
        #expect(openings(sent: "...#####") == [352])
        #expect(openings(sent: "...#####.#####.....###") == [3 * 3_600_000 / 10_200])
    }

    @Test("An opening with a single frame of speech is none, wherever in it that lies")
    func needed() {
        for speech in ["...#", ".....#", ".......#"] {
            // 509 frames are silent.
            #expect(openings(speech: speech, sent: "...#####") == [0], "\(speech)")
        }
        // Speech right before the first frame sent, or right after the last, is not in it.
        #expect(openings(speech: "..#", sent: "...#####") == [3_600_000 / 10_180])
        #expect(openings(speech: "........#", sent: "...#####") == [3_600_000 / 10_180])
    }

    @Test("Less than 10 s of frames without speech give no rate")
    func short() {
        #expect(openings(sent: "...#####", quiet: 489) == [])
        #expect(openings(sent: "...#####", quiet: 490) == [360])
    }

    @Test("An opening that still runs at the end counts once speech would have come")
    func running() {
        func rate(_ frames: Int) -> [Int64] {
            let sent = String(repeating: ".", count: 500) + String(repeating: "#", count: frames)
            // The walk ends where the drawing does, 3 s before the run.
            let end = Int64(sent.count) * 20 + 3_000
            let call = Timeline(speech: "", sent: sent, played: "", endsAtMilliseconds: end)
            return samples(call.findings)
        }
        #expect(rate(24) == [0])
        #expect(rate(25) == [3_600_000 / 10_500])
    }

    @Test("A microphone that was away parts openings, a clock that drifts does not")
    func pauses() {
        func rate(gap: Int64) -> [Int64] {
            var builder = TraceBuilder(Timeline.names)
            for app in ["aoi-phone", "ren-phone"] {
                builder.add(GroupJoined(group: 0), at: 0, app)
            }
            for index in Int64(0)..<600 {
                let start = index * 20_000_000 + (index < 100 ? 0 : gap)
                let end = start + 20_000_000
                let frame = FrameCaptured(
                    index: index,
                    start: .ns(start),
                    durationNanoseconds: 20_000_000
                )
                builder.add(frame, atNanoseconds: end, "aoi-phone")
                guard (90..<110).contains(index) else { continue }
                let packet = PacketSent(index: index, bytes: 60, content: .voice, path: .local)
                builder.add(packet, atNanoseconds: end, "aoi-phone", "ren-phone")
            }
            builder.end(at: 60_000)
            return samples(Findings(builder.trace))
        }
        #expect([0, 1_000, 100_000_000].map { rate(gap: $0) } == [[300], [300], [300]])
        #expect(rate(gap: 100_000_001) == [600])
    }

    @Test("What is sent right after somebody joins may be of speech before, and does not count")
    func joined() {
        func rate(at joined: Int64) -> [Int64] {
            let sent = String(repeating: ".", count: 40) + "#####"
            let call = Timeline(
                speech: "",
                sent: sent + String(repeating: ".", count: 955),
                played: "",
                joins: false
            )
            let drawn = call.trace
            var builder = TraceBuilder(Timeline.names)
            builder.add(GroupJoined(group: 0), at: 0, "aoi-phone")
            builder.add(GroupJoined(group: 0), at: joined, "ren-phone")
            var trace = builder.trace
            trace.records = (trace.records + drawn.records).enumerated()
                .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
                .map(\.element)
            return samples(Findings(trace))
        }
        // The first frame sent begins at 800 ms.
        #expect(rate(at: 780) == [3_600_000 / 19_220])
        #expect(rate(at: 800) == [0])
        #expect(rate(at: 810) == [0])
    }
}
