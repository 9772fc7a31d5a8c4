import RealtimeVoice
import SansIO
import Testing

@Suite("What the source design specifies for sessions")
struct SessionPresetTests {
    @Test(
        "No watchdog, no probes, no fresh tokens, and a minute where the design has no figure (D-07)"
    )
    func session() {
        let preset = RealtimeSessionConfiguration.asSpecified
        #expect(preset.connectOptions == .asSpecified)
        #expect(preset.outerRetry == .asSpecified)
        #expect(!preset.watchdog.isEnabled && !preset.probe.isEnabled && !preset.refreshesToken)
        #expect(preset.leaveOn == .inactive)
        #expect(preset.tokenTimeout == .seconds(60))
        #expect(preset.connectTimeout == .seconds(60))
        #expect(preset.retryTimeout == .seconds(60))
        #expect(preset.partner == RealtimeSessionConfiguration().partner)
    }

    @Test(
        "Three attempts after 2 s each, then one every 30 s, deaf to paths and without chance (D-19)"
    )
    func retries() {
        let preset = OuterRetryPolicy.asSpecified
        #expect(preset.fastAttempts == 3)
        #expect(preset.firstDelay == .seconds(2) && preset.maximumDelay == .seconds(2))
        #expect(preset.slowDelay == .seconds(30))
        #expect(preset.jitter == .zero && !preset.followsPath)
    }
}
