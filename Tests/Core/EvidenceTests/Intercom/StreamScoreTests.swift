@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import Testing

@Suite("The estimated score of each stream")
struct StreamScoreTests {
    @Test("A speaker who is heard badly does not hide behind one who is heard well")
    func scores() throws {
        var builder = TraceBuilder(["aoi", "aoi-phone", "mio", "mio-phone", "ren-phone"])
        for phone in ["aoi-phone", "mio-phone", "ren-phone"] {
            builder.add(GroupJoined(group: 0), at: 0, phone)
        }
        for (speaker, phone) in [("aoi", "aoi-phone"), ("mio", "mio-phone")] {
            builder.add(SpeechBegan(spurt: 1), at: 0, speaker, phone)
            for frame in Int64(0)..<100 {
                let heard = Instant.ns(frame * 20_000_000 + 100_000_000)
                if speaker == "mio", frame % 10 == 9 {
                    builder.add(
                        FrameConcealed(
                            index: frame,
                            samples: 960,
                            heard: heard,
                            means: TraceWord(.extrapolated)
                        ),
                        at: frame * 20 + 90,
                        "ren-phone",
                        phone
                    )
                } else {
                    builder.add(
                        FramePlayed(
                            index: frame,
                            samples: 960,
                            heard: heard,
                            captured: .ns(frame * 20_000_000)
                        ),
                        at: frame * 20 + 90,
                        "ren-phone",
                        phone
                    )
                }
            }
            builder.add(SpeechEnded(spurt: 1), at: 2_000, speaker, phone)
        }
        builder.end(at: 4_000)
        let scores = try #require(Findings(builder.trace).distribution("voice.mos.estimated"))
        #expect(scores.count == 2)
        // 100 ms from mouth to ear; none lost, and 10 %.
        #expect(scores.maximum == 4_240)
        #expect(scores.minimum == 2_622)
    }
}
