import KodamaEvidence
import SansIO

/// When what several phones share befell them: servers that are back or let people in again, agents and
/// phones that had to leave in one instant.
struct SharedCauses: Sendable {
    /// When the room server came back.
    private var returns: [Int64] = []
    /// When the app's server came back, and when several had to leave.
    private var others: [Int64] = []
    /// When the room server let nobody in, up to when it did again.
    private var reopenings: [Span] = []
    /// When an agent left last, or a phone was told to.
    private var latestParting: Int64?

    /// Takes a fault that began or ended.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - changed: What it may have taken away or given back.
    ///   - conditions: What is withheld from then on.
    mutating func take(_ record: TraceRecord, _ changed: [Resource], _ conditions: Conditions) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case FaultBegan.kind:
            let began = FaultBegan(record)
            guard began.isLeave || began.endsJob else { return }
            if latestParting == now, others.last != now { others.append(now) }
            latestParting = now
        case FaultEnded.kind:
            if changed.contains(.server("rooms")) { returns.append(now) }
            if changed.contains(.server("api")) { others.append(now) }
            guard FaultEnded(record).fault == .serverCleared else { return }
            let shut = [Resource.admission, .signallingPort]
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
