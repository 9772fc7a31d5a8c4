import ReplicaChanges

/// A primary for tests: a log that is kept whole.
struct FakePrimary {
    private(set) var log: [LoggedChange] = []
    private var generationNumber = 1
    /// What it would not lose.
    private(set) var durable: Int64 = 0

    init() {}

    var generation: String { "g\(generationNumber)" }
    var head: Int64 { Int64(log.count) }

    /// The highest number that it has of a replica, in its log to a position.
    func applied(_ replica: String, through position: Int64) -> Int64 {
        log.prefix(Int(position)).filter { $0.replica == replica }.map(\.sequence).max() ?? 0
    }

    /// The tables to a position.
    func tables(through position: Int64) -> PlainTables {
        PlainTables(ReplicaFixture.schema, log.prefix(Int(position)).map(\.change))
    }

    mutating func write(_ change: ReplicaChange) {
        log.append(
            LoggedChange(position: head + 1, replica: "web", sequence: head + 1, change: change)
        )
    }

    /// Takes changes of a replica; `false` if they leave out a number.
    mutating func push(_ changes: [UnsentChange], of replica: String) -> Bool {
        for change in changes {
            let applied = self.applied(replica, through: head)
            guard change.sequence > applied else { continue }
            guard change.sequence == applied + 1 else { return false }
            log.append(
                LoggedChange(
                    position: head + 1,
                    replica: replica,
                    sequence: change.sequence,
                    change: change.change
                )
            )
        }
        return true
    }

    func page(from: Int64, to replica: String, countMax: Int = 100) -> ReplicaPage {
        let changes = Array(log.dropFirst(Int(from)).prefix(countMax))
        let through = from + Int64(changes.count)
        return ReplicaPage(
            generation: generation,
            from: from,
            through: through,
            durable: durable,
            applied: applied(replica, through: head),
            changes: changes,
            hasMore: through < head
        )
    }

    /// A whole snapshot.
    func snapshot(of replica: String, rowsPerPage: Int) -> [SnapshotPage] {
        let rows = tables(through: head).rows
        let starts = Array(stride(from: 0, to: max(1, rows.count), by: rowsPerPage))
        return starts.map { start in
            SnapshotPage(
                generation: generation,
                position: head,
                applied: applied(replica, through: head),
                schema: 2,
                rows: Array(rows.dropFirst(start).prefix(rowsPerPage)),
                next: start == starts.last ? nil : "\(start + rowsPerPage)"
            )
        }
    }

    mutating func makeDurable() { durable = head }

    /// Loses what is not durable.
    mutating func fail() {
        log.removeLast(Int(head - durable))
        generationNumber += 1
    }
}
