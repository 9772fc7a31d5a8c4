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

    @Test("No sound has no frames")
    func empty() {
        #expect(SyntheticSound(.hertz16000, seconds: 0.019).report().frames.isEmpty)
    }
}
