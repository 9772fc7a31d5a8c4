@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO

/// The session metrics computed slowly, in cells of 20 ms, each asked anew of the whole trace.
struct ReferenceSession {
    private static let cell: Int64 = 20_000_000

    private(set) var samples: [String: [Int64]] = [:]

    private let records: [TraceRecord]
    private let story: [TraceRecord]
    private let cellCount: Int
    private var silent: [Bool] = []
    private var wanted: [Bool] = []
    private var lying: [Bool] = []
    private var down: [Bool] = []
    private var parts: [String] = []

    init(_ trace: RecordedTrace) {
        records = trace.records
        story = trace.records.filter { $0.kind != VoiceHeard.kind }
        let end = trace.records.last?.instant.nanoseconds ?? 0
        cellCount = Int(end / Self.cell)
        let cells = Array(0..<cellCount)
        let muted = cells.map { state($0) { Self.isMuted($0) } }
        let mine = silence(.fromPhone, muted)
        let theirs = silence(.toPhone, cells.map { _ in false })
        silent = cells.map { mine[$0] || theirs[$0] }
        wanted = cells.map { state($0) { Self.isWanted($0) } }
        forgiveWhatIsUnderWay()
        lying = cells.map { state($0) { Self.isPromised($0) } }
        down = cells.map { state($0) { Self.isDown($0) } }
        parts = cells.map { state($0) { records in Self.part(records, all: story) } }
        measure()
    }

    /// Less than 200 ms unheard to the end of a wish is no loss.
    private mutating func forgiveWhatIsUnderWay() {
        for end in 1..<max(1, cellCount + 1) where wanted[end - 1] {
            guard end == cellCount || !wanted[end] else { continue }
            var start = end
            while start > 0, silent[start - 1], wanted[start - 1] { start -= 1 }
            guard start > 0, wanted[start - 1], end - start < 10 else { continue }
            for cell in start..<end { silent[cell] = false }
        }
    }

    /// What `read` says of the records up to the start of a cell.
    private func state<Value>(_ cell: Int, _ read: ([TraceRecord]) -> Value) -> Value {
        let limit = Int64(cell) * Self.cell
        return read(Array(story.prefix { $0.instant.nanoseconds <= limit }))
    }

    private func silence(_ direction: VoiceDirection, _ excused: [Bool]) -> [Bool] {
        var heardAt: [Int: Int] = [:]
        let frames = records.compactMap { $0.read(VoiceHeard.self) }
        for frame in frames where frame.direction.value == direction {
            let (captured, heard) = (frame.captured.nanoseconds, frame.heard.nanoseconds)
            if heard - captured <= 1_000_000_000 {
                heardAt[Int(captured / Self.cell)] = Int(heard / Self.cell)
            }
        }
        let first = heardAt.keys.min() ?? cellCount
        var silent = (0..<cellCount).map { cell in cell < (heardAt[first] ?? cellCount) }
        for cell in 0..<min(first, cellCount) where excused[cell] { silent[cell] = false }
        var from = first
        while from < cellCount {
            var until = from
            while until < cellCount, heardAt[until] == nil, !excused[until] { until += 1 }
            // What is captured in the last second may still be under way.
            let missing = until == cellCount ? until - from - 50 : until - from
            if missing >= 10 {
                let back = until == cellCount ? until : heardAt[until] ?? until
                for cell in from..<min(back, cellCount) { silent[cell] = true }
            }
            from = max(until, from) + 1
        }
        return silent
    }

    private static func isMuted(_ records: [TraceRecord]) -> Bool {
        let last = records.last {
            $0.kind == AppLaunched.kind || $0.kind == AppTerminated.kind || act($0) == .mute
                || act($0) == .unmute
        }
        return last.map { act($0) == .mute } ?? false
    }

    private static func isPromised(_ records: [TraceRecord]) -> Bool {
        let last = records.last { $0.kind == StatusShown.kind || $0.kind == AppTerminated.kind }
        let stage = last?.read(StatusShown.self)?.stage.value
        return stage == .connected || stage == .reconnected
    }

    private static func isDown(_ records: [TraceRecord]) -> Bool {
        records.last { $0.kind == PathLost.kind || $0.kind == PathUsable.kind }?.kind
            == PathLost.kind
    }

    private static func isWanted(_ records: [TraceRecord]) -> Bool {
        let runs = records.last { $0.kind == AppLaunched.kind || act($0) == .killApp }
        let asks = records.last {
            [.connect, .disconnect, .tapNotification, .killApp].contains(act($0))
                || $0.kind == AppLaunched.kind
        }
        let fronts = records.last {
            [.leaveApp, .openApp, .tapNotification].contains(act($0)) || $0.kind == AppLaunched.kind
        }
        let calls = records.last { [.phoneCallBegins, .phoneCallEnds].contains(act($0)) }
        guard let runs, let asks, runs.kind == AppLaunched.kind, act(asks) != .disconnect else {
            return false
        }
        return fronts.flatMap(act) != .leaveApp && calls.flatMap(act) != .phoneCallBegins
    }

    private static func act(_ record: TraceRecord) -> UserAct? {
        guard let action = record.read(UserActed.self)?.action else { return nil }
        return (UserAct.core + UserAct.session).first { action == $0 }
    }

    /// What the session is busy with after `records`; whether an attempt fails is read ahead.
    private static func part(_ records: [TraceRecord], all: [TraceRecord]) -> String {
        let kinds: [TraceKind] = [
            AttemptBegan.kind, AttemptEnded.kind, RoomLeft.kind, LossDetected.kind,
            AppTerminated.kind,
        ]
        let lastPlace = records.lastIndex { kinds.contains($0.kind) && isCurrent($0, records) }
        guard let lastPlace else { return hasToken(records) ? "token" : "waiting" }
        let last = records[lastPlace]
        if last.kind == AttemptBegan.kind {
            let began = all.lastIndex { $0 == last } ?? 0
            let room = Self.room(last)
            let end = all[(began + 1)...].first {
                $0.kind == AppTerminated.kind
                    || Self.room($0) == room
                        && [AttemptEnded.kind, RoomLeft.kind, AttemptBegan.kind].contains($0.kind)
            }
            if let end, !isSuccess(end) {
                switch last.read(AttemptBegan.self)?.attempt.value {
                case .quick: return "failed_quick"
                case .full: return "failed_full"
                case .connect, nil: return "failed_connect"
                }
            }
            let steps = records[lastPlace...].filter { Self.room($0) == room }
            if steps.contains(where: { $0.kind == AttemptConnected.kind }) { return "up" }
            return steps.contains { $0.kind == AttemptSignalled.kind } ? "media" : "signalling"
        }
        if hasToken(records) { return "token" }
        return isSuccess(last) ? "up" : "waiting"
    }

    /// The room object that a record is about.
    private static func room(_ record: TraceRecord) -> Int64? {
        record.read(AttemptBegan.self)?.room ?? record.read(AttemptSignalled.self)?.room
            ?? record.read(AttemptConnected.self)?.room ?? record.read(AttemptEnded.self)?.room
            ?? record.read(RoomLeft.self)?.room ?? record.read(LossDetected.self)?.room
    }

    private static func isSuccess(_ record: TraceRecord) -> Bool {
        record.read(AttemptEnded.self).map { $0.failure.value == nil } ?? false
    }

    /// Whether a record is about the room of the attempt that began last before it.
    private static func isCurrent(_ record: TraceRecord, _ records: [TraceRecord]) -> Bool {
        guard record.kind != AppTerminated.kind, record.kind != AttemptBegan.kind else {
            return true
        }
        let place = records.lastIndex { $0 == record } ?? 0
        let began = records[..<place].lastIndex { $0.kind == AttemptBegan.kind }
        guard let began, room(records[began]) == room(record) else { return false }
        let isOver = records[began..<place].contains {
            $0.kind == AppTerminated.kind
                || $0.kind == RoomLeft.kind && room($0) == room(record)
        }
        return record.kind != AttemptEnded.kind || !isOver
    }

    private static func hasToken(_ records: [TraceRecord]) -> Bool {
        let asked = records.lastIndex {
            $0.kind == TokenRequested.kind || $0.kind == AppTerminated.kind
        }
        guard let asked, let request = records[asked].read(TokenRequested.self) else {
            return false
        }
        return !records[asked...].contains {
            $0.read(TokenAnswered.self)?.operation == request.operation || succeeds($0, records)
        }
    }

    /// Whether a record is the success of an attempt that was under way.
    private static func succeeds(_ record: TraceRecord, _ records: [TraceRecord]) -> Bool {
        isSuccess(record) && isCurrent(record, records)
    }

    private mutating func measure() {
        var lost: Int64 = 0
        var from = 0
        while from < cellCount {
            guard wanted[from] else {
                from += 1
                continue
            }
            var wishEnd = from
            while wishEnd < cellCount, wanted[wishEnd] { wishEnd += 1 }
            lost += measureWish(from, wishEnd)
            from = wishEnd
        }
        let hasTalked = (0..<cellCount).contains { wanted[$0] && !silent[$0] }
        if hasTalked { samples["session.audio.lost.time"] = [lost] }
        measureLies()
    }

    private mutating func measureWish(_ from: Int, _ until: Int) -> Int64 {
        let isLaunch = records.contains {
            $0.kind == AppLaunched.kind && $0.instant.nanoseconds == Int64(from) * Self.cell
        }
        let wait = isLaunch ? "session.connect.time" : "session.resume.time"
        if !silent[from] { samples[wait, default: []].append(0) }
        var lost: Int64 = 0
        var start = from
        var heardLast = from
        while start < until {
            guard silent[start] else {
                start += 1
                continue
            }
            var end = start
            while end < until, silent[end] { end += 1 }
            if start == from {
                let beginning = isLaunch ? start : pathReturns(from: start, until: end)
                // A wish that ends before there is a path has waited for nothing.
                if beginning < end || end < until || end == cellCount {
                    samples[wait, default: []].append(Int64(end - beginning) * Self.cell)
                }
            } else {
                lost += Int64(end - start) * Self.cell
                measureLoss(start, end, heardLast)
            }
            heardLast = end
            start = end
        }
        return lost
    }

    /// When the outage is over that a time begins in: less than 10 s of path do not end it.
    private func pathReturns(from start: Int, until end: Int) -> Int {
        var place = start
        while place < end, down[place] {
            while place < end, down[place] { place += 1 }
            let next = min(end, place + Int(10_000_000_000 / Self.cell))
            place = (place..<next).first { down[$0] } ?? place
        }
        return place
    }

    private mutating func measureLoss(_ from: Int, _ until: Int, _ heardLast: Int) {
        var start = from
        if let firstDown = (from..<until).first(where: { down[$0] }) {
            var lost = firstDown
            while lost > 0, down[lost - 1] { lost -= 1 }
            if lost >= heardLast, lost <= from + 50 { start = lost }
        }
        samples["session.reconnect.whole.time", default: []]
            .append(Int64(until - start) * Self.cell)
        var hasActed = false
        var shares: [String: Int64] = [:]
        for cell in start..<until {
            var part = parts[cell]
            if part == "up" { part = hasActed ? "audible" : "detection" }
            hasActed = hasActed || part != "detection"
            shares[part, default: 0] += Self.cell
        }
        if !hasActed { shares = ["self_healed": Int64(until - start) * Self.cell] }
        for name in SessionPartNames.all {
            samples["session.reconnect.\(name).time", default: []].append(shares[name] ?? 0)
        }
    }

    private mutating func measureLies() {
        var length: Int64 = 0
        for cell in 0...cellCount {
            if cell < cellCount, lying[cell], wanted[cell], silent[cell] {
                length += Self.cell
            } else if length > 0 {
                samples["session.false_connected.time", default: []].append(length)
                length = 0
            }
        }
    }
}

/// The parts of a reconnect as the metrics' names call them.
enum SessionPartNames {
    static let all = [
        "detection", "waiting", "failed_quick", "failed_full", "failed_connect", "token",
        "signalling", "media", "audible", "self_healed",
    ]
}
