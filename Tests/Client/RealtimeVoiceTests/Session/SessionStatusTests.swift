import RealtimeVoice
import Testing

@Suite("What the user reads of a session")
struct SessionStatusTests {
    @Test("The rows' own texts stand verbatim (RS-02, RS-03, RS-09)")
    func verbatim() {
        #expect(SessionStatus(.tokenFailed, cause: "HTTP 500").text == "LiveKitトークン取得失敗: HTTP 500")
        #expect(SessionStatus(.deviceIdentityFailed).text == "デバイス識別子の取得に失敗しました")
        #expect(
            SessionStatus(.couldNotConnect).text == "接続できませんでした。ネットワーク状態を確認してください。"
        )
    }

    @Test("No two stages read alike, and every failure is a warning (RS-08)")
    func stages() {
        let texts = SessionStage.allCases.map { SessionStatus($0).text }
        #expect(Set(texts).count == SessionStage.allCases.count)
        let warnings = SessionStage.allCases.filter { SessionStatus($0).isWarning }
        #expect(
            warnings == [
                .deviceIdentityFailed, .microphoneRefused, .engineFailed, .tokenFailed,
                .couldNotConnect, .takenOver,
            ]
        )
        let connected = SessionStage.allCases.filter { SessionStatus($0).isConnected }
        #expect(connected == [.connected, .reconnected])
    }
}
