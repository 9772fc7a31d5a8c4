import ReplicaChanges

extension ReplicaTables {
    /// The tables at each version, from the empty one that is before the first.
    static func all(of schema: ReplicaSchema) throws(ReplicaDatabase.Failure) -> [ReplicaTables] {
        var tables = ReplicaTables()
        var all = [tables]
        do throws(ReplicaTables.Fault) {
            for steps in schema.versions {
                try tables.add(steps)
                all.append(tables)
            }
        } catch {
            throw ReplicaDatabase.Failure.refused("the schema is not in order: \(error.what)")
        }
        guard all.count > 1 else { throw .refused("the schema has no version") }
        return all
    }
}
