package import TextFormats

// A schema as the wire carries it.

extension ReplicaSchema {
    /// The schema as an object.
    package var json: JSON {
        .object(of: [("versions", .array(versions.map { .array($0.map(\.json)) }))])
    }

    /// Reads a schema; `nil` if it is none.
    ///
    /// Whether its steps fit one another is another question.
    package init?(_ json: JSON) {
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

extension ReplicaSchema.Step {
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
            let columns = said.compactMap(ReplicaSchema.Column.init)
            guard columns.count == said.count else { return nil }
            self = .createTable(table, columns)
        case (nil, .string(let table)?):
            guard let column = json["column"].flatMap(ReplicaSchema.Column.init) else { return nil }
            self = .addColumn(table, column)
        default: return nil
        }
    }
}

extension ReplicaSchema.Column {
    fileprivate var json: JSON {
        .object(of: [
            ("name", .string(name)), ("kind", .string(kind.rawValue)),
            ("standard", standard.json),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let name = json["name"]?.string,
            let said = json["kind"]?.string, let kind = Kind(rawValue: said),
            let standard = json["standard"].flatMap(ReplicaValue.init)
        else { return nil }
        self.init(name, kind, standard: standard)
    }
}
