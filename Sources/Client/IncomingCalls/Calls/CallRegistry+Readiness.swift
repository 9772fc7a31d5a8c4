import SansIO

/// What becomes of answers while the app does not know who it is to its server.
///
/// From a restart of the phone until its user unlocks it the keychain cannot be read (Apple,
/// `kSecAttrAccessibleAfterFirstUnlock`), while pushes come and calls ring; a login may be over, too. The
/// server can neither be told of an answer then nor be asked about the call.
extension CallRegistry {
    mutating func credentialsChanged(
        _ latest: CallCredentials?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let wasReady = credentials != nil
        credentials = latest
        if latest == nil {
            isLoginOver = isLoginOver || wasReady
        } else {
            if isSignedOut {
                for index in farewells.indices { farewells[index].keepName() }
            }
            (isSignedOut, isLoginOver) = (false, false)
            if !wasReady { prolongAnswers(at: now) }
        }
        signalAll(.credentialsChanged(latest), at: now, into: &effects)
    }

    /// Until when an answer may wait for the server's consent.
    ///
    /// A server that cannot be told of it lets the call ring to the end of its time, or less if the caller
    /// gives up, and takes no answer from then on. It placed the call before its push came.
    func answerEnd(of call: Call, at now: Instant) -> Instant {
        let latest = now.advanced(by: configuration.connectTimeout)
        guard credentials == nil, let pushedAt = call.pushedAt else { return latest }
        return min(latest, max(now, pushedAt.advanced(by: Self.serverRingTime)))
    }

    /// Gives answers that can be told now the time of any other.
    private mutating func prolongAnswers(at now: Instant) {
        for index in calls.indices {
            guard case .answering(let answering, _) = calls[index].phase else { continue }
            let until = answerEnd(of: calls[index], at: now)
            calls[index].phase = .answering(answering, until: until)
        }
    }
}
