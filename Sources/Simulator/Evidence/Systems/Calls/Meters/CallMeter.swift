import Models
import SansIO

/// Measures calls: rings, ghosts, voice, notices.
struct CallMeter: SystemMeter {
    private static let second: Int64 = 1_000_000_000
    /// A call screen that is gone within this time is no ring.
    private static let flash: Int64 = 500_000_000

    private var measures = CallMeasures()
    private var oneNotice = Invariant(
        "call.one-notice",
        "A missed call is noticed once on a phone.",
        "VP-05"
    )

    private var calls: [Int64: CallStory] = [:]
    private var reachability = Reachability()
    /// When the user of each phone dialled last.
    private var dialled: [ComponentIndex: Int64] = [:]
    private let owners: [ComponentIndex]

    init(_ directory: TraceDirectory) {
        owners = directory.owners
    }

    var metrics: [any AnyMeasure] { measures.all }
    var invariants: [Invariant] { [oneNotice] }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            switch record.kind.system {
            case .calls: measure(record, at: position + offset)
            case .network: reachability.take(record)
            case .people: dial(record)
            case .world where record.kind == RunEnded.kind: end(at: record.instant.nanoseconds)
            default: break
            }
        }
    }

    private mutating func dial(_ record: TraceRecord) {
        guard record.kind == UserActed.kind, UserActed(record).action.value == .dial else { return }
        dialled[record.component] = record.instant.nanoseconds
    }

    private mutating func measure(_ record: TraceRecord, at position: Int) {
        switch record.kind {
        case PushAccepted.kind: accept(PushAccepted(record), record)
        case PushReceived.kind:
            measures.kills.add(0, at: Occurrence(record))
            measures.blocks.add(0, at: Occurrence(record))
        case PushUnreported.kind:
            measures.kills.add(1, samples: 0, at: Occurrence(record))
        case PushesBlocked.kind: measures.blocks.add(1, samples: 0, at: Occurrence(record))
        case CallRinging.kind: ring(CallRinging(record).call, record)
        case CallRingEnded.kind: ringEnded(CallRingEnded(record), record)
        case MissedCallShown.kind: notice(MissedCallShown(record).call, record, at: position)
        case CallPlaced.kind, CallTaken.kind, CallOver.kind: settle(record)
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

    private mutating func accept(_ push: PushAccepted, _ record: TraceRecord) {
        let acceptance = CallStory.Acceptance(
            instant: record.instant.nanoseconds,
            state: push.state.value,
            isReachable: push.isReachable.isSet
        )
        change(push.call, record.subject) { $0.accepted = $0.accepted ?? acceptance }
    }

    /// What the server knows of a call.
    private mutating func settle(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case CallPlaced.kind:
            let index = Int(record.subject.index)
            let phone = owners.indices.contains(index) ? owners[index] : record.subject
            let tap = dialled.removeValue(forKey: phone)
            let call = CallPlaced(record).call
            calls[call, default: CallStory()].isPlaced = true
            calls[call]?.dialled = tap
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

    // MARK: Rings

    private mutating func ring(_ call: Int64, _ record: TraceRecord) {
        let now = record.instant.nanoseconds
        let story = calls[call] ?? CallStory()
        if let dialled = story.dialled, !story.sides.contains(where: \.hasRung) {
            measures.place.add(now - dialled, at: Occurrence(record))
        }
        if let side = story.side(record.component), !side.hasRung, let accepted = side.accepted,
            accepted.isReachable
        {
            measures.ring.add(now - accepted.instant, at: Occurrence(record))
            if let state = accepted.state {
                let measure = Int(state.rawValue)
                measures.ringByState[measure].add(now - accepted.instant, at: Occurrence(record))
            }
        }
        change(call, record.component) {
            $0.hasRung = true
            $0.rings = now
        }
    }

    private mutating func ringEnded(_ ended: CallRingEnded, _ record: TraceRecord) {
        let now = record.instant.nanoseconds
        guard let began = calls[ended.call]?.side(record.component)?.rings else { return }
        let isRing = now - began >= Self.flash
        change(ended.call, record.component) {
            $0.rings = nil
            $0.ringCount += isRing ? 1 : 0
            if ended.end.value == .answered { $0.answered = now }
        }
        let count = calls[ended.call]?.side(record.component)?.ringCount ?? 0
        measures.duplicates.add(isRing && count > 1 ? 1 : 0, at: Occurrence(record))
        addGhost(from: began, to: now, settled: calls[ended.call]?.settled, at: record.component)
    }

    private mutating func addGhost(
        from began: Int64,
        to end: Int64,
        settled: Int64?,
        at app: ComponentIndex
    ) {
        let from = max(began, settled ?? end)
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
        case CallEnded.kind:
            call = CallEnded(record).call
            change(call, record.component) { $0.ended = $0.ended ?? now }
        case CallVoiceFlowing.kind:
            let flowing = CallVoiceFlowing(record)
            call = flowing.call
            change(call, record.component) {
                $0.hears = true
                $0.firstHeard = $0.firstHeard ?? flowing.heard.nanoseconds
            }
        case CallVoiceStopped.kind:
            call = CallVoiceStopped(record).call
            change(call, record.component) { $0.hears = false }
        default: return
        }
        calls[call]?.reviewVoice(at: now)
    }

    // MARK: The end

    private mutating func end(at now: Int64) {
        for number in calls.keys.sorted() {
            guard var story = calls[number] else { continue }
            story.close(at: now)
            for side in story.sides { finish(side, of: story, at: now) }
            finishVoice(of: story, at: now)
            finishNotices(of: story, at: now)
        }
        calls = [:]
    }

    private mutating func finish(_ side: CallStory.Side, of story: CallStory, at now: Int64) {
        if let began = side.rings {
            addGhost(from: began, to: now, settled: story.settled, at: side.app)
        }
        guard story.isPlaced, let accepted = side.accepted, accepted.isReachable else { return }
        let lasted = (story.settled ?? now) - accepted.instant
        let isUnrung = !side.hasRung && lasted >= 15 * Self.second
        let span = Span(start: accepted.instant, end: accepted.instant + max(0, lasted))
        measures.unrung.add(isUnrung ? 1 : 0, at: Occurrence(span, of: side.app))
    }

    private mutating func finishVoice(of story: CallStory, at now: Int64) {
        let answered = story.sides.compactMap(\.answered).min()
        let heard = story.sides.compactMap(\.firstHeard)
        if let answered, heard.count >= 2, let last = heard.max() {
            let wait = Occurrence(Span(start: answered, end: max(answered, last)), of: .none)
            measures.answer.add(max(0, last - answered), at: wait)
        }
        guard story.wasConnected else { return }
        let call = story.conversation(until: now)
        measures.oneWay.add(story.longestOneWay, at: call)
        measures.heard.add(story.heardBothWays, at: call)
        let isSilent = heard.isEmpty && call.span.length >= 5 * Self.second
        measures.silent.add(isSilent ? 1 : 0, at: call)
    }

    private mutating func finishNotices(of story: CallStory, at now: Int64) {
        let callees = story.sides.filter { $0.accepted != nil }
        let grace = 60 * Self.second
        guard let over = story.over, over <= now - grace, story.ending?.isMissed == true,
            story.taken == nil,
            callees.contains(where: {
                reachability.time(of: $0.app, from: now - grace, to: now) == grace
            })
        else { return }
        let isNoticed = callees.contains { $0.noticeCount > 0 }
        let span = Span(start: over, end: now)
        measures.unnoticed.add(isNoticed ? 0 : 1, at: Occurrence(span, of: callees[0].app))
    }
}
