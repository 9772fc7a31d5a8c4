package import AppServer
package import KodamaNetwork
import KodamaPhone
import KodamaWorld
package import RealtimeVoice

// The mirror of what `URLSession` and `Codable` do on a phone: requests to text, texts to answers.

extension APIRequest: APIOrder {
    /// The request as it goes over the wire.
    package var httpMessage: StreamMessage {
        let request: HTTPRequest =
            switch self {
            case .ephemeralToken(let deviceID, let bearer, let resumeRoom):
                .ephemeralToken(deviceID: deviceID, bearer: bearer, resumeRoom: resumeRoom)
            case .passkeyBegin: .passkeyBegin
            case .passkeyComplete(let assertion): .passkeyComplete(assertion: assertion)
            case .appleSignIn(let identityToken): .appleSignIn(identityToken: identityToken)
            }
        return request.message
    }
}

extension APIAnswer {
    /// What became of a request.
    package init(_ response: HTTPResponseOrLoss, to request: APIRequest) {
        switch response {
        case .response(let response): self.init(response, to: request)
        case .lost: self = .failed(.connectionLost)
        case .offline: self = .failed(.offline)
        }
    }

    /// Reads what the server answered to a request.
    package init(_ response: HTTPResponse, to request: APIRequest) {
        guard response.statusCode == 200 else {
            if let wait = response.retryAfter {
                self = .busy(wait)
                return
            }
            let isForeign = FaultResponse(json: response.body)?.isForeignDevice ?? false
            self = isForeign ? .foreignDevice : .refused(statusCode: response.statusCode)
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

extension HTTPRequest {
    /// The request as it goes over the wire.
    package var message: StreamMessage { StreamMessage(self, byteCount: byteCount) }
}

extension HTTPResponse {
    /// The answer as it goes over the wire.
    package var message: StreamMessage { StreamMessage(self, byteCount: byteCount) }
}
