import TextFormats

/// The requests of the call machines: what a binding makes of the client's orders.
extension HTTPRequest {
    /// Registers the token by which a device is called (VP-03).
    public static func registerDevice(
        voipDeviceToken: String,
        bundleID: String,
        platform: String,
        deviceID: String,
        bearer: String
    ) -> HTTPRequest {
        let body = JSON.object(of: [
            ("voipDeviceToken", .string(voipDeviceToken)), ("bundleId", .string(bundleID)),
            ("platform", .string(platform)),
        ])
        return call(Endpoint.devices.method, Endpoint.devices.rawValue, body, deviceID, bearer)
    }

    /// Has the device called no more.
    public static func unregisterDevice(deviceID: String, bearer: String) -> HTTPRequest {
        call("DELETE", Endpoint.devices.rawValue, nil, deviceID, bearer)
    }

    /// Has the device called by this token no more.
    public static func withdrawToken(
        _ voipDeviceToken: String,
        deviceID: String,
        bearer: String
    ) -> HTTPRequest {
        let target =
            Endpoint.devices.rawValue + "?voipDeviceToken=" + RequestTarget.encode(voipDeviceToken)
        return call("DELETE", target, nil, deviceID, bearer)
    }

    /// Calls somebody (VP-09).
    public static func placeCall(
        callID: String,
        to user: String,
        hasVideo: Bool,
        deviceID: String,
        bearer: String
    ) -> HTTPRequest {
        let body = JSON.object(of: [
            ("callId", .string(callID)), ("toUserId", .string(user)), ("hasVideo", .bool(hasVideo)),
        ])
        return call(Endpoint.calls.method, Endpoint.calls.rawValue, body, deviceID, bearer)
    }

    /// Asks how a call stands.
    public static func callStatus(
        callID: String,
        deviceID: String,
        bearer: String
    ) -> HTTPRequest {
        call(CallEndpoint(callID, .status), nil, deviceID, bearer)
    }

    /// Asks what a caller offers.
    public static func callOffer(callID: String, deviceID: String, bearer: String) -> HTTPRequest {
        call(CallEndpoint(callID, .offer), nil, deviceID, bearer)
    }

    /// Answers a call.
    public static func answerCall(callID: String, deviceID: String, bearer: String) -> HTTPRequest {
        call(CallEndpoint(callID, .answer), .object([]), deviceID, bearer)
    }

    /// Ends a call.
    public static func endCall(
        callID: String,
        reason: String,
        deviceID: String,
        bearer: String
    ) -> HTTPRequest {
        let body = JSON.object(of: [("reason", .string(reason))])
        return call(CallEndpoint(callID, .end), body, deviceID, bearer)
    }

    /// Asks what the user missed.
    public static func missedCalls(
        after position: Int64,
        deviceID: String,
        bearer: String
    ) -> HTTPRequest {
        let target = Endpoint.missedCalls.rawValue + "?after=\(position)"
        return call(Endpoint.missedCalls.method, target, nil, deviceID, bearer)
    }

    private static func call(
        _ endpoint: CallEndpoint,
        _ body: JSON?,
        _ deviceID: String,
        _ bearer: String
    ) -> HTTPRequest {
        call(endpoint.verb.method, endpoint.path, body, deviceID, bearer)
    }

    private static func call(
        _ method: String,
        _ target: String,
        _ body: JSON?,
        _ deviceID: String,
        _ bearer: String
    ) -> HTTPRequest {
        var headers = [
            HTTPField("Authorization", "Bearer " + bearer), HTTPField("X-Device-Id", deviceID),
        ]
        if body != nil { headers.append(HTTPField("Content-Type", "application/json")) }
        return HTTPRequest(
            method: method,
            target: target,
            headers: headers,
            body: body?.text ?? ""
        )
    }
}
