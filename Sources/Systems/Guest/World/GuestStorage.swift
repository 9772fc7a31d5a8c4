/// What a guest keeps on its phone: writes are lost with the process until they are synced.
struct GuestStorage {
    private var synced: [String: String] = [:]
    private var working: [String: String] = [:]
    /// How many writes are not on the disk.
    private(set) var unsyncedCount: Int64 = 0

    /// Keys and values, sorted by key.
    var contents: [(key: String, value: String)] {
        working.keys.sorted().map { ($0, working[$0] ?? "") }
    }

    /// Writes a key, or removes it.
    mutating func write(_ key: String, _ value: String?) {
        working[key] = value
        unsyncedCount += 1
    }

    /// Puts everything on the disk.
    mutating func sync() {
        synced = working
        unsyncedCount = 0
    }

    /// The process has ended: what was not synced is gone.
    ///
    /// - Returns: How many writes are lost.
    mutating func crash() -> Int64 {
        defer { unsyncedCount = 0 }
        working = synced
        return unsyncedCount
    }
}
