/// Why the app's own server gave no help.
public enum APIError: Error, Sendable, Equatable {
    /// No token for the room could be had (RS-02).
    case realtimeTokenFetchFailed(APIErrorCause)

    /// What went wrong.
    public var cause: APIErrorCause {
        switch self {
        case .realtimeTokenFetchFailed(let cause): cause
        }
    }
}

/// What went wrong with a request.
public enum APIErrorCause: Sendable, Equatable {
    /// There was no answer.
    case failed(APIFailure)
    /// The server answered with this HTTP status.
    case refused(statusCode: Int)
    /// The answer was not what had been asked for.
    case malformed

    /// What the answer to a request for credentials says went wrong; `nil` if it holds some.
    init?(_ answer: APIAnswer) {
        switch answer {
        case .credentials: return nil
        case .challenge, .session, .malformed: self = .malformed
        case .foreignDevice: self = .refused(statusCode: 403)
        case .busy: self = .refused(statusCode: 429)
        case .refused(let statusCode): self = .refused(statusCode: statusCode)
        case .failed(let failure): self = .failed(failure)
        }
    }

    /// The cause as the user reads it.
    public var text: String {
        switch self {
        case .failed(.offline): "インターネットに接続されていません"
        case .failed(.timedOut): "サーバーが応答しません"
        case .failed(.connectionLost): "通信が途切れました"
        case .refused(let statusCode): "HTTP \(statusCode)"
        case .malformed: "応答の形式が正しくありません"
        }
    }

    /// The cause as a number for the log: an HTTP status, or the `NSURLError` of the same meaning.
    var code: Int64 {
        switch self {
        case .failed(.offline): -1009
        case .failed(.timedOut): -1001
        case .failed(.connectionLost): -1005
        case .refused(let statusCode): Int64(statusCode)
        case .malformed: -1016
        }
    }
}
