import TextFormats

/// The requests that apps send: what a binding makes of the client's orders.
extension HTTPRequest {
    /// Asks for a room token (RS-01).
    ///
    /// - Parameters:
    ///   - deviceID: The device's identity.
    ///   - bearer: The session, where one is required (RS-12).
    ///   - resumeRoom: The room to go back to; a new one if `nil` (D-18).
    /// - Returns: The request.
    public static func ephemeralToken(
        deviceID: String,
        bearer: String? = nil,
        resumeRoom: String? = nil
    ) -> HTTPRequest {
        var target =
            Endpoint.ephemeralToken.rawValue + "?deviceId=" + RequestTarget.encode(deviceID)
        if let resumeRoom {
            target += "&resume=" + RequestTarget.encode(resumeRoom)
        }
        let headers = bearer.map { [HTTPField("Authorization", "Bearer " + $0)] } ?? []
        return HTTPRequest(
            method: Endpoint.ephemeralToken.method,
            target: target,
            headers: headers
        )
    }

    /// Asks for a passkey challenge.
    public static var passkeyBegin: HTTPRequest { post(.passkeyBegin, .object([])) }

    /// Answers the challenge.
    public static func passkeyComplete(assertion: String) -> HTTPRequest {
        post(.passkeyComplete, .object(of: [("assertion", .string(assertion))]))
    }

    /// Signs in with Apple's identity token.
    public static func appleSignIn(identityToken: String) -> HTTPRequest {
        post(.appleSignIn, .object(of: [("identityToken", .string(identityToken))]))
    }

    private static func post(_ endpoint: Endpoint, _ body: JSON) -> HTTPRequest {
        HTTPRequest(
            method: endpoint.method,
            target: endpoint.rawValue,
            headers: [HTTPField("Content-Type", "application/json")],
            body: body.text
        )
    }

    /// How many bytes the request takes in HTTP/1.1, with the fields that every client adds.
    public var byteCount: Int {
        let line = method.utf8.count + target.utf8.count + 12
        return line + headers.byteCount + commonFieldsByteCount + body.utf8.count
    }
}

extension HTTPResponse {
    /// How many bytes the answer takes in HTTP/1.1, with the fields that every server adds.
    public var byteCount: Int {
        17 + headers.byteCount + commonFieldsByteCount + body.utf8.count
    }
}

extension [HTTPField] {
    fileprivate var byteCount: Int {
        reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }
}

/// Host, user agent, accepted types and their like; an assumption.
private let commonFieldsByteCount = 250
