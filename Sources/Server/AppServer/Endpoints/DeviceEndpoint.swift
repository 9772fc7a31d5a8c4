import SansIO
import TextFormats

extension APIServer {
    /// `PUT /api/me/devices` (VP-03): the token by which this device is called.
    ///
    /// The device names itself by the header `X-Device-Id`; one that does not is known by its token. What
    /// rings for the user is announced to a device that was not called so far. Who has logged out on it
    /// registers it no more with the same session, nor with one older than that which is registered there,
    /// however late the request comes.
    ///
    /// Whoever was in a room with a device knows its identity, and could otherwise take it from
    /// its owner. So it is its owner's here as it is for rooms, and who shares the phone has the
    /// app make another.
    mutating func registerDevice(
        _ request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let session = try session(of: request, at: now)
        let user = session.user
        let body = try body(of: request)
        guard let token = body["voipDeviceToken"]?.string?.lowercased(), token.isDeviceToken else {
            throw .badDeviceToken
        }
        guard let bundleID = body["bundleId"]?.string, bundleID.isBundleID else {
            throw .badRequest("bundleId is not 1 to 155 letters, digits, '-', '.'")
        }
        guard body["platform"]?.string == "ios" else {
            throw .badRequest("platform is not 'ios'")
        }
        let device = DeviceRegistry.Device(
            deviceID: session.device ?? token,
            token: token,
            bundleID: bundleID,
            registeredAt: now,
            session: session.span
        )
        guard !deviceOwners.isAnothers(device.deviceID, than: user) else { throw .foreignDevice }
        guard !devices.isOver(session.span, of: user, on: device.deviceID, token: token)
        else { throw .unauthorized }
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
    /// Who has signed in on it since is called there still, the same user too: a request that is late
    /// carries the former session.
    ///
    /// With `voipDeviceToken=TOKEN` it is the token that is dead, and the device may have another by
    /// now, since requests overtake each other: that one stays. What rings goes on where the device
    /// knows of it.
    mutating func unregisterDevice(
        _ request: HTTPRequest,
        _ target: RequestTarget,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let session = try session(of: request, mayHaveEnded: true, at: now)
        let user = session.user
        guard let deviceID = session.device else {
            throw .badRequest("the device does not name itself by X-Device-Id")
        }
        let isOver = devices.isOver(session.span, of: user, on: deviceID)
        let tokens = target["voipDeviceToken"]
        if tokens.isEmpty { logOut(session, on: deviceID, at: now) }
        guard !isOver else { return .object([]) }
        guard let token = tokens.first?.lowercased() else {
            leave(deviceID, of: user, at: now)
            return .object([])
        }
        guard tokens.count == 1, token.isDeviceToken else { throw .badDeviceToken }
        let known = devices.devices(of: user).first { $0.deviceID == deviceID }
        if known?.token == token { forgetToken(of: deviceID, of: user, at: now) }
        return .object([])
    }

    /// Ends a session, and takes back the tokens for its user's database: other devices ask for another.
    ///
    /// Who has the session's token may have registered other devices with it; they are called no more.
    private mutating func logOut(_ session: Session, on deviceID: String, at now: WallTime) {
        let user = session.user
        guard !devices.hasEnded(session.span, of: user) else { return }
        devices.end(session.span, of: user)
        for device in devices.devices(of: user)
        where device.session == session.span && device.deviceID != deviceID {
            leave(device.deviceID, of: user, at: now)
        }
        primaries.expireTokens(of: user)
    }

    /// The identity of the device that asks, if it gives one.
    func deviceID(of request: HTTPRequest) throws(APIFault) -> String? {
        let said = request.values(of: "X-Device-Id")
        guard let deviceID = said.first else { return nil }
        guard said.allSatisfy({ $0 == deviceID }), deviceID.isName(upTo: 128) else {
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

extension APIFault {
    fileprivate static var badDeviceToken: APIFault {
        .badRequest("voipDeviceToken is no even number of 2 to 256 hexadecimal digits")
    }
}

extension String {
    fileprivate var isDeviceToken: Bool {
        (2...256).contains(utf8.count) && utf8.count % 2 == 0
            && utf8.allSatisfy { HexDigit.value(of: $0) != nil }
    }

    /// Whether this is a bundle identifier (Apple, `CFBundleIdentifier`; 155 bytes with `.voip` still fit
    /// APNs' topics, an assumption).
    fileprivate var isBundleID: Bool {
        (1...155).contains(utf8.count) && split(separator: ".").joined().isName(upTo: 155)
            && !contains("_")
    }
}
