import KodamaEvidence
import KodamaNetwork
import KodamaPhone

/// What a phone's session was busy with, at every instant of a run.
///
/// A session has one activity at a time: the attempt that began last and has not ended, else a request
/// for a token, else a connection that is said to be up, else waiting. A request counts until its
/// answer, the next request, or the connect or success that makes it needless.
struct ReconnectActivity: Sendable {
    /// One attempt to connect.
    struct Attempt: Sendable {
        var room: Int64
        var kind: AttemptKind
        var began: SessionStory.Entry
        var ended: Int64?
        var isFailed = false
    }

    private enum Activity: Equatable {
        case waiting
        case token
        case signalling(attempt: Int)
        case media(attempt: Int)
        /// Said to be up, by this attempt.
        case up(attempt: Int)
    }

    private struct Running {
        var attempt: Int
        var activity: Activity
    }

    /// All attempts, in the order in which they began.
    private(set) var attempts: [Attempt] = []
    /// The attempts that began while another one of the same room had not ended.
    private(set) var unended: [Int] = []
    private var changes: [(instant: Int64, activity: Activity)] = []
    private var running: [Running] = []
    private var tokenRequest: Int64?
    private var upAttempt: Int?

    /// Reads the activity from a story.
    init(_ entries: [SessionStory.Entry]) {
        changes.append((instant: Span.past, activity: .waiting))
        for entry in entries {
            apply(entry)
            let activity = current
            if activity != changes[changes.count - 1].activity {
                changes.append((instant: entry.instant, activity: activity))
            }
        }
    }

    /// The parts of `span`, by `ReconnectPart.rawValue`; they add up to its length exactly.
    ///
    /// Time on a connection that was up before the span began is detection, or self-healing if the session
    /// did nothing at all; time on one that came up within is the wait to be heard.
    func parts(of span: Span) -> [Int64] {
        var parts = Array(repeating: Int64(0), count: ReconnectPart.allCases.count)
        var hasActed = false
        for (index, change) in changes.enumerated() {
            let next = index + 1 < changes.count ? changes[index + 1].instant : Span.future
            let share = Span(start: change.instant, end: next).intersection(span)
            guard !share.isEmpty else { continue }
            let part = part(of: change.activity, hasActed: hasActed)
            hasActed = hasActed || part != .detection
            parts[part.rawValue] += share.length
        }
        if !hasActed {
            parts.swapAt(ReconnectPart.detection.rawValue, ReconnectPart.selfHealed.rawValue)
        }
        return parts
    }

    /// How many attempts began in `span`, its end included.
    func attemptCount(in span: Span) -> Int {
        attempts.count { span.start <= $0.began.instant && $0.began.instant <= span.end }
    }

    private func part(of activity: Activity, hasActed: Bool) -> ReconnectPart {
        switch activity {
        case .waiting: .waiting
        case .token: .token
        case .signalling(let attempt): failure(of: attempt) ?? .signalling
        case .media(let attempt): failure(of: attempt) ?? .media
        case .up(let attempt): failure(of: attempt) ?? (hasActed ? .audible : .detection)
        }
    }

    private func failure(of attempt: Int) -> ReconnectPart? {
        guard attempts[attempt].isFailed else { return nil }
        return switch attempts[attempt].kind {
        case .connect: .failedConnect
        case .quick: .failedQuick
        case .full: .failedFull
        }
    }

    private var current: Activity {
        if let latest = running.last { return latest.activity }
        if tokenRequest != nil { return .token }
        return upAttempt.map { .up(attempt: $0) } ?? .waiting
    }

    private mutating func apply(_ entry: SessionStory.Entry) {
        switch entry.kind {
        case TokenRequested.kind:
            tokenRequest = TokenRequested(entry.record).operation
        case TokenAnswered.kind:
            if tokenRequest == TokenAnswered(entry.record).operation { tokenRequest = nil }
        case ConnectBegan.kind:
            tokenRequest = nil
        case AttemptBegan.kind:
            begin(entry)
        case AttemptSignalled.kind:
            advance(AttemptSignalled(entry.record).room) { .media(attempt: $0) }
        case AttemptConnected.kind:
            advance(AttemptConnected(entry.record).room) { .up(attempt: $0) }
        case AttemptEnded.kind:
            let ended = AttemptEnded(entry.record)
            end(ended.room, isFailed: ended.failure.value != nil, at: entry.instant)
        case ConnectEnded.kind where ConnectEnded(entry.record).error.value != nil:
            leave(ConnectEnded(entry.record).room, at: entry.instant)
        case LossDetected.kind:
            if isUp(LossDetected(entry.record).room) { upAttempt = nil }
        case RoomLeft.kind:
            leave(RoomLeft(entry.record).room, at: entry.instant)
        case RoomDisconnected.kind:
            leave(RoomDisconnected(entry.record).room, at: entry.instant)
        case AppTerminated.kind:
            running.map { attempts[$0.attempt].room }.forEach { leave($0, at: entry.instant) }
            tokenRequest = nil
            upAttempt = nil
        default:
            break
        }
    }

    private mutating func begin(_ entry: SessionStory.Entry) {
        let began = AttemptBegan(entry.record)
        let room = began.room
        if let open = running.first(where: { attempts[$0.attempt].room == room }) {
            unended.append(open.attempt)
            end(room, isFailed: true, at: entry.instant)
        }
        upAttempt = nil
        let kind = began.attempt.value ?? .connect
        attempts.append(Attempt(room: room, kind: kind, began: entry))
        let attempt = attempts.count - 1
        running.append(Running(attempt: attempt, activity: .signalling(attempt: attempt)))
    }

    private mutating func advance(_ room: Int64, _ activity: (Int) -> Activity) {
        let index = running.lastIndex { attempts[$0.attempt].room == room }
        guard let index else { return }
        running[index].activity = activity(running[index].attempt)
    }

    private mutating func end(_ room: Int64, isFailed: Bool, at instant: Int64) {
        let index = running.lastIndex { attempts[$0.attempt].room == room }
        guard let index else { return }
        let attempt = running.remove(at: index).attempt
        attempts[attempt].ended = instant
        attempts[attempt].isFailed = isFailed
        guard !isFailed else { return }
        upAttempt = attempt
        tokenRequest = nil
    }

    private mutating func leave(_ room: Int64, at instant: Int64) {
        end(room, isFailed: true, at: instant)
        if isUp(room) { upAttempt = nil }
    }

    private func isUp(_ room: Int64) -> Bool {
        upAttempt.map { attempts[$0].room == room } ?? false
    }
}
