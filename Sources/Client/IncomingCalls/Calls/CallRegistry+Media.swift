import SansIO

/// What the media of calls say, and how long a call goes on without them.
extension CallRegistry {
    /// How long a conversation outlives the other side's media; an assumption.
    ///
    /// The room server lets go of them some 20 s after their last packet (livekit,
    /// `pkg/rtc/participant.go`): a path that failed for a minute is back by then, and an app that
    /// died tells only when it is launched again.
    static let alonePatience = Duration.seconds(60)
    /// How long a conversation outlives our own media: as long as the other side waits.
    ///
    /// They see us go when the room server does, and have `alonePatience` from then on.
    static let apartPatience = Duration.seconds(80)
    /// How long after the return of our own media the other side has to be seen at the latest.
    ///
    /// Their time may have run out unseen; nearly everybody is back by then (K-01b).
    static let returnPatience = Duration.seconds(10)
    /// How long the other side's media may be away before the server is asked whether it hung up.
    ///
    /// As long as it takes to follow into the room.
    static let followingTime = Duration.seconds(3)

    mutating func mediaSpoke(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch event {
        case .mediaConnected(let uuid): mediaConnected(uuid, into: &effects)
        case .mediaPeerLeft(let uuid): watchClosely(uuid, at: now, into: &effects)
        case .mediaPeerSeen(let uuid, let isPresent):
            seen(uuid, isPresent, at: now)
            settleWatch(of: uuid, at: now, into: &effects)
        case .mediaPeerHeard(let uuid):
            guard let index = joinedIndex(of: uuid) else { return }
            calls[index].meetUntil = nil
        case .mediaInterrupted(let uuid, let isInterrupted):
            interrupted(uuid, isInterrupted, at: now)
        case .mediaLost(let uuid):
            guard joinedIndex(of: uuid) != nil else { return }
            end(uuid, .failed, by: .app, at: now, into: &effects)
        default: return
        }
    }

    /// Where a call is whose media were told to join: those of others have nothing to say.
    private func joinedIndex(of uuid: UniqueID) -> Int? {
        calls.firstIndex { $0.uuid == uuid && $0.isJoined }
    }

    private mutating func mediaConnected(
        _ uuid: UniqueID,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid), case .joining = calls[index].phase else { return }
        calls[index].phase = .connected
        let description = calls[index].description
        if description.direction == .outgoing { effects.append(.system(.reportConnected(uuid))) }
        effects.append(.announce(.connected(uuid, callId: description.callId)))
    }

    /// Waits for somebody who is away: who was heard may come back, others have the time of a join.
    private mutating func seen(_ uuid: UniqueID, _ isPresent: Bool, at now: Instant) {
        guard let index = joinedIndex(of: uuid) else { return }
        let call = calls[index]
        let joins = call.meetUntil.flatMap { $0 > now ? $0 : nil }
        let until = call.aloneUntil ?? joins ?? now.advanced(by: Self.alonePatience)
        calls[index].aloneUntil = isPresent ? nil : until
        calls[index].awaySince = isPresent ? nil : call.awaySince ?? now
    }

    /// Has the server asked now and often: the other side may have hung up.
    private mutating func watchClosely(
        _ uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = joinedIndex(of: uuid) else { return }
        calls[index].isWatchedClosely = true
        watch(uuid, every: Self.callingWatchInterval, at: now, into: &effects)
    }

    /// Has the server asked often while the other side's media are away, and only then.
    ///
    /// Who hangs up before they have joined leaves nothing that could go: the other side would wait
    /// for the next question of a conversation.
    private mutating func settleWatch(
        of uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid) else { return }
        if let since = calls[index].awaySince {
            guard !calls[index].isWatchedClosely, now >= since.advanced(by: Self.followingTime)
            else { return }
            watchClosely(uuid, at: now, into: &effects)
        } else if calls[index].isWatchedClosely {
            calls[index].isWatchedClosely = false
            let pace = CallSignalling.Event.paceChanged(every: Self.conversationWatchInterval)
            signal(uuid, pace, at: now, into: &effects)
        }
    }

    private mutating func interrupted(_ uuid: UniqueID, _ isInterrupted: Bool, at now: Instant) {
        guard let index = joinedIndex(of: uuid) else { return }
        guard !isInterrupted else {
            let until = now.advanced(by: Self.apartPatience)
            calls[index].apartUntil = calls[index].apartUntil ?? until
            return
        }
        calls[index].apartUntil = nil
        let earliest = now.advanced(by: Self.returnPatience)
        calls[index].aloneUntil = calls[index].aloneUntil.map { max($0, earliest) }
    }
}
