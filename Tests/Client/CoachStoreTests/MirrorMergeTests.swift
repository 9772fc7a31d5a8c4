import CoachStore
import ReplicaChanges
import SansIO
import SansIOTesting
import Testing

@Suite("Versions of a record merge field by field, in any order (D-28, AN-18)")
struct MirrorMergeTests {
    private static func stamp(_ random: inout LawRandom) -> FieldStamp {
        FieldStamp(ticks: UInt64(random.below(4)), device: ["a", "b"][random.below(2)])
    }

    private static func version(_ random: inout LawRandom) -> MirrorRecord {
        var fields: [MirrorRecord.Field] = []
        for name in ["x", "y", "z"] where random.chance(percent: 70) {
            let values: [ReplicaValue] = [.null, .integer(1), .integer(2), .text("1"), .text("é")]
            let value = values[random.below(values.count)]
            fields.append(MirrorRecord.Field(name, value, stamp(&random)))
        }
        let deleted = random.chance(percent: 10) ? stamp(&random) : nil
        return MirrorRecord(table: "t", id: "1", fields: fields, deleted: deleted)
    }

    @Test("Merging is commutative, associative and idempotent", arguments: 0..<8 as Range<UInt64>)
    func laws(seed: UInt64) {
        var random = LawRandom(seed: seed)
        for _ in 0..<500 {
            let (a, b) = (Self.version(&random), Self.version(&random))
            let c = Self.version(&random)
            #expect(a.merged(with: b) == b.merged(with: a))
            #expect(a.merged(with: b).merged(with: c) == a.merged(with: b.merged(with: c)))
            #expect(a.merged(with: a) == a)
            #expect(a.merged(with: b).merged(with: b) == a.merged(with: b))
        }
    }

    @Test("Edits of two fields both count, of one the later does, and a deletion is final")
    func meaning() {
        func version(_ name: String, _ value: Int64, _ ticks: UInt64) -> MirrorRecord {
            let stamp = FieldStamp(ticks: ticks, device: "a")
            let field = MirrorRecord.Field(name, .integer(value), stamp)
            return MirrorRecord(table: "t", id: "1", fields: [field])
        }
        let merged = version("x", 1, 1).merged(with: version("y", 2, 2))
            .merged(with: version("x", 3, 3)).merged(with: version("y", 4, 1))
        #expect(merged["x"]?.value == .integer(3))
        #expect(merged["y"]?.value == .integer(2))
        let deletion = FieldStamp(ticks: 0, device: "b")
        let deleted = MirrorRecord(table: "t", id: "1", fields: [], deleted: deletion)
        #expect(merged.merged(with: deleted).merged(with: version("x", 5, 9)) == deleted)
    }

    @Test("A stamp is later than all that were seen, whatever the clock shows; its text is its own")
    func stamps() throws {
        let seen = FieldStamp(ticks: 900 << 16, device: "b")
        let next = FieldStamp(at: .init(nanosecondsSince1970: 5_000_000), after: seen, on: "a")
        #expect(next > seen)
        let free = FieldStamp(at: .init(nanosecondsSince1970: 5_000_000), after: nil, on: "a")
        #expect(free.ticks == 5 << 16)
        #expect(try #require(FieldStamp(next.text)) == next)
        for odd in ["", "12-a", "000000000000000g-a", "0000000000000001a", "0000000000000001-"] {
            #expect(FieldStamp(odd) == nil, "\(odd)")
        }
    }
}
