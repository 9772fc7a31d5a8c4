import DatabaseFiles
import GRDB
import ReplicaChanges

/// A file that is no whole database any more, and what can be read of its outbox (RP-07).
struct DamagedFile {
    /// So many numbers are looked for one by one, at most.
    private static let lookupsMax = 100_000

    let bytes: [UInt8]
    /// The tables at each version of the schema that the app knows, from the empty one on.
    let versions: [ReplicaTables]
    /// The tables that a change must fit.
    private var tables: ReplicaTables { versions[versions.count - 1] }

    /// Reads what can be read.
    ///
    /// The first page says where tables begin. The store's own begin at the same pages in every
    /// file, so that a new file's first page stands in for one that is gone.
    func salvage() -> Salvage {
        var best = Self.open(bytes).map(read(from:)) ?? Salvage()
        for form in FileState.formsWithOwnFirstPage
        where !best.isWhole && !best.isOfLaterVersion {
            guard let mended = withFirstPage(of: form) else { break }
            guard let queue = Self.open(mended), Self.mayHave(form, queue) else { continue }
            let other = read(from: queue)
            let (count, bestCount) = (other.entries.count, best.entries.count)
            let isBetter =
                other.isWhole || other.isOfLaterVersion || count > bestCount
                || (best.numbering == nil && other.numbering != nil)
                || (best.owner == nil && other.owner != nil && count >= bestCount)
            if isBetter { best = other }
        }
        return best
    }

    /// Whether a file does not say that it has another form; one of the first is read with any first page.
    private static func mayHave(_ form: Int64, _ queue: DatabaseQueue) -> Bool {
        let said = queue.inDatabase { (try? FileState.soundVersions(of: $0))?.form }
        return [nil, 1, form].contains(said)
    }

    private static func open(_ image: [UInt8]) -> DatabaseQueue? {
        guard !image.isEmpty else { return nil }
        return try? DatabaseQueue.inMemory(image)
    }

    /// The file with the first page of a new one of a form.
    private func withFirstPage(of form: Int64) -> [UInt8]? {
        guard let queue = try? DatabaseQueue.inMemory(nil),
            let image = try? queue.inDatabase({ database -> [UInt8] in
                try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE")
                try FileState(replica: "none").make(in: database, form: form)
                return try database.image()
            })
        else { return nil }
        return bytes.withFirstPage(of: image)
    }

    private func read(from queue: DatabaseQueue) -> Salvage {
        queue.inDatabase { database -> Salvage in
            // What a state says that is not as it was written counts for nothing.
            let said = try? FileState.soundVersions(of: database)
            if let said, said.form > 1, FileState.isLater(said, than: versions.count - 1) {
                return Salvage(isOfLaterVersion: true)
            }
            let state = said == nil ? nil : try? FileState.read(from: database)
            let check = (try? database.salvageCheck(of: "_outbox")) ?? "true"
            var found = self.entries(where: check, in: database)
            let owner = self.owner(state, of: found, check, in: database)
            let refused = (try? database.refused()) ?? []
            guard let numbering = self.numbering(state, found, check, in: database),
                found.keys.allSatisfy(numbering.kept.contains)
            else {
                let entries = found.values.sorted { $0.sequence < $1.sequence }
                return Salvage(
                    owner: owner,
                    rescue: state?.rescue,
                    entries: entries,
                    refused: refused
                )
            }
            // What lies between two damaged pages is found by its number only.
            for number in numbering.kept.lazy.filter({ found[$0] == nil }).prefix(Self.lookupsMax) {
                if let entry = try? database.salvageOutbox(where: check, at: number),
                    tables.takes(entry.change)
                {
                    found[number] = entry
                }
            }
            let entries = numbering.kept.compactMap { found[$0] }
            return Salvage(
                numbering: numbering,
                owner: owner,
                rescue: state?.rescue,
                entries: entries,
                refused: refused,
                isWhole: entries.count == numbering.kept.count,
                table: tables.tables.first?.name
            )
        }
    }

    /// The changes that are met from either end, by number.
    private func entries(where check: String, in database: Database) -> [Int64: OutboxEntry] {
        var found: [Int64: OutboxEntry] = [:]
        for isDescending in [false, true] {
            do {
                try database.salvageOutbox(
                    where: check,
                    isDescending: isDescending,
                    countMax: bytes.count
                ) { entry in
                    guard entry.sequence > 0, tables.takes(entry.change) else { return }
                    found[entry.sequence] = entry
                }
                // Nothing stopped the reader: there is no other end.
                break
            } catch {}
        }
        return found
    }

    /// Whose the file was, by the first of three places that can be believed, or that it was nobody's;
    /// `nil` if no place says so.
    private func owner(
        _ state: FileState?,
        of found: [Int64: OutboxEntry],
        _ check: String,
        in database: Database
    ) -> FileOwner?? {
        if let followed = state?.database { return .database(followed) }
        if let said = try? database.soundOwner() { return said }
        // The changes of earlier forms do not say whose they are, whatever first page they are read with.
        guard check != "true", (try? database.has("owner", in: "_outbox")) == true,
            let first = found.values.first
        else { return state == nil ? nil : .some(nil) }
        return found.values.allSatisfy { $0.owner == first.owner } ? .some(first.owner) : nil
    }

    /// The replica's name, and which numbers it has given; `nil` if not all of it can be believed.
    private func numbering(
        _ state: FileState?,
        _ found: [Int64: OutboxEntry],
        _ check: String,
        in database: Database
    ) -> Salvage.Numbering? {
        guard let state else { return nil }
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = '_outbox'"
        guard let sequences = try? database.all(sql, [], { $0.integer(0) }), sequences.count <= 1,
            var last = sequences.isEmpty ? 0 : sequences[0]
        else { return nil }
        // SQLite counts beside the table, and without a checksum: an outbox that is whole knows
        // better.
        let isIntact = "PRAGMA integrity_check(_outbox)"
        let broken = "SELECT 1 FROM _outbox WHERE NOT (\(check))"
        if let highest = found.keys.max(), highest != last,
            (try? database.all(isIntact, [], { $0.text(0) })) == ["ok"],
            (try? database.all(broken, [], { _ in true })) == []
        {
            last = highest
        }
        guard last >= state.removed, last < Int64.max, last - state.removed <= Int64(bytes.count)
        else { return nil }
        // Without a table nothing was written.
        guard last == 0 || !tables.tables.isEmpty else { return nil }
        return Salvage.Numbering(replica: state.replica, removed: state.removed, last: last)
    }
}

/// What was saved of a damaged file; of none, nothing.
struct Salvage: Sendable, Equatable {
    /// Under which name and numbers the primary knows the replica.
    struct Numbering: Sendable, Equatable {
        var replica: String
        /// The highest number that has left the outbox.
        var removed: Int64
        /// The last number that was given.
        var last: Int64

        /// The numbers of the changes that the outbox kept.
        var kept: Range<Int64> { removed + 1..<last + 1 }
    }

    /// `nil` if it is not known for certain.
    var numbering: Numbering?
    /// Whose the file was, or that it was nobody's; `nil` if that cannot be read.
    var owner: FileOwner??
    /// What the app is to tell its user.
    var rescue: ReplicaDatabase.Rescue?
    /// The changes that were read, the oldest first.
    var entries: [OutboxEntry] = []
    /// The changes that were set aside since the primary refuses them, as far as they were read.
    var refused: [ReplicaDatabase.RefusedChange] = []
    /// Whether the changes of the outbox are all that there were.
    var isWhole = false
    /// Whether a later version of the app wrote the file, of which nothing was read.
    var isOfLaterVersion = false
    /// A table that the primary knows, where any change was kept.
    var table: String?

    /// The changes that a new file keeps.
    ///
    /// Under a new name the primary would take what it has once more.
    var kept: [OutboxEntry] { numbering == nil ? entries.filter(\.isUnsent) : entries }

    /// Keeps nothing, unless it is known whose it is or there is nothing to keep.
    ///
    /// The new file is its next user's, and what was saved may be a former user's: nobody can tell.
    ///
    /// - Returns: How many changes are held back.
    mutating func holdBack() -> Int {
        guard owner == nil else { return 0 }
        let count = kept.count + refused.count
        if !entries.isEmpty || count > 0 { (entries, refused, isWhole) = ([], [], false) }
        return count
    }

    /// Makes a new file's own tables with all this.
    ///
    /// The primary passes over numbers that it has and refuses to leave any out: with the old name
    /// the numbers go on where they were, and a change that could not be read becomes one that does
    /// nothing. If they are not known for certain, the replica takes a new name and counts from 1.
    ///
    /// - Parameters:
    ///   - database: A file without tables.
    ///   - newReplica: The new name.
    /// - Throws: What SQLite says.
    func fill(_ database: Database, newReplica: String) throws {
        var state = FileState(replica: newReplica, rescue: rescue)
        let owner: FileOwner? = self.owner ?? nil
        guard let numbering else {
            try state.make(in: database, of: owner)
            for change in refused { try database.keep(change) }
            for (index, entry) in kept.enumerated() {
                try database.keep(entry.renumbered(Int64(index + 1)), of: owner)
            }
            return
        }
        (state.replica, state.removed) = (numbering.replica, numbering.removed)
        try state.make(in: database, of: owner)
        for change in refused { try database.keep(change) }
        var rest = entries[...]
        for number in numbering.kept {
            if let entry = rest.first, entry.sequence == number {
                try database.keep(entry, of: owner)
                rest = rest.dropFirst()
            } else if let table {
                let nothing = OutboxEntry.nothing(number, of: newReplica, in: table)
                try database.keep(nothing, of: owner)
            }
        }
        try database.setLastSequence(numbering.last)
    }
}
