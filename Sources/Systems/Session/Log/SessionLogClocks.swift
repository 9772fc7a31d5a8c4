import SansIO

/// Compares the room server's clock with the phone's.
///
/// The server takes a participant in after the app has begun to connect and before the app is connected. Where joins lie
/// elsewhere, one of the clocks is wrong.
struct SessionLogClocks {
    private var connects: [(begin: Instant, end: Instant)] = []
    private var joins: [(first: Instant, last: Instant)] = []

    /// So many of each are compared: all pairs are, and more tell nothing new.
    private static let countMax = 30

    /// Reads what the app and the server wrote, in the order in which each wrote it.
    init(_ events: [SessionLogEvent]) {
        var begin: Instant?
        for event in events {
            switch event.kind {
            case .connecting: begin = event.instant
            case .reconnecting: begin = begin ?? event.instant
            case .connected, .reconnected:
                if let begin { connects.append((begin, event.instant)) }
                begin = nil
            case .joined:
                // Without a time of its own a join has its webhook's, which is cut to whole seconds.
                let isCut = event.instant.nanoseconds % 1_000_000_000 == 0
                let last = event.instant.advanced(by: isCut ? .seconds(1) : .zero)
                joins.append((event.instant, last))
            default: break
            }
        }
        connects = Array(connects.prefix(Self.countMax))
        joins = Array(joins.prefix(Self.countMax))
    }

    /// How much the server's clock is ahead: the middle of what lets most of the joins lie within a connect, and at least
    /// more than half.
    ///
    /// Zero where the clocks may agree: where at least half as many joins do so without it.
    var serverLead: Duration {
        let allowed = joins.map { join in
            connects.map { ($0.end.duration(to: join.first), $0.begin.duration(to: join.last)) }
        }
        func fitting(_ lead: Duration) -> Int {
            allowed.count { $0.contains { $0.0 <= lead && lead <= $0.1 } }
        }
        let leads = allowed.joined().flatMap { [$0.0, $0.1] }
        let best = leads.map { (count: fitting($0), lead: $0) }.min { one, other in
            (other.count, Self.size(one.lead)) < (one.count, Self.size(other.lead))
        }
        guard let best, best.count * 2 > joins.count, fitting(.zero) * 2 < best.count else {
            return .zero
        }
        let fits = allowed.compactMap { $0.first { $0.0 <= best.lead && best.lead <= $0.1 } }
        let least = fits.map(\.0).max() ?? best.lead
        let most = fits.map(\.1).min() ?? best.lead
        return least + (most - least) / 2
    }

    private static func size(_ lead: Duration) -> Duration { lead < .zero ? .zero - lead : lead }
}
