import KodamaEvidence
import RealtimeVoice
import SansIO

/// When the user of a phone wants the conversation: only then does its absence count.
///
/// It is wanted while the app runs, in front, and the user has asked for it last: by launching
/// the app, connecting, signing in (unless they ended the walk before the login) or tapping a
/// notification. It is not wanted after the user has disconnected, logged out, killed or left the
/// app, nor during a phone call, until that ends or is put on hold, nor while one or an alarm rings
/// and no call goes on, nor while a call in another app of the phone's has the audio, nor once the
/// room object has reported that another took the identity, that the participant was removed or
/// that the room was deleted (D-08), provided that the world did so: a client that evicts itself
/// has lost a conversation that is wanted. Control Centre over the app changes nothing. While the
/// microphone is muted only the agent's voice is expected.
struct UserWishes: Sendable {
    /// What the user did last before a wish began.
    enum Origin: Sendable {
        /// Launched the app.
        case launch
        /// Came back to the app or asked for the conversation anew.
        case resume
    }

    /// A time in which the conversation is wanted without a break.
    struct Wish: Sendable {
        var span: Span
        var origin: Origin
    }

    /// A time in which nothing may connect: the user said so, or the server did.
    struct Ban: Sendable {
        var span: Span
        /// The indices of the entries in it, beginning with the one that brought it about.
        var entries: Range<Int>
    }

    private(set) var wishes: [Wish] = []
    private(set) var bans: [Ban] = []
    /// Whether the conversation is wanted once an entry has come, by the entry's index.
    ///
    /// Of what happens in one instant the order decides: who disconnects and connects again does not
    /// want it in between.
    private(set) var isWantedAfter: [Bool] = []
    private(set) var muted = Spans()
    /// When the user was in a phone call.
    private(set) var called = Spans()

    /// Whether a room was connected since the launch, or since the user had to sign in last.
    private var hasConnected = false
    /// Whether the user ended the walk at or before its login: to sign in then asks for nothing.
    private var hasEndedWalk = false
    private var isRunning = false
    private var isAsked = false
    private var isAway = false
    private var isWanted = false
    private var mutes = MutedTimes()
    private var callSpans: [Span] = []
    private var calledSince: Int64?
    /// Whether the user has a phone call, and whether something rings that nobody has answered.
    private var isOnPhone = false
    private var isRinging = false
    /// The calls in other apps that have not ended, in order.
    private var callsAhead: [Span]
    private var isInOwnCall = false
    private var isBanned = false
    /// Whether the world took the identity or removed the participant, and no room object has said so.
    private var isExpelled = false

    /// Reads the wishes from a story that ends at `end`, with calls in other apps at `ownCalls`.
    init(_ entries: [SessionStory.Entry], ownCalls: Spans = Spans(), end: Int64) {
        callsAhead = ownCalls.all
        var roomsLeft: [Int64] = []
        for entry in entries {
            passCalls(until: entry.instant)
            var origin = Origin.resume
            switch entry.kind {
            case AppLaunched.kind:
                stopRunning(at: entry.instant)
                (isRunning, isAsked, isAway) = (true, true, false)
                origin = .launch
                liftBan(at: entry.instant)
            case AppTerminated.kind:
                stopRunning(at: entry.instant)
            case SceneChanged.kind:
                switch SceneChanged(entry.record).phase.value {
                case .background: isAway = true
                case .active: isAway = false
                case .inactive, nil: break
                }
            case UserActed.kind:
                apply(UserActed(entry.record).action, at: entry.instant)
            case PhoneCallHeld.kind:
                (isOnPhone, isRinging) = (false, false)
                settleCall(at: entry.instant)
            case SignInShown.kind:
                hasConnected = false
            case ConnectBegan.kind:
                hasConnected = true
                let room = ConnectBegan(entry.record).room
                roomsLeft.removeAll { $0 == room }
            case RoomLeft.kind:
                roomsLeft.append(RoomLeft(entry.record).room)
            case FaultBegan.kind where FaultBegan(entry.record).expels:
                isExpelled = true
            case RoomDisconnected.kind
            where !roomsLeft.contains(RoomDisconnected(entry.record).room):
                noteEnd(isFinal: RoomDisconnected(entry.record).isFinal, at: entry.instant)
            case ConnectEnded.kind where ConnectEnded(entry.record).isFinal:
                noteEnd(isFinal: true, at: entry.instant)
            default:
                break
            }
            settle(at: entry.instant, origin)
            isWantedAfter.append(isWanted)
        }
        finish(at: end)
    }

    /// A room object that the app has not left says that it is disconnected, or that it could not connect.
    private mutating func noteEnd(isFinal: Bool, at instant: Int64) {
        guard isExpelled else { return }
        isExpelled = false
        guard isFinal else { return }
        isAsked = false
        ban(at: instant)
    }

    /// Ends with the run what has not ended before.
    private mutating func finish(at end: Int64) {
        // What would begin with the end of the run is none of its wishes.
        passCalls(until: end - 1)
        isRunning = false
        settle(at: end, .resume)
        liftBan(at: end)
        mutes.unmute(at: end)
        endCall(at: end)
        muted = Spans(mutes.times.map(\.span))
        called = Spans(callSpans)
    }

    /// The index of the entry that is being read.
    private var index: Int { isWantedAfter.count }

    /// All times in which the conversation is wanted.
    var wanted: Spans { Spans(wishes.map(\.span)) }

    private mutating func apply(_ act: TraceWord<UserAct>, at instant: Int64) {
        switch act {
        case .openApp:
            isAway = false
        case .leaveApp:
            isAway = true
        case .killApp:
            stopRunning(at: instant)
        case .phoneCallBegins, .phoneCallEnds, .phoneCallHungUp:
            // What rings is answered by it, or over with it.
            (isOnPhone, isRinging) = (act == .phoneCallBegins, false)
            settleCall(at: instant)
        case .phoneCallRings, .alarmRings, .declinePhoneCall, .stopAlarm:
            // A call that goes on gets no more than a tone.
            let rings = act == .phoneCallRings || act == .alarmRings
            isRinging = rings && (isRinging || !isOnPhone && !isInOwnCall)
            settleCall(at: instant)
        case .signIn:
            // What it took to get there is not what the sign-in takes.
            if isWanted { endWish(at: instant) }
            if !hasEndedWalk { ask(at: instant) }
        case .tapNotification:
            isAway = false
            ask(at: instant)
        case .connect:
            ask(at: instant)
        case .disconnect:
            if !hasConnected { hasEndedWalk = true }
            isAsked = false
            ban(at: instant)
        case .logOut:
            (hasConnected, hasEndedWalk) = (false, false)
            isAsked = false
            ban(at: instant)
        case .mute:
            mutes.mute(at: instant)
        case .unmute:
            mutes.unmute(at: instant)
        case .lock:
            isAway = true
        default:
            // A process that ends of it says so itself.
            break
        }
    }

    private mutating func ask(at instant: Int64) {
        hasEndedWalk = false
        isAsked = true
        liftBan(at: instant)
    }

    /// A new process knows of no mute.
    private mutating func stopRunning(at instant: Int64) {
        isRunning = false
        isAsked = false
        (hasConnected, hasEndedWalk) = (false, false)
        mutes.unmute(at: instant)
        settle(at: instant, .resume)
    }

    private mutating func settleCall(at instant: Int64) {
        guard isOnPhone || isRinging else { return endCall(at: instant) }
        calledSince = calledSince ?? instant
    }

    private mutating func endCall(at instant: Int64) {
        guard let since = calledSince else { return }
        callSpans.append(Span(start: since, end: instant))
        calledSince = nil
    }

    /// Begins and ends the calls in other apps up to `instant`.
    private mutating func passCalls(until instant: Int64) {
        while let call = callsAhead.first {
            let change = isInOwnCall ? call.end : call.start
            guard change <= instant else { return }
            if isInOwnCall { callsAhead.removeFirst() }
            isInOwnCall.toggle()
            if isInOwnCall { isRinging = false }
            settleCall(at: change)
            settle(at: change, .resume)
        }
    }

    private mutating func ban(at instant: Int64) {
        guard !isBanned else { return }
        isBanned = true
        bans.append(Ban(span: Span(start: instant, end: instant), entries: index..<index))
    }

    private mutating func liftBan(at instant: Int64) {
        guard isBanned else { return }
        isBanned = false
        let last = bans.count - 1
        bans[last].span.end = instant
        bans[last].entries = bans[last].entries.lowerBound..<index
    }

    private mutating func settle(at instant: Int64, _ origin: Origin) {
        let isCalled = calledSince != nil || isInOwnCall
        let isWantedNow = isRunning && isAsked && !isAway && !isCalled
        guard isWantedNow != isWanted else { return }
        if isWantedNow {
            isWanted = true
            wishes.append(Wish(span: Span(start: instant, end: Span.future), origin: origin))
        } else {
            endWish(at: instant)
        }
    }

    private mutating func endWish(at instant: Int64) {
        isWanted = false
        wishes[wishes.count - 1].span.end = instant
    }
}
