import GroupSecurity
import GroupStore
import KodamaWorld

/// What lies on a phone's disk for the intercom: its database, which outlives the app's processes.
///
/// The database is SQLite's own, in memory, as long as one connection to it stands. The disk holds one;
/// each process of the app opens another, and loses it when it ends.
final class GroupDisk {
    private var keeper: GroupDatabase?

    init() { keeper = connect() }

    /// A connection for a process.
    func connect() -> GroupDatabase {
        // No two disks that exist at one time lie at one address.
        let name = "group-disk-\(UInt(bitPattern: ObjectIdentifier(self)))"
        return Self.trying { try GroupDatabase(sharedInMemoryAs: name) }
    }

    /// Does something with a database that the simulated world never damages.
    static func trying<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            preconditionFailure("a simulated phone's database: \(error)")
        }
    }
}
