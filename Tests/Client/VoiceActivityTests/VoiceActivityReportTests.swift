import SansIOTesting
import Testing
import VoiceActivity

@Suite("Voice activity report")
struct VoiceActivityReportTests {
    @Test("It has one entry for each whole frame and agrees with detector and gate")
    func frames() {
        var sound = SyntheticSound(.hertz48000, seconds: 3.015)
        sound.addVoice(-26, from: 1, to: 2)
        let report = sound.report()
        #expect(report.frames.map(\.startMilliseconds) == (0..<150).map { 20 * $0 })
        #expect(report.frames.map(\.decision) == sound.decisions())
        let heard = String(report.frames.map { $0.decision.isSpeech ? "x" as Character : "." })
        let states = report.frames.map { "\($0.state.name)".first }
        #expect(states == GateTimeline(heard: heard).states.map(Optional.init))
        #expect(Set(states).count == 4)
    }

    @Test("Any split into blocks gives the same report", arguments: 0..<12 as Range<UInt64>)
    func blocks(seed: UInt64) {
        let rate: SampleRate = seed % 2 == 0 ? .hertz16000 : .hertz48000
        var random = LawRandom(seed: seed)
        var sound = SyntheticSound(rate, seconds: 2.013)
        sound.addWhite(-50, seed: seed)
        sound.addVoice(-26, from: 0.5, to: 1.5, seed: seed)
        let pcm = sound.pcm
        var report = VoiceActivityReport(sampleRate: rate)
        var place = 0
        while place < pcm.count {
            let longest = [1, 7, 400, 5_000][random.below(4)]
            let end = min(pcm.count, place + random.below(longest + 1))
            pcm[place..<end].withUnsafeBufferPointer { report.append($0) }
            place = end
        }
        #expect(report == sound.report())
        #expect(report.frames.count == 100)
    }

    @Test("No sound has no frames")
    func empty() {
        #expect(SyntheticSound(.hertz16000, seconds: 0.019).report().frames.isEmpty)
    }
}
