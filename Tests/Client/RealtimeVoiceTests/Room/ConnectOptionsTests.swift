import RealtimeVoice
import Testing

@Suite("Connect options")
struct ConnectOptionsTests {
    @Test("The source design asks for ten attempts from 0.5 s to 6 s (RS-04, D-07)")
    func asSpecified() {
        let options = ConnectOptions.asSpecified
        #expect(options.reconnectAttempts == 10)
        #expect(options.reconnectAttemptDelay == .milliseconds(500))
        #expect(options.reconnectMaxDelay == .seconds(6))
    }

    @Test("By default the SDK's last attempt, a full one, comes an hour into a cut or later (D-21)")
    func lastAttempt() {
        let options = RealtimeSessionConfiguration().connectOptions
        let quickAttempts = options.reconnectAttempts - 1
        #expect(options.socketConnectTimeout * quickAttempts >= .seconds(3_600))
    }
}
