import SansIO

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
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid) else { return }
        let call = calls.remove(at: index)
        if case .answering(let answering, _) = call.phase, answering.fulfillAt != nil {
            effects.append(.system(.fail(answering.action)))
        }
        if ender != .system { reportEnd(of: call, reason, into: &effects) }
        if call.isJoined { effects.append(.media(uuid, .leave)) }
        if !call.isDoubted {
            effects.append(.announce(.ended(uuid, callId: call.callId, reason)))
        }
        effects.append(.writeLog(.ended(reason)))
        let isTold = ender != .server && reason.isTold
        if isTold, memory.entered.contains(where: { $0.callId == call.callId }) {
            leave(call.callId, reason, at: now, into: &effects)
        } else {
            remember(call.callId, reason, at: now, into: &effects)
        }
        bidFarewell(call.line, isTold ? reason : nil, at: now, into: &effects)
        // Who answered to a server that has not consented has missed the call all the same.
        if call.description.direction == .incoming, !call.isAgreed, reason.isMissed {
            let isOver = ender == .server || !reason.endsByTime
            let expiry = isOver ? nil : call.expiry
            let pushedAt = isOver ? nil : call.pushedAt
            expectMissed(from: expiry, pushedAt: pushedAt, at: now, into: &effects)
        }
        callBack(call, reason, by: ender, at: now, into: &effects)
    }

    /// Calls the other party whose call was over before the user could answer it by calling them.
    private mutating func callBack(
        _ call: Call,
        _ reason: CallEndReason,
        by ender: Ender,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let wish = call.callBack, !call.isAgreed,
            ender == .server ? reason.isMissed : reason == .unanswered
        else { return }
        dial(call.description.partyId, wish.name, wish.hasVideo, at: now, into: &effects)
    }

    /// Has a missed call looked for when the server lists it, as far as its push says by the user's clock.
    ///
    /// That clock may be ahead: the call was placed before its push came, and is listed by then at the latest.
    func expectMissed(
        from listed: Instant?,
        pushedAt: Instant?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let from = listed.map { max(now, $0) }
        let latest = pushedAt?.advanced(by: Self.serverRingTime)
        let by = latest.flatMap { $0 > from ?? now ? $0 : nil }
        effects.append(.missedCallExpected(from: from, by: by))
    }

    /// Ends all calls: one that rings for the user's other devices to answer, others as by a tap.
    ///
    /// The server hears of these in the user's name.
    mutating func signOut(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        (isSignedOut, isLoginOver) = (true, true)
        for call in calls {
            let rings = call.description.direction == .incoming && call.isUnanswered
            let reason = rings ? CallEndReason.signedOut : call.reasonOfEnding
            end(call.uuid, reason, by: .app, at: now, into: &effects)
        }
    }

    /// Remembers that the user is in a call, should the process end in it.
    mutating func enter(
        _ callId: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        memory.enter(callId, by: user, at: clock.reading(at: now))
        keepMemory(into: &effects)
    }

    /// Remembers that the user has left a call, should the process end before the server knows.
    private mutating func leave(
        _ callId: String,
        _ reason: CallEndReason,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        memory.leave(callId, reason, by: user, at: clock.reading(at: now))
        keepMemory(into: &effects)
    }

    func keepMemory(into effects: inout EffectBuffer<Effect>) {
        if configuration.memory != nil { effects.append(.writeStorage(memory.stored)) }
    }

    /// Looks for the calls that rang when a former process died, once their time is over.
    ///
    /// They do not ring again, and the question at launch may come before the server lists them. Of several
    /// the latest counts: one question finds all.
    ///
    /// Before that launch nobody tells a user who has thrown the app out: a VoIP push has to ring
    /// (D-01), a silent one launches no such app (Apple, "Pushing background updates to your App"), and
    /// an alert would need a token, a permission and a topic of its own.
    func missLeftCalls(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        let time = clock.reading(at: now)
        let ends = memory.entries.compactMap { entry -> WallTime? in
            let end = entry.seenAt.advanced(by: Self.serverRingTime)
            let isLeft = !calls.contains { $0.callId == entry.callId }
            guard isLeft, entry.reason == nil, !entry.isEntered else { return nil }
            return entry.seenAt <= time && time < end ? end : nil
        }
        guard let latest = ends.max() else { return }
        let left = latest.nanosecondsSince1970 - time.nanosecondsSince1970
        let over = now.advanced(by: .nanoseconds(left))
        effects.append(.missedCallExpected(from: over))
    }

    /// Tells the server of the calls that a former process died in, or left without a word: their other
    /// sides still wait.
    ///
    /// This process may end before it has, so that they are over here only when the server knows.
    mutating func endLeftCalls(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        let left = memory.entered.filter { entry in
            !calls.contains { $0.callId == entry.callId }
                && !farewells.contains { $0.machine.callId == entry.callId }
        }
        guard !left.isEmpty else { return }
        // More are not told at a time: the file is damaged, or nobody waits for the oldest any more.
        let untold = left.dropLast(Self.farewellsMax)
        for entry in untold {
            memory.remember(entry.callId, entry.reason ?? .failed, at: clock.reading(at: now))
        }
        if !untold.isEmpty { keepMemory(into: &effects) }
        for entry in left.suffix(Self.farewellsMax) {
            let line = SignallingLine(signalling(of: entry.callId), of: entry.user)
            bidFarewell(line, entry.reason ?? .failed, at: now, into: &effects)
        }
    }

    /// The server knows that a call is over; if the user was in it, nobody need tell again.
    mutating func told(
        _ callId: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let entry = memory.entered.first(where: { $0.callId == callId }) else { return }
        remember(callId, entry.reason ?? .failed, at: now, into: &effects)
    }

    private mutating func reportEnd(
        of call: Call,
        _ reason: CallEndReason,
        into effects: inout EffectBuffer<Effect>
    ) {
        if case .requesting = call.phase { return }
        if call.isDoubted { return }
        let pending = reports.firstIndex { $0.uuid == call.uuid && $0.purpose == .call }
        if let pending {
            reports[pending].purpose = .placeholder(reason.system)
        } else {
            effects.append(.system(.reportEnded(call.uuid, reason.system)))
        }
    }

    /// Tells the server why a call is over here, or lets its signalling go.
    mutating func bidFarewell(
        _ line: SignallingLine,
        _ reason: CallEndReason?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        var line = line
        line.user = line.user ?? user
        let event = reason.map { CallSignalling.Event.endRequested($0) } ?? .abandoned
        _ = line.handle(event, at: now, numbers: &operations, into: &effects)
        guard !line.machine.isFinished else { return }
        if farewells.count == Self.farewellsMax {
            var oldest = farewells.removeFirst()
            _ = oldest.handle(.abandoned, at: now, numbers: &operations, into: &effects)
        }
        farewells.append(line)
    }

    mutating func wakePhase(
        of uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let call = call(uuid) else { return }
        switch call.phase {
        case .doubted(let until):
            if now >= until { end(uuid, .expired, by: .app, at: now, into: &effects) }
        case .ringing(let until):
            guard let until, now >= until else { return }
            end(uuid, .unanswered, by: .app, at: now, into: &effects)
        case .answering(let answering, let until):
            if let fulfillAt = answering.fulfillAt, now >= fulfillAt {
                fulfillAnswer(of: uuid, into: &effects)
            }
            guard now >= until else { return }
            let reason = credentials == nil ? CallEndReason.notReady : .failed
            end(uuid, reason, by: .app, at: now, into: &effects)
        case .requesting(let until), .placing(let until), .joining(let until):
            if now >= until { end(uuid, .failed, by: .app, at: now, into: &effects) }
        case .calling(let until):
            if now >= until { end(uuid, .unanswered, by: .app, at: now, into: &effects) }
        case .connected:
            guard let until = call.phaseDeadline?.instant, now >= until else { return }
            end(uuid, .failed, by: .app, at: now, into: &effects)
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
