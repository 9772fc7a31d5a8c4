import SansIO

/// Which user each device belongs to: the first one who asked for a token of its.
struct DeviceOwners: Sendable, Equatable {
    /// How many devices a user has at most; the one used longest ago makes room, if it is not in use.
    static let devicesPerUserMax = 16

    private struct Claim: Sendable, Equatable {
        let device: String
        var usedAt: WallTime
    }

    private var owners: [String: UserName] = [:]
    /// The devices of each user, the one used longest ago first.
    private var claims: [UserName: [Claim]] = [:]

    /// Whether a device belongs to another user.
    func isAnothers(_ device: String, than user: UserName) -> Bool {
        owners[device].map { $0 != user } ?? false
    }

    /// Gives a device to a user.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - user: The user who asks for it.
    ///   - registered: The user's devices that are in use, whenever they were used.
    ///   - life: How long a device counts as in use: as long as the session that it was used with.
    ///   - now: The server's clock.
    /// - Throws: That it is another's, or that the user has too many in use.
    mutating func claim(
        _ device: String,
        for user: UserName,
        keeping registered: [String],
        for life: Duration,
        at now: WallTime
    ) throws(APIFault) {
        guard !isAnothers(device, than: user) else { throw .foreignDevice }
        var claims = self.claims[user] ?? []
        claims.removeAll { $0.device == device }
        if claims.count == Self.devicesPerUserMax {
            let spare = claims.firstIndex {
                $0.usedAt.advanced(by: life) <= now && !registered.contains($0.device)
            }
            guard let spare else {
                let left = claims[0].usedAt.advanced(by: life).nanosecondsSince1970
                throw .tooMany(retryAfter: .nanoseconds(left - now.nanosecondsSince1970))
            }
            owners[claims.remove(at: spare).device] = nil
        }
        claims.append(Claim(device: device, usedAt: now))
        self.claims[user] = claims
        owners[device] = user
    }
}
