public import KodamaEvidence
public import SansIO

/// Collects the world's records, and holds the timeline entries that wait for one of them.
///
/// Records are handed on in batches: one call through the sink's protocol per batch, not per record.
@usableFromInline package struct TraceLog {
    /// How many records are gathered before they are handed on.
    package static let batch = 1_024

    @usableFromInline package internal(set) var records: [TraceRecord] = []
    /// The entries of the timeline that wait for an event.
    @usableFromInline var watches: [Watch] = []
    /// Entries whose event has come, and how long they still wait.
    private var triggered: [(entry: Int, delay: Duration)] = []

    @usableFromInline struct Watch {
        var entry: Int
        var kind: TraceKind
        var components: [ComponentIndex]
        /// What phones and their apps write is about themselves, whomever it names; what a server writes is
        /// about whom it names.
        var writers: [ComponentIndex]
        var remaining: Int
        var delay: Duration
    }

    @usableFromInline package init() {
        records.reserveCapacity(Self.batch + 64)
    }

    /// Writes one record.
    @inlinable package mutating func write<Form: TraceForm>(
        _ form: Form,
        at now: Instant,
        of component: ComponentIndex,
        about subject: ComponentIndex = .none
    ) {
        let record = TraceRecord(form, at: now, of: component, about: subject)
        records.append(record)
        if !watches.isEmpty { count(record) }
    }

    /// Lets timeline entry `entry` wait for the `count`-th record of `kind` of any of `components`.
    package mutating func watch(
        entry: Int,
        kind: TraceKind,
        components: [ComponentIndex],
        writers: [ComponentIndex],
        count: Int,
        delay: Duration
    ) {
        watches.append(
            Watch(
                entry: entry,
                kind: kind,
                components: components,
                writers: writers,
                remaining: count,
                delay: delay
            )
        )
    }

    @usableFromInline mutating func count(_ record: TraceRecord) {
        for index in watches.indices
        where watches[index].kind == record.kind
            && (watches[index].components.contains(record.component)
                || watches[index].components.contains(record.subject)
                    && !watches[index].writers.contains(record.component))
        {
            watches[index].remaining -= 1
            if watches[index].remaining == 0 {
                triggered.append((watches[index].entry, watches[index].delay))
            }
        }
        watches.removeAll { $0.remaining == 0 }
    }

    /// Whether an entry's event has come.
    package var hasTriggered: Bool { !triggered.isEmpty }

    /// Takes the entries whose event has come.
    package mutating func takeTriggered() -> [(entry: Int, delay: Duration)] {
        defer { triggered.removeAll() }
        return triggered
    }

    /// Hands the gathered records on.
    package mutating func flush(into sink: inout some TraceSink) {
        sink.record(contentsOf: records)
        records.removeAll(keepingCapacity: true)
    }
}
