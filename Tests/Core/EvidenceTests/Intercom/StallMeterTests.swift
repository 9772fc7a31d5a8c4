@testable import KodamaEvidence
@testable import KodamaIntercom
import PeerTransport
import SansIO
import Testing

/// `voice.delay.after_stall.time` on calls whose packets and playout are drawn by hand (K-21).
@Suite("What a stall leaves of its delay")
struct StallMeterTests {
    /// Aoi speaks without an end, Ren listens; packets take 10 ms, speech 80.
    private struct Call {
        var seconds = 60
        /// When nothing arrives, and for how long, until all does; in milliseconds.
        var stalls: [(start: Int64, length: Int64)] = []
        /// How much longer packets take from a moment on.
        var slower: (from: Int64, by: Int64) = (.max, 0)
        /// By how many milliseconds what is captured then is heard later.
        var delay: (Int64) -> Int64 = { _ in 0 }
        var pause: Range<Int64> = 0..<0

        var samples: [Double]? {
            Findings(trace).milliseconds("voice.delay.after_stall.time")
        }

        var trace: RecordedTrace {
            let phones = ("aoi-phone", "ren-phone")
            var builder = TraceBuilder(Timeline.names)
            builder.add(GroupJoined(group: 0), at: 0, phones.0)
            builder.add(GroupJoined(group: 0), at: 0, phones.1)
            builder.add(SpeechBegan(spurt: 1), at: 0, "aoi", phones.0)
            for index in 0..<Int64(seconds * 50) where !pause.contains(index * 20) {
                let sent = index * 20 + 20
                var arrived = sent + 10 + (sent >= slower.from ? slower.by : 0)
                for (start, length) in stalls where (start..<start + length).contains(arrived) {
                    arrived = start + length
                }
                builder.add(
                    PacketSent(index: index, bytes: 60, content: .voice, path: .local),
                    at: sent,
                    phones.0,
                    phones.1
                )
                builder.add(
                    PacketArrived(index: index, bytes: 60, content: .voice, path: .local),
                    at: arrived,
                    phones.1,
                    phones.0
                )
                let heard = index * 20 + 80 + delay(index * 20)
                builder.add(
                    FramePlayed(
                        index: index,
                        samples: 960,
                        heard: .ns(heard * 1_000_000),
                        captured: .ns(index * 20_000_000)
                    ),
                    at: heard,
                    phones.1,
                    phones.0
                )
            }
            builder.end(at: Int64(seconds) * 1_000)
            return builder.trace
        }
    }

    @Test("What is left 10 s after half a second and 15 s after a second is the sample (K-21)")
    func left() {
        func left(after length: Int64, _ seconds: Int64) -> [Double]? {
            let end = 20_000 + length
            // A millisecond less with each 20 ms, from 1,000 ms on.
            return Call(stalls: [(20_000, length)]) { captured in
                captured < 20_000 ? 0 : captured < end + seconds * 1_000 ? 1_000 : 30
            }.samples
        }
        #expect(left(after: 500, 9) == [30])
        #expect(left(after: 500, 14) == [1_000])
        #expect(left(after: 1_000, 14) == [30])
        #expect(left(after: 1_000, 18) == [1_000])
        #expect(Call(stalls: [(20_000, 500)]).samples == [0])
    }

    @Test("The worst sample names the listener, and the time from the stall to the judgement")
    func worst() throws {
        let call = Call(stalls: [(20_000, 500)]) { $0 < 20_000 ? 0 : 30 }
        let metrics = RunMeter.of(call.trace).metrics
        let metric = try #require(metrics.first { $0.name == "voice.delay.after_stall.time" })
        let worst = try #require(metric.worst)
        #expect(worst.value == 30_000_000 && worst.component == "ren-phone")
        // The first packet that was held back would have arrived at 20.01 s.
        #expect(worst.from == 20_010_000_000 && worst.until > 30_000_000_000)
    }

    @Test("A stall within a minute of another gives no sample, nor does it for that one")
    func habit() {
        #expect(Call(stalls: [(20_000, 500), (25_000, 200)]).samples == [])
        #expect(Call(stalls: [(20_000, 500), (50_000, 200)]).samples == [0])
        #expect(Call(seconds: 120, stalls: [(20_000, 500), (85_000, 1_000)]).samples == [0, 0])
        // The second begins at 80.51 s, when its first packet would have come: 60 and 59.98 s later.
        #expect(Call(seconds: 120, stalls: [(20_000, 510), (80_500, 1_000)]).samples == [0, 0])
        #expect(Call(seconds: 120, stalls: [(20_000, 530), (80_500, 1_000)]).samples == [0])
    }

    @Test("A path that became slower is no stall, and short holdups are none")
    func noStall() {
        #expect(Call(slower: (20_000, 300)).samples == [])
        #expect(Call(stalls: [(20_000, 90)]).samples == [])
        // The first packet that is held up would have come at 20.01 s: 99 and 100 ms.
        #expect(Call(stalls: [(20_000, 109)]).samples == [])
        #expect(Call(stalls: [(20_000, 110)]).samples == [0])
        #expect(Call().samples == [])
    }

    @Test("Without speech before or after there is no sample")
    func silence() {
        #expect(Call(stalls: [(20_000, 500)], pause: 5_000..<19_800).samples == [])
        #expect(Call(stalls: [(20_000, 500)], pause: 29_000..<33_000).samples == [])
        #expect(Call(seconds: 30, stalls: [(20_000, 500)]).samples == [])
    }
}
