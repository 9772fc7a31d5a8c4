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
        let user = settings.requiresSession ? try user(of: request, at: now) : nil
        let device = try device(request, target)
        let room = try room(target)
        let (url, key, secret) = try settings.liveKit()
        if let user, !deviceOwners.claim(device, for: user) { throw .foreignDevice }
        var claims = AccessToken.Claims(
            identity: device,
            joining: room ?? "voice-" + entropy.name(),
            at: now,
            for: settings.tokenTimeToLive
        )
        claims.name = user
        return .object(of: [
            ("token", .string(AccessToken.sign(claims, key: key, secret: secret))),
            ("url", .string(url)),
            ("ttl", .integer(settings.tokenTimeToLive.components.seconds)),
        ])
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

/// Which user each device belongs to: the first one who asked for a token of its.
struct DeviceOwners: Sendable, Equatable {
    /// How many devices a user has at most; beyond that the one claimed first is anybody's again.
    static let devicesPerUserMax = 16

    private var owners: [String: String] = [:]
    /// The devices of each user, oldest first.
    private var devices: [String: [String]] = [:]

    /// Whether a device belongs to another user.
    func isAnothers(_ device: String, than user: String) -> Bool {
        owners[device].map { $0 != user } ?? false
    }

    /// Gives a device to a user unless it is another's.
    ///
    /// - Returns: Whether it is the user's.
    mutating func claim(_ device: String, for user: String) -> Bool {
        if let owner = owners[device] { return owner == user }
        owners[device] = user
        devices[user, default: []].append(device)
        if devices[user, default: []].count > Self.devicesPerUserMax,
            let oldest = devices[user]?.removeFirst()
        {
            owners[oldest] = nil
        }
        return true
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
