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
    /// What has befallen the file since a process last left it.
    private var suffered: [FileDamage] = []
    /// What has opened the database so far (RP-06).
    private var tokens: [String] = []
    /// The numbers of the pages where tables and indexes begin, by their names.
    private var rootPages: [String: Int] = [:]

    /// The process is gone: what it had committed lies on the disk.
    mutating func take(_ database: ReplicaDatabase) {
        suffered = []
        do {
            image = try database.image()
            kept = try database.kept()
            replica = try database.standing().replica
            for name in [RowEdit.table, "_outbox", "_outboxByRow", "_state"] {
                rootPages[name] = try database.rootPage(of: name)
            }
        } catch {
            preconditionFailure("a simulated phone's file cannot be read: \(error)")
        }
    }

    /// The process ended in the middle of a migration: what was committed until then lies on the disk.
    mutating func leave(_ image: [UInt8]) {
        self.image = image
        suffered = []
    }

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
    ///
    /// A bit that is flipped stays flipped: a second flip might undo the first, or make a name that is
    /// altered alike wherever it stands.
    mutating func damage(_ damage: FileDamage) {
        guard var file = image, !file.isEmpty, damage == .cut || !suffered.contains(damage)
        else { return }
        suffered.append(damage)
        switch damage {
        case .header:
            // "SQLite format 3" and a zero byte (SQLite's file format, §1.3.1).
            for index in 0..<min(16, file.count) { file[index] = 0 }
        case .cut: file.removeLast(file.count / 2)
        case .page:
            for index in page(of: RowEdit.table, in: file) { file[index] = 0xFF }
        case .outbox:
            for index in page(of: "_outbox", in: file) { file[index] = 0xFF }
        case .trigger:
            // The case bit of a letter, which SQLite does not look at.
            Self.flip("_capture", at: 1, bit: 0x20, of: file.indices, in: &file)
        case .index:
            let page = page(of: "_outboxByRow", in: file)
            Self.flip(RowEdit.table, at: 0, bit: 1, of: page, in: &file)
        case .state: Self.flip(replica, at: 0, bit: 1, of: page(of: "_state", in: file), in: &file)
        }
        image = file
    }

    /// The bytes of the page where a table or an index begins; none if the file ends before it.
    private func page(of name: String, in file: [UInt8]) -> Range<Int> {
        guard let page = rootPages[name], file.count > 17 else { return 0..<0 }
        // Big-endian; 1 stands for 65,536 (SQLite's file format, §1.3.2).
        let said = Int(file[16]) << 8 | Int(file[17])
        let size = said == 1 ? 65_536 : said
        return ((page - 1) * size..<page * size).clamped(to: file.indices)
    }

    /// Flips a bit of the first such text in a part of the file; without one, of the part's first byte.
    private static func flip(
        _ text: String,
        at offset: Int,
        bit: UInt8,
        of part: Range<Int>,
        in file: inout [UInt8]
    ) {
        let text = Array(text.utf8)
        let start = part.first { file[$0..<part.upperBound].starts(with: text) }
        guard let index = start.map({ $0 + offset }) ?? part.first else { return }
        file[index] ^= bit
    }
}
