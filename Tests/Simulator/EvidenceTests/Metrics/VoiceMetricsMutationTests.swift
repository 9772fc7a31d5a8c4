import Evidence
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
            MetricCatalog.all.map(\.name).filter { before.value($0) != after.value($0) }
        )
    }

    private func place(of kind: TraceKind, _ index: Int64, in records: [TraceRecord]) -> Int {
        let place = records.firstIndex { $0.kind == kind && $0.values[0] == index }
        guard let place else { preconditionFailure("the call has no such record") }
        return place
    }

    @Test("A frame not played is missed in the middle of speech")
    func unplayed() {
        let names = changed { $0.remove(at: place(of: .framePlayed, 150, in: $0)) }
        #expect(names.isSuperset(of: ["voice.speech.not_played", "voice.speech.gap.time"]))
        #expect(!names.contains("voice.speech.not_sent"))
    }

    @Test("The first frame not played is clipped")
    func unplayedOnset() {
        let names = changed { $0.remove(at: place(of: .framePlayed, 0, in: $0)) }
        #expect(names.contains("voice.onset.clipped.listener.time"))
        #expect(!names.contains("voice.onset.clipped.sender.time"))
    }

    @Test("A frame not sent is missed at the sender")
    func unsent() {
        let names = changed { $0.remove(at: place(of: .packetSent, 150, in: $0)) }
        #expect(
            names.isSuperset(of: ["voice.speech.not_sent", "voice.frames.sent", "voice.bytes"])
        )
    }

    @Test("A frame heard 10 µs later moves the mouth-to-ear time")
    func later() {
        let names = changed { $0[place(of: .framePlayed, 150, in: $0)].values[2] += 10_000 }
        #expect(names.isSuperset(of: ["voice.mouth_to_ear.time"]))
        let onset = changed { $0[place(of: .framePlayed, 5, in: $0)].values[2] += 10_000 }
        #expect(onset.isSuperset(of: ["voice.mouth_to_ear.onset.time"]))
    }

    @Test("A frame played in another's place breaks the order and repeats that frame")
    func swapped() {
        let names = changed { $0[place(of: .framePlayed, 150, in: $0)].values[0] = 140 }
        #expect(names.isSuperset(of: ["voice.order.broken", "voice.duplicates.played"]))
    }

    @Test("A frame concealed instead of played is counted and lowers the estimate")
    func concealed() {
        let names = changed { records in
            for index in Int64(150)..<170 {
                let place = place(of: .framePlayed, index, in: records)
                records[place].kind = .frameConcealed
                records[place].values[3] = 0
            }
        }
        let expected: Set = ["voice.concealed", "voice.concealed.run.time", "voice.mos.estimated"]
        #expect(names.isSuperset(of: expected))
    }

    @Test("A keepalive left out is a longer pause")
    func silent() {
        let names = changed { records in
            records.removeAll { $0.kind == .packetSent && $0.values[2] == 1 }
        }
        #expect(names.isSuperset(of: ["voice.keepalive.period", "voice.send.gap.time"]))
    }
}
