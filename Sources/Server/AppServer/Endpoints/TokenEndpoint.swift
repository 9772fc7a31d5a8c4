import SansIO
import TextFormats

extension APIServer {
    /// `GET /api/mobile/rtc/ephemeral-token` (RS-01): a token for a new room, or with `resume=ROOM` for
    /// one that exists (D-18).
    ///
    /// The device names itself by the query parameter `deviceId` or the header `X-Device-Id`; where users
    /// sign in, it belongs to the first one who asks for it, so that nobody joins as somebody else's. Rooms
    /// are named so that nobody can guess them: whoever knows a room's name was in it.
    mutating func ephemeralToken(
        _ request: HTTPRequest,
        _ target: RequestTarget,
        at now: WallTime
    ) throws(APIFault) -> JSON {
        let user = settings.requiresSession ? try session(of: request, at: now).user : nil
        let device = try device(request, target)
        let room = try room(target)
        let (url, key, secret) = try settings.liveKit()
        if let user { try claim(device, for: user, at: now) }
        var claims = AccessToken.Claims(
            identity: device,
            joining: room ?? "voice-" + entropy.name(for: "device \(device)", at: now),
            at: now,
            for: settings.tokenTimeToLive
        )
        claims.name = user?.text
        return .object(of: [
            ("token", .string(AccessToken.sign(claims, key: key, secret: secret))),
            ("url", .string(url)),
            ("ttl", .integer(settings.tokenTimeToLive.components.seconds)),
        ])
    }

    /// Gives a device to a user unless it is another's.
    private mutating func claim(
        _ device: String,
        for user: UserName,
        at now: WallTime
    ) throws(APIFault) {
        let registered = devices.devices(of: user).map(\.deviceID)
        try deviceOwners.claim(
            device,
            for: user,
            keeping: registered,
            for: settings.sessionTimeToLive,
            at: now
        )
    }

    private func device(
        _ request: HTTPRequest,
        _ target: RequestTarget
    ) throws(APIFault) -> String {
        let said = target["deviceId"] + request.values(of: "X-Device-Id")
        guard let device = said.first, !device.isEmpty else {
            throw .badRequest("deviceId is missing: give the query parameter or X-Device-Id")
        }
        guard said.allSatisfy({ $0 == device }), device.isName(upTo: 128) else {
            throw .badRequest("deviceId is not one name of up to 128 letters, digits, '-', '_'")
        }
        return device
    }

    private func room(_ target: RequestTarget) throws(APIFault) -> String? {
        let said = target["resume"]
        guard let room = said.first else { return nil }
        guard said.count == 1, room.isName(upTo: 128) else {
            throw .badRequest("resume is not one room's name")
        }
        return room
    }
}

extension String {
    /// Whether this is a name of letters, digits, hyphens and underscores.
    func isName(upTo lengthMax: Int) -> Bool {
        (1...lengthMax).contains(utf8.count) && utf8.allSatisfy(TextCharacters.isName)
    }
}

extension HTTPRequest {
    /// The values of a header field, whose name is compared without case (RFC 9110 §5.1).
    func values(of name: String) -> [String] {
        let name = name.lowercased()
        return headers.filter { $0.name.lowercased() == name }.map(\.value)
    }
}
