public import IncomingCalls
import RealtimeVoice

extension MicrophoneNotice {
    /// The notice as the user reads it, in Japanese.
    public var text: String {
        switch self {
        case .refused: SessionStatus(.microphoneRefused).text
        case .openApp: "通話に出るには、アプリを開いてマイクの使用を許可してください。"
        }
    }
}
