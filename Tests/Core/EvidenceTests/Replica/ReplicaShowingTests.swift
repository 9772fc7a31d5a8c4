@testable import KodamaEvidence
@testable import KodamaReplica
import RealtimeVoice
import ReplicaSync
@testable import SansIO
import Testing

@Suite("Replica metrics: whether what an app shows is so")
struct ReplicaShowingTests {
    private func wrongs(_ scene: ReplicaScene) -> [Double]? {
        scene.findings().milliseconds("replica.status.wrong.time")
    }

    private func reports(_ scene: ReplicaScene) -> [Double]? {
        scene.findings().milliseconds("replica.outdated.report.time")
    }

    private func showing(_ status: ReplicaStatus, at milliseconds: Int64 = 500) -> ReplicaScene {
        var scene = ReplicaScene.opened()
        scene.add(ReplicaStatusShown(status: status), at: milliseconds)
        return scene
    }

    @Test("An app that shows that it is up to date is wrong while both sides differ (RP-03)")
    func synced() {
        var scene = showing(.synced)
        scene.differ(10_000..<11_024)
        #expect(wrongs(scene) == [1_024])
        // With another word it is right again, though no network says so.
        scene.outage(20_000..<40_000)
        scene.compare(false, at: 21_000)
        scene.add(ReplicaStatusShown(status: .syncing), at: 23_048)
        scene.add(ReplicaStatusShown(status: .offline), at: 24_000)
        scene.compare(true, at: 41_000)
        scene.add(ReplicaStatusShown(status: .synced), at: 41_000)
        #expect(wrongs(scene) == [1_024, 2_048])
        // To the run's end, if nothing ends it before.
        scene.compare(false, at: 97_000)
        #expect(wrongs(scene) == [1_024, 2_048, 3_000])
    }

    @Test("Many short times of a wrong word make a great share (RP-03, RP-04)")
    func shares() {
        var scene = showing(.synced)
        for start in stride(from: Int64(10_000), to: 40_000, by: 1_000) {
            scene.differ(start..<start + 500)
        }
        scene.add(SceneChanged(phase: .background), at: 60_000)
        let findings = scene.findings()
        #expect(findings.distribution("replica.status.wrong.time")?.maximum == 500_000_000)
        let expected: [Int64] = [15_000_000_000, 60_000_000_000]
        #expect(findings.proportion("replica.status.wrong.share") == expected)
        #expect(findings.proportion("replica.difference.share") == expected)
        // Time that did not count is in neither part of a share.
        scene.add(SceneChanged(phase: .active), at: 60_000)
        scene.unlock(isByUser: true, at: 90_000)
        let anew = scene.findings().proportion("replica.difference.share")
        #expect(anew == [15_000_000_000, 70_000_000_000])
    }

    @Test("What nobody can see is not wrong, and a new process shows nothing (RP-03)")
    func unseen() {
        var scene = showing(.synced)
        scene.add(SceneChanged(phase: .background), at: 10_000)
        scene.differ(12_000..<20_000)
        scene.compare(false, at: 25_000)
        scene.add(SceneChanged(phase: .active), at: 30_000)
        scene.add(AppTerminated(), at: 31_024)
        scene.add(AppLaunched(), at: 40_000)
        scene.open(.opened, at: 41_000)
        scene.compare(true, at: 50_000)
        #expect(wrongs(scene) == [1_024])
    }

    @Test("An app is wrong to call for an update that it does not need (RP-05)")
    func alarm() {
        var scene = showing(.outdated, at: 10_000)
        scene.add(ReplicaStatusShown(status: .synced), at: 11_024)
        #expect(wrongs(scene) == [1_024])
        #expect(reports(scene) == [])
    }

    @Test("An app whose schema is too old says so once it can know it (RP-05)")
    func outdated() {
        var scene = showing(.synced)
        scene.add(ReplicaSchemaSeen(version: 1, isWhole: TraceFlag(true)), at: 500)
        scene.add(primary: PrimaryMigrated(version: 1), at: 1_000)
        scene.outage(10_000..<20_000)
        scene.add(primary: PrimaryMigrated(version: 2), at: 15_000)
        var silent = scene
        scene.add(ReplicaStatusShown(status: .outdated), at: 21_024)
        #expect(reports(scene) == [1_024])
        #expect(wrongs(scene) == [])
        // It shows it still when it is back once more; the next process says it anew.
        scene.outage(30_000..<35_000)
        scene.absence(40_000..<50_000)
        scene.add(ReplicaSchemaSeen(version: 1, isWhole: TraceFlag(true)), at: 50_000)
        scene.add(ReplicaStatusShown(status: .outdated), at: 52_048)
        #expect(reports(scene) == [1_024, 2_048])
        // Whoever says nothing has been silent until the end, or until it is updated.
        #expect(reports(silent) == [80_000])
        silent.act(.updateReplicaApp, at: 40_000)
        silent.absence(40_000..<50_000)
        silent.add(ReplicaSchemaSeen(version: 2, isWhole: TraceFlag(true)), at: 50_000)
        #expect(reports(silent) == [20_000])
    }
}
