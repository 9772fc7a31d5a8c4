import KodamaEvidence
import SansIO

/// What goes on around sessions, as the world says: calls in other apps, absent servers, keychains.
struct SessionSurroundings: Sendable {
    private let owners: Owners
    /// The apps whose calls have the audio, and since when.
    private var holders: [(app: ComponentIndex, since: Int64)] = []
    private var calls: [(phone: ComponentIndex, span: Span)] = []
    /// Since when the app's own server has been silent, or dark.
    private var silentSince: Int64?
    private var darkSince: Int64?
    private var gone: [Span] = []
    /// Since when the room server has let nobody in: it is full, closed, or takes no new rooms.
    private var shutSince: [(fault: WorldFault, since: Int64)] = []
    private var shut: [(fault: WorldFault, span: Span)] = []
    /// When what several phones share befell them, beside the room server's returns.
    private(set) var sharedCauses: [Int64] = []
    /// When the room server let nobody in, up to when it did again.
    private var reopenings: [Span] = []
    /// When an agent left last, or a phone was told to.
    private var latestParting: Int64?
    /// What befell several phones, with the instants at which a room server that had run is open again.
    ///
    /// One that is back and full has met them all when it was back; each goes on by itself.
    func causes(besides returns: [Int64]) -> [Int64] {
        let opened = reopenings.filter { shut in
            !returns.contains { $0 >= shut.start && $0 <= shut.end }
        }
        return Set(returns + sharedCauses + opened.map(\.end)).sorted()
    }

    /// The phones whose keychain fails, and since when.
    private var locked: [(phone: ComponentIndex, since: Int64)] = []
    private var failures: [(phone: ComponentIndex, span: Span)] = []

    init(_ directory: TraceDirectory) {
        owners = Owners(directory)
    }

    /// Takes a record that may say so.
    mutating func take(_ record: TraceRecord) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case CallAudioChanged.kind:
            if CallAudioChanged(record).isActive.isSet {
                hold(by: record.component, at: now)
            } else {
                release(by: record.component, at: now)
            }
        case AppTerminated.kind:
            // Whoever dies in a call has its audio no more, though nobody says so.
            release(by: record.component, at: now)
        case FaultBegan.kind:
            begin(FaultBegan(record).fault.value, of: record.component, at: now)
        case FaultEnded.kind:
            end(FaultEnded(record).fault.value, of: record.component, at: now)
        default:
            break
        }
    }

    private mutating func hold(by app: ComponentIndex, at now: Int64) {
        guard !holders.contains(where: { $0.app == app }) else { return }
        holders.append((app: app, since: now))
    }

    private mutating func release(by app: ComponentIndex, at now: Int64) {
        guard let index = holders.firstIndex(where: { $0.app == app }) else { return }
        let since = holders.remove(at: index).since
        calls.append((phone: owners.phone(of: app), span: Span(start: since, end: now)))
    }

    private mutating func begin(
        _ fault: WorldFault?,
        of component: ComponentIndex,
        at now: Int64
    ) {
        switch fault {
        case .agentLeft, .serverLeave:
            if latestParting == now, sharedCauses.last != now { sharedCauses.append(now) }
            latestParting = now
        case .silentAPI: silentSince = silentSince ?? now
        case .darkAPI: darkSince = darkSince ?? now
        case .serverFull, .serverDrained, .portClosed:
            guard let fault, !shutSince.contains(where: { $0.fault == fault }) else { return }
            shutSince.append((fault: fault, since: now))
        // A server that starts anew takes rooms again.
        case .serverDown, .serverDark: admit(after: .serverDrained, at: now)
        case .secureStorage:
            guard !locked.contains(where: { $0.phone == component }) else { return }
            locked.append((phone: component, since: now))
        default: break
        }
    }

    private mutating func end(
        _ fault: WorldFault?,
        of component: ComponentIndex,
        at now: Int64
    ) {
        switch fault {
        case .serverCleared:
            if let since = shutSince.map(\.since).min() {
                reopenings.append(Span(start: since, end: now))
            }
            for ended in shutSince { admit(after: ended.fault, at: now) }
        case .secureStorage:
            // One that fails from the beginning on is no fault that began.
            let since = locked.first { $0.phone == component }?.since ?? Span.past
            locked.removeAll { $0.phone == component }
            failures.append((phone: component, span: Span(start: since, end: now)))
        case .silentAPI:
            if let since = silentSince { gone.append(Span(start: since, end: now)) }
            silentSince = nil
            sharedCauses.append(now)
        case .darkAPI:
            if let since = darkSince { gone.append(Span(start: since, end: now)) }
            darkSince = nil
            sharedCauses.append(now)
        default:
            break
        }
    }

    /// What kept people out of the room server does so no more.
    private mutating func admit(after fault: WorldFault, at now: Int64) {
        guard let index = shutSince.firstIndex(where: { $0.fault == fault }) else { return }
        let span = Span(start: shutSince.remove(at: index).since, end: now)
        shut.append((fault: fault, span: span))
    }

    /// When calls in apps of `phone` had the audio, in a run that ends at `end`.
    func calls(on phone: ComponentIndex, end: Int64) -> Spans {
        let open = holders.filter { owners.phone(of: $0.app) == phone }
            .map { Span(start: $0.since, end: end) }
        return Spans(calls.filter { $0.phone == phone }.map { $0.span } + open)
    }

    /// When the room server was full or took no new rooms, in a run that ends at `end`.
    func serverShut(end: Int64) -> Spans { shutTimes(by: [.serverFull, .serverDrained], end) }

    /// When the room server's port was closed, in a run that ends at `end`.
    func portClosed(end: Int64) -> Spans { shutTimes(by: [.portClosed], end) }

    private func shutTimes(by faults: [WorldFault], _ end: Int64) -> Spans {
        let open = shutSince.filter { faults.contains($0.fault) }
            .map { Span(start: $0.since, end: end) }
        return Spans(shut.filter { faults.contains($0.fault) }.map { $0.span } + open)
    }

    /// When the keychain of `phone` failed, in a run that ends at `end`.
    func keychainFailed(on phone: ComponentIndex, end: Int64) -> Spans {
        let open = locked.filter { $0.phone == phone }.map { Span(start: $0.since, end: end) }
        return Spans(failures.filter { $0.phone == phone }.map { $0.span } + open)
    }

    /// When the app's own server answered nobody, in a run that ends at `end`.
    func serverGone(end: Int64) -> Spans {
        let open = [silentSince, darkSince].compactMap(\.self).map { Span(start: $0, end: end) }
        return Spans(gone + open)
    }
}
