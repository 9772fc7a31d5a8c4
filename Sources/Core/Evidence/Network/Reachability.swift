import SansIO

/// When packets passed between each app and the servers, as the records of its path say.
package struct Reachability {
    /// Since when each app is unreachable, and its times without a path before.
    private var lostSince: [ComponentIndex: Int64] = [:]
    private var losses: [ComponentIndex: [(from: Int64, to: Int64)]] = [:]

    package init() {
    }

    /// Takes a record of a path.
    ///
    /// - Returns: Whether it is one.
    package mutating func take(_ record: TraceRecord) -> Bool {
        let now = record.instant.nanoseconds
        switch record.kind {
        case PathLost.kind: set(record.component, isReached: false, at: now)
        case PathUsable.kind: set(record.component, isReached: true, at: now)
        default: return false
        }
        return true
    }

    /// Packets pass from now on, or do no more.
    package mutating func set(_ app: ComponentIndex, isReached: Bool, at now: Int64) {
        if !isReached {
            lostSince[app] = lostSince[app] ?? now
        } else if let since = lostSince.removeValue(forKey: app) {
            losses[app, default: []].append((since, now))
        }
    }

    /// Whether packets pass now.
    package func reaches(_ app: ComponentIndex) -> Bool { lostSince[app] == nil }

    /// How much of a time packets passed.
    package func time(of app: ComponentIndex, from: Int64, to: Int64) -> Int64 {
        guard from < to else { return 0 }
        var losses = losses[app] ?? []
        if let since = lostSince[app] { losses.append((since, to)) }
        let lost = losses.reduce(0) { $0 + max(0, min($1.to, to) - max($1.from, from)) }
        return to - from - lost
    }
}
