@testable import KodamaEvidence
@testable import KodamaReplica
@testable import KodamaSession
import Testing

@Suite("Replica metrics: what becomes of writes, reads and requests")
struct ReplicaWriteTests {
    /// How many writes are lost, reported lost, waiting and taken again, and how many there were.
    private func fates(_ scene: ReplicaScene) -> [Int64?] {
        let findings = scene.findings()
        let totals = ["lost", "reported_lost", "waiting", "repeated"].map {
            findings.total("replica.writes.\($0)")
        }
        return totals + [findings.value("replica.writes.lost").map { Int64($0.samples) }]
    }

    @Test("A write that is neither at the primary nor kept for it at the end is lost (K-18, RP-04)")
    func lost() throws {
        var scene = ReplicaScene.opened()
        for write in 1...4 as ClosedRange<Int64> { scene.write(write, at: write * 1_000) }
        scene.take(1, at: 1_500)
        scene.add(ReplicaKept(write: 2), at: 100_000)
        // One that is kept as well is there: the primary may yet fail.
        scene.take(4, at: 5_000)
        scene.add(ReplicaKept(write: 4), at: 100_000)
        #expect(fates(scene) == [1, 0, 1, 0, 4])
        let results = RunMeter.of(scene.trace()).metrics
        let worst = try #require(results.first { $0.name == "replica.writes.lost" }?.worst)
        #expect(worst.component == "ada-phone.replica")
        #expect(worst.cause?.contains("write=3") == true)
    }

    @Test("What a primary loses when it fails is lost, unless it is kept or comes again (RP-04)")
    func rolledBack() {
        var scene = ReplicaScene.opened()
        for write in 1...4 as ClosedRange<Int64> {
            scene.write(write, at: 1_000)
            scene.take(write, at: 1_000 + write)
        }
        scene.fail(through: 1, at: 20_000)
        scene.take(3, position: 2, at: 21_000)
        scene.add(ReplicaKept(write: 4), at: 100_000)
        #expect(fates(scene) == [1, 0, 1, 0, 4])
        // The same positions of another user's primary stay.
        var other = ReplicaScene.opened()
        other.write(1, at: 1_000)
        other.take(1, position: 5, database: 1, at: 1_001)
        other.fail(through: 1, database: 2, at: 20_000)
        #expect(fates(other) == [0, 0, 0, 0, 1])
    }

    @Test("A write that a primary has and takes once more is repeated, whoever made it (RP-04)")
    func repeated() {
        var scene = ReplicaScene.opened(.phone, .pad)
        scene.write(1, at: 1_000)
        scene.take(1, at: 1_100)
        scene.take(2, of: nil, at: 1_200)
        scene.fail(through: 2, at: 5_000)
        #expect(fates(scene) == [0, 0, 0, 0, 1])
        scene.take(1, of: .pad, position: 3, at: 6_000)
        scene.take(2, of: nil, position: 4, at: 6_100)
        #expect(fates(scene) == [0, 0, 0, 2, 1])
        #expect(scene.findings().value("replica.writes.repeated")?.samples == 4)
        // What nobody in the story wrote has no number.
        scene.take(0, position: 5, at: 7_000)
        scene.take(0, position: 6, at: 7_100)
        #expect(scene.findings().value("replica.writes.repeated")?.samples == 4)
    }

    @Test("A process that ends before its write is at the primary has not lost it (RP-04)")
    func killed() {
        var scene = ReplicaScene.opened()
        scene.write(1, at: 9_900)
        scene.absence(10_000..<30_000)
        #expect(fates(scene) == [1, 0, 0, 0, 1])
        scene.take(1, at: 30_924)
        #expect(fates(scene) == [0, 0, 0, 0, 1])
        #expect(scene.findings().milliseconds("replica.write.arrival.time") == [1_024])
        // An app that was not opened again has it in its file.
        var closed = ReplicaScene.opened()
        closed.write(1, at: 9_900)
        closed.add(AppTerminated(), at: 10_000)
        closed.add(ReplicaKept(write: 1), at: 100_000)
        #expect(fates(closed) == [0, 0, 1, 0, 1])
    }

    @Test("Writes that went with a damaged file are reported lost where the app says so (RP-07)")
    func reportedLost() {
        func fates(damaged: Bool = true, complete: Bool) -> [Int64?] {
            var scene = ReplicaScene.opened(.phone, .pad)
            for write in 1...3 as ClosedRange<Int64> { scene.write(write, at: 1_000) }
            scene.write(9, of: .pad, at: 1_000)
            if damaged { scene.add(ReplicaFileDamaged(unsent: 3), at: 10_000) }
            scene.open(.rebuilt, unsent: 1, at: 20_000)
            scene.add(ReplicaDamageReported(saved: 1, isComplete: TraceFlag(complete)), at: 20_000)
            scene.take(1, at: 21_000)
            scene.add(ReplicaKept(write: 2), at: 100_000)
            scene.write(4, at: 30_000)
            return self.fates(scene)
        }
        // Another phone's write, and one that was made later, are not excused.
        #expect(fates(complete: false) == [2, 1, 1, 0, 5])
        #expect(fates(complete: true) == [3, 0, 1, 0, 5])
        #expect(fates(damaged: false, complete: false) == [3, 0, 1, 0, 5])
    }

    @Test("A write that the primary refuses is not lost if its app reports it (RP-04)")
    func rejected() {
        func fates(_ change: (inout ReplicaScene) -> Void) -> [Int64?] {
            var scene = ReplicaScene.opened(.phone, .pad)
            for write in 1...3 as ClosedRange<Int64> { scene.write(write, at: 1_000) }
            scene.write(9, of: .pad, at: 1_000)
            change(&scene)
            let rejected = scene.findings().total("replica.writes.rejected")
            return self.fates(scene) + [rejected]
        }
        func tell(_ write: Int64, _ scene: inout ReplicaScene, of app: ReplicaScene.App = .phone) {
            scene.add(ReplicaRefusalTold(write: write), of: app, at: 3_000)
        }
        #expect(fates { tell(1, &$0) } == [4, 0, 0, 0, 4, 0])
        let untold = fates { $0.add(primary: PrimaryRefused(write: 1), at: 2_000) }
        #expect(untold == [4, 0, 0, 0, 4, 0])
        let told = fates {
            $0.add(primary: PrimaryRefused(write: 1), at: 2_000)
            // The second was made on the first.
            for write in 1...2 as ClosedRange<Int64> { tell(write, &$0) }
            // Nobody speaks for another.
            tell(9, &$0)
            tell(9, &$0, of: .pad)
        }
        #expect(told == [2, 0, 0, 0, 4, 2])
    }

    @Test("A write takes the time to the primary in which its app could exchange rows (RP-03)")
    func arrival() {
        func arrivals(_ change: (inout ReplicaScene) -> Void) -> [Double]? {
            var scene = ReplicaScene.opened()
            scene.write(1, at: 10_000)
            change(&scene)
            scene.take(1, at: 11_024)
            return scene.findings().milliseconds("replica.write.arrival.time")
        }
        #expect(arrivals { _ in } == [1_024])
        #expect(arrivals { $0.outage(9_000..<10_512) } == [512])
        #expect(arrivals { $0.outage(10_200..<10_712) } == [512])
        #expect(arrivals { $0.fault(.darkAPI, 10_200..<10_712) } == [512])
        #expect(arrivals { $0.outage(9_000..<10_000) } == [1_024])
        #expect(arrivals { $0.outage(8_000..<9_999) } == [1_024])
        // A keychain that had failed all the while, of which no record said so.
        #expect(arrivals { $0.unlock(isByUser: true, at: 10_512) } == [512])
        // What the primary lost and takes again has arrived before.
        var again = ReplicaScene.opened()
        again.write(1, at: 10_000)
        again.take(1, at: 11_024)
        again.fail(through: 0, at: 12_000)
        again.take(1, at: 20_000)
        #expect(again.findings().milliseconds("replica.write.arrival.time") == [1_024])
    }

    @Test("A read in an app that is older than its file is no failure, and any other is (RP-05)")
    func behindItsFile() {
        for opening in ReplicaOpening.allCases {
            var scene = ReplicaScene.opened()
            scene.add(AppTerminated(), at: 1_000)
            // Twice in a row, and then with the right version.
            for start in [2_000, 4_000] as [Int64] {
                scene.add(AppLaunched(), at: start)
                scene.open(opening, at: start + 100)
                scene.add(ReplicaRead(rows: 0, isServed: TraceFlag(false)), at: start + 200)
            }
            scene.add(AppLaunched(), at: 6_000)
            scene.open(.opened, at: 6_100)
            scene.add(ReplicaRead(rows: 0, isServed: TraceFlag(false)), at: 6_200)
            let failed: Int64 = opening == .refused ? 1 : 3
            #expect(scene.findings().total("replica.reads.failed") == failed, "\(opening)")
        }
    }

    @Test("Reads and writes that fail are counted among all, and requests by themselves (RP-03)")
    func counts() {
        var scene = ReplicaScene.opened()
        scene.write(1, at: 1_000)
        scene.add(ReplicaWriteRefused(write: 2), at: 2_000)
        scene.add(ReplicaRead(rows: 3, isServed: TraceFlag(true)), at: 3_000)
        scene.add(ReplicaRead(rows: 0, isServed: TraceFlag(true)), at: 3_500)
        scene.add(ReplicaRead(rows: 0, isServed: TraceFlag(false)), at: 4_000)
        for kind in ReplicaRequestKind.allCases {
            scene.add(ReplicaAsked(request: TraceWord(kind)), at: 5_000)
        }
        let findings = scene.findings()
        #expect(findings.total("replica.writes.refused") == 1)
        #expect(findings.value("replica.writes.refused")?.samples == 2)
        #expect(findings.total("replica.reads.failed") == 1)
        #expect(findings.value("replica.reads.failed")?.samples == 3)
        #expect(findings.total("replica.requests") == 4)
        // A write that was refused is nobody's loss.
        #expect(findings.value("replica.writes.lost")?.samples == 1)
    }
}
