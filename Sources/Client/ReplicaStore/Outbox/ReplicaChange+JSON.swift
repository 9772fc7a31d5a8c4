import ReplicaSync
import TextFormats

extension ReplicaChange {
    /// A change's columns as the outbox keeps them: a JSON object, its names in their order.
    static func columnText(of columns: [ReplicaColumn]) -> String {
        JSON.object(columns.map { JSON.Member($0.name, $0.value.json) }).text
    }

    /// Reads columns that the outbox keeps; `nil` if they are none.
    static func columns(from text: String) -> [ReplicaColumn]? {
        guard let json = try? JSONReader.read(text.utf8), case .object(let members) = json else {
            return nil
        }
        var columns: [ReplicaColumn] = []
        for member in members {
            guard let value = ReplicaValue(json: member.value) else { return nil }
            columns.append(ReplicaColumn(member.name, value))
        }
        return columns.sorted { $0.name < $1.name }
    }
}

extension UnsentChange {
    /// How many bytes it takes in an exchange, the comma behind it included.
    var jsonByteCount: Int {
        let json = JSON.object(of: [
            ("sequence", .integer(sequence)), ("table", .string(change.table)),
            ("key", .string(change.key)), ("kind", .string(change.kind.rawValue)),
        ])
        // The last member is put together from its own text: it is the long one.
        let columns = ReplicaChange.columnText(of: change.columns)
        return json.text.utf8.count + ",\"columns\":".utf8.count + columns.utf8.count + 1
    }
}

extension ReplicaValue {
    fileprivate var json: JSON {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }

    fileprivate init?(json: JSON) {
        switch json {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .string(let text): self = .text(text)
        case .bool, .decimal, .array, .object: return nil
        }
    }
}
