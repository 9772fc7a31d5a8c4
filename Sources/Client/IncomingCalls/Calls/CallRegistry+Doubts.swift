import SansIO

/// Calls that are over by the user's clock, which may be ahead, and not by the server's.
extension CallRegistry {
    /// How many such calls there may be at a time.
    static let doubtsMax = 2
    /// How long the server is asked: what rings later rings for moments only; an assumption.
    static let doubtPatience = Duration.seconds(10)
    /// How long the server's next answer may take; an assumption.
    static let answerTime = Duration.seconds(2)

    /// The calls that the user or the system knows of.
    var known: [Call] { calls.filter { !$0.isDoubted } }

    /// Asks the server whether a call is over whose push has been reported as one that is.
    mutating func doubt(
        _ announced: VoIPPush,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let isFull = calls.count { $0.isDoubted } >= Self.doubtsMax
        guard let interval = configuration.watchInterval, !isFull else {
            remember(announced.callId, .expired, at: now, into: &effects)
            return expectMissed(from: now, pushedAt: now, at: now, into: &effects)
        }
        remember(announced.callId, nil, at: now, into: &effects)
        let description = describe(announced)
        let call = Call(
            description: description,
            phase: .doubted(until: now.advanced(by: Self.doubtPatience)),
            line: SignallingLine(signalling(of: announced.callId)),
            expiry: now.advanced(by: Self.serverRingTime),
            pushedAt: now
        )
        calls.append(call)
        watch(description.uuid, every: interval, at: now, into: &effects)
    }

    /// Has a doubted call ring, since the server says that it is not over.
    ///
    /// Without a push: the system has had the report of that.
    mutating func ringAfterAll(
        _ uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid), calls[index].isDoubted else { return }
        let call = calls[index]
        guard known.count < configuration.callsMax else {
            end(uuid, .busy, by: .app, at: now, into: &effects)
            // Another device may still take it, as of any call that finds this one busy.
            return expectMissed(from: call.expiry, pushedAt: nil, at: now, into: &effects)
        }
        let longest = configuration.ringTimeout.map { now.advanced(by: $0) }
        calls[index].phase = .ringing(until: longest.map { min($0, call.expiry ?? $0) })
        report(uuid, call.description.update, .call, nil, at: now, into: &effects)
        doubtCalls(with: call.description.partyId, at: now, into: &effects)
    }

    /// Lets a call ring, whatever the user's clock says, until the server is to be heard again.
    ///
    /// By a clock that is 20 s ahead it would ring for moments.
    mutating func ringOn(_ uuid: UniqueID, at now: Instant) {
        guard let index = index(of: uuid), case .ringing(let until?) = calls[index].phase,
            let pushedAt = calls[index].pushedAt, let timeout = configuration.ringTimeout,
            let interval = configuration.watchInterval
        else { return }
        let heardBy = now.advanced(by: interval + Self.answerTime)
        let longest = pushedAt.advanced(by: timeout)
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
