import TextFormats

/// The tables of a primary, and how they came to be: one list of steps for each version (RP-05).
public struct PrimarySchema: Sendable, Equatable {
    /// One step to a version.
    public enum Step: Sendable, Equatable {
        /// A table with a text key `id` and these columns.
        case createTable(String, [Column])
        /// One more column of a table that is there.
        case addColumn(String, Column)
    }

    /// A column of a table.
    public struct Column: Sendable, Equatable {
        /// What values it takes; `NULL` as well where its standard is that.
        public enum Kind: String, Sendable, Equatable {
            /// Whole numbers.
            case integer
            /// Text.
            case text
        }

        /// Its name, not `id`: a small Latin letter, then letters, digits, underscores, 63 at most.
        public var name: String
        /// What values it takes.
        public var kind: Kind
        /// What it is in rows that do not say.
        public var standard: PrimaryValue

        /// Makes a column.
        public init(_ name: String, _ kind: Kind, standard: PrimaryValue) {
            self.name = name
            self.kind = kind
            self.standard = standard
        }

        /// Whether it may hold a value.
        func takes(_ value: PrimaryValue) -> Bool {
            switch value {
            case .null: standard == .null
            case .integer: kind == .integer
            case .text: kind == .text
            }
        }
    }

    /// The steps to each version, from the first on.
    public var versions: [[Step]]

    /// Makes a schema.
    public init(versions: [[Step]]) {
        self.versions = versions
    }
}

extension PrimarySchema {
    var json: JSON {
        .object(of: [("versions", .array(versions.map { .array($0.map(\.json)) }))])
    }

    init?(_ json: JSON) {
        guard case .array(let array)? = json["versions"] else { return nil }
        versions = []
        for version in array {
            guard case .array(let said) = version else { return nil }
            let steps = said.compactMap(Step.init)
            guard steps.count == said.count else { return nil }
            versions.append(steps)
        }
    }
}

extension PrimarySchema.Step {
    fileprivate var json: JSON {
        switch self {
        case .createTable(let table, let columns):
            .object(of: [
                ("create", .string(table)), ("columns", .array(columns.map(\.json))),
            ])
        case .addColumn(let table, let column):
            .object(of: [("add", .string(table)), ("column", column.json)])
        }
    }

    fileprivate init?(_ json: JSON) {
        switch (json["create"], json["add"]) {
        case (.string(let table)?, nil):
            guard case .array(let said)? = json["columns"] else { return nil }
            let columns = said.compactMap(PrimarySchema.Column.init)
            guard columns.count == said.count else { return nil }
            self = .createTable(table, columns)
        case (nil, .string(let table)?):
            guard let column = json["column"].flatMap(PrimarySchema.Column.init) else { return nil }
            self = .addColumn(table, column)
        default: return nil
        }
    }
}

extension PrimarySchema.Column {
    fileprivate var json: JSON {
        .object(of: [
            ("name", .string(name)), ("kind", .string(kind.rawValue)),
            ("standard", standard.json),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let name = json["name"]?.string,
            let said = json["kind"]?.string, let kind = Kind(rawValue: said),
            let standard = json["standard"].flatMap(PrimaryValue.init)
        else { return nil }
        self.init(name, kind, standard: standard)
    }
}
