import SansIO

/// The users who have signed in here, or asked anything with a session, and how often each asks.
///
/// A request more than a user may make, or may from one device, is answered with 429 (RFC 6585) and the
/// time after which the next is taken. What is kept of a user is bounded.
struct KnownUsers: Sendable, Equatable {
    /// A kind of request that is counted by itself.
    enum Kind: Sendable, Hashable, CaseIterable {
        /// Any request that a session is sent with.
        case any
        /// A call that is placed.
        case call
        /// An exchange with a database, of which many follow each other until a replica has caught up.
        case database
        /// A request with a session that its user has ended: it was asked before, and comes late.
        case late
    }

    /// All a user's devices together may ask as much as four.
    private static let ofUser: [Kind: RequestRate] = [
        .any: RequestRate(burst: 960, interval: .milliseconds(125)),
        .call: RequestRate(burst: 20, interval: .seconds(3)),
        .database: RequestRate(burst: 2_000, interval: .milliseconds(20)),
        .late: RequestRate(burst: 60, interval: .seconds(1)),
    ]
    /// Some twenty times what an app asks that reconnects without end; an assumption, like the others.
    private static let ofDevice = RequestRate(burst: 240, interval: .milliseconds(500))
    /// How many devices of a user are counted one by one; the others count together.
    static let devicesPerUserMax = DeviceRegistry.devicesPerUserMax

    private var users: [UserName: Counts] = [:]

    private struct Counts: Sendable, Equatable {
        /// When the session began that was given last.
        var latestSession: WallTime?
        var ofUser: [Kind: RequestCount] = [:]
        var ofDevice: [String: RequestCount] = [:]
    }

    /// Whether a user is known.
    func contains(_ user: UserName) -> Bool { users[user] != nil }

    /// Notes that a user signs in.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - earliest: From when on a session may count.
    ///   - now: The server's clock.
    /// - Returns: When the session begins: in another second than the last, so that its end is not
    ///   another's.
    /// - Throws: That the user has signed in as often as there are seconds.
    mutating func beginSession(
        of user: UserName,
        from earliest: WallTime,
        at now: WallTime
    ) throws(APIFault) -> WallTime {
        let latest = users[user]?.latestSession
        let next = latest?.advanced(by: .seconds(1)) ?? earliest
        if let latest, latest <= now, next > now { throw .tooMany(retryAfter: .seconds(1)) }
        // After now only where the server's clock was set back.
        let began = next > now ? earliest : max(earliest, next)
        users[user, default: Counts()].latestSession = began
        return began
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - kind: What is asked.
    ///   - user: By whom.
    ///   - device: From where, if the device says so.
    ///   - now: The server's clock.
    /// - Throws: That it is one too many.
    mutating func count(
        _ kind: Kind,
        by user: UserName,
        on device: String?,
        at now: WallTime
    ) throws(APIFault) {
        var counts = users[user] ?? Counts()
        defer { users[user] = counts }
        if kind == .any {
            // A count that has run down is as good as none.
            let device = device ?? ""
            if counts.ofDevice[device] == nil, counts.ofDevice.count >= Self.devicesPerUserMax {
                counts.ofDevice = counts.ofDevice.filter { $0.value.isBusy(at: now) }
            }
            let isCounted =
                counts.ofDevice[device] != nil
                || counts.ofDevice.count < Self.devicesPerUserMax
            try counts.ofDevice[isCounted ? device : "", default: RequestCount()]
                .take(Self.ofDevice, at: now)
        }
        guard let rate = Self.ofUser[kind] else { return }
        try counts.ofUser[kind, default: RequestCount()].take(rate, at: now)
    }
}

/// A rate: so many at once, and one more after each interval.
struct RequestRate: Sendable, Equatable {
    let burst: Int64
    let interval: Duration
}

/// How much of a rate is used up: the generic cell rate algorithm (ITU-T I.371, annex A).
struct RequestCount: Sendable, Equatable {
    /// When nothing of it is used any more; `nil` if nothing ever was.
    private var clearAt: WallTime?

    /// Whether something of it is used.
    func isBusy(at now: WallTime) -> Bool { clearAt.map { $0 > now } ?? false }

    /// Uses the rate once.
    ///
    /// - Throws: That it is used up, and when to come again.
    mutating func take(_ rate: RequestRate, at now: WallTime) throws(APIFault) {
        let interval = rate.interval.wholeNanoseconds
        let (left, isTooFar) = (clearAt ?? now).nanosecondsSince1970
            .subtractingReportingOverflow(now.nanosecondsSince1970)
        // More than a burst is left only where the server's clock was set back.
        let used = isTooFar || left < 0 || left > rate.burst * interval ? 0 : left
        let wait = used - (rate.burst - 1) * interval
        guard wait <= 0 else { throw .tooMany(retryAfter: .nanoseconds(wait)) }
        clearAt = now.advanced(by: .nanoseconds(used + interval))
    }
}
