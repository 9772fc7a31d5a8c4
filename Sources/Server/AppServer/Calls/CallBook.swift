import SansIO
import TextFormats

/// The calls between users, as the server knows them (VP-05, VP-09).
///
/// Nothing here needs a timer: what ends by time is ended when somebody next asks, as of its time.
struct CallBook: Sendable, Equatable {
    /// How long a call rings.
    ///
    /// An app that was woken for it runs for about 30 s, in which it wants to learn that the call was
    /// missed. It knows the end to the second, asks 1.5 s later, and should be able to
    /// lose a packet twice, for which TCP takes 3 s (RFC 6298).
    static let ringTime = Duration.seconds(25)
    /// How many calls of a caller's are remembered; beyond that the oldest that is over is forgotten.
    static let callsPerCallerMax = 64
    /// How long a call goes on at most that neither side ends: an assumption.
    static let talkTimeMax = Duration.seconds(86_400)
    /// How many missed calls are kept for a user, and how long.
    ///
    /// Beyond that the oldest of the caller who has most of them is forgotten: nobody's many calls push out
    /// another's one.
    static let missedMax = 100
    static let missedLife = Duration.seconds(7 * 86_400)
    /// How many missed calls one answer holds.
    static let missedPageMax = 20

    private var calls: [String: CallRecord] = [:]
    /// The calls of each caller, in the order in which they were placed.
    private var callsOfCaller: [UserName: [String]] = [:]
    /// The calls that ring; all ring equally long, the one placed first at the front.
    private var ringing: [String] = []
    /// Those among them that no device can take at present.
    private var abandoned: [String] = []
    private var missed: [UserName: [MissedCallRecord]] = [:]
    private var latestSequence: Int64 = 0
    /// The calls that have changed since this was asked last, each with the number of its first change:
    /// as many as are kept at most.
    private var changed: [String: Int] = [:]
    private var changeCount = 0

    /// A call as it stands at `now`, if it is known.
    mutating func call(_ callId: String, at now: WallTime) -> CallRecord? {
        settle(at: now)
        return calls[callId]
    }

    /// The calls that ring for a user at `now`, the one placed first at the front.
    mutating func ringing(for callee: UserName, at now: WallTime) -> [CallRecord] {
        settle(at: now)
        return ringing.compactMap { calls[$0] }.filter { $0.callee == callee }
    }

    /// The calls that have changed since this was asked last, as they stand at `now`.
    mutating func takeChanges(at now: WallTime) -> [CallRecord] {
        settle(at: now)
        defer { changed = [:] }
        return changed.sorted { $0.value < $1.value }.compactMap { calls[$0.key] }
    }

    /// Whether one more call of a caller's can be kept: not while all that are kept go on.
    mutating func hasRoom(for caller: UserName, at now: WallTime) -> Bool {
        settle(at: now)
        let own = callsOfCaller[caller] ?? []
        return own.count < Self.callsPerCallerMax
            || own.contains { calls[$0].map { Self.isOver($0, at: now) } ?? true }
    }

    private static func isOver(_ call: CallRecord, at now: WallTime) -> Bool {
        switch call.state {
        case .ringing: false
        case .answered: call.expiresAt.advanced(by: talkTimeMax) <= now
        case .ended: true
        }
    }

    /// Adds a call, for which there must be room, or replaces it.
    mutating func keep(_ call: CallRecord) {
        changeCount += 1
        if changed[call.callId] == nil { changed[call.callId] = changeCount }
        if calls.updateValue(call, forKey: call.callId) == nil {
            makeRoom(for: call.caller, at: call.expiresAt)
            callsOfCaller[call.caller, default: []].append(call.callId)
        }
        let isRinging = call.state == .ringing
        if isRinging, !ringing.contains(call.callId) { ringing.append(call.callId) }
        if !isRinging { ringing.removeAll { $0 == call.callId } }
        abandoned.removeAll { $0 == call.callId }
        if isRinging, call.abandonedUntil != nil { abandoned.append(call.callId) }
    }

    /// Ends a call.
    ///
    /// - Parameters:
    ///   - call: The call as it stands.
    ///   - end: Why it ends.
    ///   - device: The device that ended it, if one did.
    ///   - time: When.
    mutating func end(_ call: CallRecord, _ end: CallEnd, by device: String?, at time: WallTime) {
        var call = call
        let isUnanswered = call.state == .ringing
        call.state = .ended(end, by: device)
        keep(call)
        guard isUnanswered, end.isMissed else { return }
        latestSequence = max(latestSequence + 1, time.nanosecondsSince1970 / 1_000_000)
        let record = MissedCallRecord(
            sequence: latestSequence,
            callId: call.callId,
            caller: call.caller,
            callerName: call.callerName,
            endedAt: time,
            end: end
        )
        var calls = missed[call.callee] ?? []
        calls.append(record)
        if calls.count > Self.missedMax { Self.dropOne(of: &calls) }
        missed[call.callee] = calls
    }

    /// Drops the oldest call of the caller who has most, or of the one among these who called first.
    private static func dropOne(of calls: inout [MissedCallRecord]) {
        var counts: [UserName: Int] = [:]
        for call in calls { counts[call.caller, default: 0] += 1 }
        let most = counts.values.max()
        if let index = calls.firstIndex(where: { counts[$0.caller] == most }) {
            calls.remove(at: index)
        }
    }

    /// What a user missed after a position, oldest first.
    mutating func missed(
        by user: UserName,
        after position: Int64,
        at now: WallTime
    ) -> [MissedCallRecord] {
        settle(at: now)
        missed[user]?.removeAll { $0.endedAt.advanced(by: Self.missedLife) <= now }
        let calls = missed[user] ?? []
        return Array(calls.filter { $0.sequence > position }.prefix(Self.missedPageMax))
    }

    private mutating func settle(at now: WallTime) {
        for call in abandoned.compactMap({ calls[$0] }) {
            guard let end = call.abandonedUntil, end <= now, end < call.expiresAt else { continue }
            self.end(call, .unanswered, by: nil, at: end)
        }
        while let callId = ringing.first, let call = calls[callId], call.expiresAt <= now {
            end(call, .unanswered, by: nil, at: call.expiresAt)
        }
    }

    /// Forgets the oldest call of a caller's that is over, if there are as many as are kept.
    private mutating func makeRoom(for caller: UserName, at now: WallTime) {
        guard var own = callsOfCaller[caller], own.count >= Self.callsPerCallerMax,
            let index = own.firstIndex(where: {
                calls[$0].map { Self.isOver($0, at: now) } ?? true
            })
        else { return }
        let forgotten = own.remove(at: index)
        calls[forgotten] = nil
        changed[forgotten] = nil
        callsOfCaller[caller] = own
    }
}

/// One call.
struct CallRecord: Sendable, Equatable {
    enum State: Sendable, Equatable {
        case ringing
        /// Answered by a device of the callee's.
        case answered(by: String)
        /// Over; ended by the device, if one ended it.
        case ended(CallEnd, by: String?)
    }

    let callId: String
    let caller: UserName
    let callerName: String
    let callee: UserName
    let room: String
    let hasVideo: Bool
    let expiresAt: WallTime
    var state = State.ringing
    /// The callee's devices that cannot take the call.
    var unavailable: [String] = []
    /// The callee's devices that have asked about the call: they know of it without a token.
    var aware: [String] = []
    /// The callee's devices that its push was lost to, and that have given no other token since.
    var unpushed: [String] = []
    /// When it is over, if no device can take it until then.
    var abandonedUntil: WallTime?
}

/// Why a call ended; the names are those that apps use.
enum CallEnd: String, Sendable {
    case cancelled, unanswered, declined, answeredElsewhere, declinedElsewhere, busy, hungUp, failed
    /// Both users called each other, and this call gave way.
    case crossed
    /// Who asks is signed in on their device no more; no call as a whole ends so.
    case signedOut

    /// Whether the callee should learn that somebody called.
    var isMissed: Bool {
        switch self {
        case .cancelled, .unanswered, .busy, .failed: true
        case .declined, .answeredElsewhere, .declinedElsewhere, .crossed, .hungUp, .signedOut:
            false
        }
    }
}

/// A call that its callee missed.
struct MissedCallRecord: Sendable, Equatable {
    /// Rises over all missed calls of all users, and over restarts of the server: milliseconds since 1970,
    /// or one more than the last.
    let sequence: Int64
    let callId: String
    let caller: UserName
    let callerName: String
    let endedAt: WallTime
    let end: CallEnd

    var json: JSON {
        .object(of: [
            ("sequence", .integer(sequence)),
            ("callId", .string(callId)),
            ("fromUserId", .string(caller.text)),
            ("fromDisplayName", .string(callerName)),
            ("endedAt", .integer(endedAt.secondsSince1970)),
            ("reason", .string(end.rawValue)),
        ])
    }
}
