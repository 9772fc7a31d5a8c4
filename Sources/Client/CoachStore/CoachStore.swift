import ReplicaChanges
public import ReplicaStore
import ReplicaSync
public import SansIO

/// The coach's records in an SQLite file (AN-18), the outboxes for what the server is to have once
/// (AN-08, AN-09), and what the user's cloud mirrors (D-28).
///
/// The file is a replica's: its tables, their triggers, the outbox of changes and the rescue of a
/// damaged file (RP-07) are used as they are. The changes in its outbox wait for the mirror. What is
/// not used is the primary's log, since a mirror puts nothing in order: each field has a stamp
/// beside it, and `MirrorRecord` says how two versions merge. The outboxes for the server are no
/// tables of their own, but the records whose field `delivery` is empty: a record and its delivery
/// are written together, rescued together, and after the loss of a phone another delivers.
///
/// Calls block until the file is written, and never for the network.
public final class CoachStore: Sendable {
    /// Why the store is of no use.
    public typealias Failure = ReplicaDatabase.Failure

    /// What opening the store came to.
    public struct Opening: Sendable {
        /// The store.
        public let store: CoachStore
        /// Whether there was none before.
        public let isNew: Bool
        /// What was saved of a damaged file, until the app says `noteRescueShown()`; all other
        /// records come back from the mirror.
        public let rescue: ReplicaDatabase.Rescue?
    }

    let file: ReplicaDatabase
    /// The name under which this phone sets fields.
    public let device: String

    private init(_ file: ReplicaDatabase, device: String) {
        (self.file, self.device) = (file, device)
    }

    /// Opens the store, makes it if there is none, and brings it to the present form.
    ///
    /// A damaged one is set aside and a new one made, with the changes that the mirror lacks.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - newDevice: The name that this phone gets if the file is new; never given before.
    /// - Returns: The store, and how it was found.
    /// - Throws: Why it cannot be used; its records are then as they were.
    public static func open(
        _ place: ReplicaDatabase.Place,
        newDevice: String
    ) throws(Failure) -> Opening {
        try open(place, newDevice: newDevice, form: CoachSchema.form.get())
    }

    /// Opens the store as another version of the app.
    package static func open(
        _ place: ReplicaDatabase.Place,
        newDevice: String,
        form: ReplicaDatabase.Form
    ) throws(Failure) -> Opening {
        let opening = try ReplicaDatabase.open(place, form: form, newReplica: newDevice)
        let file = opening.database
        let store = CoachStore(file, device: try file.standing().replica)
        if opening.rescue != nil { try store.applyRescued() }
        return Opening(store: store, isNew: opening.isNew, rescue: opening.rescue)
    }

    /// Forgets what was saved of a damaged file: the user has been told.
    public func noteRescueShown() throws(Failure) { try file.noteRescueShown() }

    /// Whose the records are, by the name in their session; `nil` while they are nobody's.
    ///
    /// They are mirrored to that user's other phones alone, and reported in no other user's session.
    public func owner() throws(Failure) -> String? { try file.standing().claimant }

    /// Makes a store of nobody's a user's who has signed in, with what was written before.
    ///
    /// - Parameter user: The user, by the name in their session.
    /// - Throws: That it is another's, or why that cannot be written.
    public func claim(for user: String) throws(Failure) { try file.claim(for: user) }

    /// The file's bytes as they are after the last transaction.
    public func image() throws(Failure) -> [UInt8] { try file.image() }

    // MARK: Records

    /// Keeps a record: the fields that differ from what the store has, stamped.
    ///
    /// - Parameters:
    ///   - record: The record as it is to be.
    ///   - time: What the phone's clock shows.
    /// - Returns: Whether it was kept; not if it is deleted, which is final.
    /// - Throws: Why nothing was written.
    @discardableResult
    public func save(_ record: some CoachRecord, at time: WallTime) throws(Failure) -> Bool {
        try file.withRows { try self.save(record, at: time, in: $0) }
    }

    /// Deletes a record here and, in time, everywhere; its fields are erased.
    ///
    /// - Parameters:
    ///   - kind: What kind of record.
    ///   - id: Its key.
    ///   - time: What the phone's clock shows.
    /// - Throws: Why nothing was written.
    public func delete<Record: CoachRecord>(
        _ kind: Record.Type,
        _ id: String,
        at time: WallTime
    ) throws(Failure) {
        try file.withRows { try self.delete(Record.table, id, at: time, in: $0) }
    }

    /// All records of a kind that are not deleted, in the order of their keys.
    public func records<Record: CoachRecord>(
        of kind: Record.Type
    ) throws(Failure) -> [Record] {
        try file.withRows { try Self.records(of: kind, in: $0, where: "true ORDER BY \"id\"") }
    }

    /// The record of a key; `nil` if there is none, or it is deleted.
    public func record<Record: CoachRecord>(
        _ kind: Record.Type,
        _ id: String
    ) throws(Failure) -> Record? {
        try file.withRows {
            try Self.records(of: kind, in: $0, where: "\"id\" = ?", [.text(id)]).first
        }
    }

    static func records<Record: CoachRecord>(
        of kind: Record.Type,
        in rows: ReplicaRows,
        where condition: String,
        _ values: [ReplicaValue] = []
    ) throws -> [Record] {
        let sql = "\(MirrorRecord.deletedName) IS NULL AND \(condition)"
        return try rows.rows(of: Record.table, where: sql, values).compactMap {
            Record(id: $0.key, columns: $0.columns)
        }
    }

    // MARK: Writing

    @discardableResult
    func save(_ record: some CoachRecord, at time: WallTime, in rows: ReplicaRows) throws -> Bool {
        try set(record.columns, of: type(of: record).table, record.id, at: time, in: rows)
    }

    func delete(_ table: String, _ id: String, at time: WallTime, in rows: ReplicaRows) throws {
        guard let present = try version(table, id, in: rows), present.deleted == nil else { return }
        let stamp = FieldStamp(at: time, after: present.latest, on: device)
        let deleted = MirrorRecord(table: table, id: id, fields: [], deleted: stamp)
        try rows.write(change(to: deleted))
    }

    /// Sets the columns that differ, and says whether the record takes any.
    @discardableResult
    func set(
        _ columns: [ReplicaColumn],
        of table: String,
        _ id: String,
        at time: WallTime,
        in rows: ReplicaRows
    ) throws -> Bool {
        let present = try version(table, id, in: rows)
        guard present?.deleted == nil else { return false }
        let stamp = FieldStamp(at: time, after: present?.latest, on: device)
        let changed = columns.filter { (present?[$0.name]?.value ?? .null) != $0.value }
        // A record of defaults is one as well.
        guard !changed.isEmpty || present == nil else { return true }
        let fields = changed.map { MirrorRecord.Field($0.name, $0.value, stamp) }
        try rows.write(change(to: MirrorRecord(table: table, id: id, fields: fields)))
        return true
    }

    /// A record as the store has it; `nil` if it never was.
    func version(_ table: String, _ id: String, in rows: ReplicaRows) throws -> MirrorRecord? {
        try rows.row(of: table, id).map {
            MirrorRecord(table: table, id: id, columns: $0.columns)
        }
    }

    /// The change that sets what a version says.
    func change(to version: MirrorRecord) -> ReplicaChange {
        ReplicaChange(
            table: version.table,
            key: version.id,
            kind: .insert,
            columns: version.columns(of: fieldNames(of: version.table))
        )
    }

    /// The fields of a table: the columns that have a stamp beside them.
    func fieldNames(of table: String) -> [String] {
        let names = file.columns(of: table).map(\.name)
        return names.filter { names.contains(MirrorRecord.stampName(of: $0)) }
    }
}
