/// Takes the records of one run, one at a time, in the order in which they happened.
///
/// This is all that the simulated world sees of the evidence: it cannot know what is measured.
public protocol TraceSink {
    /// Takes the names of the run's components, once, before the first record.
    mutating func begin(_ directory: TraceDirectory)

    /// Takes one record.
    mutating func record(_ record: TraceRecord)

    /// Takes several records, in order.
    ///
    /// The world hands its records on in batches, so that a sink of another module costs one call
    /// per batch.
    mutating func record(contentsOf records: [TraceRecord])
}

extension TraceSink {
    /// Takes several records, in order, one at a time.
    public mutating func record(contentsOf records: [TraceRecord]) {
        for record in records { self.record(record) }
    }
}
