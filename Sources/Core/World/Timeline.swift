package import KodamaEvidence
package import KodamaLanguage
import KodamaNetwork
import KodamaPhone
package import KodamaSimulation
import SansIO

/// Performs the plan's timeline and the faults that chance draws.
package final class Timeline: Component {
    /// The deliveries that the timeline schedules; the argument is the entry's index.
    package enum Word: UInt8 {
        /// An entry of the plan is due.
        case entry
        /// A drawn fault is due.
        case chance
    }

    package let name = "timeline"
    package let index: ComponentIndex
    private let phones: [String]
    private let entries: [TimelineEntry]
    private let occurrences: [RandomFaults.Occurrence]
    private let cast: Cast
    /// The systems whose records entries may wait for.
    private let systems: Systems
    /// The components that entries and faults act on, by name.
    private let targets: [String: any Component]
    private var source: EventSource
    /// Whether each entry has been due.
    private var wasDue: [Bool]

    package init(
        of plan: WorldPlan,
        seed: UInt64,
        fork: WeatherFork?,
        cast: Cast,
        systems: Systems,
        index: ComponentIndex
    ) {
        self.index = index
        self.systems = systems
        self.cast = cast
        entries = plan.timeline
        phones = plan.phones.map(\.name)
        occurrences = RandomFaults.occurrences(of: plan, seed: seed, fork: fork)
        targets = cast.components(named: Set(entries.map(\.target) + occurrences.map(\.target)))
        source = EventSource(rank: DeliveryRank.timeline, component: 0)
        wasDue = Array(repeating: false, count: plan.timeline.count)
    }

    /// Schedules the entries, or lets them wait for their records.
    package func begin(on stage: inout Stage) {
        for entry in entries.indices {
            switch entries[entry].trigger {
            case .at(let time):
                schedule(.entry, entry, at: Instant.zero.advanced(by: time), on: &stage)
            case .after(let event, let name, let count, let delay):
                let components = cast.indices(of: name)
                guard let kind = systems.forms.kind(named: event), !components.isEmpty else {
                    preconditionFailure("the plan waits for \(event) of \(name), which is unknown")
                }
                stage.watch(
                    entry: entry,
                    kind: kind,
                    of: components,
                    writers: phones.flatMap(cast.indices),
                    count: count,
                    delay: delay
                )
            }
        }
        for occurrence in occurrences.indices {
            schedule(.chance, occurrence, at: occurrences[occurrence].instant, on: &stage)
        }
    }

    /// Schedules the entries whose record has just come.
    package func scheduleTriggered(on stage: inout Stage) {
        for (entry, delay) in stage.takeTriggered() {
            schedule(.entry, entry, at: stage.now.advanced(by: delay), on: &stage)
        }
    }

    /// The entries that wait for a record and have not been due so far.
    package var waitingEntries: [Int] {
        entries.indices.filter { entry in
            guard case .after = entries[entry].trigger else { return false }
            return !wasDue[entry]
        }
    }

    private func schedule(_ word: Word, _ entry: Int, at instant: Instant, on stage: inout Stage) {
        schedule(word, UInt32(entry), at: instant, by: &source, on: &stage)
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .entry:
            let entry = entries[Int(argument)]
            wasDue[Int(argument)] = true
            targets[entry.target]?.undergo(entry.act, on: &stage)
        case .chance:
            let occurrence = occurrences[Int(argument)]
            targets[occurrence.target]?.undergo(occurrence.act, on: &stage)
        }
    }

    /// Describes an entry, for the error that stops a run at it.
    package func describe(_ delivery: Delivery) -> String {
        switch Word(rawValue: delivery.word) {
        case .chance: "random fault \(delivery.argument + 1)"
        default: "timeline entry \(delivery.argument + 1)"
        }
    }
}
