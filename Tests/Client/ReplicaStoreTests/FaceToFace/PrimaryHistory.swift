import ReplicaChanges

/// What a primary has taken, as its server tells it: one log for each generation.
///
/// A failure of the primary ends a generation; the next one's log begins as what was left of it.
struct PrimaryHistory {
    /// The rows that the present log makes, in the last version of the schema.
    private(set) var tables = PlainTables(Diary.schema(Diary.versionMax))
    private var logs: [[LoggedChange]] = [[]]
    /// The generations' names as answers gave them, in the order of the logs.
    private var names: [String?] = [nil]
    /// The texts of writes in the present log.
    private var texts: Set<String> = []
    /// The texts of writes set aside: they were made on rows that others have made anew.
    private var outlived: Set<String> = []
    /// The texts of writes that may be taken twice.
    private var excused: Set<String> = []
    private var version = 0
    /// Up to where the primary has said that nothing will be lost.
    private var durable: Int64 = 0

    /// The present log.
    var log: [LoggedChange] { logs[logs.count - 1] }

    /// Takes the next change of the log; says what is wrong with it.
    mutating func take(_ entry: LoggedChange) -> String? {
        guard entry.position == Int64(log.count) + 1 else {
            return "position \(entry.position) follows on \(log.count)"
        }
        let before = log.last { $0.replica == entry.replica }?.sequence
        guard before.map({ entry.sequence == $0 + 1 }) ?? true else {
            return "\(entry.replica)'s change \(entry.sequence) follows on \(before ?? 0)"
        }
        for text in entry.change.texts where !text.isEmpty {
            guard texts.insert(text).inserted || excused.contains(text) else {
                return "\(text) is taken twice (RP-04)"
            }
        }
        logs[logs.count - 1].append(entry)
        tables.apply(entry.change)
        return nil
    }

    /// Takes a change that was set aside: the log says once more what its row is.
    mutating func setAside(_ entry: LoggedChange, asked: ReplicaChange) -> String? {
        let row = tables.rows.first { $0.table == entry.change.table && $0.key == entry.change.key }
        // The primary may have a version in which columns of the last one are not there yet.
        var alone = PlainTables(Diary.schema(Diary.versionMax))
        alone.apply(entry.change)
        guard row == alone.rows.first else {
            return "\(asked) leaves \(entry.change) of \(row as Any)"
        }
        outlived.formUnion(asked.texts)
        excused.formUnion(entry.change.texts)
        return take(entry)
    }

    /// These writes may come again: the app has said that their file was damaged, and their replica
    /// lost its name with it.
    mutating func excuse(_ texts: [String]) {
        excused.formUnion(texts)
    }

    /// The primary was brought to a version of the schema; says what is wrong with that.
    mutating func migrate(to version: Int) -> String? {
        defer { self.version = version }
        return version > self.version ? nil : "migrated to \(version) once more (RP-05)"
    }

    /// The primary failed and lost what is behind; says what is wrong with that.
    mutating func rollBack(through position: Int64) -> String? {
        guard position >= durable, position <= Int64(log.count) else {
            return "\(position) is left of \(log.count), of which \(durable) were durable"
        }
        logs.append(Array(log.prefix(Int(position))))
        names.append(nil)
        // Whether a migration is lost with the changes is not said; it may come again.
        version = 0
        texts = []
        tables = PlainTables(Diary.schema(Diary.versionMax))
        for entry in log {
            tables.apply(entry.change)
            texts.formUnion(entry.change.texts)
        }
        return nil
    }

    /// An answer named the present generation; says what is wrong with that.
    mutating func named(_ generation: String, durable: Int64 = 0) -> String? {
        self.durable = max(self.durable, durable)
        let index = names.count - 1
        guard names[index] ?? generation == generation, !names.dropLast().contains(generation)
        else { return "generation \(index) is called \(generation)" }
        names[index] = generation
        return nil
    }

    /// The log of the generation of that name.
    func log(of generation: String) -> [LoggedChange]? {
        names.firstIndex(of: generation).map { logs[$0] }
    }

    /// The highest number of a replica's changes that any generation has taken.
    func sequenceMax(of replica: String) -> Int64 {
        logs.joined().filter { $0.replica == replica }.map(\.sequence).max() ?? 0
    }

    /// Whether the present log has a write.
    func has(_ write: HouseholdWrite) -> Bool {
        if let text = write.text { return texts.contains(text) || outlived.contains(text) }
        return log.contains {
            $0.replica == write.replica && $0.sequence == write.sequence
        }
    }
}

/// A write that was acknowledged to the user.
struct HouseholdWrite {
    /// Who wrote.
    var author: String
    /// What no other write says; `nil` of a delete.
    var text: String?
    var replica: String
    var sequence: Int64
    /// Whether the app has said that its file was damaged and may have lost it (RP-07).
    var isReportedLost = false
}
