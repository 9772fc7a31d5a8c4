public import SansIO

/// Which devices each user can be called on (VP-03, VP-07).
///
/// A user may have several devices; a device has one token, the newest, and belongs to one user, the one
/// who signed in last. A token that the push service calls dead goes, unless it was registered anew
/// since.
public struct DeviceRegistry: Sendable, Equatable {
    /// A device that can be called.
    public struct Device: Sendable, Equatable {
        /// The device's identity.
        public var deviceID: String
        /// The token for VoIP pushes, in lower-case hexadecimal digits.
        public var token: String
        /// The app's bundle identifier.
        public var bundleID: String
        /// When the token was registered last.
        public var registeredAt: WallTime
        /// The session in which that was; a user who signs in anew has another.
        public var session: SessionSpan

        /// Makes a device.
        public init(
            deviceID: String,
            token: String,
            bundleID: String,
            registeredAt: WallTime,
            session: SessionSpan
        ) {
            self.deviceID = deviceID
            self.token = token
            self.bundleID = bundleID
            self.registeredAt = registeredAt
            self.session = session
        }
    }

    private struct Logouts: Sendable, Equatable {
        /// The one that ended longest ago first.
        var latest: [SessionSpan] = []
        /// All sessions that began until then are over, since one of them was forgotten.
        var forgottenUntil: WallTime?
    }

    /// How many devices a user may have; one more, and the one registered longest ago goes.
    public static let devicesPerUserMax = 16
    /// How many log-outs of a user's are remembered; of more the oldest ends those before it too.
    static let logoutsPerUserMax = 16

    private var devicesOfUser: [UserName: [Device]] = [:]
    private var userOfToken: [String: UserName] = [:]
    private var userOfDevice: [String: UserName] = [:]
    /// The sessions that each user has ended.
    private var logoutsOfUser: [UserName: Logouts] = [:]

    /// Makes a registry without devices.
    public init() {}

    /// A user's devices, the one registered longest ago first.
    public func devices(of user: String) -> [Device] { devices(of: UserName(user)) }

    func devices(of user: UserName) -> [Device] { devicesOfUser[user] ?? [] }

    /// Remembers that a user has ended a session.
    mutating func end(_ session: SessionSpan, of user: UserName) {
        var logouts = logoutsOfUser[user] ?? Logouts()
        guard !logouts.latest.contains(session) else { return }
        if logouts.latest.count == Self.logoutsPerUserMax {
            let forgotten = logouts.latest.removeFirst().began
            logouts.forgottenUntil = max(forgotten, logouts.forgottenUntil ?? forgotten)
        }
        logouts.latest.append(session)
        logoutsOfUser[user] = logouts
    }

    /// Whether a user has ended a session, wherever its token is shown and whatever has registered
    /// with it.
    func hasEnded(_ session: SessionSpan, of user: UserName) -> Bool {
        guard let logouts = logoutsOfUser[user] else { return false }
        if let until = logouts.forgottenUntil, session.began <= until { return true }
        return logouts.latest.contains(session)
    }

    /// Whether a session is over on a device: whatever it still asks for comes late.
    ///
    /// Its user has ended it, or a session that began later has registered the device, or
    /// the token that this one would register.
    func isOver(
        _ session: SessionSpan,
        of user: UserName,
        on deviceID: String,
        token: String? = nil
    ) -> Bool {
        if hasEnded(session, of: user) { return true }
        let holders = [userOfDevice[deviceID], token.flatMap { userOfToken[$0] }]
        return holders.compactMap(\.self).flatMap { devices(of: $0) }.contains {
            ($0.deviceID == deviceID || $0.token == token) && $0.session.began > session.began
        }
    }

    /// The devices of other users that a registration would take, by their identity or their token.
    func takenOver(
        by device: Device,
        of user: UserName
    ) -> [(user: UserName, deviceID: String)] {
        var taken: [(user: UserName, deviceID: String)] = []
        if let former = userOfDevice[device.deviceID], former != user {
            taken.append((former, device.deviceID))
        }
        if let former = userOfToken[device.token], former != user,
            let known = devices(of: former).first(where: { $0.token == device.token }),
            known.deviceID != device.deviceID
        {
            taken.append((former, known.deviceID))
        }
        return taken
    }

    /// Registers a device, in place of whatever its identity or token stood for.
    public mutating func register(_ device: Device, of user: String) {
        register(device, of: UserName(user))
    }

    mutating func register(_ device: Device, of user: UserName) {
        if let former = userOfDevice[device.deviceID] {
            remove(from: former) { $0.deviceID == device.deviceID }
        }
        if let former = userOfToken[device.token] {
            remove(from: former) { $0.token == device.token }
        }
        if let oldest = devices(of: user).first,
            devices(of: user).count == Self.devicesPerUserMax
        {
            remove(from: user) { $0.deviceID == oldest.deviceID }
        }
        devicesOfUser[user, default: []].append(device)
        userOfDevice[device.deviceID] = user
        userOfToken[device.token] = user
    }

    /// Forgets a token of which the push service says that it is dead since `death`.
    ///
    /// - Returns: Whether it was forgotten; not if it was registered at that time or later.
    @discardableResult
    public mutating func forget(token: String, deadSince death: WallTime) -> Bool {
        guard let user = userOfToken[token],
            let device = devices(of: user).first(where: { $0.token == token }),
            device.registeredAt < death
        else { return false }
        remove(from: user) { $0.token == token }
        return true
    }

    /// Forgets a device of a user's; nothing happens if it is another user's, or nobody's.
    public mutating func forget(deviceID: String, of user: String) {
        forget(deviceID: deviceID, of: UserName(user))
    }

    mutating func forget(deviceID: String, of user: UserName) {
        remove(from: user) { $0.deviceID == deviceID }
    }

    private mutating func remove(from user: UserName, where matches: (Device) -> Bool) {
        guard let device = devices(of: user).first(where: matches) else { return }
        devicesOfUser[user]?.removeAll { $0 == device }
        userOfDevice[device.deviceID] = nil
        userOfToken[device.token] = nil
    }
}
