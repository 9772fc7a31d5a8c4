import Models
import SansIO

/// Measures calls: rings, ghosts, voice, notices.
struct CallMeter: SystemMeter {
    static let second: Int64 = 1_000_000_000
    /// A call screen that is gone within this time is no ring.
    static let flash: Int64 = 500_000_000

    var measures = CallMeasures()
    private var oneNotice = Invariant(
        "call.one-notice",
        "A missed call is noticed once on a phone.",
        "VP-05"
    )
    private var rightEvents = Invariant(
        "call.events-right",
        "What an app says of a call names the call, the other party, their name and whether there are pictures as the server has them.",
        "VP-08, D-02"
    )

    var calls: [Int64: CallStory] = [:]
    var reachability = Reachability()
    var conduct = CallConduct()
    private var manners = CallManners()
    var microphones: CallMicrophones
    /// The apps whose tokens the push service has said are dead.
    private var deadTokens: [ComponentIndex] = []
    /// When the user of each phone dialled last.
    private var dialled: [ComponentIndex: Int64] = [:]
    /// When the user of each phone ended a call last.
    private var hungUp: [ComponentIndex: Int64] = [:]
    /// When each app's process ended last.
    private var terminated: [ComponentIndex: Int64] = [:]
    private let owners: [ComponentIndex]

    init(_ directory: TraceDirectory) {
        owners = directory.owners
        microphones = CallMicrophones(directory)
    }

    var metrics: [any AnyMeasure] { measures.all }
    var invariants: [Invariant] { [oneNotice, rightEvents] }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            switch record.kind.system {
            case .calls: measure(record, at: position + offset)
            case .network where reachability.take(record):
                reviewVoices(at: record.instant.nanoseconds)
            case .phone: follow(phone: record)
            case .session: manners.take(record)
            case .people: act(record)
            case .world where record.kind == RunEnded.kind: end(at: record.instant.nanoseconds)
            default: break
            }
        }
    }

    private mutating func follow(phone record: TraceRecord) {
        switch record.kind {
        case AppTerminated.kind:
            microphones.take(record)
            terminate(record)
        case MicrophoneChanged.kind: microphones.take(record)
        case PhoneCallHeld.kind: endPhoneCall(record)
        default: return
        }
    }

    private mutating func act(_ record: TraceRecord) {
        guard record.kind == UserActed.kind else { return }
        switch UserActed(record).action.value {
        case .dial:
            dialled[record.component] = record.instant.nanoseconds
            for app in apps(on: record.component) {
                microphones.begin(app, at: record.instant.nanoseconds)
            }
        case .endCall: hungUp[record.component] = record.instant.nanoseconds
        case .muteCall:
            for (app, call) in conversations(on: record.component) {
                conduct.mutes(app, call, at: record.instant.nanoseconds)
            }
        case .unmuteCall:
            for app in apps(on: record.component) {
                conduct.unmutes(app, at: record.instant.nanoseconds)
            }
        case .phoneCallBegins:
            for app in apps(on: record.component) {
                conduct.silences(app, at: record.instant.nanoseconds)
            }
        case .phoneCallEnds: return endPhoneCall(record)
        case .holdCall where !conversations(on: record.component).isEmpty:
            manners.hold(on: record.component, true)
        case .unholdCall: manners.hold(on: record.component, false)
        case .allowInFocus, .silenceInFocus:
            let isOne = record.subject != .none
            let apps = isOne ? [record.subject] : apps(on: record.component)
            manners.allow(apps, UserActed(record).action.value == .allowInFocus)
        case .logOutOfCalls:
            hungUp[record.component] = record.instant.nanoseconds
            for app in apps(on: record.component) {
                conduct.signsOut(app, at: record.instant.nanoseconds)
            }
        case .signInToCalls:
            for app in apps(on: record.component) {
                conduct.signsIn(app, at: record.instant.nanoseconds)
            }
        default: return
        }
        reviewVoices(at: record.instant.nanoseconds)
    }

    /// The user of a phone is in a phone call no more, or has put it on hold.
    private mutating func endPhoneCall(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        for app in apps(on: record.component) { conduct.unsilences(app, at: now) }
        reviewVoices(at: now)
    }

    /// The components that belong to a phone.
    private func apps(on phone: ComponentIndex) -> [ComponentIndex] {
        owners.indices.lazy.map { ComponentIndex($0) }.filter { owners[Int($0.index)] == phone }
    }

    /// The conversation on a phone that its user mutes: the only one, or the latest that is heard.
    ///
    /// Who calls can mute before there is an answer.
    private func conversations(
        on phone: ComponentIndex
    ) -> [(app: ComponentIndex, call: Int64)] {
        var found: [(app: ComponentIndex, call: Int64)] = []
        for number in calls.keys.sorted() {
            let caller = calls[number]?.caller
            for side in calls[number]?.sides ?? [] where self.phone(of: side.app) == phone {
                guard side.connected != nil || side.app == caller, side.ended == nil else {
                    continue
                }
                found.append((side.app, number))
            }
        }
        guard found.count > 1 else { return found }
        // One on hold is heard at neither end.
        let heard = found.last { calls[$0.call]?.sides.contains(where: \.hears) == true }
        let dialled = found.last { calls[$0.call]?.side($0.app)?.connected == nil }
        return (dialled ?? heard).map { [$0] } ?? []
    }

    private func phone(of app: ComponentIndex) -> ComponentIndex {
        let index = Int(app.index)
        return owners.indices.contains(index) ? owners[index] : app
    }

    /// A process that ends takes the app's part in every call with it.
    private mutating func terminate(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        terminated[record.component] = now
        for number in calls.keys.sorted() where calls[number]?.hasPart(record.component) == true {
            leave(number, record.component, at: now)
            reviewVoice(of: number, at: now)
        }
    }

    /// An app's part in a call is over, and the app cannot say so.
    private mutating func leave(_ call: Int64, _ app: ComponentIndex, at instant: Int64) {
        change(call, app) {
            $0.ended = instant
            $0.gone = instant
        }
    }

    private mutating func measure(_ record: TraceRecord, at position: Int) {
        switch record.kind {
        case PushSent.kind: send(PushSent(record).call, record)
        case PushRefused.kind where PushRefused(record).status == 410:
            deadTokens.append(record.subject)
        case DeviceRegistered.kind: deadTokens.removeAll { $0 == record.component }
        case CallTold.kind: rightEvents.check(CallTold(record).isRight.isSet, record, at: position)
        case PushAccepted.kind: accept(PushAccepted(record), record)
        case PushReceived.kind:
            measures.kills.add(0, at: Occurrence(record))
            measures.blocks.add(0, at: Occurrence(record))
            arrive(PushReceived(record).call, at: record.component)
        case PushUnreported.kind:
            measures.kills.add(1, samples: 0, at: Occurrence(record))
        case PushesBlocked.kind: measures.blocks.add(1, samples: 0, at: Occurrence(record))
        case CallRinging.kind: ring(CallRinging(record).call, record)
        case CallRingEnded.kind: ringEnded(CallRingEnded(record), record)
        case MissedCallShown.kind: notice(MissedCallShown(record).call, record, at: position)
        case CallPlaced.kind, CallTaken.kind, CallOver.kind: settle(record)
        case MicrophoneExplained.kind:
            microphones.explain(record.component, at: record.instant.nanoseconds)
        default: measureVoice(record)
        }
    }

    private mutating func change(
        _ call: Int64,
        _ app: ComponentIndex,
        _ change: (inout CallStory.Side) -> Void
    ) {
        calls[call, default: CallStory()].change(app, change)
    }

    private mutating func send(_ call: Int64, _ record: TraceRecord) {
        let isSettled = calls[call]?.settled != nil
        let isNeedless = isSettled || deadTokens.contains(record.subject)
        measures.needless.add(isNeedless ? 1 : 0, at: Occurrence(record))
    }

    private mutating func accept(_ push: PushAccepted, _ record: TraceRecord) {
        let acceptance = CallStory.Acceptance(
            instant: record.instant.nanoseconds,
            state: push.state.value,
            isReachable: push.isReachable.isSet,
            isSignedOut: conduct.isSignedOut(record.subject, at: record.instant.nanoseconds)
        )
        change(push.call, record.subject) { $0.accepted = $0.accepted ?? acceptance }
    }

    /// A push reaches an app, whose calls Do Not Disturb may keep from ringing.
    private mutating func arrive(_ call: Int64, at app: ComponentIndex) {
        guard manners.silences(app, on: phone(of: app)) else { return }
        change(call, app) { $0.isSilenced = true }
    }

    /// What the server knows of a call.
    private mutating func settle(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case CallPlaced.kind:
            let tap = dialled.removeValue(forKey: phone(of: record.subject))
            let call = CallPlaced(record).call
            change(call, record.subject) { _ in }
            calls[call]?.placed = now
            calls[call]?.dialled = tap
            calls[call]?.caller = record.subject
            // A request may outlive the process that made it.
            if let tap, let death = terminated[record.subject], death > tap {
                leave(call, record.subject, at: death)
            }
            reviewOthers(than: call, of: record.subject, at: now)
        case CallTaken.kind: calls[CallTaken(record).call, default: CallStory()].take(at: now)
        default:
            let over = CallOver(record)
            calls[over.call, default: CallStory()].over = now
            calls[over.call]?.ending = over.reason.value
        }
    }

    private mutating func notice(_ call: Int64, _ record: TraceRecord, at position: Int) {
        change(call, record.component) { $0.noticeCount += 1 }
        let count = calls[call]?.side(record.component)?.noticeCount
        oneNotice.check(count == 1, record, at: position)
    }

    // MARK: Rings

    private mutating func ring(_ call: Int64, _ record: TraceRecord) {
        change(call, record.component) { $0.rings = record.instant.nanoseconds }
    }

    private mutating func ringEnded(_ ended: CallRingEnded, _ record: TraceRecord) {
        let now = record.instant.nanoseconds
        guard let began = calls[ended.call]?.side(record.component)?.rings else { return }
        let isAnswered = ended.end.value == .answered
        if isAnswered || now - began >= Self.flash {
            count(ringSince: began, of: ended.call, at: record.component)
            conduct.rings(record.component, from: began, to: now)
        }
        change(ended.call, record.component) {
            $0.rings = nil
            $0.rangUntil = now
            if isAnswered { $0.answered = now }
        }
        if ended.end.value == .declined, calls[ended.call]?.taken == nil {
            end(ended.call, byUserOf: record.component, isDecline: true, at: now)
        }
        if isAnswered {
            microphones.begin(record.component, at: now)
            reviewOthers(than: ended.call, of: record.component, at: now)
        }
        addGhost(from: began, to: now, settled: calls[ended.call]?.settled, at: record.component)
    }

    private mutating func end(
        _ call: Int64,
        byUserOf app: ComponentIndex,
        isDecline: Bool = false,
        at now: Int64
    ) {
        guard calls[call]?.userEnd == nil else { return }
        calls[call]?.userEnd = CallStory.UserEnd(instant: now, app: app, isDecline: isDecline)
    }

    /// A call screen has proved to be a ring.
    mutating func count(
        ringSince began: Int64,
        of call: Int64,
        at app: ComponentIndex
    ) {
        guard let story = calls[call], let side = story.side(app) else { return }
        change(call, app) { $0.ringCount += 1 }
        let rang = Occurrence(Span(start: began, end: began), of: app)
        measures.duplicates.add(side.ringCount > 0 ? 1 : 0, at: rang)
        guard side.ringCount == 0 else { return }
        if let dialled = story.dialled, !story.sides.contains(where: { $0.ringCount > 0 }) {
            // Another phone may ring since earlier, and still.
            let first = story.sides.compactMap(\.rings).min() ?? began
            measures.place.add(min(first, began) - dialled, at: rang)
        }
        guard let accepted = side.accepted, accepted.isReachable else { return }
        let wait = Occurrence(Span(start: accepted.instant, end: began), of: app)
        measures.ring.add(began - accepted.instant, at: wait)
        if let state = accepted.state {
            let measure = Int(state.rawValue)
            measures.ringByState[measure].add(began - accepted.instant, at: wait)
        }
    }

    mutating func addGhost(
        from began: Int64,
        to end: Int64,
        settled: Int64?,
        at app: ComponentIndex
    ) {
        let from = min(end, max(began, settled ?? end))
        let length = reachability.time(of: app, from: from, to: end)
        measures.ghost.add(length, at: Occurrence(Span(start: from, end: end), of: app))
    }

    // MARK: Voice

    private mutating func measureVoice(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        let call: Int64
        switch record.kind {
        case CallConnected.kind:
            call = CallConnected(record).call
            change(call, record.component) { $0.connected = $0.connected ?? now }
            reviewOthers(than: call, of: record.component, at: now)
        case CallEnded.kind:
            call = CallEnded(record).call
            change(call, record.component) { $0.ended = $0.ended ?? now }
            conduct.ends(record.component, call, at: now)
            // The app ends a call in the instant in which its user does.
            if hungUp[phone(of: record.component)] == now {
                end(call, byUserOf: record.component, at: now)
            }
            if !calls.values.contains(where: { $0.hasPart(record.component) }) {
                manners.hold(on: phone(of: record.component), false)
            }
            reviewOthers(than: call, of: record.component, at: now)
        case CallVoiceFlowing.kind:
            let flowing = CallVoiceFlowing(record)
            call = flowing.call
            change(call, record.component) {
                $0.hears = true
                $0.firstHeard = $0.firstHeard ?? flowing.heard.nanoseconds
            }
            conduct.flows(from: record.subject, to: record.component, call, at: now)
        case CallVoiceStopped.kind:
            call = CallVoiceStopped(record).call
            change(call, record.component) { $0.hears = false }
            conduct.stops(from: record.subject, to: record.component, call, at: now)
        default: return
        }
        reviewVoice(of: call, at: now)
    }

    private mutating func reviewVoice(of call: Int64, at now: Int64) {
        let (reachability, conduct) = (reachability, conduct)
        let isHushed = calls[call].map { self.isHushed($0, call) } ?? false
        calls[call]?.reviewVoice(at: now, isHushed: isHushed) {
            !reachability.reaches($0) || conduct.isSilent($0, in: call)
        }
    }

    /// Whether what users did keeps everybody in a call from being heard.
    ///
    /// One of them has a phone call, another call or this one on hold, or all have muted it.
    private func isHushed(_ story: CallStory, _ call: Int64) -> Bool {
        let apps = story.inside
        guard apps.count >= 2 else { return false }
        let isElsewhere = apps.contains { app in
            conduct.hasPhoneCall(app) || manners.holds(on: phone(of: app))
                || calls.contains { $0.key != call && $0.value.hasPart(app) }
        }
        return isElsewhere || apps.allSatisfy { conduct.isSilent($0, in: call) }
    }

    /// An app has another call than before: which of its calls is on hold has changed.
    private mutating func reviewOthers(
        than call: Int64,
        of app: ComponentIndex,
        at now: Int64
    ) {
        let others = calls.keys.filter { $0 != call && calls[$0]?.inside.contains(app) == true }
        for other in others.sorted() { reviewVoice(of: other, at: now) }
    }

    /// Why voice may go one way only has changed, in whatever call.
    private mutating func reviewVoices(at now: Int64) {
        for call in calls.keys.sorted() { reviewVoice(of: call, at: now) }
    }
}
