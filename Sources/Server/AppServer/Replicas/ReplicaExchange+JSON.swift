import ReplicaChanges
import TextFormats

extension ReplicaExchange {
    var json: JSON {
        .object(of: [
            ("replica", .string(replica)), ("schema", .integer(Int64(schema))),
            ("generation", .string(generation)), ("position", .integer(position)),
            ("changes", .array(changes.map(\.json))),
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
        var changes: [UnsentChange] = []
        for json in array {
            guard let change = UnsentChange(json) else {
                throw .badRequest("change \(changes.count) is none")
            }
            // Numbers count from 1, without gaps.
            let number = change.sequence
            guard number >= 1, changes.last.map({ $0.sequence == number - 1 }) ?? true else {
                throw .badRequest("change \(changes.count) does not follow on the one before")
            }
            changes.append(change)
        }
        self.init(
            replica: replica,
            schema: schema,
            generation: generation,
            position: position,
            changes: changes
        )
    }
}

extension ChangeRefusal {
    var json: JSON {
        .object(of: [("sequence", .integer(sequence)), ("reason", .string(reason))])
    }
}

extension APIFault {
    static var badReplica: APIFault {
        .badRequest("replica is not one name of up to 64 letters, digits, '-', '_'")
    }
}
