import ReplicaChanges
import TextFormats

extension ReplicaChange {
    /// A change's columns as the outbox keeps them: a JSON object, its names in their order.
    static func columnText(of columns: [ReplicaColumn]) -> String {
        ReplicaColumn.json(of: columns).text
    }

    /// Reads columns that the outbox keeps; `nil` if they are none.
    static func columns(from text: String) -> [ReplicaColumn]? {
        (try? JSONReader.read(text.utf8)).flatMap(ReplicaColumn.columns(from:))
    }
}

extension UnsentChange {
    /// How many bytes it takes in an exchange, the comma behind it included.
    var jsonByteCount: Int { json.text.utf8.count + 1 }
}
