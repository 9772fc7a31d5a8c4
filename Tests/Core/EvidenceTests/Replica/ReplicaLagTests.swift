@testable import KodamaEvidence
@testable import KodamaReplica
@testable import KodamaSession
import RealtimeVoice
@testable import SansIO
import Testing

@Suite("Replica metrics: how soon both sides are the same")
struct ReplicaLagTests {
    private func lags(_ scene: ReplicaScene, until milliseconds: Int64 = 100_000) -> [Double]? {
        scene.findings(until: milliseconds).milliseconds("replica.sync.lag")
    }

    private func differences(_ scene: ReplicaScene) -> [Double]? {
        scene.findings().milliseconds("replica.difference.time")
    }

    @Test("A lag goes from the return of the path to the same rows on both sides (K-18)")
    func path() throws {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.differ(12_000..<21_024)
        #expect(lags(scene) == [1_024])
        #expect(differences(scene) == [1_024])
        let results = RunMeter.of(scene.trace()).metrics
        let worst = try #require(results.first { $0.name == "replica.sync.lag" }?.worst)
        #expect(worst.component == "ada-phone.replica")
        #expect([worst.from, worst.until] == [20_000_000_000, 21_024_000_000])
    }

    @Test("A return to the same rows is no lag, nor is what becomes different afterwards (K-18)")
    func equal() {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.differ(12_000..<13_000)
        scene.differ(30_000..<31_024)
        #expect(lags(scene) == [])
        #expect(differences(scene) == [1_024])
    }

    @Test(
        "A file that the disk has no room for excuses the app for as long as it has none (K-18, D-12)"
    )
    func noRoom() {
        var scene = ReplicaScene.opened()
        for start in [10_000, 60_000] as [Int64] {
            scene.fault(.diskFull, of: "ada-phone", start..<start + 20_000)
            scene.add(AppTerminated(), at: start + 1_000)
            scene.add(AppLaunched(), at: start + 2_000)
            scene.open(.noRoom, at: start + 2_000)
            scene.compare(false, at: start + 5_000)
            scene.add(ReplicaRead(rows: 0, isServed: TraceFlag(false)), at: start + 10_000)
            scene.add(ReplicaRead(rows: 0, isServed: TraceFlag(false)), at: start + 25_000)
            scene.open(.opened, at: start + 30_000)
            scene.compare(true, at: start + 30_240)
        }
        #expect(differences(scene) == [10_240, 10_240])
        let findings = scene.findings()
        #expect(findings.total("replica.reads.failed") == 2)
        let reasons = findings.occasions("replica.reads.failed")?.exclusions
        #expect(reasons?.map(\.reason) == ["the disk had no room to open the file"])
        #expect(reasons?.map(\.count) == [2])
    }

    @Test("A file that an app cannot use excuses nothing; a later version's does (K-18, RP-05)")
    func unusable() {
        for (opening, isExcused) in [(ReplicaOpening.failed, false), (.refused, true)] {
            var scene = ReplicaScene.opened()
            scene.add(AppTerminated(), at: 1_000)
            scene.add(AppLaunched(), at: 2_000)
            scene.open(opening, at: 2_000)
            scene.differ(10_000..<20_240)
            #expect(differences(scene)?.contains(10_240) == !isExcused, "\(opening)")
        }
    }

    @Test("A lag ends with the same rows, however often they differ meanwhile (K-18)")
    func anew() {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.compare(false, at: 12_000)
        scene.compare(false, at: 20_500)
        scene.compare(true, at: 22_048)
        scene.differ(23_000..<24_024)
        #expect(lags(scene) == [2_048])
        #expect(differences(scene) == [1_024, 2_048])
    }

    @Test(
        "A phone that is online with a server that is away has not returned (K-18)",
        arguments: [WorldFault.silentAPI, .darkAPI]
    )
    func server(fault: WorldFault) {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.fault(fault, 15_000..<30_000)
        scene.differ(12_000..<31_024)
        #expect(lags(scene) == [1_024])
        #expect(differences(scene) == [1_024])
        // Another server's fault is none of the replica's.
        var other = ReplicaScene.opened()
        other.outage(10_000..<20_000)
        other.fault(.serverDark, 15_000..<30_000)
        other.differ(12_000..<21_024)
        #expect(lags(other) == [1_024])
    }

    @Test("An app that does not run returns when it is launched, be it for the first time (K-18)")
    func launch() {
        var scene = ReplicaScene()
        scene.add(AppLaunched(), at: 1_000)
        scene.open(.made, at: 1_500)
        scene.compare(false, at: 1_500)
        scene.compare(true, at: 2_024)
        #expect(lags(scene) == [1_024])
        scene.absence(10_000..<30_000)
        scene.outage(12_000..<20_000)
        scene.differ(12_000..<32_048)
        #expect(lags(scene) == [1_024, 2_048])
        #expect(differences(scene) == [524, 2_048])
    }

    @Test("An app in the background, which may not run, returns when it is in front again (K-18)")
    func background() {
        var scene = ReplicaScene.opened()
        scene.add(SceneChanged(phase: .background), at: 10_000)
        scene.add(SceneChanged(phase: .inactive), at: 30_000)
        scene.add(SceneChanged(phase: .active), at: 30_500)
        scene.differ(12_000..<31_024)
        #expect(lags(scene) == [1_024])
        // What it does there is to its credit.
        var early = ReplicaScene.opened()
        early.add(SceneChanged(phase: .background), at: 10_000)
        early.differ(12_000..<13_000)
        early.add(SceneChanged(phase: .active), at: 30_000)
        #expect(lags(early) == [])
        #expect(differences(early) == [])
    }

    @Test("A lag that something breaks goes on with the next return, however short it was (K-18)")
    func broken() {
        for length in [10, 1_000, 4_990, 5_000] as [Int64] {
            let end = 20_000 + length
            var scene = ReplicaScene.opened()
            scene.outage(10_000..<20_000)
            scene.compare(false, at: 12_000)
            #expect(lags(scene, until: end) == [Double(length)], "the run ends at \(end)")
            var again = scene
            again.outage(end..<90_000)
            again.compare(true, at: 90_500)
            #expect(lags(again) == [Double(length) + 500], "the path is lost at \(end)")
            scene.add(AppTerminated(), at: end)
            #expect(lags(scene) == [Double(length)], "the process ends at \(end)")
            #expect(scene.findings().occasions("replica.sync.lag")?.censoredCount == 1)
        }
    }

    @Test("A replica that never syncs in ten minutes of 4 s windows is measured as such (K-18)")
    func windows() {
        var scene = ReplicaScene.opened()
        scene.outage(0..<10_000)
        scene.write(1, at: 5_000)
        scene.compare(false, at: 5_000)
        for window in 1...60 as ClosedRange<Int64> {
            scene.outage(window * 10_000 + 4_000..<window * 10_000 + 10_000)
        }
        scene.add(ReplicaKept(write: 1), at: 610_000)
        let findings = scene.findings(until: 610_000)
        for metric in ["sync.lag", "difference.time", "write.arrival.time"] {
            let name = "replica.\(metric)"
            #expect(findings.milliseconds(name) == [240_000], "\(name)")
            #expect(findings.occasions(name)?.censoredCount == 1, "\(name)")
        }
        let share = findings.proportion("replica.difference.share")
        #expect(share == [240_000_000_000, 240_000_000_000])
        #expect(findings.addsUp)
    }

    @Test("What becomes equal while the app cannot exchange rows lasted while it could (K-18)")
    func undone() {
        var scene = ReplicaScene.opened()
        scene.outage(10_000..<20_000)
        scene.differ(12_000..<40_000)
        scene.outage(21_024..<50_000)
        #expect(lags(scene) == [1_024])
        #expect(differences(scene) == [1_024])
    }

    @Test("A run that ends while the phone is offline has no lag (K-18)")
    func offline() {
        var scene = ReplicaScene.opened()
        scene.add(PathLost(cause: .interface), at: 10_000)
        scene.write(1, at: 12_000)
        scene.compare(false, at: 12_000)
        scene.add(ReplicaKept(write: 1), at: 100_000)
        #expect(lags(scene) == [])
        #expect(differences(scene) == [])
        #expect(scene.findings().total("replica.writes.waiting") == 1)
    }

    @Test("Whoever is signed out returns by signing in, though nobody said so before (K-18, RP-01)")
    func signedOut() {
        var scene = ReplicaScene.opened()
        scene.act(.signOutOfReplica, at: 10_000)
        scene.differ(12_000..<31_024)
        scene.act(.signInToReplica, at: 30_000)
        #expect(lags(scene) == [1_024])
        var first = ReplicaScene()
        first.add(AppLaunched(), at: 0)
        first.open(.made, at: 0)
        first.differ(0..<31_024)
        first.act(.signInToReplica, at: 30_000)
        #expect(lags(first) == [1_024])
        #expect(differences(first) == [1_024])
        // Nor can an app exchange its owner's rows while somebody else is signed in.
        var guest = ReplicaScene.opened()
        guest.act(.signInToReplicaAsGuest, at: 10_000)
        guest.differ(12_000..<31_024)
        guest.absence(15_000..<20_000)
        guest.act(.signInToReplica, at: 30_000)
        #expect(lags(guest) == [1_024])
    }

    @Test("An app whose phone keeps its keychain locked returns when that works (K-18, RP-06)")
    func keychain() {
        var scene = ReplicaScene.opened(.phone, .pad)
        scene.fault(.secureStorage, of: "ada-phone", 10_000..<30_000)
        scene.differ(12_000..<31_024)
        scene.differ(of: .pad, 12_000..<14_048)
        #expect(lags(scene) == [1_024])
        #expect(differences(scene) == [1_024, 2_048])
        for isByUser in [false, true] {
            var first = ReplicaScene()
            first.add(AppLaunched(), at: 0)
            first.open(.made, at: 0)
            first.differ(0..<31_024)
            first.unlock(isByUser: isByUser, at: 30_000)
            #expect(lags(first) == [1_024])
        }
        // An unlock gives back a keychain of which no record says that it works.
        var unlocked = ReplicaScene.opened()
        unlocked.fault(.secureStorage, of: "ada-phone", 10_000..<60_000)
        unlocked.differ(12_000..<31_024)
        unlocked.unlock(isByUser: true, at: 30_000)
        #expect(lags(unlocked) == [1_024])
    }

    @Test("An app that is older than its primary returns with the version that is not (RP-05)")
    func outdated() {
        var scene = ReplicaScene.opened()
        scene.add(ReplicaSchemaSeen(version: 1, isWhole: TraceFlag(true)), at: 0)
        scene.add(primary: PrimaryMigrated(version: 1), at: 100)
        scene.outage(10_000..<20_000)
        scene.compare(false, at: 12_000)
        scene.add(primary: PrimaryMigrated(version: 2), at: 13_000)
        // Launched once more it is as old, and it is before it has opened its file, too.
        scene.add(AppTerminated(), at: 30_000)
        scene.add(AppLaunched(), at: 31_000)
        scene.open(.opened, at: 31_500)
        scene.add(ReplicaSchemaSeen(version: 1, isWhole: TraceFlag(true)), at: 31_500)
        #expect(lags(scene) == [])
        scene.act(.updateReplicaApp, at: 40_000)
        #expect(lags(scene) == [])
        scene.absence(40_000..<50_000)
        scene.add(ReplicaSchemaSeen(version: 2, isWhole: TraceFlag(true)), at: 50_500)
        scene.compare(true, at: 51_024)
        #expect(lags(scene) == [1_024])
        let worst = RunMeter.of(scene.trace()).metrics.first { $0.name == "replica.sync.lag" }?
            .worst
        #expect(worst?.from == 50_000_000_000)
        // Another user's primary does not matter.
        var other = ReplicaScene.opened()
        other.add(ReplicaSchemaSeen(version: 1, isWhole: TraceFlag(true)), at: 0)
        other.add(primary: PrimaryMigrated(version: 2, database: 1), about: .ren, at: 100)
        other.differ(12_000..<13_024)
        #expect(differences(other) == [1_024])
    }

    @Test("An app that leaves its file alone returns with the version that wrote it (K-18, RP-05)")
    func shut() {
        var scene = ReplicaScene.opened()
        scene.add(AppTerminated(), at: 10_000)
        scene.add(AppLaunched(), at: 12_000)
        scene.open(.refused, at: 12_000)
        scene.compare(false, at: 13_000)
        scene.absence(30_000..<40_000)
        scene.compare(true, at: 41_024)
        #expect(lags(scene) == [1_024])
        #expect(differences(scene) == [1_024])
    }

    @Test("Each phone of a user has lags of its own (K-18)")
    func phones() {
        var scene = ReplicaScene.opened(.phone, .pad)
        scene.outage(10_000..<20_000)
        scene.differ(of: .phone, 12_000..<21_024)
        // What the phone brings differs at the pad, which was there all the time.
        scene.differ(of: .pad, 20_500..<22_548)
        #expect(lags(scene) == [1_024])
        #expect(differences(scene) == [1_024, 2_048])
    }

    @Test("An app that is never launched gives no sample of anything")
    func never() {
        var scene = ReplicaScene()
        scene.outage(10_000..<20_000)
        scene.fault(.darkAPI, 5_000..<30_000)
        let findings = scene.findings()
        for metric in Systems.shipped.metrics where metric.name.hasPrefix("replica.") {
            #expect(findings.value(metric.name)?.samples == 0, "\(metric.name)")
        }
    }
}
