@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import Testing

@Suite("Voice metrics notice a single changed record")
struct VoiceMetricsMutationTests {
    private static let frames = String(repeating: "#", count: 200)
    private static let call = Timeline(
        speech: frames,
        sent: frames + "....k",
        played: frames,
        endsAtMilliseconds: 10_000
    )

    /// The names of the metrics that differ after `change`.
    private func changed(_ change: (inout [TraceRecord]) -> Void) -> Set<String> {
        let original = Self.call.trace
        var mutated = original
        change(&mutated.records)
        let (before, after) = (Findings(original), Findings(mutated))
        return Set(
            Systems.shipped.metrics.map(\.name).filter { before.value($0) != after.value($0) }
        )
    }

    private func played(_ index: Int64, in records: [TraceRecord]) -> Int {
        let position = records.firstIndex { $0.read(FramePlayed.self)?.index == index }
        guard let position else { preconditionFailure("the call has no such record") }
        return position
    }

    @Test("A frame not played is missed in the middle of speech")
    func unplayed() {
        let names = changed { $0.remove(at: played(150, in: $0)) }
        #expect(names.isSuperset(of: ["voice.speech.not_played", "voice.speech.gap.time"]))
        #expect(!names.contains("voice.speech.not_sent"))
    }

    @Test("The first frame not played is clipped")
    func unplayedOnset() {
        let names = changed { $0.remove(at: played(0, in: $0)) }
        #expect(names.contains("voice.onset.clipped.listener.time"))
        #expect(!names.contains("voice.onset.clipped.sender.time"))
    }

    @Test("A frame not sent is missed at the sender")
    func unsent() {
        let names = changed { $0.removeAll { $0.read(PacketSent.self)?.index == 150 } }
        #expect(
            names.isSuperset(of: ["voice.speech.not_sent", "voice.frames.sent", "voice.bytes"])
        )
    }

    @Test("A frame heard 10 µs later moves the mouth-to-ear time")
    func later() {
        let names = changed {
            $0[played(150, in: $0)].change(FramePlayed.self) { $0.heard.nanoseconds += 10_000 }
        }
        #expect(names.isSuperset(of: ["voice.mouth_to_ear.time"]))
        let onset = changed {
            $0[played(5, in: $0)].change(FramePlayed.self) { $0.heard.nanoseconds += 10_000 }
        }
        #expect(onset.isSuperset(of: ["voice.mouth_to_ear.onset.time"]))
    }

    @Test("A frame played in another's place breaks the order and repeats that frame")
    func swapped() {
        let names = changed { $0[played(150, in: $0)].change(FramePlayed.self) { $0.index = 140 } }
        #expect(names.isSuperset(of: ["voice.order.broken", "voice.duplicates.played"]))
    }

    @Test("A frame concealed instead of played is counted and lowers the estimate")
    func concealed() {
        let names = changed { records in
            for index in Int64(150)..<170 {
                let position = played(index, in: records)
                let frame = FramePlayed(records[position])
                records[position].write(
                    FrameConcealed(
                        index: frame.index,
                        samples: frame.samples,
                        heard: frame.heard,
                        means: TraceWord(.extrapolated)
                    )
                )
            }
        }
        let expected: Set = ["voice.concealed", "voice.concealed.run.time", "voice.mos.estimated"]
        #expect(names.isSuperset(of: expected))
    }

    @Test("A keepalive left out is a longer pause")
    func silent() {
        let names = changed { records in
            records.removeAll { $0.read(PacketSent.self)?.content.value == .keepalive }
        }
        #expect(names.isSuperset(of: ["voice.keepalive.period", "voice.send.gap.time"]))
    }
}
