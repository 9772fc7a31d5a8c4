import ReplicaChanges
import TextFormats

/// The rows of a primary, in the order of their tables and keys.
struct PrimaryRows: Sendable {
    struct Row: Sendable {
        let name: RowName
        /// All of its columns, sorted by name, without the key.
        var columns: [ReplicaColumn]
        /// Where in the log the row was made, and by which replica; again with each later insert.
        fileprivate var origin: (position: Int64, replica: String)

        /// The insert that makes it.
        var insert: ReplicaChange {
            ReplicaChange(table: name.table, key: name.key, kind: .insert, columns: columns)
        }

        fileprivate mutating func set(_ changed: [ReplicaColumn]) {
            for column in changed {
                guard let index = columns.firstIndex(where: { $0.name == column.name }) else {
                    continue
                }
                columns[index].value = column.value
            }
        }
    }

    private var rows: [Row] = []

    /// The rows behind one that may be there or not; all of them for `nil`.
    func rows(after name: RowName?) -> ArraySlice<Row> {
        guard let name else { return rows[...] }
        let (index, isThere) = place(of: name)
        return rows[(isThere ? index + 1 : index)...]
    }

    /// About how much memory a row takes, in bytes; 0 if it is not there.
    func byteCount(of name: RowName) -> Int {
        let (index, isThere) = place(of: name)
        return isThere ? rows[index].insert.byteCount : 0
    }

    /// A change as the log keeps it: an insert that makes a row names all of its columns.
    ///
    /// Whoever has read the rows page by page applies the log once more, to rows that are ahead of
    /// it. An update that found no row here finds one there, and what it sets must not outlive the
    /// insert that makes the row.
    ///
    /// - Parameters:
    ///   - change: One that fits the table.
    ///   - table: That table.
    /// - Returns: What it comes to.
    func logged(_ change: ReplicaChange, in table: ReplicaTable) -> ReplicaChange {
        let name = RowName(table: change.table, key: change.key)
        guard change.kind == .insert, !place(of: name).isThere else { return change }
        return ReplicaChange(
            table: name.table,
            key: name.key,
            kind: .insert,
            columns: table.whole(change.columns)
        )
    }

    /// The row that a change was not made on, though it has the name of the row that it was made on.
    ///
    /// A replica that edited or deleted a row knew the log to some position. If another replica has made the row
    /// anew behind that, after a deletion or over it, the change speaks of a row that is no more, and
    /// nothing of it must lie on the new one: the log keeps what the new one is in the change's place.
    /// An insert makes a row anew itself, and the last one counts.
    ///
    /// - Parameters:
    ///   - change: What is handed over.
    ///   - replica: By whom.
    ///   - position: The position to which that replica had the log when the change was made.
    /// - Returns: The row, if the rule holds.
    func successor(of change: ReplicaChange, by replica: String, at position: Int64) -> Row? {
        let (index, isThere) = place(of: RowName(table: change.table, key: change.key))
        guard change.kind != .insert, isThere, rows[index].origin.position > position,
            rows[index].origin.replica != replica
        else { return nil }
        return rows[index]
    }

    /// Applies a change as the log keeps it, which makes no row anew where it was set aside.
    mutating func apply(_ entry: LoggedChange, isSetAside: Bool = false) {
        let change = entry.change
        let origin = (position: entry.position, replica: entry.replica)
        let name = RowName(table: change.table, key: change.key)
        let (index, isThere) = place(of: name)
        switch change.kind {
        case .insert where !isThere:
            rows.insert(Row(name: name, columns: change.columns, origin: origin), at: index)
        case .insert, .update:
            guard isThere else { return }
            rows[index].set(change.columns)
            if change.kind == .insert, !isSetAside { rows[index].origin = origin }
        case .delete:
            if isThere { rows.remove(at: index) }
        }
    }

    /// Gives the rows of a table one more column.
    mutating func add(_ column: ReplicaColumn, to table: String) {
        for index in rows.indices where rows[index].name.table == table {
            rows[index].columns.append(column)
            rows[index].columns.sort { $0.name < $1.name }
        }
    }

    /// Where a row is, or would be.
    private func place(of name: RowName) -> (index: Int, isThere: Bool) {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return (low, low < rows.count && rows[low].name == name)
    }
}

/// Which row of a primary.
///
/// Keys are told apart and ordered by their bytes, as SQLite does; Swift takes two spellings of an
/// accented letter for the same.
struct RowName: Sendable, Comparable {
    let table: String
    let key: String

    static func == (left: RowName, right: RowName) -> Bool {
        left.table.utf8.elementsEqual(right.table.utf8)
            && left.key.utf8.elementsEqual(right.key.utf8)
    }

    static func < (left: RowName, right: RowName) -> Bool {
        if left.table.utf8.elementsEqual(right.table.utf8) {
            return left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
        }
        return left.table.utf8.lexicographicallyPrecedes(right.table.utf8)
    }
}

/// Where a snapshot's next page begins: behind this row, whether it is still there or not.
extension RowName {
    var cursor: String {
        let text = JSON.array([.string(table), .string(key)]).text
        return Base64URL.encode(Array(text.utf8))
    }

    init?(cursor: String) {
        guard let bytes = Base64URL.decode(cursor[...]), let json = try? JSONReader.read(bytes),
            case .array(let parts) = json, parts.count == 2,
            let table = parts[0].string, let key = parts[1].string
        else { return nil }
        self.init(table: table, key: key)
    }
}
