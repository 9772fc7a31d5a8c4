import CoachStore
import KodamaLanguage
import KodamaSimulation
import SansIO

/// The mirror between a user's phones, as far as it can be tuned.
struct MirrorConfiguration: Tunable {
    /// Whether there is one.
    var isOn = false
    /// How long after a change the system synchronises, at the median: minutes to hours, as it pleases; 20 min
    /// were seen in iOS 26.4 (apple/sample-cloudkit-sync-engine, issue 18), the spread is an assumption.
    var delay = LatencyLaw(median: .seconds(1_200), sigmaMillionths: 1_000_000)
    /// How often it waits until the phone is unlocked besides; seen in the same issue, how often found nowhere:
    /// an assumption.
    var waitsForUnlock = Probability(partsPerMillion: 500_000)
    /// How often a request is refused for being one too many; found nowhere: an assumption.
    var isLimited = Probability(partsPerMillion: 50_000)
    /// What it is told to wait then: 23 s (Mindwtr, issue 948).
    var retryAfter: Duration = .seconds(23)
    /// How often a day the user of a phone changes something of the profile or the routine; an assumption.
    var editsPerDay = 0
    /// Until when they do; a run that goes on can show what the phones come to.
    var editsUntil: Duration = .seconds(365 * 86_400)

    init() {}
}

/// The user's private database in the cloud, one for all their phones (CloudKit; AN-18, D-28).
///
/// It keeps the last writer of each property, whatever the stamps say, and hands records out by when they
/// last changed. A deletion stays.
struct MirrorDatabase {
    /// How many records go in a request at most (sqlite-data, issue 333).
    static let recordsPerRequestMax = 400

    private var records: [MirrorRecord] = []
    /// When each of them last changed, by number of change.
    private var changes: [Int] = []
    private var changeCount = 0

    /// Saves fields of records.
    mutating func save(_ saved: [MirrorRecord]) {
        precondition(saved.count <= Self.recordsPerRequestMax, "a request has too many records")
        for record in saved {
            changeCount += 1
            let index = records.firstIndex { $0.table == record.table && $0.id == record.id }
            guard let index else {
                records.append(record)
                changes.append(changeCount)
                continue
            }
            let former = records[index]
            let stays = former.fields.filter { record[$0.name] == nil }
            records[index] = MirrorRecord(
                table: record.table,
                id: record.id,
                fields: stays + record.fields,
                deleted: record.deleted ?? former.deleted
            )
            changes[index] = changeCount
        }
    }

    /// The records that have changed since a token was given; all if there is none.
    func records(since token: String?) -> (records: [MirrorRecord], token: String) {
        let since = token.flatMap { Int($0) } ?? 0
        let new = zip(records, changes).filter { $0.1 > since }.sorted { $0.1 < $1.1 }
        return (new.map(\.0), String(changeCount))
    }
}
