import KodamaEvidence
import RealtimeVoice
import SansIO

/// What a session did that its user would call a breach of trust (K-22), judged from what was heard and from
/// what the app ordered.
///
/// - While the microphone is muted nothing from the phone is heard.
/// - While a call has the audio nothing is heard either way, while another app has it nothing from
///   the phone, and renderer and engine are off. A microphone's track carries nothing beside an
///   engine that is off, and one that is still being published cannot be taken back.
/// - After the user has disconnected or logged out microphone, renderer and engine are off.
///
/// Each has a second to come about: a goodbye is on its way, and what was captured before is heard.
struct Conduct: Sendable {
    /// The stretches in each of which one of the rules held.
    private(set) var stretches: [SilencedTime] = []

    /// Reads a phone's conduct.
    init(_ reading: SessionReading) {
        let orders = SoundOrders(reading.entries, end: reading.end)
        let fromPhone = reading.heard.fromPhone
        let either = fromPhone.union(reading.heard.toPhone)
        for span in reading.wishes.muted.all { check(span, heard: fromPhone) }
        for span in reading.wishes.called.all { check(span, heard: either) }
        for span in orders.taken.all {
            check(span, [orders.on(.renderer), orders.on(.engine)], heard: fromPhone)
        }
        for ban in reading.wishes.bans { check(ban.span, SoundPart.allCases.map(orders.on)) }
    }

    private mutating func check(_ span: Span, heard: Spans) {
        guard span.length >= SessionBounds.silenceMin else { return }
        judge(span, [heard])
    }

    /// What must be off in a time, and what must not be heard if it lasts long enough to tell.
    private mutating func check(_ span: Span, _ parts: [Spans], heard: Spans = Spans()) {
        guard span.length > SessionBounds.goodbyeMax else { return }
        judge(span, span.length < SessionBounds.silenceMin ? parts : parts + [heard])
    }

    private mutating func judge(_ span: Span, _ banned: [Spans]) {
        var stretch = SilencedTime(span)
        for sound in banned.flatMap(\.all) {
            stretch.hear(sound, after: SessionBounds.goodbyeMax)
        }
        stretches.append(stretch)
    }
}

/// When the parts of an app's sound were to run, and when the system had taken its audio.
private struct SoundOrders {
    let taken: Spans
    /// By `SoundPart.rawValue`.
    private let runs: [Spans]

    /// When a part was to run.
    func on(_ part: SoundPart) -> Spans { runs[Int(part.rawValue)] }

    init(_ entries: [SessionStory.Entry], end: Int64) {
        var open = [Int64?](repeating: nil, count: SoundPart.allCases.count)
        var closed = [[Span]](repeating: [], count: SoundPart.allCases.count)
        var (takenSince, taken): (Int64?, [Span]) = (nil, [])
        func close(_ part: SoundPart, at instant: Int64) {
            let index = Int(part.rawValue)
            if let start = open[index] { closed[index].append(Span(start: start, end: instant)) }
            open[index] = nil
        }
        func giveBack(at instant: Int64) {
            if let start = takenSince { taken.append(Span(start: start, end: instant)) }
            takenSince = nil
        }
        for entry in entries {
            let instant = entry.instant
            switch entry.kind {
            case SoundOrdered.kind:
                let order = SoundOrdered(entry.record)
                guard let part = order.part.value else { break }
                let index = Int(part.rawValue)
                if order.isOn.isSet {
                    open[index] = open[index] ?? instant
                } else {
                    close(part, at: instant)
                }
            case RoomLeft.kind, RoomDisconnected.kind:
                // The track ends with its room object; the renderer has to be stopped.
                close(.microphone, at: instant)
            case SoundTaken.kind:
                if SoundTaken(entry.record).isTaken.isSet {
                    takenSince = takenSince ?? instant
                } else {
                    giveBack(at: instant)
                }
            case SceneChanged.kind where SceneChanged(entry.record).phase.value == .active:
                // Whoever comes back may try to have the audio again.
                giveBack(at: instant)
            case UserActed.kind where UserActed(entry.record).asksForConversation:
                // So may an app whose user asks for the conversation, as it comes to the front.
                giveBack(at: instant)
            case AppTerminated.kind:
                for part in SoundPart.allCases { close(part, at: instant) }
                giveBack(at: instant)
            default:
                break
            }
        }
        for part in SoundPart.allCases { close(part, at: end) }
        giveBack(at: end)
        runs = closed.map { Spans($0) }
        self.taken = Spans(taken)
    }
}
