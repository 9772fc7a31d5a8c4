import SansIO

/// What a push leads to.
extension CallRegistry {
    mutating func pushReceived(
        _ push: PushID,
        _ payload: PayloadValue,
        in turn: inout Turn<Effect>
    ) {
        do throws(PayloadRefusal) {
            let announced = try VoIPPush(payload)
            guard !isSignedOut else {
                // Whoever holds the phone now does not read who calls whom.
                reportPlaceholder(.unusable, .signedOut, push, in: &turn)
                return turn.order(.writeLog(.signedOut))
            }
            ring(announced, push, in: &turn)
        } catch {
            reportPlaceholder(.unusable, .unusable, push, in: &turn)
            turn.order(.writeLog(.refused(error)))
        }
    }

    private mutating func ring(_ announced: VoIPPush, _ push: PushID, in turn: inout Turn<Effect>) {
        let time = clock.reading(at: turn.now)
        let update = CallUpdate(
            handle: announced.fromUserId,
            name: announced.fromDisplayName,
            hasVideo: announced.hasVideo
        )
        if let call = calls.first(where: { $0.callId == announced.callId }) {
            reportDuplicate(of: call, push, in: &turn)
            return turn.order(.writeLog(.duplicate))
        }
        if let seen = memory.entry(of: announced.callId, at: time) {
            reportPlaceholder(update, seen.reason ?? .failed, push, in: &turn)
            return turn.order(.writeLog(.duplicate))
        }
        if isOver(announced, at: time) {
            reportPlaceholder(update, .expired, push, in: &turn)
            return doubt(announced, in: &turn)
        }
        guard wins(announced.callId, of: announced.fromUserId, in: &turn) else {
            return refuseGlare(announced, update, push, in: &turn)
        }
        guard known.count < configuration.callsMax else {
            reportPlaceholder(update, .busy, push, in: &turn)
            remember(announced.callId, .busy, in: &turn)
            // Another device may still take it: only when its time is over it is surely missed.
            let expiry = expiry(of: announced, at: turn.now)
            expectMissed(from: expiry, pushedAt: turn.now, in: &turn)
            doubtCalls(with: announced.fromUserId, in: &turn)
            return bidFarewell(SignallingLine(signalling(of: announced.callId)), .busy, in: &turn)
        }
        reportCall(announced, update, push, in: &turn)
        doubtCalls(with: announced.fromUserId, in: &turn)
    }

    /// The call that the user makes to somebody who has not answered.
    private func outgoingCall(to party: String) -> Call? {
        calls.first {
            $0.description.direction == .outgoing && $0.description.partyId == party
                && $0.isUnanswered
        }
    }

    /// Whether a call may ring although the user is calling its caller; the user's own ends then.
    ///
    /// Of the two identities the greater wins, at both sides alike, so that one call is left to be
    /// answered. Without that each answers the other's call, holds their own, and nobody hears
    /// anybody (glare, as signalapp/ringrtc calls it, `core/call_manager.rs`).
    mutating func wins(_ callId: String, of party: String, in turn: inout Turn<Effect>) -> Bool {
        guard let own = outgoingCall(to: party), configuration.resolvesGlare else { return true }
        guard callId > own.callId else { return false }
        end(own.uuid, .crossed, by: .app, in: &turn)
        return true
    }

    /// The user is calling this call's caller, and it is the one that gives way.
    private mutating func refuseGlare(
        _ announced: VoIPPush,
        _ update: CallUpdate,
        _ push: PushID,
        in turn: inout Turn<Effect>
    ) {
        reportPlaceholder(update, .crossed, push, in: &turn)
        remember(announced.callId, .crossed, in: &turn)
        let line = SignallingLine(signalling(of: announced.callId))
        bidFarewell(line, .crossed, in: &turn)
    }

    /// Whether a call's time is over; nobody who rings without end looks at it (D-03).
    ///
    /// No push is later than `latenessMax`: the push service lets go of it when its call's time is
    /// over. It is the user's clock that is wrong then, by which the phone would never ring.
    private func isOver(_ announced: VoIPPush, at time: WallTime) -> Bool {
        guard configuration.ringTimeout != nil, let expiresAt = announced.expiresAt else {
            return false
        }
        return expiresAt <= time && time < expiresAt.advanced(by: Self.latenessMax)
    }

    private mutating func reportCall(
        _ announced: VoIPPush,
        _ update: CallUpdate,
        _ push: PushID,
        in turn: inout Turn<Effect>
    ) {
        let description = describe(announced)
        let uuid = description.uuid
        report(uuid, update, .call, push, in: &turn)
        let call = Call(
            description: description,
            phase: .ringing(until: ringEnd(of: announced, at: turn.now)),
            line: SignallingLine(signalling(of: announced.callId)),
            expiry: expiry(of: announced, at: turn.now),
            pushedAt: turn.now
        )
        calls.append(call)
        remember(announced.callId, nil, in: &turn)
        watch(uuid, every: configuration.watchInterval, in: &turn)
    }

    private func ringEnd(of announced: VoIPPush, at now: Instant) -> Instant? {
        guard let timeout = configuration.ringTimeout else { return nil }
        let longest = now.advanced(by: timeout)
        guard let expiry = expiry(of: announced, at: now) else { return longest }
        let isAsked = configuration.watchInterval != nil
        let shortest = isAsked ? now.advanced(by: Self.firstAnswerTime) : now
        return min(max(expiry, shortest), longest)
    }

    /// When the server ends a call that nobody answers; `nil` if its push says nothing.
    ///
    /// By the user's clock, as far as it can be right: a call that is announced now does not ring
    /// longer from now on than any does.
    private func expiry(of announced: VoIPPush, at now: Instant) -> Instant? {
        guard let expiresAt = announced.expiresAt else { return nil }
        let said = instant(of: expiresAt, at: now)
        guard configuration.ringTimeout != nil else { return said }
        let latest = now.advanced(by: Self.serverRingTime)
        guard let said, said > now else { return latest }
        return min(said, latest)
    }

    /// When the user's clock will show a time; `nil` for one beyond a day, which no call lasts.
    private func instant(of time: WallTime, at now: Instant) -> Instant? {
        let present = clock.reading(at: now).nanosecondsSince1970
        let (left, isTooFar) = time.nanosecondsSince1970.subtractingReportingOverflow(present)
        guard !isTooFar, left < Duration.seconds(86_400).wholeNanoseconds else { return nil }
        return now.advanced(by: .nanoseconds(left))
    }

    func signalling(of callId: String) -> CallSignalling {
        CallSignalling(callId: callId, credentials: credentials, seed: waitsSeed)
    }

    mutating func remember(
        _ callId: String,
        _ reason: CallEndReason?,
        in turn: inout Turn<Effect>
    ) {
        memory.remember(callId, reason, at: clock.reading(at: turn.now))
        keepMemory(in: &turn)
    }

    /// A call is over, says a message that is no VoIP push (D-03).
    ///
    /// It may overtake the push that announces the call (Apple developer forum, thread 823102), so that
    /// a call that is not known is remembered. Who has answered asks the server first: the message may be
    /// about another device's answer.
    mutating func endSignalReceived(_ payload: PayloadValue, in turn: inout Turn<Effect>) {
        guard configuration.watchInterval != nil else { return }
        do throws(PayloadRefusal) {
            let signal = try EndSignal(payload)
            guard let call = calls.first(where: { $0.callId == signal.callId }) else {
                return remember(signal.callId, signal.reason, in: &turn)
            }
            guard call.isUnanswered else {
                return self.signal(call.uuid, .checkRequested, in: &turn)
            }
            end(call.uuid, signal.reason, by: .server, in: &turn)
        } catch {
            turn.order(.writeLog(.refused(error)))
        }
    }
}
