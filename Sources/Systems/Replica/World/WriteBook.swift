import KodamaEvidence
import KodamaLanguage
import KodamaWorld
import ReplicaChanges

/// The writes of a world: their numbers, and what they are known by wherever they turn up.
///
/// A row's text carries the number of the write that set it. A deleted row carries nothing: it is known
/// by who deleted it, and where that was done several times, by which of the deletions comes first.
struct WriteBook {
    /// What replicas and primaries know a change by.
    struct ChangeName: Hashable {
        var database: Int64
        var replica: String
        var sequence: Int64
    }

    private struct Deletion: Hashable {
        var writer: ComponentIndex
        var key: String
    }

    private var count: Int64 = 0
    /// The writes that deleted a row, in the order in which they did.
    private var deletions: [Deletion: [Int64]] = [:]
    /// How many of them have turned up somewhere.
    private var foundCounts: [Deletion: Int] = [:]
    /// Which of them a change was.
    private var found: [ChangeName: Int64] = [:]

    /// The number of the next write.
    var nextNumber: Int64 { count + 1 }

    /// Gives the next write its number, whatever becomes of it.
    mutating func begin(_ edit: RowEdit) { count = edit.number }

    /// A write is done; the web has no component.
    mutating func add(_ edit: RowEdit, by writer: ComponentIndex) {
        guard edit.isDeletion else { return }
        deletions[Deletion(writer: writer, key: edit.key), default: []].append(edit.number)
    }

    /// A writer's file was rebuilt and keeps these changes: no other deletion is to be looked for.
    ///
    /// Otherwise a row's next deletion would be taken for the one that was lost.
    mutating func keep(
        _ kept: [(change: ReplicaChange, name: ChangeName)],
        by writer: ComponentIndex
    ) {
        var counts: [String: Int] = [:]
        for (change, name) in kept where change.table == RowEdit.table && change.kind == .delete {
            if found[name] == nil { counts[change.key, default: 0] += 1 }
        }
        for deletion in Array(deletions.keys) where deletion.writer == writer {
            let numbers = deletions[deletion, default: []]
            let foundCount = min(foundCounts[deletion, default: 0], numbers.count)
            let left = numbers.dropFirst(foundCount).suffix(counts[deletion.key, default: 0])
            deletions[deletion] = Array(numbers.prefix(foundCount) + left)
            foundCounts[deletion] = foundCount
        }
    }

    /// Which write a change came from; 0 for none of the world's.
    mutating func number(
        of change: ReplicaChange,
        named name: ChangeName,
        by writer: ComponentIndex
    ) -> Int64 {
        guard change.table == RowEdit.table else { return 0 }
        if change.kind == .delete {
            return number(of: Deletion(writer: writer, key: change.key), named: name)
        }
        for column in change.columns where column.name == RowEdit.words {
            guard case .text(let text) = column.value, text.first == "w" else { return 0 }
            return Int64(text.dropFirst()) ?? 0
        }
        return 0
    }

    private mutating func number(of deletion: Deletion, named name: ChangeName) -> Int64 {
        guard let numbers = deletions[deletion], let last = numbers.last else { return 0 }
        // The web's are at the primary at once, and it may use a number of its own again.
        guard deletion.writer != .none else { return last }
        if let known = found[name] { return known }
        let index = foundCounts[deletion, default: 0]
        foundCounts[deletion] = index + 1
        let number = index < numbers.count ? numbers[index] : last
        found[name] = number
        return number
    }
}

/// What a user did to rows in an app and the primary does not have yet: the app has to show it.
struct PendingWrites {
    /// The latest by the row.
    private var edits: [String: RowEdit] = [:]

    /// A write is in the app's file.
    mutating func add(_ edit: RowEdit) { edits[edit.key] = edit }

    /// The primary has a write to a row.
    mutating func remove(_ number: Int64, of key: String) {
        if edits[key]?.number == number { edits[key] = nil }
    }

    /// Whether rows are as the user left them.
    ///
    /// A row that was edited here may have been deleted elsewhere; what was made here is there.
    func areShown(in rows: [ReplicaChange]) -> Bool {
        guard !edits.isEmpty else { return true }
        var texts: [String: ReplicaValue] = [:]
        for row in rows where row.table == RowEdit.table {
            texts[row.key] = row.columns.first { $0.name == RowEdit.words }?.value
        }
        return edits.values.allSatisfy { edit in
            switch edit.write.kind {
            case .new: texts[edit.key] == .text(edit.text)
            case .edit: texts[edit.key].map { $0 == .text(edit.text) } ?? true
            case .delete: texts[edit.key] == nil
            }
        }
    }
}

/// What one write does to one row.
struct RowEdit {
    /// The table that users write to, and the columns that they set.
    static let table = "reflection"
    static let words = "words"
    static let written = "written"

    let write: ReplicaWrite
    let number: Int64
    let key: String

    /// Finds the row of a write; `nil` where the writer has none that could be edited or deleted.
    ///
    /// - Parameters:
    ///   - write: What the plan says.
    ///   - number: The write's number.
    ///   - last: The row that the writer wrote last.
    ///   - isThere: Whether the writer sees a row.
    init?(_ write: ReplicaWrite, _ number: Int64, last: String?, isThere: (String) -> Bool) {
        self.write = write
        self.number = number
        switch write.kind {
        // No name of a scenario's has a capital letter.
        case .new: key = write.row ?? "R\(number)"
        case .edit, .delete:
            guard let row = write.row ?? last, isThere(row) else { return nil }
            key = row
        }
    }

    var isDeletion: Bool { write.kind == .delete }

    /// What the row says.
    var text: String { "w\(number)" }

    /// What it is as a change, written at this second since 1970.
    func change(at second: Int64) -> ReplicaChange {
        let columns = [
            ReplicaColumn(Self.words, .text(text)), ReplicaColumn(Self.written, .integer(second)),
        ]
        return switch write.kind {
        case .new: ReplicaChange(table: Self.table, key: key, kind: .insert, columns: columns)
        case .edit: ReplicaChange(table: Self.table, key: key, kind: .update, columns: columns)
        case .delete: ReplicaChange(table: Self.table, key: key, kind: .delete)
        }
    }
}

/// The rows that somebody wrote, the latest at the end.
struct WrittenRows {
    private var keys: [String] = []

    /// The row that was written last and is there still.
    var last: String? { keys.last }

    mutating func take(_ edit: RowEdit) {
        keys.removeAll { $0 == edit.key }
        if !edit.isDeletion { keys.append(edit.key) }
    }
}
