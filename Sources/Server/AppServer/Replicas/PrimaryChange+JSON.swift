import TextFormats

extension PrimaryValue {
    var json: JSON {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .text(let value): .string(value)
        }
    }

    init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .string(let value): self = .text(value)
        case .bool, .decimal, .array, .object: return nil
        }
    }
}

extension PrimaryChange {
    fileprivate var members: [(String, JSON?)] {
        [
            ("table", .string(table)), ("key", .string(key)), ("kind", .string(kind.rawValue)),
            ("columns", .object(columns.map { JSON.Member($0.name, $0.value.json) })),
        ]
    }

    var json: JSON { .object(of: members) }

    init?(_ json: JSON) {
        guard let table = json["table"]?.string, let key = json["key"]?.string,
            let said = json["kind"]?.string, let kind = Kind(rawValue: said),
            case .object(let members)? = json["columns"]
        else { return nil }
        var columns: [PrimaryColumn] = []
        for member in members {
            guard let value = PrimaryValue(member.value) else { return nil }
            columns.append(PrimaryColumn(member.name, value))
        }
        columns.sort { $0.name < $1.name }
        self.init(table: table, key: key, kind: kind, columns: columns)
    }
}

extension PrimaryEntry {
    var json: JSON {
        let place: [(String, JSON?)] = [
            ("position", .integer(position)), ("replica", .string(replica)),
            ("sequence", .integer(sequence)),
        ]
        return .object(of: place + change.members)
    }

    init?(_ json: JSON) {
        guard let position = json["position"]?.integer, let replica = json["replica"]?.string,
            let sequence = json["sequence"]?.integer, let change = PrimaryChange(json)
        else { return nil }
        self.init(position: position, replica: replica, sequence: sequence, change: change)
    }
}

extension PrimaryExchange {
    var json: JSON {
        let pushes = changes.map { push in
            let number: [(String, JSON?)] = [("sequence", .integer(push.sequence))]
            return JSON.object(of: number + push.change.members)
        }
        return .object(of: [
            ("replica", .string(replica)), ("schema", .integer(Int64(schema))),
            ("generation", .string(generation)), ("position", .integer(position)),
            ("changes", .array(pushes)),
        ])
    }

    /// Reads a body; whether its changes fit the schema, only the primary can say.
    init(_ json: JSON) throws(APIFault) {
        guard let replica = json["replica"]?.string, replica.isName(upTo: 64) else {
            throw .badReplica
        }
        guard let said = json["schema"]?.integer, let schema = Int(exactly: said),
            let generation = json["generation"]?.string,
            let position = json["position"]?.integer,
            case .array(let array)? = json["changes"]
        else { throw .badRequest("schema, generation, position or changes is missing") }
        var pushes: [Push] = []
        for json in array {
            guard let sequence = json["sequence"]?.integer, let change = PrimaryChange(json) else {
                throw .badRequest("change \(pushes.count) is none")
            }
            // Numbers count from 1, without gaps.
            guard sequence >= 1, pushes.last.map({ $0.sequence == sequence - 1 }) ?? true else {
                throw .badRequest("change \(pushes.count) does not follow on the one before")
            }
            pushes.append(Push(sequence: sequence, change: change))
        }
        self.init(
            replica: replica,
            schema: schema,
            generation: generation,
            position: position,
            changes: pushes
        )
    }
}

extension APIFault {
    static var badReplica: APIFault {
        .badRequest("replica is not one name of up to 64 letters, digits, '-', '_'")
    }
}
