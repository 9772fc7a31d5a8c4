import KodamaEvidence
import RealtimeVoice
import SansIO

/// How long an app was in a room, or heard, while it was in the background (D-05, RS-07).
///
/// It is there from when the system says so until it says otherwise, or the process ends: a tapped
/// notification brings the app to the front before the app hears of it (RS-13). A room from before
/// and one that is joined there are all the same. No record says what an app is set to, and one
/// that is set never to leave may stay: it is measured, and scenarios bound it.
struct BackgroundStays: Sendable {
    /// A time in the background with a room or with voice.
    struct Stay: Sendable {
        /// From the first of it to the last.
        var span: Span
        /// How long it was in all.
        var length: Int64
    }

    private(set) var all: [Stay] = []

    private var held: [Span] = []
    private var away: [(span: Span, hadRoom: Bool)] = []
    private var rooms: [Int64] = []
    private var heldSince: Int64?
    private var awaySince: Int64?
    private var hadRoom = false

    /// Reads a phone's times in the background.
    init(_ reading: SessionReading) {
        for entry in reading.entries { read(entry) }
        letGo(at: reading.end)
        comeBack(at: reading.end)
        // Of the run's last second nobody knows what is heard.
        let settled = reading.end - AudioLine.delayMax - AudioLine.missingMin
        let heard = reading.heard.fromPhone.intersection(Span(start: Span.past, end: settled))
        let present = Spans(held).union(heard)
        for (time, hadRoom) in away {
            let stays = present.intersection(time)
            guard hadRoom || !stays.all.isEmpty else { continue }
            let start = stays.all.first?.start ?? time.start
            let end = stays.all.last?.end ?? start
            all.append(Stay(span: Span(start: start, end: end), length: stays.length))
        }
    }

    private mutating func read(_ entry: SessionStory.Entry) {
        switch entry.kind {
        case ConnectBegan.kind:
            rooms.append(ConnectBegan(entry.record).room)
            heldSince = heldSince ?? entry.instant
        case ConnectEnded.kind where ConnectEnded(entry.record).error.value != nil:
            letGo(of: ConnectEnded(entry.record).room, at: entry.instant)
        case RoomLeft.kind:
            letGo(of: RoomLeft(entry.record).room, at: entry.instant)
        case RoomDisconnected.kind:
            letGo(of: RoomDisconnected(entry.record).room, at: entry.instant)
        case SceneChanged.kind where SceneChanged(entry.record).phase.value == .background:
            guard awaySince == nil else { return }
            awaySince = entry.instant
            hadRoom = heldSince != nil
        case SceneChanged.kind:
            comeBack(at: entry.instant)
        case AppLaunched.kind, AppTerminated.kind:
            letGo(at: entry.instant)
            comeBack(at: entry.instant)
        default:
            break
        }
    }

    private mutating func letGo(of room: Int64, at instant: Int64) {
        rooms.removeAll { $0 == room }
        if rooms.isEmpty { letGo(at: instant) }
    }

    private mutating func letGo(at instant: Int64) {
        rooms = []
        if let start = heldSince { held.append(Span(start: start, end: instant)) }
        heldSince = nil
    }

    private mutating func comeBack(at instant: Int64) {
        guard let start = awaySince else { return }
        away.append((span: Span(start: start, end: instant), hadRoom: hadRoom))
        awaySince = nil
    }
}
