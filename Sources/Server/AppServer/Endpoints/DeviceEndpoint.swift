import SansIO
import TextFormats

extension APIServer {
    /// `PUT /api/me/devices` (VP-03): the token by which this device is called.
    ///
    /// The device names itself by the header `X-Device-Id`; one that does not is known by its token. What
    /// rings for the user is announced to a device that was not called so far.
    mutating func registerDevice(
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let user = try user(of: request, at: now)
        let body = try body(of: request)
        guard let token = body["voipDeviceToken"]?.string?.lowercased(),
            (2...256).contains(token.utf8.count), token.utf8.count % 2 == 0,
            token.utf8.allSatisfy({ HexDigit.value(of: $0) != nil })
        else {
            throw .badRequest("voipDeviceToken is no even number of 2 to 256 hexadecimal digits")
        }
        guard let bundleID = body["bundleId"]?.string, bundleID.isBundleID else {
            throw .badRequest("bundleId is not 1 to 155 letters, digits, '-', '.'")
        }
        guard body["platform"]?.string == "ios" else {
            throw .badRequest("platform is not 'ios'")
        }
        let device = DeviceRegistry.Device(
            deviceID: try deviceID(of: request) ?? token,
            token: token,
            bundleID: bundleID,
            registeredAt: now
        )
        let isKnown = devices.devices(of: user).contains {
            $0.deviceID == device.deviceID && $0.token == token
        }
        // Whoever had it before is called there no more, as if they had logged out.
        for (former, deviceID) in devices.takenOver(by: device, of: user) {
            leave(deviceID, of: former, at: now)
        }
        devices.register(device, of: user)
        if !isKnown { announceRinging(to: device, of: user, at: now) }
        return .object([])
    }

    /// `DELETE /api/me/devices`: the user is not called on this device any more.
    ///
    /// Who has signed in on it since is called there still.
    mutating func unregisterDevice(
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let user = try user(of: request, at: now)
        guard let deviceID = try deviceID(of: request) else {
            throw .badRequest("the device does not name itself by X-Device-Id")
        }
        leave(deviceID, of: user, at: now)
        return .object([])
    }

    /// The identity of the device that asks, if it gives one.
    func deviceID(of request: HTTPRequest) throws(APIFault) -> String? {
        guard let deviceID = request.values(of: "X-Device-Id").first else { return nil }
        guard deviceID.isName(upTo: 128) else {
            throw .badRequest("X-Device-Id is not one name of up to 128 letters, digits, '-', '_'")
        }
        return deviceID
    }

    /// The request's body, a JSON object.
    func body(of request: HTTPRequest) throws(APIFault) -> JSON {
        guard let json = try? JSONReader.read(request.body.utf8), case .object = json else {
            throw .badRequest("the body is no JSON object")
        }
        return json
    }
}

extension String {
    /// Whether this is a bundle identifier (Apple, `CFBundleIdentifier`; 155 bytes with `.voip` still fit
    /// APNs' topics, an assumption).
    fileprivate var isBundleID: Bool {
        (1...155).contains(utf8.count) && split(separator: ".").joined().isName(upTo: 155)
            && !contains("_")
    }
}
