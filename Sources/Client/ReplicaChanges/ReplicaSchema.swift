/// The tables that web and phone share, and how they came to be: one list of steps for each version (RP-05).
///
/// A version that has shipped never changes. Steps only add, so that what an older version wrote is still
/// right.
public struct ReplicaSchema: Sendable, Equatable {
    /// One step to a version.
    public enum Step: Sendable, Equatable {
        /// A table with a text key `id` and these columns.
        case createTable(String, [Column])
        /// One more column of a table that is there.
        case addColumn(String, Column)
    }

    /// A column of a table.
    public struct Column: Sendable, Equatable {
        /// What values it takes; `NULL` as well where its default is that.
        public enum Kind: String, Sendable, Equatable {
            /// Whole numbers.
            case integer
            /// Text.
            case text
        }

        /// Its name: a small Latin letter, then letters, digits and underscores, 1 to 63 in all, not `id`.
        public var name: String
        /// What values it takes.
        public var kind: Kind
        /// What it is in rows that do not say.
        public var standard: ReplicaValue

        /// Makes a column.
        public init(_ name: String, _ kind: Kind, standard: ReplicaValue = .null) {
            self.name = name
            self.kind = kind
            self.standard = standard
        }

        /// Whether a value can stand in the column.
        ///
        /// SQLite is not asked: it would turn the text '12' into a number.
        package func takes(_ value: ReplicaValue) -> Bool {
            switch (value, kind) {
            case (.null, _): standard == .null
            case (.integer, .integer), (.text, .text): true
            case (.integer, .text), (.text, .integer): false
            }
        }
    }

    /// The steps to each version, from the first on.
    public var versions: [[Step]]

    /// Makes a schema; an app's has at least one version.
    public init(versions: [[Step]]) {
        self.versions = versions
    }

    /// The number of its last version; 0 before the first.
    public var version: Int { versions.count }
}
