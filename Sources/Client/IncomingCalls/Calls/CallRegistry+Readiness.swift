import SansIO

/// What becomes of answers while the app does not know who it is to its server.
///
/// From a restart of the phone until its user unlocks it the keychain cannot be read (Apple,
/// `kSecAttrAccessibleAfterFirstUnlock`), while pushes come and calls ring; a login may be over, too. The
/// server can neither be told of an answer then nor be asked about the call.
extension CallRegistry {
    mutating func credentialsChanged(_ latest: CallCredentials?, in turn: inout Turn<Effect>) {
        let wasReady = credentials != nil
        // Whose login has ended may never come back: another user is in none of their calls.
        if let latest, latest.areAnothers(than: user) { signOut(in: &turn) }
        credentials = latest
        if let latest {
            user = latest.user
            if isSignedOut {
                for index in farewells.indices { farewells[index].keepName() }
            }
            dropFarewells(untoldTo: latest, in: &turn)
            (isSignedOut, isLoginOver) = (false, false)
            if !wasReady { prolongAnswers(at: turn.now) }
        } else {
            isLoginOver = isLoginOver || wasReady
        }
        signalAll(.credentialsChanged(latest), in: &turn)
    }

    /// Lets go of what only another user could tell the server, if it has been kept long enough.
    private mutating func dropFarewells(
        untoldTo latest: CallCredentials,
        in turn: inout Turn<Effect>
    ) {
        let time = clock.reading(at: turn.now)
        for line in farewells where line.isAnothers(than: latest) && !line.isTelling {
            let callId = line.machine.callId
            let kept = memory.entered.first { $0.callId == callId }
            if let kept, time < kept.seenAt.advanced(by: Self.farewellLife) { continue }
            farewells.removeAll { $0.machine.callId == callId }
            told(callId, in: &turn)
        }
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
