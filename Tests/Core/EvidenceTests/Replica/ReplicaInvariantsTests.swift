@testable import KodamaEvidence
@testable import KodamaReplica
import ReplicaSync
import Testing

@Suite("Invariants of replicas, and their records")
struct ReplicaInvariantsTests {
    @Test("A sound replica breaks none, and each one looked at something")
    func sound() {
        var scene = ReplicaScene.opened()
        scene.add(ReplicaSchemaSeen(version: 1, isWhole: TraceFlag(true)), at: 0)
        scene.add(primary: PrimaryMigrated(version: 1), at: 100)
        scene.write(1, at: 1_000)
        scene.take(1, at: 1_500)
        scene.write(2, at: 2_000)
        scene.add(ReplicaFileDamaged(unsent: 1), at: 3_000)
        scene.open(.rebuilt, unsent: 1, at: 4_000)
        scene.add(ReplicaDamageReported(saved: 1, isComplete: TraceFlag(true)), at: 4_000)
        scene.take(2, at: 5_000)
        let invariants = RunMeter.of(scene.trace()).invariants
            .filter { $0.name.hasPrefix("replica.") }
        #expect(invariants.count == 6)
        for invariant in invariants {
            #expect(
                invariant.violationCount == 0 && invariant.checkedCount > 0,
                "\(invariant.name)"
            )
        }
    }

    @Test("A write that overtakes one that its user made before breaks the order (RP-04)")
    func order() {
        var scene = ReplicaScene.opened(.phone, .pad)
        scene.write(1, at: 1_000)
        scene.write(2, of: .pad, at: 1_100)
        scene.write(3, at: 1_200)
        scene.write(4, at: 1_300)
        // The other phone's, and the web's, have an order of their own.
        scene.take(3, position: 1, at: 2_000)
        scene.take(9, of: nil, position: 2, at: 2_100)
        scene.take(2, of: .pad, position: 3, at: 2_200)
        #expect(scene.checks(of: "replica.order-kept") == [2, 0])
        scene.take(1, position: 4, at: 3_000)
        #expect(scene.checks(of: "replica.order-kept") == [3, 1])
        scene.take(4, position: 5, at: 4_000)
        #expect(scene.checks(of: "replica.order-kept") == [4, 1])
    }

    @Test("What a failed primary takes again is in order if it comes in the order written (RP-04)")
    func orderAfterFailure() {
        var scene = ReplicaScene.opened()
        for write in 1...3 as ClosedRange<Int64> {
            scene.write(write, at: 1_000)
            scene.take(write, at: 1_000 + write)
        }
        scene.fail(through: 1, at: 5_000)
        scene.take(2, at: 6_000)
        scene.take(3, at: 6_100)
        #expect(scene.checks(of: "replica.order-kept") == [5, 0])
        scene.fail(through: 1, at: 7_000)
        scene.take(3, position: 2, at: 8_000)
        scene.take(2, position: 3, at: 8_100)
        #expect(scene.checks(of: "replica.order-kept") == [7, 1])
    }

    @Test("What an app's user did not write is nothing that the app may hand over (RP-04)")
    func onlyWritten() {
        var scene = ReplicaScene.opened(.phone, .pad)
        scene.write(1, at: 1_000)
        scene.write(2, of: .pad, at: 1_100)
        scene.take(1, at: 1_500)
        // The web's own, and what it does without a number, is its affair.
        scene.take(9, of: nil, position: 2, at: 1_600)
        scene.take(0, of: nil, position: 3, at: 1_700)
        #expect(scene.checks(of: "replica.only-what-was-written") == [1, 0])
        // A deletion that is nobody's, another phone's write, and one that was refused.
        scene.take(0, position: 4, at: 2_000)
        scene.take(2, position: 5, at: 2_100)
        scene.add(ReplicaWriteRefused(write: 3), at: 2_200)
        scene.take(3, position: 6, at: 2_300)
        #expect(scene.checks(of: "replica.only-what-was-written") == [4, 3])
        // The right write at another user's primary.
        scene.write(4, at: 3_000)
        scene.take(4, position: 1, database: 1, at: 3_100)
        #expect(scene.checks(of: "replica.only-what-was-written") == [5, 4])
    }

    @Test("What an app lost with its file, and said so, may reach the primary as nothing (RP-07)")
    func fillers() {
        for isComplete in [false, true] {
            var scene = ReplicaScene.opened()
            scene.write(1, at: 1_000)
            scene.add(ReplicaFileDamaged(unsent: 1), at: 2_000)
            scene.add(ReplicaOpened(opening: TraceWord(.rebuilt), unsent: 1), at: 3_000)
            scene.add(ReplicaDamageReported(saved: 1, isComplete: TraceFlag(isComplete)), at: 3_000)
            scene.take(0, at: 4_000)
            #expect(
                scene.checks(of: "replica.only-what-was-written")
                    == (isComplete ? [1, 1] : [0, 0])
            )
        }
    }

    @Test("A token that is found anywhere breaks the invariant (RP-06)")
    func token() {
        var scene = ReplicaScene.opened()
        #expect(scene.checks(of: "replica.token-kept-secret") == [1, 0])
        scene.add(ReplicaTokenFound(), at: 1_000)
        #expect(scene.checks(of: "replica.token-kept-secret") == [2, 1])
    }

    @Test("A file with part of a schema, or more than it, is not whole (RP-05)")
    func schema() {
        var scene = ReplicaScene.opened()
        scene.add(ReplicaSchemaSeen(version: 2, isWhole: TraceFlag(true)), at: 0)
        scene.add(ReplicaSchemaSeen(version: 2, isWhole: TraceFlag(false)), at: 10_000)
        #expect(scene.checks(of: "replica.schema-whole") == [2, 1])
    }

    @Test("A primary is at each version once, and anew only after it failed (RP-05)")
    func migrations() {
        var scene = ReplicaScene.opened()
        scene.add(primary: PrimaryMigrated(version: 1), at: 1_000)
        scene.add(primary: PrimaryMigrated(version: 2), at: 2_000)
        scene.add(primary: PrimaryMigrated(version: 1, database: 1), about: .ren, at: 2_500)
        #expect(scene.checks(of: "replica.migrated-once") == [3, 0])
        var twice = scene
        twice.add(primary: PrimaryMigrated(version: 2), at: 3_000)
        #expect(twice.checks(of: "replica.migrated-once") == [4, 1])
        scene.fail(through: 0, at: 3_000)
        scene.add(primary: PrimaryMigrated(version: 2), at: 4_000)
        #expect(scene.checks(of: "replica.migrated-once") == [4, 0])
        scene.add(primary: PrimaryMigrated(version: 1, database: 1), about: .ren, at: 5_000)
        #expect(scene.checks(of: "replica.migrated-once") == [5, 1])
    }

    @Test("A damaged file is rebuilt at its next opening, and the app says so (RP-07)")
    func damage() {
        func checks(_ change: (inout ReplicaScene) -> Void) -> [Int]? {
            var scene = ReplicaScene.opened()
            change(&scene)
            return scene.checks(of: "replica.damage-reported")
        }
        func report(_ saved: Int64, complete: Bool) -> [Int]? {
            checks {
                $0.add(ReplicaFileDamaged(unsent: 2), at: 10_000)
                $0.open(.rebuilt, at: 20_000)
                let report = ReplicaDamageReported(saved: saved, isComplete: TraceFlag(complete))
                $0.add(report, at: 20_000)
                $0.absence(30_000..<40_000)
            }
        }
        #expect(report(2, complete: true) == [2, 0])
        // What the primary had without the app's knowing it is saved as well.
        #expect(report(3, complete: true) == [2, 0])
        #expect(report(1, complete: true) == [2, 1])
        #expect(report(1, complete: false) == [2, 0])
        for opening in [ReplicaOpening.made, .opened, .failed] {
            let found = checks {
                $0.add(ReplicaFileDamaged(unsent: 0), at: 10_000)
                $0.open(opening, at: 20_000)
            }
            #expect(found == [1, 1], "\(opening)")
        }
        // An older version leaves the file alone, damaged or not, and the one that wrote it says so.
        for (opening, broken) in [(ReplicaOpening.rebuilt, 0), (.opened, 1)] {
            let found = checks {
                $0.add(ReplicaFileDamaged(unsent: 0), at: 10_000)
                $0.open(.refused, at: 20_000)
                $0.open(.refused, at: 30_000)
                $0.open(opening, at: 40_000)
                guard opening == .rebuilt else { return }
                $0.add(ReplicaDamageReported(saved: 0, isComplete: TraceFlag(true)), at: 40_000)
            }
            #expect(found == [2 - broken, broken], "\(opening)")
        }
        let silent = checks {
            $0.add(ReplicaFileDamaged(unsent: 0), at: 10_000)
            $0.open(.rebuilt, at: 20_000)
            $0.absence(30_000..<40_000)
        }
        #expect(silent == [2, 1])
        let early = checks {
            $0.add(ReplicaFileDamaged(unsent: 2), at: 10_000)
            $0.add(ReplicaDamageReported(saved: 2, isComplete: TraceFlag(true)), at: 20_000)
            $0.open(.rebuilt, at: 20_000)
        }
        #expect(early == [2, 0])
        // Where the disk has no room for a new file the damaged one waits for it.
        let roomless = checks {
            $0.add(ReplicaFileDamaged(unsent: 0), at: 10_000)
            $0.open(.noRoom, at: 20_000)
            $0.open(.noRoom, at: 50_000)
            $0.open(.rebuilt, at: 80_000)
            $0.add(ReplicaDamageReported(saved: 0, isComplete: TraceFlag(true)), at: 80_000)
        }
        #expect(roomless == [2, 0])
        // Nothing is known of a file that was not opened again; a sound one is not to be rebuilt.
        #expect(checks { $0.add(ReplicaFileDamaged(unsent: 2), at: 10_000) } == [0, 0])
        #expect(checks { $0.open(.rebuilt, at: 10_000) } == [1, 1])
        let alarm = checks {
            $0.add(ReplicaDamageReported(saved: 0, isComplete: TraceFlag(true)), at: 10_000)
        }
        #expect(alarm == [1, 1])
    }

    @Test("An app's word for how it stands is the record's")
    func statuses() {
        for status in ReplicaStatus.allCases {
            let shown = ReplicaStatusShown(status: status).status.value
            #expect(shown.map { "\($0)" } == "\(status)")
        }
        #expect(ShownReplicaStatus.allCases.count == ReplicaStatus.allCases.count)
    }

    @Test("The kinds of record keep their numbers, by which traces name them")
    func numbers() {
        let names = [
            "replica.opened", "replica.damage-told", "replica.written",
            "replica.unwritten", "replica.read", "primary.took", "primary.migrated",
            "primary.rolled-back", "replica.sides", "replica.status-shown", "replica.kept",
            "replica.file-damaged", "replica.token-found", "replica.schema-seen", "replica.asked",
            "primary.set-aside", "replica.reads-undone", "replica.ended-locked", "primary.refused",
            "replica.refusal-told",
        ]
        for (index, name) in names.enumerated() {
            let kind = Systems.shipped.forms.kind(named: name)
            #expect(kind == TraceKind(.replica, UInt8(index + 1)), "\(name)")
        }
    }
}
