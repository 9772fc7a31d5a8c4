import Testing

@Suite("A primary beside a plain reference (RP-04)")
struct PrimaryReferenceTests {
    @Test(
        "However replicas push, repeat and read, and machines fail, all have the log's fold (RP-04)"
    )
    func reference() {
        var snapshotPages = 0
        var failures = 0
        var repeats = 0
        var fullPages = 0
        var setAside = 0
        for seed in 0..<6 as Range<UInt64> {
            var town = PrimaryTown(seed: seed)
            for _ in 0..<150 { town.step() }
            town.settle()
            #expect(town.faults.isEmpty, "seed \(seed): \(town.faults.prefix(3))")
            snapshotPages += town.snapshotPages
            failures += town.failures
            repeats += town.repeats
            fullPages += town.fullPages
            setAside += town.setAside
        }
        #expect(failures > 8, "failures that do not happen prove little")
        #expect(snapshotPages > 30)
        #expect(repeats > 30)
        #expect(setAside > 30, "no row is made anew behind the back of who changes it")
        #expect(fullPages > 0, "no page was ever too short for the log")
    }
}
