/// The parts into which a reconnect's time is split.
enum ReconnectPart: Int, CaseIterable, Sendable {
    case detection
    case waiting
    case failedQuick
    case failedFull
    case failedConnect
    case token
    case signalling
    case media
    case audible
    case selfHealed
}

/// What a phone's session was busy with, at every instant of a run.
///
/// A session has one activity at a time: the attempt that began last and has not ended, else a request
/// for a token, else a connection that is said to be up, else waiting. A request counts until its
/// answer, the next request, or the connect or success that makes it needless.
struct ReconnectActivity: Sendable {
    /// One attempt to connect.
    struct Attempt: Sendable {
        var room: Int64
        var kind: TracedAttempt
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
        for (place, change) in changes.enumerated() {
            let next = place + 1 < changes.count ? changes[place + 1].instant : Span.future
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
        let number = entry.values[0]
        switch entry.kind {
        case .tokenRequested:
            tokenRequest = number
        case .tokenAnswered:
            if tokenRequest == number { tokenRequest = nil }
        case .connectBegan:
            tokenRequest = nil
        case .attemptBegan:
            begin(entry)
        case .attemptSignalled:
            advance(number) { .media(attempt: $0) }
        case .attemptConnected:
            advance(number) { .up(attempt: $0) }
        case .attemptEnded:
            end(number, isFailed: entry.values[1] >= 0, at: entry.instant)
        case .connectEnded where entry.values[1] >= 0:
            leave(number, at: entry.instant)
        case .lossDetected:
            if isUp(number) { upAttempt = nil }
        case .roomLeft, .roomDisconnected:
            leave(number, at: entry.instant)
        case .appTerminated:
            running.map { attempts[$0.attempt].room }.forEach { leave($0, at: entry.instant) }
            tokenRequest = nil
            upAttempt = nil
        default:
            break
        }
    }

    private mutating func begin(_ entry: SessionStory.Entry) {
        let room = entry.values[0]
        if let open = running.first(where: { attempts[$0.attempt].room == room }) {
            unended.append(open.attempt)
            end(room, isFailed: true, at: entry.instant)
        }
        upAttempt = nil
        let kind = TracedAttempt(rawValue: entry.values[2]) ?? .connect
        attempts.append(Attempt(room: room, kind: kind, began: entry))
        let attempt = attempts.count - 1
        running.append(Running(attempt: attempt, activity: .signalling(attempt: attempt)))
    }

    private mutating func advance(_ room: Int64, _ activity: (Int) -> Activity) {
        let place = running.lastIndex { attempts[$0.attempt].room == room }
        guard let place else { return }
        running[place].activity = activity(running[place].attempt)
    }

    private mutating func end(_ room: Int64, isFailed: Bool, at instant: Int64) {
        let place = running.lastIndex { attempts[$0.attempt].room == room }
        guard let place else { return }
        let attempt = running.remove(at: place).attempt
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
