public import SansIO

/// What pushes and calls order of the phone's other facilities.
extension PhoneSystem {
    /// Whether a call goes on, by telephone or by an app.
    package var hasCall: Bool { calls.isGoing }

    /// Whether an app need not report the push that it has (Apple, developer forums, thread 768136).
    func isExemptFromReporting(_ app: AppID) -> Bool {
        isInFront(app) || calls.activity(of: app) == .going
    }

    // MARK: Pushes

    mutating func tellPushes(_ event: PushInbox.Event?, in turn: inout Turn<PhoneEffect>) {
        for order in pushes.drive(event, at: turn.now) { route(order, in: &turn) }
    }

    private mutating func route(_ order: PushInbox.Effect, in turn: inout Turn<PhoneEffect>) {
        switch order {
        case .tokenWanted(let app): turn.order(.requestPushToken(app))
        case .news(let app, let news): inform(app, .push(news), in: &turn)
        case .wake(let app): tellProcess(of: app, .wokenForPush, in: &turn)
        case .unreported(let app, let breach):
            turn.order(.pushUnreported(app, breach))
            end(app, .unreportedPush, in: &turn)
        case .blocked(let app): turn.order(.pushesBlocked(app))
        }
    }

    // MARK: Calls

    /// The call that an act of the user's on the call screen would reach now, if any.
    public func call(reachedBy act: CallScreenAct) -> UniqueID? {
        calls.call(reachedBy: act)?.uuid
    }

    mutating func tellCalls(_ event: CallScreen.Event?, in turn: inout Turn<PhoneEffect>) {
        for order in calls.drive(event, at: turn.now) { route(order, in: &turn) }
    }

    private mutating func route(_ order: CallScreen.Effect, in turn: inout Turn<PhoneEffect>) {
        switch order {
        case .news(let app, let news):
            // A suspended app is resumed for what it is asked to do.
            if case .actionRequested = news {
                tellProcess(of: app, .wokenForCall, in: &turn)
            }
            inform(app, .call(news), in: &turn)
        case .ringBegan(let app, let uuid): turn.order(.ringBegan(app, uuid))
        case .ringEnded(let app, let uuid, let end): turn.order(.ringEnded(app, uuid, end))
        case .isRinging(let isRinging):
            tellScenes(.callBanner(isShown: isRinging), in: &turn)
        case .answered(let app):
            // On the lock screen answering opens no app (react-native-callkeep, issue 301).
            if !isLocked { open(app, .call, in: &turn) }
        case .activityChanged(let app, let activity):
            tellProcess(of: app, .callsChanged(activity), in: &turn)
        case .phoneCallHeld:
            turn.order(.phoneCallHeld)
            tellAudio(.phoneCall(isOn: false), in: &turn)
            tellScenes(.phoneCall(isOn: false), in: &turn)
        case .audioTaken(let app, let isTaken):
            tellAudio(.callAudio(app, isTaken: isTaken), in: &turn)
            coverByRing(in: &turn)
        case .audioPaused(let app): tellAudio(.callAudioPaused(app), in: &turn)
        }
    }
}
