import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO
import SansIOTesting

extension Household {
    /// One statement of an app that writes one row.
    struct Statement {
        var table = "reflection"
        var key: String
        var kind: ReplicaChange.Kind
        /// What no other write says; `nil` of a delete.
        var text: String?
        var sql: String
        var arguments: StatementArguments
    }

    /// The user writes on a phone: something new, or something about a row that the phone has.
    func writeSomething(on index: Int) {
        guard let database = phones[index].database,
            let rows = attempt("reading", { try database.rows() })
        else { return }
        writeCount += 1
        let statement = draw(writeCount, of: rows, version: phones[index].version)
        if random.chance(percent: 5), let text = statement.text {
            giveUp(statement, text, database)
            checkRows(index)
        } else {
            write(statement, on: index)
        }
    }

    /// Writes a row and holds the app to it from now on.
    func write(_ statement: Statement, on index: Int) {
        guard let database = phones[index].database, faults.isEmpty else { return }
        let name = phones[index].name
        note(name, "writes \(statement.sql) of \(statement.key): \(statement.text ?? "")")
        say("\(name) writes \(statement.kind) of \(statement.key)")
        let done: Void? = attempt("writing") {
            try database.write {
                try $0.execute(sql: statement.sql, arguments: statement.arguments)
            }
        }
        guard done != nil, let facts = checkRows(index) else { return }
        guard let last = facts.kept.last, last.change.table == statement.table,
            last.change.key == statement.key, last.change.kind == statement.kind,
            statement.text.map({ last.change.texts.contains($0) }) ?? true
        else { return fault("\(name)'s write of \(statement.key) is not kept (RP-03)") }
        tally.writes += 1
        if statement.kind == .delete { keysDeleted.append(statement.key) }
        writes.append(
            HouseholdWrite(
                author: name,
                text: statement.text,
                replica: facts.standing.replica,
                sequence: last.sequence
            )
        )
        tell(index, .wrote)
    }

    /// A transaction ends half-way: nothing of it may ever be seen.
    private func giveUp(_ statement: Statement, _ text: String, _ database: ReplicaDatabase) {
        abandoned.append(text)
        do {
            try database.write { (opened: Database) throws -> Void in
                try opened.execute(sql: statement.sql, arguments: statement.arguments)
                throw Abandoned()
            }
            fault("a transaction that failed is done")
        } catch {
            note("app", "gave up \(text)")
        }
    }

    private func draw(_ number: Int64, of rows: [ReplicaChange], version: Int) -> Statement {
        let old = rows.filter { $0.table == "reflection" }
        guard !old.isEmpty else { return .new("r\(number)", text(number), number) }
        let target = old[random.below(old.count)].key
        switch random.below(old.count > 15 ? 8 : 12) {
        case 0, 1: return .words(target, text(number), number)
        case 2 where version > 1: return .mood(target, text(number))
        case 2: return .words(target, text(number), number)
        case 3, 4: return .delete(target)
        case 5: return .replacement(target, text(number), number)
        case 6, 7:
            // What somebody has deleted comes back.
            let gone = keysDeleted.filter { key in !old.contains { $0.key == key } }
            guard !gone.isEmpty else { return .delete(target) }
            return .new(gone[random.below(gone.count)], text(number), number)
        case 8 where version > 1: return .routine("t\(number)", text(number), number)
        default: return .new("r\(number)", text(number), number)
        }
    }

    /// A text that no other write has, with what JSON and SQL must not stumble over.
    private func text(_ number: Int64) -> String {
        let ends = [
            "", " 「はい」", " \"so\" it's \\ \n", " \u{1F469}\u{200D}\u{1F467}", " \u{1}\t</",
        ]
        return "w\(number)" + ends[random.below(ends.count)]
    }
}

extension Household.Statement {
    static func new(_ key: String, _ text: String, _ number: Int64) -> Self {
        Self(
            key: key,
            kind: .insert,
            text: text,
            sql: "INSERT INTO reflection (id, words, written) VALUES (?, ?, ?)",
            arguments: [key, text, number]
        )
    }

    static func replacement(_ key: String, _ text: String, _ number: Int64) -> Self {
        Self(
            key: key,
            kind: .insert,
            text: text,
            sql: "INSERT OR REPLACE INTO reflection (id, words, written) VALUES (?, ?, ?)",
            arguments: [key, text, number]
        )
    }

    static func words(_ key: String, _ text: String, _ number: Int64) -> Self {
        Self(
            key: key,
            kind: .update,
            text: text,
            sql: "UPDATE reflection SET words = ?, written = ? WHERE id = ?",
            arguments: [text, number, key]
        )
    }

    static func mood(_ key: String, _ text: String) -> Self {
        Self(
            key: key,
            kind: .update,
            text: text,
            sql: "UPDATE reflection SET mood = ? WHERE id = ?",
            arguments: [text, key]
        )
    }

    static func routine(_ key: String, _ text: String, _ number: Int64) -> Self {
        Self(
            table: "routine",
            key: key,
            kind: .insert,
            text: text,
            sql: "INSERT INTO routine (id, title, minute) VALUES (?, ?, ?)",
            arguments: [key, text, number]
        )
    }

    static func delete(_ key: String) -> Self {
        Self(
            key: key,
            kind: .delete,
            sql: "DELETE FROM reflection WHERE id = ?",
            arguments: [key]
        )
    }
}
