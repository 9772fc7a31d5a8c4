import KodamaEvidence

/// Measures and checks the voice between phones.
struct IntercomMeter: SystemMeter {
    private var measures: VoiceMetrics
    private var checks: VoiceInvariants

    init(_ directory: TraceDirectory) {
        measures = VoiceMetrics(directory)
        checks = VoiceInvariants(owners: Owners(directory))
    }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            checks.record(record, at: position + offset)
            measures.record(record)
        }
    }

    var metrics: [any AnyMeasure] { measures.all }

    var invariants: [Invariant] { checks.all }
}
