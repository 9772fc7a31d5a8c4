import ReplicaChanges
import ReplicaStore

/// The schema of a small diary, shared by web and phones.
enum Diary {
    /// The last of its versions.
    static let versionMax = 2

    private static let forms = (1...versionMax).map { version in
        Result { () throws(ReplicaDatabase.Failure) in
            try ReplicaDatabase.Form(of: schema(version))
        }
    }

    /// What files of the schema to that version are like.
    static func form(_ version: Int) throws(ReplicaDatabase.Failure) -> ReplicaDatabase.Form {
        try forms[version - 1].get()
    }

    /// The schema to that version.
    static func schema(_ version: Int) -> ReplicaSchema {
        let versions: [[ReplicaSchema.Step]] = [
            [
                .createTable(
                    "reflection",
                    [
                        ReplicaSchema.Column("words", .text),
                        ReplicaSchema.Column("written", .integer),
                    ]
                )
            ],
            [
                .addColumn(
                    "reflection",
                    ReplicaSchema.Column("mood", .text, standard: .text(""))
                ),
                .createTable(
                    "routine",
                    [
                        ReplicaSchema.Column("title", .text),
                        ReplicaSchema.Column("minute", .integer),
                    ]
                ),
            ],
        ]
        return ReplicaSchema(versions: Array(versions.prefix(version)))
    }
}

extension ReplicaChange {
    /// The texts that it sets.
    var texts: [String] {
        columns.compactMap { column in
            guard case .text(let text) = column.value else { return nil }
            return text
        }
    }
}
