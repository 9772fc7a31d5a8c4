public import SansIO

/// How a call goes on and ends.
extension CallRegistry {
    /// Who ends a call, and so who has yet to be told.
    enum Ender {
        /// The system, for the user or by itself: the server is told.
        case system
        /// The other side, by the server: the system is told.
        case server
        /// The app itself: both are told.
        case app
    }

    mutating func end(
        _ uuid: UniqueID,
        _ reason: CallEndReason,
        by ender: Ender,
        in turn: inout Turn<Effect>
    ) {
        guard let index = index(of: uuid) else { return }
        let call = calls.remove(at: index)
        if case .answering(let answering, _) = call.phase, answering.fulfillAt != nil {
            turn.order(.system(.fail(answering.action)))
        }
        if ender != .system { reportEnd(of: call, reason, in: &turn) }
        if call.isJoined { turn.order(.media(uuid, .leave)) }
        if !call.isDoubted {
            turn.order(.announce(.ended(uuid, callId: call.callId, reason)))
        }
        turn.order(.writeLog(.ended(reason)))
        let isTold = ender != .server && reason.isTold
        if isTold, memory.entered.contains(where: { $0.callId == call.callId }) {
            leave(call.callId, reason, in: &turn)
        } else {
            remember(call.callId, reason, in: &turn)
        }
        bidFarewell(call.line, isTold ? reason : nil, in: &turn)
        // Who answered to a server that has not consented has missed the call all the same.
        if call.description.direction == .incoming, !call.isAgreed, reason.isMissed {
            let isOver = ender == .server || !reason.endsByTime
            let expiry = isOver ? nil : call.expiry
            let pushedAt = isOver ? nil : call.pushedAt
            expectMissed(from: expiry, pushedAt: pushedAt, in: &turn)
        }
        callBack(call, reason, by: ender, in: &turn)
    }

    /// Calls the other party whose call was over before the user could answer it by calling them.
    private mutating func callBack(
        _ call: Call,
        _ reason: CallEndReason,
        by ender: Ender,
        in turn: inout Turn<Effect>
    ) {
        guard let wish = call.callBack, !call.isAgreed,
            ender == .server ? reason.isMissed : reason == .unanswered
        else { return }
        dial(call.description.partyId, wish.name, wish.hasVideo, in: &turn)
    }

    /// The notice of a call that has ended here, should the server not be reached to say that it was missed;
    /// `nil` if it was not.
    public func notice(
        of call: CallDescription,
        _ reason: CallEndReason,
        at now: Instant
    ) -> MissedCall? {
        guard call.direction == .incoming, reason.isMissed else { return nil }
        return MissedCall(
            sequence: 0,
            callId: call.callId,
            fromUserId: call.partyId,
            fromDisplayName: call.name,
            endedAt: clock.reading(at: now),
            reason: reason
        )
    }

    /// Has a missed call looked for when the server lists it, as far as its push says by the user's clock.
    ///
    /// That clock may be ahead: the call was placed before its push came, and is listed by then at the latest.
    func expectMissed(from listed: Instant?, pushedAt: Instant?, in turn: inout Turn<Effect>) {
        let from = listed.map { max(turn.now, $0) }
        let latest = pushedAt?.advanced(by: Self.serverRingTime)
        let by = latest.flatMap { $0 > from ?? turn.now ? $0 : nil }
        turn.order(.missedCallExpected(from: from, by: by))
    }

    /// Ends all calls: one that rings for the user's other devices to answer, others as by a tap.
    ///
    /// The server hears of these in the user's name.
    mutating func signOut(in turn: inout Turn<Effect>) {
        (isSignedOut, isLoginOver) = (true, true)
        for call in calls {
            let rings = call.description.direction == .incoming && call.isUnanswered
            let reason = rings ? CallEndReason.signedOut : call.reasonOfEnding
            end(call.uuid, reason, by: .app, in: &turn)
        }
    }

    /// Remembers that the user is in a call, should the process end in it.
    mutating func enter(_ callId: String, in turn: inout Turn<Effect>) {
        memory.enter(callId, by: user, at: clock.reading(at: turn.now))
        keepMemory(in: &turn)
    }

    /// Remembers that the user has left a call, should the process end before the server knows.
    private mutating func leave(
        _ callId: String,
        _ reason: CallEndReason,
        in turn: inout Turn<Effect>
    ) {
        memory.leave(callId, reason, by: user, at: clock.reading(at: turn.now))
        keepMemory(in: &turn)
    }

    func keepMemory(in turn: inout Turn<Effect>) {
        if configuration.memory != nil { turn.order(.writeStorage(memory.stored)) }
    }

    /// Looks for the calls that rang when a former process died, once their time is over.
    ///
    /// They do not ring again, and the question at launch may come before the server lists them. Of several
    /// the latest counts: one question finds all.
    ///
    /// Before that launch nobody tells a user who has thrown the app out: a VoIP push has to ring
    /// (D-01), a silent one launches no such app (Apple, "Pushing background updates to your App"), and
    /// an alert would need a token, a permission and a topic of its own.
    func missLeftCalls(in turn: inout Turn<Effect>) {
        let time = clock.reading(at: turn.now)
        let ends = memory.entries.compactMap { entry -> WallTime? in
            let end = entry.seenAt.advanced(by: Self.serverRingTime)
            let isLeft = !calls.contains { $0.callId == entry.callId }
            guard isLeft, entry.reason == nil, !entry.isEntered else { return nil }
            return entry.seenAt <= time && time < end ? end : nil
        }
        guard let latest = ends.max() else { return }
        let left = latest.nanosecondsSince1970 - time.nanosecondsSince1970
        let over = turn.now.advanced(by: .nanoseconds(left))
        turn.order(.missedCallExpected(from: over))
    }

    /// Tells the server of the calls that a former process died in, or left without a word: their other
    /// sides still wait.
    ///
    /// This process may end before it has, so that they are over here only when the server knows.
    mutating func endLeftCalls(in turn: inout Turn<Effect>) {
        let left = memory.entered.filter { entry in
            !calls.contains { $0.callId == entry.callId }
                && !farewells.contains { $0.machine.callId == entry.callId }
        }
        guard !left.isEmpty else { return }
        // More are not told at a time: the file is damaged, or nobody waits for the oldest any more.
        let untold = left.dropLast(Self.farewellsMax)
        for entry in untold {
            memory.remember(entry.callId, entry.reason ?? .failed, at: clock.reading(at: turn.now))
        }
        if !untold.isEmpty { keepMemory(in: &turn) }
        for entry in left.suffix(Self.farewellsMax) {
            let line = SignallingLine(signalling(of: entry.callId), of: entry.user)
            bidFarewell(line, entry.reason ?? .failed, in: &turn)
        }
    }

    /// The server knows that a call is over; if the user was in it, nobody need tell again.
    mutating func told(_ callId: String, in turn: inout Turn<Effect>) {
        guard let entry = memory.entered.first(where: { $0.callId == callId }) else { return }
        remember(callId, entry.reason ?? .failed, in: &turn)
    }

    private mutating func reportEnd(
        of call: Call,
        _ reason: CallEndReason,
        in turn: inout Turn<Effect>
    ) {
        if case .requesting = call.phase { return }
        if call.isDoubted { return }
        let pending = reports.firstIndex { $0.uuid == call.uuid && $0.purpose == .call }
        if let pending {
            reports[pending].purpose = .placeholder(reason.system)
        } else {
            turn.order(.system(.reportEnded(call.uuid, reason.system)))
        }
    }

    /// Tells the server why a call is over here, or lets its signalling go.
    mutating func bidFarewell(
        _ line: SignallingLine,
        _ reason: CallEndReason?,
        in turn: inout Turn<Effect>
    ) {
        var line = line
        line.user = line.user ?? user
        let event = reason.map { CallSignalling.Event.endRequested($0) } ?? .abandoned
        _ = line.drive(event, numbers: &operations, in: &turn)
        guard !line.machine.isFinished else { return }
        if farewells.count == Self.farewellsMax {
            var oldest = farewells.removeFirst()
            _ = oldest.drive(.abandoned, numbers: &operations, in: &turn)
        }
        farewells.append(line)
    }

    mutating func wakePhase(of uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let call = call(uuid) else { return }
        switch call.phase {
        case .doubted(let until):
            if turn.now >= until { end(uuid, .expired, by: .app, in: &turn) }
        case .ringing(let until):
            guard let until, turn.now >= until else { return }
            end(uuid, .unanswered, by: .app, in: &turn)
        case .answering(let answering, let until):
            if let fulfillAt = answering.fulfillAt, turn.now >= fulfillAt {
                fulfillAnswer(of: uuid, in: &turn)
            }
            guard turn.now >= until else { return }
            let reason = credentials == nil ? CallEndReason.notReady : .failed
            end(uuid, reason, by: .app, in: &turn)
        case .requesting(let until), .placing(let until), .joining(let until):
            if turn.now >= until { end(uuid, .failed, by: .app, in: &turn) }
        case .calling(let until):
            if turn.now >= until { end(uuid, .unanswered, by: .app, in: &turn) }
        case .connected:
            guard let until = call.phaseDeadline?.instant, turn.now >= until else { return }
            end(uuid, .failed, by: .app, in: &turn)
        }
    }
}

extension CallEndReason {
    /// Whether the server has to hear of it: it decides itself what ends by time, and a device that may
    /// not ring leaves the user's other devices to.
    fileprivate var isTold: Bool {
        switch self {
        case .cancelled, .declined, .busy, .crossed, .hungUp, .failed: true
        case .unanswered, .answeredElsewhere, .declinedElsewhere, .filtered, .expired, .unusable,
            .signedOut, .notReady:
            false
        }
    }

    /// Whether the server is not told, and lists the call when its time is over.
    fileprivate var endsByTime: Bool {
        switch self {
        case .unanswered, .filtered, .expired, .notReady: true
        case .cancelled, .declined, .answeredElsewhere, .declinedElsewhere, .busy, .crossed,
            .hungUp, .failed, .unusable, .signedOut:
            false
        }
    }

    /// Whether the user should learn that somebody called.
    fileprivate var isMissed: Bool {
        switch self {
        case .cancelled, .unanswered, .busy, .expired, .failed, .filtered, .notReady: true
        case .declined, .answeredElsewhere, .declinedElsewhere, .crossed, .hungUp, .unusable,
            .signedOut:
            false
        }
    }
}
