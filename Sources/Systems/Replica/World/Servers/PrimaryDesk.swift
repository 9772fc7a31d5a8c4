import AppServer
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import ReplicaChanges
import ReplicaSync
import SansIO

/// What the deployment knows of the users' own databases: which apps replicate them, what each write is
/// known by, and the primaries' rows, which are the truth that replicas are measured against.
final class PrimaryDesk: Component, APIObserver {
    let name = ReplicaServicesPlan.databaseName
    let index: ComponentIndex
    unowned(unsafe) let api: APIService
    /// The writes of the world.
    var book = WriteBook()
    private(set) var apps: [ReplicaApp] = []
    /// The users who have a database, in the order of their first apps.
    private var users: [String] = []
    /// The apps by the names of their replicas.
    private var byReplica: [String: ReplicaApp] = [:]
    private var webs: [String: WebWriter] = [:]
    /// The primaries' rows by their users, as far as they were looked at since they changed.
    private var knownRows: [String: Rows] = [:]
    /// What every primary's log has, by its user.
    private var logs: [String: [LoggedChange]] = [:]

    /// A primary's rows.
    struct Rows {
        /// Every row, as the insert that makes it.
        let all: [ReplicaChange]
        /// How many of them are in the table that users write to.
        let writtenCount: Int
    }

    init(of api: APIService, index: ComponentIndex) {
        self.api = api
        self.index = index
    }

    // MARK: Who is who

    func add(_ app: ReplicaApp) {
        apps.append(app)
        if !users.contains(app.plan.user) { users.append(app.plan.user) }
    }

    /// An app's file has this name for its replica.
    func keep(_ replica: String, of app: ReplicaApp) { byReplica[replica] = app }

    /// The number of a user's database in the trace.
    func number(ofDatabaseOf user: String) -> Int64 {
        Int64(users.firstIndex(of: user) ?? users.count)
    }

    /// The first app of a user's, which records about the primary itself are about.
    private func firstApp(of user: String) -> ComponentIndex {
        apps.first { $0.plan.user == user }?.index ?? .none
    }

    // MARK: What a primary has

    /// The rows of a user's primary.
    func rows(of user: String) -> Rows {
        if let known = knownRows[user] { return known }
        let all = api.server.primaries.rows(of: user)
        let writtenCount = all.count { $0.table == RowEdit.table }
        let latest = Rows(all: all, writtenCount: writtenCount)
        knownRows[user] = latest
        return latest
    }

    /// Whether a user's primary has a change of a replica.
    func has(_ sequence: Int64, of replica: String, for user: String) -> Bool {
        logs[user]?.contains { $0.replica == replica && $0.sequence == sequence } ?? false
    }

    func served(_ client: SocketAddress?, on stage: inout Stage) {
        for news in api.server.primaries.takeNews() {
            switch news {
            case .took(let user, let entry):
                note(entry, entry.change, of: user, on: &stage)
                touch(user, on: &stage)
            case .setAside(let user, let entry, let asked):
                note(entry, asked, of: user, on: &stage)
                let record = PrimarySetAside(database: number(ofDatabaseOf: user))
                stage.note(record, of: index, about: byReplica[entry.replica]?.index ?? .none)
                touch(user, on: &stage)
            case .refused(let user, let replica, let push):
                let write = number(of: push.change, push.sequence, of: replica, for: user)
                let record = PrimaryRefused(write: write, database: number(ofDatabaseOf: user))
                stage.note(record, of: index, about: byReplica[replica]?.index ?? .none)
            case .migrated(let user, let version):
                let record = PrimaryMigrated(
                    version: Int64(version),
                    database: number(ofDatabaseOf: user)
                )
                stage.note(record, of: index, about: firstApp(of: user))
                touch(user, on: &stage)
            case .rolledBack(let user, let through):
                noteReadsUndone(of: user, behind: through, on: &stage)
                logs[user]?.removeAll { $0.position > through }
                let record = PrimaryRolledBack(
                    through: through,
                    database: number(ofDatabaseOf: user)
                )
                stage.note(record, of: index, about: firstApp(of: user))
                touch(user, on: &stage)
            }
        }
    }

    /// Writes down how many changes by others each app had taken that its primary has lost.
    private func noteReadsUndone(of user: String, behind through: Int64, on stage: inout Stage) {
        for app in apps where app.plan.user == user {
            guard let standing = app.standing else { continue }
            let undone = logs[user, default: []].count { entry in
                entry.position > through && entry.position <= standing.position
                    && entry.replica != standing.replica
            }
            stage.note(ReplicaReadsUndone(changes: Int64(undone)), of: app.index)
        }
    }

    /// Writes down that a primary has a change that was handed over as `asked`.
    private func note(
        _ entry: LoggedChange,
        _ asked: ReplicaChange,
        of user: String,
        on stage: inout Stage
    ) {
        logs[user, default: []].append(entry)
        let writer = byReplica[entry.replica]
        let write = number(of: asked, entry.sequence, of: entry.replica, for: user)
        writer?.pending.remove(write, of: asked.key)
        let record = PrimaryTook(
            write: write,
            position: entry.position,
            database: number(ofDatabaseOf: user)
        )
        stage.note(record, of: index, about: writer?.index ?? .none)
    }

    /// Which write a change of a replica came from; 0 for none of the world's.
    func number(
        of change: ReplicaChange,
        _ sequence: Int64,
        of replica: String,
        for user: String
    ) -> Int64 {
        let name = changeName(sequence, of: replica, for: user)
        return book.number(of: change, named: name, by: byReplica[replica]?.index ?? .none)
    }

    /// An app's file was rebuilt and keeps these changes.
    func rebuilt(_ app: ReplicaApp, as replica: String, keeping kept: [UnsentChange]) {
        let named = kept.map { unsent in
            (
                change: unsent.change,
                name: changeName(unsent.sequence, of: replica, for: app.plan.user)
            )
        }
        book.keep(named, by: app.index)
    }

    private func changeName(
        _ sequence: Int64,
        of replica: String,
        for user: String
    ) -> WriteBook.ChangeName {
        WriteBook.ChangeName(
            database: number(ofDatabaseOf: user),
            replica: replica,
            sequence: sequence
        )
    }

    /// A user's primary has changed: replicas may differ from it now.
    private func touch(_ user: String, on stage: inout Stage) {
        knownRows[user] = nil
        for app in apps where app.plan.user == user { stage.touch(app) }
    }

    // MARK: What is done to it

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        let now = api.wallTime(at: stage.now)
        switch act as? PrimaryAct {
        case .write(let user, let write): self.write(write, of: user, at: stage.now)
        case .trim(let user): api.server.primaries.trim(user)
        case .fail(let user): api.server.primaries.fail(user, at: now)
        case .expireTokens(let user): api.server.primaries.expireTokens(of: user)
        case .close(let user, let row): api.server.primaries.close(row, of: user)
        case .migrate(let user, let version):
            guard api.isServing else { return }
            var web = web(of: user)
            web.migrate(to: version, at: api, now: stage.now)
            webs[user] = web
        case nil: preconditionFailure("the plan does \(act) to the users' databases")
        }
        served(nil, on: &stage)
    }

    /// The user writes on the web, which cannot be done while the server does not answer.
    private func write(_ write: ReplicaWrite, of user: String, at now: Instant) {
        guard api.isServing else { return }
        var web = web(of: user)
        let rows = rows(of: user).all
        let edit = RowEdit(write, book.nextNumber, last: web.written.last) { key in
            rows.contains { $0.table == RowEdit.table && $0.key == key }
        }
        if let edit {
            book.begin(edit)
            let time = api.wallTime(at: now).secondsSince1970
            if web.write(edit.change(at: time), at: api, now: now) {
                book.add(edit, by: .none)
                web.written.take(edit)
            }
        }
        webs[user] = web
    }

    /// The web application of a user, at the schema that all of the user's phones began with.
    private func web(of user: String) -> WebWriter {
        if let known = webs[user] { return known }
        let versions = apps.filter { $0.plan.user == user }.map(\.plan.schemaVersion)
        return WebWriter(user, version: versions.min() ?? 1)
    }
}
