import IncomingCalls
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO
import Testing

@Suite("Call metrics: calls without the microphone")
struct CallMicrophoneTests {
    private static let metric = "call.microphone.unexplained"

    /// Ren's app is launched without the microphone, and Ren answers at 5 s.
    private func answered(_ state: MicrophoneState = .refused) -> CallScene {
        var scene = CallScene()
        scene.add(MicrophoneChanged(state: state), at: 0)
        scene.ring(2_000..<5_000, .answered)
        return scene
    }

    @Test("Who answers without it has to read why, or be asked, within 5 s (AN-06)")
    func answers() {
        #expect(answered().findings().total(Self.metric) == 1)
        for (instant, count) in [(5_000, 0), (10_000, 0), (10_001, 1), (4_999, 1)]
            as [(Int64, Int64)]
        {
            var told = answered()
            told.add(MicrophoneExplained(notice: TraceWord(.refused)), at: instant)
            #expect(told.findings().total(Self.metric) == count, "at \(instant)")
            #expect(told.findings().value(Self.metric)?.samples == 1)
            // What another phone says is no answer.
            var elsewhere = answered()
            elsewhere.add(MicrophoneExplained(notice: TraceWord(.refused)), of: .pad, at: instant)
            #expect(elsewhere.findings().total(Self.metric) == 1)
        }
        var asked = answered(.unasked)
        asked.add(MicrophoneChanged(state: .asked), at: 6_000)
        #expect(asked.findings().total(Self.metric) == 0)
        #expect(answered(.asked).findings().total(Self.metric) == 0)
    }

    @Test("Who has the microphone needs no word of it, nor does one whose time is not over (AN-06)")
    func notNeeded() {
        var allowed = answered()
        allowed.add(MicrophoneChanged(state: .allowed), at: 1_000)
        #expect(allowed.findings().value(Self.metric)?.samples == 0)
        // An app that is launched anew without a word has it.
        var relaunched = answered()
        relaunched.add(AppTerminated(), at: 1_000)
        #expect(relaunched.findings().value(Self.metric)?.samples == 0)
        #expect(answered().findings(until: 9_000).value(Self.metric)?.samples == 0)
    }

    @Test("Who calls without it has to read why, on each of the phone's calls (AN-06)")
    func dialled() {
        var scene = CallScene()
        scene.add(MicrophoneChanged(state: .refused), of: .aoi, at: 0)
        for instant in [10_000, 20_000] as [Int64] {
            scene.act(.dial, of: .aoi, at: instant)
            scene.add(MicrophoneExplained(notice: TraceWord(.refused)), of: .aoi, at: instant + 100)
        }
        scene.act(.dial, of: .aoi, at: 30_000)
        #expect(scene.findings().total(Self.metric) == 1)
        #expect(scene.findings().value(Self.metric)?.samples == 3)
    }
}
