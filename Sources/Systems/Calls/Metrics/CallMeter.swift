import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import SansIO

/// Measures calls: rings, ghosts, voice, notices.
struct CallMeter: SystemMeter {
    static let second: Int64 = 1_000_000_000
    /// A call screen that is gone within this time is no ring.
    static let flash: Int64 = 500_000_000
    /// In this time after a push a call is about to ring (K-16, of an app that was not running).
    static let ringMax: Int64 = 4_000_000_000

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
    /// The calls of each app that may go on, ascending.
    private(set) var going: [ComponentIndex: [Int64]] = [:]
    var conditions: Conditions
    let voiceReach: VoiceReach
    var conduct = CallConduct()
    var manners = CallManners()
    /// How calls sound, where voices are real.
    var sound = CallSound()
    var microphones: CallMicrophones
    /// The apps whose tokens the push service has said are dead.
    private var deadTokens: Set<ComponentIndex> = []
    /// The apps that run, and those that have not run since the push service took another token for them.
    private var running: Set<ComponentIndex> = []
    private var untold: Set<ComponentIndex> = []
    /// The apps whose process is there, and whose new token the server does not have yet.
    private var unregistered: Set<ComponentIndex> = []
    /// When the user of each phone dialled last.
    var dialled: [ComponentIndex: Int64] = [:]
    /// The phones whose users have put a call on hold, or muted one, that the server does not have yet.
    var heldUnplaced: Set<ComponentIndex> = []
    var mutedUnplaced: Set<ComponentIndex> = []
    /// When the user of each phone ended a call last.
    var hungUp: [ComponentIndex: Int64] = [:]
    /// Until when each app was in sight, or when its process began; `Int64.max` while it is in sight.
    var seenUntil: [ComponentIndex: Int64] = [:]
    /// When each app's process ended last, and when its user threw it out last.
    private var terminated: [ComponentIndex: Int64] = [:]
    var thrownOut: [ComponentIndex: Int64] = [:]
    let owners: Owners

    init(_ directory: TraceDirectory) {
        owners = Owners(directory)
        microphones = CallMicrophones(directory)
        conditions = Conditions(directory)
        voiceReach = VoiceReach(directory)
    }

    var metrics: [any AnyMeasure] { measures.all + sound.measures.all }
    var invariants: [Invariant] { [oneNotice, rightEvents] }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            switch record.kind.system {
            case .calls: measure(record, at: position + offset)
            case .network where record.kind == PathLost.kind || record.kind == PathUsable.kind:
                follow(condition: record)
            case .phone: follow(phone: record)
            case .world where record.kind == RunEnded.kind: end(at: record.instant.nanoseconds)
            case .session where measureSound(record): break
            case .session, .world:
                follow(condition: record)
            case .people: act(record)
            default: break
            }
        }
    }

    /// Something may have been taken away, or given back, that voice needs.
    private mutating func follow(condition record: TraceRecord) {
        let changed = conditions.take(record)
        if changed.contains(where: { $0 == .path || $0 == .media || $0 == .network }) {
            let phone = voiceReach.phone(of: record.component)
            reviewVoices(of: phone, at: record.instant.nanoseconds)
        }
        guard changed.contains(where: VoiceReach.shared.contains) else { return }
        for app in going.keys.sorted(by: { $0.index < $1.index }) {
            for call in going(at: app) { reviewVoice(of: call, at: record.instant.nanoseconds) }
        }
    }

    private mutating func follow(phone record: TraceRecord) {
        switch record.kind {
        case AppLaunched.kind:
            running.insert(record.component)
            untold.remove(record.component)
            seenUntil[record.component] = record.instant.nanoseconds
        case SceneChanged.kind:
            let isHidden = SceneChanged(record).phase.value == .background
            seenUntil[record.component] = isHidden ? record.instant.nanoseconds : .max
        case AppTerminated.kind:
            microphones.take(record)
            terminate(record)
        case MicrophoneChanged.kind: microphones.take(record)
        case PhoneCallHeld.kind: endPhoneCall(record)
        default: return
        }
    }

    /// A process that ends takes the app's part in every call with it.
    private mutating func terminate(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        terminated[record.component] = now
        if seenUntil[record.component] == .max { seenUntil[record.component] = now }
        running.remove(record.component)
        if unregistered.remove(record.component) != nil { untold.insert(record.component) }
        throwOut(record.component, at: now)
        forgetUnplaced(on: owners.phone(of: record.component))
        for number in going(at: record.component)
        where calls[number]?.hasPart(record.component) == true {
            leave(number, record.component, at: now)
            reviewVoice(of: number, at: now)
        }
    }

    /// A process that its user ends as a push has just come rings no more.
    private mutating func throwOut(_ app: ComponentIndex, at now: Int64) {
        guard thrownOut[app] == now else { return }
        for number in going(at: app) {
            guard let side = calls[number]?.side(app), let pushed = side.pushedAt,
                side.ringCount == 0, side.rings == nil, now - pushed <= Self.ringMax
            else { continue }
            change(number, app) { $0.isThrownOut = true }
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
            deadTokens.insert(record.subject)
        case PushTokenReplaced.kind:
            if running.contains(record.subject) {
                unregistered.insert(record.subject)
            } else {
                untold.insert(record.subject)
            }
        case DeviceRegistered.kind:
            deadTokens.remove(record.component)
            unregistered.remove(record.component)
        case CallTold.kind: rightEvents.check(CallTold(record).isRight.isSet, record, at: position)
        case PushAccepted.kind: accept(PushAccepted(record), record)
        case PushReceived.kind:
            measures.kills.add(0, at: Occurrence(record))
            measures.blocks.add(0, at: Occurrence(record))
            arrive(PushReceived(record).call, at: record.component, record.instant.nanoseconds)
        case PushDropped.kind: drop(PushDropped(record), for: record.subject)
        case EndSignalled.kind:
            signalEnd(EndSignalled(record).call, at: record.component, record.instant.nanoseconds)
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

    mutating func change(
        _ call: Int64,
        _ app: ComponentIndex,
        _ change: (inout CallStory.Side) -> Void
    ) {
        calls[call, default: CallStory()].change(app, change)
        for side in calls[call]?.sides ?? [] { follow(call, at: side.app) }
    }

    /// Counts a call among those of an app that may go on.
    private mutating func follow(_ call: Int64, at app: ComponentIndex) {
        let index = going[app]?.firstIndex { $0 >= call } ?? going[app]?.endIndex ?? 0
        guard going[app]?.dropFirst(index).first != call else { return }
        going[app, default: []].insert(call, at: index)
    }

    /// Forgets the calls of an app to which nothing can happen any more.
    ///
    /// A push that has just come may yet ring, or be kept from it.
    mutating func forgetOver(at app: ComponentIndex, _ now: Int64) {
        let calls = calls
        going[app]?.removeAll { call in
            guard let story = calls[call], !story.goesOn else { return false }
            return story.side(app)?.pushedAt.map { now - $0 > Self.ringMax } ?? true
        }
    }

    /// The calls of an app that may go on, in the order of their numbers.
    func going(at app: ComponentIndex) -> [Int64] { going[app] ?? [] }

    private mutating func send(_ call: Int64, _ record: TraceRecord) {
        let isSettled = calls[call]?.settled != nil
        let isNeedless = isSettled || deadTokens.contains(record.subject)
        measures.needless.add(isNeedless ? 1 : 0, at: Occurrence(record))
    }

    private mutating func accept(_ push: PushAccepted, _ record: TraceRecord) {
        forgetOver(at: record.subject, record.instant.nanoseconds)
        let busy = going(at: record.subject).count { calls[$0]?.hasPart(record.subject) == true }
        // A process that is held is told of its new token when it runs again.
        let isHeld =
            push.state.value == .suspended && unregistered.contains(record.subject)
        let acceptance = CallStory.Acceptance(
            instant: record.instant.nanoseconds,
            state: push.state.value,
            isReachable: push.isReachable.isSet,
            isSignedOut: conduct.isSignedOut(record.subject, at: record.instant.nanoseconds),
            isBusy: busy >= 2,
            isForgotten: isHeld || untold.contains(record.subject)
        )
        change(push.call, record.subject) {
            $0.accepted = $0.accepted.flatMap { $0.isForgotten ? nil : $0 } ?? acceptance
        }
    }

    /// A push reaches an app, whose calls Do Not Disturb may keep from ringing.
    private mutating func arrive(_ call: Int64, at app: ComponentIndex, _ now: Int64) {
        forgetOver(at: app, now)
        let isSilenced = silencesCalls(of: app)
        change(call, app) {
            $0.pushedAt = $0.pushedAt ?? now
            if isSilenced { $0.isSilenced = true }
        }
    }

    /// Whether Do Not Disturb keeps an app's calls from ringing now.
    func silencesCalls(of app: ComponentIndex) -> Bool {
        conditions.isWithout(.ringing, of: owners.phone(of: app)) && !manners.allows(app)
    }

    /// The push service gives up a push that it could not hand over.
    ///
    /// One whose time is over while the call goes on was sent with too little time: that is no excuse.
    private mutating func drop(_ dropped: PushDropped, for app: ComponentIndex) {
        guard calls[dropped.call]?.settled != nil, dropped.reason.value != .appRemoved else {
            return
        }
        change(dropped.call, app) { $0.isDropped = true }
    }

    /// A message says that a call is over; one that comes as it is about to ring at the latest keeps it from ringing.
    private mutating func signalEnd(_ call: Int64, at app: ComponentIndex, _ now: Int64) {
        guard let story = calls[call], story.settled == nil else { return }
        let side = story.side(app)
        let isRinging = side?.rings.map { now - $0 >= Self.flash } ?? false
        let isLate = side?.pushedAt.map { now - $0 > Self.ringMax } ?? false
        guard !isRinging, !isLate else { return }
        change(call, app) { $0.isToldOver = true }
    }

    /// What the server knows of a call.
    private mutating func settle(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case CallPlaced.kind:
            let phone = owners.phone(of: record.subject)
            let tap = dialled.removeValue(forKey: phone)
            let call = CallPlaced(record).call
            forgetOver(at: record.subject, now)
            change(call, record.subject) { _ in }
            calls[call]?.placed = now
            calls[call]?.dialled = tap
            calls[call]?.caller = record.subject
            // A request may outlive the process that made it.
            if let tap, let death = terminated[record.subject], death > tap {
                leave(call, record.subject, at: death)
            }
            if heldUnplaced.remove(phone) != nil { manners.hold(call, at: record.subject) }
            if mutedUnplaced.remove(phone) != nil { conduct.mutes(record.subject, call, at: now) }
            holdOthers(than: call, at: record.subject, now)
        case CallTaken.kind: calls[CallTaken(record).call, default: CallStory()].taken = now
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
}
