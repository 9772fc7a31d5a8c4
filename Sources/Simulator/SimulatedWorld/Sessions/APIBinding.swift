import AppServer
import RealtimeVoice
import RoomModels

// The mirror of what `URLSession` and `Codable` do on a phone: requests to text, texts to answers.

extension APIRequest {
    /// The request as it goes over the wire.
    var httpMessage: StreamMessage {
        let request: HTTPRequest =
            switch self {
            case .ephemeralToken(let deviceID, let bearer, let resumeRoom):
                HTTPRequest(
                    method: "GET",
                    target: "/api/mobile/rtc/ephemeral-token?deviceId=\(deviceID)"
                        + (resumeRoom.map { "&resume=\($0)" } ?? ""),
                    headers: bearer.map { [HTTPField("Authorization", "Bearer \($0)")] } ?? []
                )
            case .passkeyBegin:
                HTTPRequest(method: "POST", target: "/auth/passkey-begin")
            case .passkeyComplete(let assertion):
                HTTPRequest(
                    method: "POST",
                    target: "/auth/passkey-complete",
                    body: #"{"assertion":"\#(assertion)"}"#
                )
            case .appleSignIn(let identityToken):
                HTTPRequest(
                    method: "POST",
                    target: "/auth/apple-signin",
                    body: #"{"identityToken":"\#(identityToken)"}"#
                )
            }
        let fields = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        let byteCount =
            Self.headBytes + request.target.utf8.count + fields + request.body.utf8.count
        return StreamMessage(.httpRequest(request), byteCount: byteCount)
    }

    /// The request line's rest and the headers that every request has; an assumption.
    private static let headBytes = 200
}

extension APIAnswer {
    /// Reads what the server answered to a request.
    init(_ response: HTTPResponse, to request: APIRequest) {
        guard response.statusCode == 200 else {
            self = .refused(statusCode: response.statusCode)
            return
        }
        switch request {
        case .ephemeralToken:
            self = Self.credentials(response.body) ?? .malformed
        case .passkeyBegin:
            self =
                ChallengeResponse(json: response.body).map { .challenge($0.challenge) }
                ?? .malformed
        case .passkeyComplete, .appleSignIn:
            self =
                SessionResponse(json: response.body).map {
                    .session(token: $0.token, timeToLive: $0.timeToLive)
                } ?? .malformed
        }
    }

    private static func credentials(_ body: String) -> APIAnswer? {
        guard let response = TokenResponse(json: body) else { return nil }
        return .credentials(
            RoomCredentials(
                token: response.token,
                url: response.url,
                timeToLive: response.timeToLive,
                room: (try? AccessToken.claims(of: response.token))?.video.room
            )
        )
    }
}

extension HTTPResponse {
    /// The answer as it goes over the wire, with some 200 bytes of status line and headers.
    var message: StreamMessage {
        StreamMessage(.httpResponse(self), byteCount: 200 + body.utf8.count)
    }
}
