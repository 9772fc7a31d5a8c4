import ReplicaChanges
import SansIO

/// What one user's database may take of the server's memory: nobody fills it for the others.
extension Primary {
    /// How many replicas a database knows; a phone makes another with each installation.
    static let replicasMax = 1_000
    /// How much of the log is kept, and how much may wait to be durable, in bytes: enough for each change
    /// that one exchange carries, many times; an assumption.
    static let changeBytesMax = 16_777_216

    /// Refuses new changes for which there is no room.
    ///
    /// - Parameters:
    ///   - changes: The replica's changes that are new.
    ///   - replica: The replica.
    ///   - settings: How the server is set up.
    ///   - now: The server's clock.
    /// - Throws: `quota`, or when the next change is taken.
    func refuseExcess(
        of changes: ArraySlice<UnsentChange>,
        by replica: String,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) {
        guard !changes.isEmpty else { return }
        let isKnown = state.applied[replica] != nil
        guard isKnown || state.applied.count < Self.replicasMax else { throw .quota }
        guard pendingBytes < Self.changeBytesMax else {
            let end = pending.first?.durableAt ?? now
            let wait = end.nanosecondsSince1970 - now.nanosecondsSince1970
            throw .tooMany(retryAfter: .nanoseconds(max(0, wait)))
        }
        let added = changes.reduce(0) { $0 + state.logged($1.change).byteCount }
        guard state.byteCount + added > settings.databaseBytesMax else { return }
        // What they come to counts: deletions make room, also beyond the end.
        var trial = state
        for push in changes {
            let entry = LoggedChange(
                position: trial.position + 1,
                replica: replica,
                sequence: push.sequence,
                change: trial.logged(push.change)
            )
            trial.take(.change(entry, isSetAside: false))
        }
        guard trial.byteCount <= max(settings.databaseBytesMax, state.byteCount) else {
            throw .quota
        }
    }
}

extension ReplicaChange {
    /// About how much memory it takes, in bytes: its texts, and what Swift needs beside them.
    var byteCount: Int {
        columns.reduce(64 + table.utf8.count + key.utf8.count) { sum, column in
            guard case .text(let text) = column.value else { return sum + 48 }
            return sum + 48 + text.utf8.count
        }
    }
}
