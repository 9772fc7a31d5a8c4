import GRDB

extension GroupDatabaseTests {
    /// Changes a database file as another program would.
    static func run(_ sql: String, on path: String) throws {
        try DatabaseQueue(path: path).write { try $0.execute(sql: sql) }
    }
}
