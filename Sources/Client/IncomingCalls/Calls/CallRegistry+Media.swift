import SansIO

/// What the media of calls say.
extension CallRegistry {
    /// How long the other side's media may be away before the server is asked whether it hung up: as long as a
    /// change of path takes.
    static let returnTime = Duration.seconds(3)

    mutating func mediaSpoke(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .mediaConnected(let uuid): mediaConnected(uuid, in: &turn)
        case .mediaPeerLeft(let uuid): watchClosely(uuid, in: &turn)
        case .mediaPeerSeen(let uuid, let isPresent):
            guard let index = joinedIndex(of: uuid) else { return }
            calls[index].separation.seen(isPresent: isPresent, at: turn.now)
            settleWatch(of: uuid, in: &turn)
        case .mediaPeerHeard(let uuid):
            guard let index = joinedIndex(of: uuid) else { return }
            calls[index].separation.heard()
        case .mediaInterrupted(let uuid, let isInterrupted):
            guard let index = joinedIndex(of: uuid) else { return }
            calls[index].separation.interrupted(isInterrupted, at: turn.now)
        case .mediaLost(let uuid):
            guard joinedIndex(of: uuid) != nil else { return }
            end(uuid, .failed, by: .app, in: &turn)
        default: return
        }
    }

    /// Where a call is whose media were told to join: those of others have nothing to say.
    private func joinedIndex(of uuid: UniqueID) -> Int? {
        calls.firstIndex { $0.uuid == uuid && $0.isJoined }
    }

    private mutating func mediaConnected(_ uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid), case .joining = calls[index].phase else { return }
        calls[index].phase = .connected
        let description = calls[index].description
        if description.direction == .outgoing { turn.order(.system(.reportConnected(uuid))) }
        turn.order(.announce(.connected(uuid, callId: description.callId)))
    }

    /// Has the server asked now and often: the other side may have hung up.
    private mutating func watchClosely(_ uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let index = joinedIndex(of: uuid) else { return }
        calls[index].isWatchedClosely = true
        watch(uuid, every: Self.callingWatchInterval, in: &turn)
    }

    /// Has the server asked often while the other side's media are away, and only then.
    ///
    /// At once if they were never there: who hangs up on the way into the room leaves nothing that could go, and the
    /// other side would wait for the next question of a conversation.
    private mutating func settleWatch(of uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid) else { return }
        if let since = calls[index].separation.awaySince {
            let patience = calls[index].separation.hasMet ? Self.returnTime : .zero
            guard !calls[index].isWatchedClosely, turn.now >= since.advanced(by: patience)
            else { return }
            watchClosely(uuid, in: &turn)
        } else if calls[index].isWatchedClosely {
            calls[index].isWatchedClosely = false
            let pace = CallSignalling.Event.paceChanged(every: Self.conversationWatchInterval)
            signal(uuid, pace, in: &turn)
        }
    }
}
