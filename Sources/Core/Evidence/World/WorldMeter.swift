import SansIO

/// Checks what holds for the records of all systems.
package struct WorldMeter: SystemMeter {
    private var timeNeverGoesBack = Invariant(
        "time.never-goes-back",
        "No record is older than the one before it.",
        "HN-01"
    )
    private var latest = Instant(nanoseconds: .min)

    package init(_ directory: TraceDirectory) {}

    package mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            timeNeverGoesBack.check(record.instant >= latest, record, at: position + offset)
            latest = record.instant
        }
    }

    package var invariants: [Invariant] { [timeNeverGoesBack] }
}
