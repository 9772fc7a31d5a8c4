public import ReplicaChanges

/// A record as the user's cloud mirrors it: each field with the stamp of its last edit (D-28).
///
/// Two versions of a record merge field by field. A field that only one has is taken; of two values
/// the later stamp's counts, and at equal stamps the greater value. A deletion is final: it takes
/// every field with it, those that are set later too. Merging is commutative, associative and
/// idempotent, so that phones agree in whatever order the mirror hands records out. What it lets go
/// is the earlier of two values of one field, and edits of a record that another phone has deleted.
///
/// It is no replica's change: a primary puts changes in one order and phones follow it, while a
/// mirror has no order, keeps the last writer per property and comes hours late.
public struct MirrorRecord: Sendable, Equatable {
    /// A field with its stamp.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: ReplicaValue
        /// When it was set, and where.
        public var stamp: FieldStamp

        /// Makes a field.
        public init(_ name: String, _ value: ReplicaValue, _ stamp: FieldStamp) {
            self.name = name
            self.value = value
            self.stamp = stamp
        }

        /// Whether this one counts and not another one of the same name.
        public func wins(over other: Field) -> Bool {
            if stamp != other.stamp { return stamp > other.stamp }
            return value.isGreater(than: other.value)
        }
    }

    /// The record's table.
    public let table: String
    /// Its key.
    public let id: String
    /// The fields that were ever set, sorted by name; none of a deleted record.
    public let fields: [Field]
    /// When it was deleted, and where.
    public let deleted: FieldStamp?

    /// Makes a record; of two fields of one name the one that wins counts.
    public init(table: String, id: String, fields: [Field], deleted: FieldStamp? = nil) {
        self.table = table
        self.id = id
        self.deleted = deleted
        var kept: [Field] = []
        for field in deleted == nil ? fields.sorted(by: { $0.name < $1.name }) : [] {
            if let last = kept.last, last.name == field.name {
                if field.wins(over: last) { kept[kept.count - 1] = field }
            } else {
                kept.append(field)
            }
        }
        self.fields = kept
    }

    /// The field of a name; `nil` if it was never set, or the record is deleted.
    public subscript(name: String) -> Field? { fields.first { $0.name == name } }

    /// The latest stamp of the record.
    public var latest: FieldStamp? { ([deleted] + fields.map(\.stamp)).compactMap(\.self).max() }

    /// Merges two versions of one record.
    public func merged(with other: MirrorRecord) -> MirrorRecord {
        precondition(table == other.table && id == other.id, "these are two records")
        return MirrorRecord(
            table: table,
            id: id,
            fields: fields + other.fields,
            deleted: [deleted, other.deleted].compactMap(\.self).max()
        )
    }

    /// What this version has that another one, which the mirror keeps, has not or has older.
    func ahead(of other: MirrorRecord) -> MirrorRecord? {
        if let deleted {
            if let there = other.deleted, there >= deleted { return nil }
            return MirrorRecord(table: table, id: id, fields: [], deleted: deleted)
        }
        guard other.deleted == nil else { return nil }
        let newer = fields.filter { field in
            other[field.name].map { field.wins(over: $0) } ?? true
        }
        return newer.isEmpty ? nil : MirrorRecord(table: table, id: id, fields: newer)
    }
}

// MARK: As columns

extension MirrorRecord {
    /// What the column of a field's stamp is called.
    static func stampName(of field: String) -> String { field + "_at" }
    /// The column of the deletion's stamp.
    static let deletedName = "deleted_at"

    /// Reads the columns of a row; what has no stamp was never set.
    init(table: String, id: String, columns: [ReplicaColumn]) {
        func stamp(_ name: String) -> FieldStamp? {
            guard case .text(let text)? = columns.first(where: { $0.name == name })?.value else {
                return nil
            }
            return FieldStamp(text)
        }
        self.init(
            table: table,
            id: id,
            fields: columns.compactMap { column in
                stamp(Self.stampName(of: column.name)).map { Field(column.name, column.value, $0) }
            },
            deleted: stamp(Self.deletedName)
        )
    }

    /// The columns that say all this, sorted by name.
    ///
    /// - Parameter all: The fields of the table: a deleted record has none left.
    /// - Returns: The columns.
    func columns(of all: [String]) -> [ReplicaColumn] {
        var columns: [ReplicaColumn] = []
        for field in fields where all.contains(field.name) {
            columns.append(ReplicaColumn(field.name, field.value))
            let stamp = ReplicaValue.text(field.stamp.text)
            columns.append(ReplicaColumn(Self.stampName(of: field.name), stamp))
        }
        if let deleted {
            for name in all {
                columns.append(ReplicaColumn(name, .null))
                columns.append(ReplicaColumn(Self.stampName(of: name), .null))
            }
            columns.append(ReplicaColumn(Self.deletedName, .text(deleted.text)))
        }
        return columns.sorted { $0.name < $1.name }
    }
}

extension ReplicaValue {
    /// Nothing comes before numbers, numbers before texts; texts are compared by bytes.
    fileprivate func isGreater(than other: ReplicaValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left > right
        case (.text(let left), .text(let right)):
            right.utf8.lexicographicallyPrecedes(left.utf8)
        case (.text, .integer), (.text, .null), (.integer, .null): true
        case (.null, _), (.integer, .text): false
        }
    }
}
