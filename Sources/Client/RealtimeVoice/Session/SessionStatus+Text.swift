extension SessionStatus {
    /// The status as the user reads it, in Japanese.
    public var text: String {
        switch stage {
        case .disconnected: "接続していません"
        case .preparingDevice: "デバイスを確認しています…"
        case .deviceIdentityFailed: "デバイス識別子の取得に失敗しました"
        case .signedOut: "ログインしてください"
        case .askingForMicrophone: "マイクの使用許可を確認しています…"
        case .microphoneRefused: "マイクを使用できません。設定でマイクへのアクセスを許可してください。"
        case .startingEngine: "音声エンジンを起動しています…"
        case .engineFailed: "音声エンジンを起動できませんでした"
        case .fetchingToken: "接続を準備しています…"
        case .tokenFailed: "LiveKitトークン取得失敗: \(cause)"
        case .connecting: "接続しています…"
        case .connected: "接続しました"
        case .reconnecting: "再接続しています…"
        case .reconnected: "再接続しました"
        case .couldNotConnect: "接続できませんでした。ネットワーク状態を確認してください。"
        case .takenOver: "ほかの端末で利用が始まったか、通話が終了されたため、切断されました"
        case .audioTaken: "ほかの通話またはアプリが音声を使用しています"
        }
    }

    /// Whether the status tells of a failure (RS-08).
    public var isWarning: Bool {
        switch stage {
        case .deviceIdentityFailed, .microphoneRefused, .engineFailed, .tokenFailed,
            .couldNotConnect, .takenOver:
            true
        case .disconnected, .preparingDevice, .signedOut, .askingForMicrophone, .startingEngine,
            .fetchingToken, .connecting, .connected, .reconnecting, .reconnected, .audioTaken:
            false
        }
    }

    /// Whether the app says that both sides hear each other (RS-08).
    public var isConnected: Bool {
        stage == .connected || stage == .reconnected
    }
}
