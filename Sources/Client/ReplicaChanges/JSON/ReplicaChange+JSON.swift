package import TextFormats

// Changes as the wire carries them; a replica's outbox keeps their columns in the same form.

extension ReplicaChange {
    /// The members of the change's object; what numbers it stands before them.
    fileprivate var members: [(String, JSON?)] {
        [
            ("table", .string(table)), ("key", .string(key)), ("kind", .string(kind.rawValue)),
            ("columns", ReplicaColumn.json(of: columns)),
        ]
    }

    /// The change as an object.
    package var json: JSON { .object(of: members) }

    /// Reads a change; `nil` if it is none.
    package init?(_ json: JSON) {
        guard let table = json["table"]?.string, let key = json["key"]?.string,
            let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
            let columns = json["columns"].flatMap(ReplicaColumn.columns(from:))
        else { return nil }
        self.init(table: table, key: key, kind: kind, columns: columns)
    }
}

extension UnsentChange {
    /// The change as an object, its number first.
    package var json: JSON {
        let numbers: [(String, JSON?)] = [
            ("sequence", .integer(sequence)), ("madeAt", madeAt.map { .integer($0.position) }),
            ("madeIn", madeAt?.generation.map(JSON.string)),
        ]
        return .object(of: numbers + change.members)
    }

    /// Reads a numbered change; `nil` if it is none.
    package init?(_ json: JSON) {
        guard let sequence = json["sequence"]?.integer, let change = ReplicaChange(json) else {
            return nil
        }
        self.init(sequence: sequence, change: change)
        switch (json["madeAt"], json["madeIn"]) {
        case (nil, nil): return
        case (.integer(let position)?, nil) where position >= 0:
            madeAt = LogPosition(position: position)
        case (.integer(let position)?, .string(let generation)?) where position >= 0:
            madeAt = LogPosition(generation: generation, position: position)
        default: return nil
        }
    }
}

extension LoggedChange {
    /// The change as an object, its place in the log first.
    package var json: JSON {
        let place: [(String, JSON?)] = [
            ("position", .integer(position)), ("replica", .string(replica)),
            ("sequence", .integer(sequence)),
        ]
        return .object(of: place + change.members)
    }

    /// Reads a change of the log; `nil` if it is none.
    package init?(_ json: JSON) {
        guard let position = json["position"]?.integer, let replica = json["replica"]?.string,
            let sequence = json["sequence"]?.integer, let change = ReplicaChange(json)
        else { return nil }
        self.init(position: position, replica: replica, sequence: sequence, change: change)
    }
}

extension ReplicaColumn {
    /// Columns as an object, in their order.
    package static func json(of columns: [ReplicaColumn]) -> JSON {
        .object(columns.map { JSON.Member($0.name, $0.value.json) })
    }

    /// Reads an object's columns, sorted by name; `nil` if it is none of columns.
    package static func columns(from json: JSON) -> [ReplicaColumn]? {
        guard case .object(let members) = json else { return nil }
        var columns: [ReplicaColumn] = []
        for member in members {
            guard let value = ReplicaValue(member.value) else { return nil }
            columns.append(ReplicaColumn(member.name, value))
        }
        return columns.sorted { $0.name < $1.name }
    }
}

extension ReplicaValue {
    /// The value itself.
    var json: JSON {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }

    /// Reads a value; `nil` if it is of a kind that replicas do not have.
    init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        case .bool, .decimal, .array, .object: return nil
        }
    }
}
