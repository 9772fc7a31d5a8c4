import CoachExchange
import CoachStore
import FileHarms
import ReplicaStore
import SansIO
import Testing

@Suite("No bit, sector or cut makes the coach's records useless or wrong (RP-04, RP-07)")
struct CoachDamageTests {
    @Test("Of a file with 20 unsent records whatever is damaged is noticed", arguments: 0..<4)
    func noticed(part: Int) throws {
        // Every other part of a user who has signed in.
        let subject = try SoundCoach(of: part % 2 == 0 ? nil : "ada")
        #expect(subject.fault(in: subject.image) == nil, "the file as it was")
        let harms = FileHarm.sample(of: subject.image.count, part: part, of: 4, flips: 800)
        #expect(harms.count > 200, "a few harms prove little")
        var tally = FaultTally()
        for harm in harms {
            if let fault = subject.fault(in: harm.applied(to: subject.image)) {
                tally.add(fault, harm)
            }
        }
        #expect(tally.isEmpty, "of \(harms.count) harms\n\(tally)")
    }
}

/// The file of a phone with 20 records that the mirror lacks and one that it has, and what has to be so of it
/// whatever befalls it.
private struct SoundCoach {
    let image: [UInt8]
    private let owner: String?
    private let unmirrored: [MirrorRecord]

    init(of owner: String?) throws {
        self.owner = owner
        let store = try CoachStore.open(.image(nil), newDevice: "a").store
        if let owner { try store.claim(for: owner) }
        try store.save(CoachProfile(name: "Mika", voiceMode: "clone", flags: []), at: time(1))
        let mirrored = try store.unmirrored()
        try store.noteMirrored(mirrored, saved: mirrored.records)
        for number in 0..<20 as Range<Int64> {
            let detail = "a note as apps write them, \(number)"
            let name = MetricEvent.Name.wakeDone
            let event = MetricEvent(
                id: "k\(number)",
                name: name,
                time: time(number),
                detail: detail
            )
            try store.save(CoachInteraction(event), at: time(number))
        }
        image = try store.image()
        unmirrored = try store.unmirrored().records
    }

    private static func open(_ image: [UInt8]) -> CoachStore.Opening? {
        try? CoachStore.open(.image(image), newDevice: "b")
    }

    /// What is wrong with how a file is opened, written and opened again; `nil` if nothing is.
    func fault(in file: [UInt8]) -> String? {
        guard let opening = Self.open(file) else { return "it cannot be opened" }
        do {
            let saved = try opening.store.unmirrored().records
            if opening.rescue?.isComplete ?? true, !saved.isSame(as: unmirrored) {
                return opening.rescue == nil ? "altered in silence" : "not all is saved, in silence"
            }
            guard saved.isPart(of: unmirrored) else { return "a saved record is altered" }
            // What is saved without its owner would be the next user's.
            let isTheirs = try opening.store.owner() == owner
            guard isTheirs || saved.isEmpty else { return "what is saved is nobody's" }
            guard let again = Self.open(try opening.store.image()) else {
                return "it cannot be opened a second time"
            }
            guard again.rescue == opening.rescue else { return "it is damaged a second time" }
            guard try again.store.unmirrored().records == saved else {
                return "a second opening alters it"
            }
            let profile = CoachProfile(name: "Taro", voiceMode: "clone", flags: [])
            try again.store.save(profile, at: time(100))
            let isQueued = try again.store.unmirrored().records.count == saved.count + 1
            return isQueued ? nil : "a write is not queued"
        } catch {
            return "opened as sound, then refused"
        }
    }
}

extension [MirrorRecord] {
    private func said(_ record: MirrorRecord) -> [String] {
        [record.table, record.id]
    }

    /// Whether the other has the same records, in any order.
    fileprivate func isSame(as other: [MirrorRecord]) -> Bool {
        count == other.count && isPart(of: other)
    }

    /// Whether each record's fields are among those that the other has of it.
    fileprivate func isPart(of other: [MirrorRecord]) -> Bool {
        allSatisfy { record in
            guard let whole = other.first(where: { said($0) == said(record) }) else { return false }
            return record.deleted == whole.deleted
                && record.fields.allSatisfy { whole.fields.contains($0) }
        }
    }
}
