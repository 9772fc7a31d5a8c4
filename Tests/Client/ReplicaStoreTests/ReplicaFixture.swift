import Foundation
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync

/// The schema of these tests, and short ways to what they do often.
enum ReplicaFixture {
    typealias Column = ReplicaSchema.Column

    static let schema = ReplicaSchema(versions: [
        [
            .createTable(
                "note",
                [Column("words", .text), Column("count", .integer, standard: .integer(0))]
            )
        ],
        [
            .addColumn("note", Column("mood", .text, standard: .text("it's \"so\""))),
            .createTable("order", [Column("group", .text), Column("select", .integer)]),
        ],
    ])

    static var firstVersion: ReplicaSchema { ReplicaSchema(versions: [schema.versions[0]]) }

    static let form = Result { () throws(ReplicaDatabase.Failure) in
        try ReplicaDatabase.Form(of: schema)
    }

    static let firstForm = Result { () throws(ReplicaDatabase.Failure) in
        try ReplicaDatabase.Form(of: firstVersion)
    }

    /// A database in memory.
    static func open(
        _ image: [UInt8]? = nil,
        schema: ReplicaSchema = schema,
        name: String = "phone"
    ) throws -> ReplicaDatabase {
        let form = try schema == Self.schema ? Self.form.get() : .init(of: schema)
        return try ReplicaDatabase.open(.image(image), form: form, newReplica: name).database
    }

    /// One that has the primary's rows, of which there are none yet.
    static func following(
        _ primary: FakePrimary,
        name: String = "phone"
    ) throws -> ReplicaDatabase {
        let database = try open(name: name)
        let page = primary.snapshot(of: name, rowsPerPage: 100)[0]
        _ = try database.stage(page, of: "db-ada", isFirst: true)
        return database
    }

    /// A folder that is gone when the test is.
    static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("replica-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("replica.sqlite").path)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    static func note(
        _ key: String,
        _ kind: ReplicaChange.Kind,
        _ columns: [ReplicaColumn] = []
    ) -> ReplicaChange {
        ReplicaChange(table: "note", key: key, kind: kind, columns: columns)
    }

    /// The insert of a whole note.
    static func whole(
        _ key: String,
        words: String,
        count: Int64 = 0,
        mood: String = ""
    ) -> ReplicaChange {
        note(
            key,
            .insert,
            [
                ReplicaColumn("count", .integer(count)), ReplicaColumn("mood", .text(mood)),
                ReplicaColumn("words", .text(words)),
            ]
        )
    }
}

extension ReplicaDatabase {
    /// Runs the app's SQL.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Does what a change says with the app's own SQL, so that it is captured.
    func perform(_ change: ReplicaChange) throws {
        let values = change.columns.map { column -> (any DatabaseValueConvertible)? in
            switch column.value {
            case .null: nil
            case .integer(let number): number
            case .text(let text): text
            }
        }
        let key: [(any DatabaseValueConvertible)?] = [change.key]
        let names = change.columns.map { "\"\($0.name)\"" }
        let table = "\"\(change.table)\""
        switch change.kind {
        case .insert:
            let list = (["id"] + names).joined(separator: ", ")
            let marks = (["?"] + names.map { _ in "?" }).joined(separator: ", ")
            try run(
                "INSERT OR REPLACE INTO \(table) (\(list)) VALUES (\(marks))",
                StatementArguments(key + values)
            )
        case .update:
            let sets = names.map { "\($0) = ?" }.joined(separator: ", ")
            try run(
                "UPDATE \(table) SET \(sets) WHERE id = ?",
                StatementArguments(values + key)
            )
        case .delete:
            try run("DELETE FROM \(table) WHERE id = ?", [change.key])
        }
    }

    /// All that is to be handed over.
    func allUnsent() throws -> [UnsentChange] {
        try unsent(countMax: .max, bytesMax: .max).changes
    }
}
