import SansIO

/// What the server's answers lead to.
extension CallSignalling {
    /// Takes the answer to the request that is waited for, or to the one that is late.
    mutating func answered(
        _ operation: OperationID,
        _ answer: CallAnswer,
        in turn: inout Turn<Effect>
    ) {
        let outcome = requests.answered(operation, settles: answer.isFinal) {
            turn.order(.cancelAPI($0))
        }
        switch outcome {
        case .ignored: return
        case .failed: failed(waiting: answer.wait, at: turn.now)
        case .settled(let since, _):
            answerTime = since.duration(to: turn.now)
            settled(answer.counted(from: since, at: turn.now), in: &turn)
        }
    }

    private mutating func settled(_ answer: CallAnswer, in turn: inout Turn<Effect>) {
        step = .resting
        guard answer != .refused(statusCode: 401) else {
            credentials = nil
            return turn.order(.signInRequired)
        }
        waits.reset()
        busyUntil = .zero
        switch goal {
        case .none: return
        case .place: settle(answer.outcomeOfPlacing, in: &turn)
        case .watch(let interval): watched(answer, interval, in: &turn)
        case .fetchOffer:
            guard case .offer(let offer) = answer else {
                return settle(.refused(answer.reason), in: &turn)
            }
            pursue(.answer(offer), in: &turn)
        case .answer(let offer): settle(answer.outcome(ofAnswering: offer), in: &turn)
        case .end: finish(in: &turn)
        }
    }

    /// The goal is reached, or cannot be.
    private mutating func settle(_ outcome: Effect, in turn: inout Turn<Effect>) {
        goal = .none
        turn.order(outcome)
    }

    private mutating func watched(
        _ answer: CallAnswer,
        _ interval: Duration,
        in turn: inout Turn<Effect>
    ) {
        switch answer {
        case .status(.ended(let reason)), .ended(let reason):
            settle(.learned(.ended(reason)), in: &turn)
        case .refused:
            settle(.learned(.ended(.expired)), in: &turn)
        case .status(let status):
            step = .waiting(until: turn.now.advanced(by: interval))
            turn.order(.learned(status))
        case .accepted, .placed, .offer, .answered, .missed, .foreignDevice, .busy, .malformed,
            .failed:
            step = .waiting(until: turn.now.advanced(by: interval))
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
        case .busy, .failed: false
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
