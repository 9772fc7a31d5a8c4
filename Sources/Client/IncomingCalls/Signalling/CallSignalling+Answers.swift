import SansIO

/// What the server's answers lead to.
extension CallSignalling {
    /// Takes the answer to the request that is waited for, or to the one that is late.
    mutating func answered(
        _ operation: OperationID,
        _ answer: CallAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let outcome = requests.answered(operation, settles: answer.isFinal) {
            effects.append(.cancelAPI($0))
        }
        switch outcome {
        case .ignored: return
        case .failed: failed(at: now)
        case .settled(let since, _):
            settled(answer.counted(from: since, at: now), at: now, into: &effects)
        }
    }

    private mutating func settled(
        _ answer: CallAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        step = .resting
        guard answer != .refused(statusCode: 401) else {
            credentials = nil
            return effects.append(.signInRequired)
        }
        failures = 0
        switch goal {
        case .none: return
        case .place: settle(answer.outcomeOfPlacing, into: &effects)
        case .watch(let interval): watched(answer, interval, at: now, into: &effects)
        case .fetchOffer:
            guard case .offer(let offer) = answer else {
                return settle(.refused(answer.reason), into: &effects)
            }
            pursue(.answer(offer), at: now, into: &effects)
        case .answer(let offer): settle(answer.outcome(ofAnswering: offer), into: &effects)
        case .end: finish(into: &effects)
        }
    }

    /// The goal is reached, or cannot be.
    private mutating func settle(_ outcome: Effect, into effects: inout EffectBuffer<Effect>) {
        goal = .none
        effects.append(outcome)
    }

    private mutating func watched(
        _ answer: CallAnswer,
        _ interval: Duration,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch answer {
        case .status(.ended(let reason)), .ended(let reason):
            settle(.learned(.ended(reason)), into: &effects)
        case .refused:
            settle(.learned(.ended(.expired)), into: &effects)
        case .status(let status):
            step = .waiting(until: now.advanced(by: interval))
            effects.append(.learned(status))
        case .accepted, .placed, .offer, .answered, .missed, .foreignDevice, .malformed, .failed:
            step = .waiting(until: now.advanced(by: interval))
        }
    }
}

extension CallAnswer {
    /// The answer to a request that was sent at `since`, as it is at `now`.
    ///
    /// What is left of a ring is counted from the question, so that the way there and back lends it
    /// no time.
    fileprivate func counted(from since: Instant, at now: Instant) -> CallAnswer {
        guard case .status(.ringing(let left?)) = self else { return self }
        return .status(.ringing(for: max(.zero, left - since.duration(to: now))))
    }

    /// Whether the server would say it again: it is there, and not overloaded.
    fileprivate var isFinal: Bool {
        switch self {
        case .failed: false
        case .refused(let statusCode): statusCode < 500 && statusCode != 429
        case .accepted, .placed, .status, .offer, .answered, .ended, .missed, .foreignDevice,
            .malformed:
            true
        }
    }

    /// Why nothing came of what was asked.
    fileprivate var reason: CallEndReason {
        if case .ended(let reason) = self { reason } else { .failed }
    }

    fileprivate var outcomeOfPlacing: CallSignalling.Effect {
        if case .placed(let room) = self { .placed(room: room) } else { .refused(reason) }
    }

    fileprivate func outcome(ofAnswering offer: CallOffer) -> CallSignalling.Effect {
        guard case .answered(let room) = self else { return .refused(reason) }
        return .answered(CallOffer(room: room, hasVideo: offer.hasVideo))
    }
}
