import KodamaEvidence
import SansIO

/// When what several phones share befell them: servers that are back or let people in again, paths that are back
/// and agents and phones that had to leave in one instant.
struct SharedCauses: Sendable {
    /// When the room server came back.
    private var returns: [Int64] = []
    /// When the app's server came back, when several had to leave, and when the path of several came back.
    private var others: [Int64] = []
    /// When the room server let nobody in or said nothing, up to when it did again.
    private var reopenings: [Span] = []
    /// When an agent left last, or a phone was told to.
    private var latestParting: Int64?
    /// When the path of a phone came back last, and of which.
    private var latestPath: (instant: Int64, phone: ComponentIndex)?

    /// Takes a fault that began or ended, or a path that is back.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - phone: The phone that it happens to, if it is of a session.
    ///   - changed: What it may have taken away or given back.
    ///   - conditions: What is withheld from then on.
    mutating func take(
        _ record: TraceRecord,
        of phone: ComponentIndex,
        _ changed: [Resource],
        _ conditions: Conditions
    ) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case PathUsable.kind where phone != .none:
            if let latestPath, latestPath.instant == now, latestPath.phone != phone,
                others.last != now
            {
                others.append(now)
            }
            latestPath = (now, phone)
        case FaultBegan.kind:
            let began = FaultBegan(record)
            guard began.isLeave || began.endsJob else { return }
            if latestParting == now, others.last != now { others.append(now) }
            latestParting = now
        case FaultEnded.kind:
            if changed.contains(.server("rooms")) { returns.append(now) }
            if changed.contains(.server("api")) { others.append(now) }
            guard FaultEnded(record).fault == .serverCleared else { return }
            let shut = [Resource.admission, .signallingPort, .signallingAnswers]
                .flatMap { conditions.without($0, end: now).all }
                .filter { $0.end == now }.map(\.start).min()
            if let shut { reopenings.append(Span(start: shut, end: now)) }
        default: break
        }
    }

    /// All of them, in order.
    ///
    /// A room server that is back and full has met them all when it was back; each goes on by itself.
    var all: [Int64] {
        let opened = reopenings.filter { shut in
            !returns.contains { $0 >= shut.start && $0 <= shut.end }
        }
        return Set(returns + others + opened.map(\.end)).sorted()
    }
}
