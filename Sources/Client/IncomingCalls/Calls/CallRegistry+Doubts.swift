import SansIO

/// Calls that are over by the user's clock, which may be ahead, and not by the server's.
extension CallRegistry {
    /// How many such calls there may be at a time.
    static let doubtsMax = 2
    /// How long the server is asked: what rings later rings for moments only; an assumption.
    static let doubtPatience = Duration.seconds(10)
    /// How long a ring waits for the server's first answer, whatever the user's clock says.
    ///
    /// One question may take as long.
    static let firstAnswerTime = CallSignalling.requestTimeout
    /// How long a call in doubt must still ring to ring at all: nobody answers sooner; an assumption.
    static let leastRing = Duration.seconds(2)
    /// How long the server's next answer may take; an assumption.
    static let answerTime = Duration.seconds(2)

    /// Whether the server is asked about a call that rings only if it says so.
    public var hasDoubts: Bool { calls.contains { $0.isDoubted } }

    /// The calls that the user or the system knows of.
    var known: [Call] { calls.filter { !$0.isDoubted } }

    /// Asks the server whether a call is over whose push has been reported as one that is.
    mutating func doubt(_ announced: VoIPPush, in turn: inout Turn<Effect>) {
        let isFull = calls.count { $0.isDoubted } >= Self.doubtsMax
        guard let interval = configuration.watchInterval, !isFull else {
            remember(announced.callId, .expired, in: &turn)
            return expectMissed(from: turn.now, pushedAt: turn.now, in: &turn)
        }
        remember(announced.callId, nil, in: &turn)
        let description = describe(announced)
        let call = Call(
            description: description,
            phase: .doubted(until: turn.now.advanced(by: Self.doubtPatience)),
            line: SignallingLine(signalling(of: announced.callId)),
            expiry: turn.now.advanced(by: Self.serverRingTime),
            pushedAt: turn.now
        )
        calls.append(call)
        watch(description.uuid, every: interval, in: &turn)
    }

    /// Has a doubted call ring, since the server says that it is not over, if there is time to answer it.
    ///
    /// Without a push: the system has had the report of that, and has shown it for a moment. What shows for
    /// another one is worth less than the word that a call was missed.
    mutating func ringAfterAll(_ uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let call = call(uuid), call.isDoubted else { return }
        guard call.expiry.map({ $0 > turn.now.advanced(by: Self.leastRing) }) ?? true else {
            return end(uuid, .expired, by: .app, in: &turn)
        }
        guard wins(call.callId, of: call.description.partyId, in: &turn) else {
            return end(uuid, .crossed, by: .app, in: &turn)
        }
        guard known.count < configuration.callsMax else {
            end(uuid, .busy, by: .app, in: &turn)
            // Another device may still take it, as of any call that finds this one busy.
            return expectMissed(from: call.expiry, pushedAt: nil, in: &turn)
        }
        let longest = configuration.ringTimeout.map { turn.now.advanced(by: $0) }
        guard let index = index(of: uuid) else { return }
        calls[index].phase = .ringing(until: longest.map { min($0, call.expiry ?? $0) })
        report(uuid, call.description.update, .call, nil, in: &turn)
        doubtCalls(with: call.description.partyId, in: &turn)
    }

    /// The server says when an incoming call ends by time; by its push that may be another instant.
    mutating func rings(_ uuid: UniqueID, until end: Instant) {
        guard let index = index(of: uuid), calls[index].pushedAt != nil else { return }
        calls[index].expiry = end
    }

    /// Lets a call ring until the server ends it: who is believed about that, and until when.
    ///
    /// - No call rings longer than `ringTimeout` from its push on.
    /// - Before the server has answered, the push is believed, by the user's clock. That may be
    ///   ahead, and the phone would ring for moments: so it rings for `firstAnswerTime` at least,
    ///   while the server is asked.
    /// - Once the server has said how long the call still rings, its latest word alone counts, even
    ///   if nothing more is heard. It is a time that is left, so that no clock matters.
    /// - A server that says only that the call rings is believed until its next answer is due; from
    ///   then on the push is again.
    mutating func ringOn(_ uuid: UniqueID, isTimed: Bool, at now: Instant) {
        guard let index = index(of: uuid), case .ringing(let until?) = calls[index].phase,
            let pushedAt = calls[index].pushedAt, let timeout = configuration.ringTimeout,
            let interval = configuration.watchInterval
        else { return }
        let longest = pushedAt.advanced(by: timeout)
        if isTimed, let expiry = calls[index].expiry {
            // A call that was in doubt began to ring later.
            calls[index].phase = .ringing(until: min(expiry, max(until, longest)))
            return
        }
        let heardBy = now.advanced(by: interval + Self.answerTime)
        calls[index].phase = .ringing(until: max(until, min(heardBy, longest)))
    }

    /// An announced call under an identity of its own.
    mutating func describe(_ announced: VoIPPush) -> CallDescription {
        CallDescription(
            uuid: UniqueID(from: &generator),
            callId: announced.callId,
            direction: .incoming,
            partyId: announced.fromUserId,
            name: announced.fromDisplayName,
            hasVideo: announced.hasVideo
        )
    }
}
