import KodamaEvidence

/// What becomes of the writes that apps told their users are in the file, and in which order.
struct ReplicaWrites {
    /// A write of an app's user.
    struct Write {
        /// Where the app said that it is in the file.
        let record: TraceRecord
        /// How many of the app's came before it.
        let order: Int
        /// For how long the app had been able to exchange rows then.
        var usable: Int64
        /// Whether a primary has had it.
        var hasArrived = false
        /// Whether the app's file keeps it at the end.
        var isKept = false
        /// Whether the app has said since that its file was damaged, and not all of it saved.
        var isInReportedLoss = false
        /// Whether a primary has refused it for ever.
        var isRefused = false
        /// Whether its app has said so since.
        var isRefusalTold = false
    }

    /// Where the log of a primary has a write.
    struct Place {
        let position: Int64
        let database: Int64
    }

    /// Where a write is in the end.
    enum Fate {
        case arrived, waiting, refused, reportedLost, lost
    }

    private var writes: [Int64: Write] = [:]
    private var counts: [ComponentIndex: Int] = [:]
    /// Which writes are in the primaries' logs, those of the web among them.
    private var places: [Int64: Place] = [:]
    /// Of each app's writes in a log the one that was written last.
    private var latest: [ComponentIndex: Int] = [:]

    /// The writes, in the order of their numbers.
    var numbers: [Int64] { writes.keys.sorted() }

    /// A write.
    subscript(_ number: Int64) -> Write? { writes[number] }

    /// A write is in the file of an app that has been able to exchange rows for so long.
    mutating func add(_ number: Int64, _ record: TraceRecord, usable: Int64) {
        guard number != 0, writes[number] == nil else { return }
        let order = counts[record.component, default: 0]
        counts[record.component] = order + 1
        writes[number] = Write(record: record, order: order, usable: usable)
    }

    /// A primary has taken a write.
    ///
    /// - Returns: Whether it had it already.
    mutating func take(_ number: Int64, at place: Place) -> Bool {
        guard places[number] == nil else { return true }
        places[number] = place
        return false
    }

    /// A write of an app has arrived.
    ///
    /// - Returns: Whether none that was written later had.
    mutating func arrive(_ number: Int64) -> Bool {
        guard let write = writes[number] else { return true }
        let app = write.record.component
        let last = latest[app] ?? -1
        latest[app] = max(last, write.order)
        writes[number]?.hasArrived = true
        return write.order > last
    }

    /// An app was not able to exchange rows for longer than this, though no record said so.
    mutating func restart(_ app: ComponentIndex, from usable: Int64) {
        for number in numbers {
            guard let write = writes[number], write.record.component == app else { continue }
            writes[number]?.usable = min(write.usable, usable)
        }
    }

    /// A primary has lost all behind a position.
    mutating func rollBack(_ database: Int64, through position: Int64) {
        places = places.filter { entry in
            entry.value.database != database || entry.value.position <= position
        }
        latest = [:]
        for (number, write) in writes where places[number] != nil {
            let app = write.record.component
            latest[app] = max(latest[app] ?? -1, write.order)
        }
    }

    /// An app says that its file was damaged, and that it could not save all that was in it.
    mutating func reportLoss(of app: ComponentIndex) {
        for number in numbers where writes[number]?.record.component == app {
            writes[number]?.isInReportedLoss = true
        }
    }

    /// A primary refuses a write of an app for ever.
    mutating func refuse(_ number: Int64) {
        writes[number]?.isRefused = true
    }

    /// An app says that a write is refused: that is so if the primary has refused it, or another of the
    /// app's, without which it would be nothing.
    mutating func tellRefusal(_ number: Int64, by app: ComponentIndex) {
        let isSo = writes.values.contains { $0.record.component == app && $0.isRefused }
        if isSo, writes[number]?.record.component == app { writes[number]?.isRefusalTold = true }
    }

    /// The file of its app keeps a write at the end.
    mutating func keep(_ number: Int64) {
        writes[number]?.isKept = true
    }

    /// Where a write is.
    func fate(of number: Int64) -> Fate {
        if places[number] != nil { return .arrived }
        guard let write = writes[number] else { return .lost }
        if write.isKept { return .waiting }
        if write.isRefusalTold { return .refused }
        return write.isInReportedLoss ? .reportedLost : .lost
    }
}
