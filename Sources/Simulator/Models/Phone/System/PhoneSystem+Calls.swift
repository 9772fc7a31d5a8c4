import RealtimeVoice
public import SansIO

/// What pushes and calls order of the phone's other facilities.
extension PhoneSystem {
    /// Whether an app need not report the push that it has (Apple, developer forums, thread 768136).
    func isExemptFromReporting(_ app: AppID) -> Bool {
        isInFront(app) || calls.activity(of: app) == .going
    }

    // MARK: Pushes

    mutating func tellPushes(
        _ event: PushInbox.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<PushInbox.Effect>()
        pushes.handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    mutating func wakePushes(at now: Instant, into effects: inout EffectBuffer<PhoneEffect>) {
        var orders = EffectBuffer<PushInbox.Effect>()
        pushes.wake(at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    private mutating func route(
        _ order: PushInbox.Effect,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .tokenWanted(let app): effects.append(.requestPushToken(app))
        case .news(let app, let news): inform(app, .push(news), into: &effects)
        case .wake(let app): tellProcess(of: app, .wokenForPush, at: now, into: &effects)
        case .unreported(let app, let breach):
            effects.append(.pushUnreported(app, breach))
            end(app, .unreportedPush, at: now, into: &effects)
        case .blocked(let app): effects.append(.pushesBlocked(app))
        }
    }

    // MARK: Calls

    /// The call that an act of the user's on the call screen would reach now, if any.
    public func call(reachedBy act: CallScreenAct) -> UniqueID? {
        calls.call(reachedBy: act)?.uuid
    }

    mutating func tellCalls(
        _ event: CallScreen.Event,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        var orders = EffectBuffer<CallScreen.Effect>()
        calls.handle(event, at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    mutating func wakeCalls(at now: Instant, into effects: inout EffectBuffer<PhoneEffect>) {
        var orders = EffectBuffer<CallScreen.Effect>()
        calls.wake(at: now, into: &orders)
        for order in orders.effects { route(order, at: now, into: &effects) }
    }

    private mutating func route(
        _ order: CallScreen.Effect,
        at now: Instant,
        into effects: inout EffectBuffer<PhoneEffect>
    ) {
        switch order {
        case .news(let app, let news):
            // A suspended app is resumed for what it is asked to do.
            if case .actionRequested = news {
                tellProcess(of: app, .wokenForCall, at: now, into: &effects)
            }
            inform(app, .call(news), into: &effects)
        case .ringBegan(let app, let uuid): effects.append(.ringBegan(app, uuid))
        case .ringEnded(let app, let uuid, let end): effects.append(.ringEnded(app, uuid, end))
        case .isRinging(let isRinging):
            tellScenes(.callBanner(isShown: isRinging), at: now, into: &effects)
        case .answered(let app):
            // On the lock screen answering opens no app (react-native-callkeep, issue 301).
            if !isLocked { open(app, .call, at: now, into: &effects) }
        case .activityChanged(let app, let activity):
            tellProcess(of: app, .callsChanged(activity), at: now, into: &effects)
        case .phoneCallHeld:
            effects.append(.phoneCallHeld)
            tellAudio(.phoneCall(isOn: false), at: now, into: &effects)
            tellScenes(.phoneCall(isOn: false), at: now, into: &effects)
        case .audioTaken(let app, let isTaken):
            tellAudio(.callAudio(app, isTaken: isTaken), at: now, into: &effects)
        case .audioPaused(let app): tellAudio(.callAudioPaused(app), at: now, into: &effects)
        }
    }
}
