import KodamaLanguage
import KodamaWorld
import ReplicaChanges
import ReplicaStore
import ReplicaSync

/// What lies on a phone's disk for the app with a replica: one file, which outlives the app's processes,
/// and what the world knows of it.
struct ReplicaDisk {
    /// The file as the last process left it; `nil` if there is none.
    private(set) var image: [UInt8]?
    /// The replica's name in it.
    private(set) var replica = ""
    /// The version of its schema.
    var version = 0
    /// What it keeps for the primary.
    private(set) var kept: [UnsentChange] = []
    /// Its rows, as they were looked at last; `nil` before the file was made.
    var rows: [ReplicaChange]?
    /// Whether they may have changed since.
    var rowsAreStale = false
    /// What is to befall the file once the process that has it open is gone.
    var awaitedDamage: [FileDamage] = []
    /// What has opened the database so far (RP-06).
    private var tokens: [String] = []
    /// The pages where the rows and the outbox begin, by their numbers.
    private var rootPages: (rows: Int?, outbox: Int?) = (nil, nil)

    /// The process is gone: what it had committed lies on the disk.
    mutating func take(_ database: ReplicaDatabase) {
        do {
            image = try database.image()
            kept = try database.kept()
            replica = try database.standing().replica
            rootPages = (
                try database.rootPage(ofTablesLike: RowEdit.table),
                try database.rootPage(ofTablesLike: "%outbox%")
            )
        } catch {
            preconditionFailure("a simulated phone's file cannot be read: \(error)")
        }
    }

    /// The process ended in the middle of a migration: what was committed until then lies on the disk.
    mutating func leave(_ image: [UInt8]) { self.image = image }

    // MARK: Secrets

    /// The app was given what opens the database.
    mutating func learn(_ token: String) {
        if !tokens.contains(token) { tokens.append(token) }
    }

    /// Whether one of the tokens lies in a file.
    func findsToken(in file: [UInt8]) -> Bool {
        tokens.contains { Self.finds(Array($0.utf8), in: file) }
    }

    private static func finds(_ text: [UInt8], in file: [UInt8]) -> Bool {
        guard let first = text.first, text.count <= file.count else { return false }
        return file.withUnsafeBufferPointer { file in
            (0...file.count - text.count).contains { start in
                file[start] == first && file[start..<start + text.count].elementsEqual(text)
            }
        }
    }

    // MARK: Damage

    /// Damages the file, which nobody has open.
    mutating func damage(_ damage: FileDamage) {
        guard var file = image, !file.isEmpty else { return }
        switch damage {
        case .header:
            // "SQLite format 3" and a zero byte (SQLite's file format, §1.3.1).
            for index in 0..<min(16, file.count) { file[index] = 0 }
        case .cut: file.removeLast(file.count / 2)
        case .page: Self.overwrite(rootPages.rows, of: &file)
        case .outbox: Self.overwrite(rootPages.outbox, of: &file)
        }
        image = file
    }

    /// Overwrites a page with what is no page of SQLite's.
    private static func overwrite(_ page: Int?, of file: inout [UInt8]) {
        guard let page, file.count > 18 else {
            preconditionFailure("a simulated phone's file has no such page")
        }
        // Big-endian; 1 stands for 65,536 (SQLite's file format, §1.3.2).
        let said = Int(file[16]) << 8 | Int(file[17])
        let size = said == 1 ? 65_536 : said
        let bytes = ((page - 1) * size..<page * size).clamped(to: file.indices)
        for index in bytes { file[index] = 0xFF }
    }
}
