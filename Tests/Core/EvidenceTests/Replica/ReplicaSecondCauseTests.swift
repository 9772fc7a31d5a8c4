@testable import KodamaEvidence
@testable import KodamaReplica
@testable import KodamaSession
import RealtimeVoice
@testable import SansIO
import Testing

@Suite("What keeps a replica from its primary once is no excuse when it is over (K-18)")
struct ReplicaSecondCauseTests {
    /// A fault of the world, or what its user does, that keeps an app from exchanging rows.
    struct Cause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let add: @Sendable (inout ReplicaScene, Range<Int64>) -> Void
    }

    static let causes: [Cause] = [
        Cause(testDescription: "a silent server") { $0.fault(.silentAPI, $1) },
        Cause(testDescription: "a dark server") { $0.fault(.darkAPI, $1) },
        Cause(testDescription: "a keychain") { $0.fault(.secureStorage, of: "ada-phone", $1) },
        Cause(testDescription: "an outage") { scene, time in scene.outage(time) },
        Cause(testDescription: "a process") { scene, time in scene.absence(time) },
        Cause(testDescription: "the background") { scene, time in
            scene.add(SceneChanged(phase: .background), at: time.lowerBound)
            scene.add(SceneChanged(phase: .active), at: time.upperBound)
        },
        Cause(testDescription: "a user who is signed out") { scene, time in
            scene.act(.signOutOfReplica, at: time.lowerBound)
            scene.act(.signInToReplica, at: time.upperBound)
        },
    ]

    @Test(
        "A difference counts from the end of what kept the app from it, and in full without that (K-18)",
        arguments: causes
    )
    func difference(cause: Cause) {
        func times(_ spans: Range<Int64>...) -> [Double]? {
            var scene = ReplicaScene.opened()
            for span in spans { cause.add(&scene, span) }
            scene.differ(12_000..<31_024)
            return scene.findings().milliseconds("replica.difference.time")
        }
        // To the precision in which a distribution keeps its samples.
        let whole = times()
        #expect(whole.map { $0.count == 1 && abs($0[0] - 19_024) < 20 } == true, "all of it counts")
        #expect(times(10_000..<30_000) == [1_024])
        #expect(times(2_000..<4_000) == whole, "one that was over before")
        #expect(times(2_000..<4_000, 10_000..<30_000) == [1_024], "the second counts as one")
        #expect(times(2_000..<4_000, 5_000..<7_000) == whole)
    }

    @Test("Two causes at once last until both are over (K-18)")
    func both() {
        for (one, other) in [(WorldFault.silentAPI, .darkAPI), (.darkAPI, .silentAPI)]
            as [(WorldFault, WorldFault)]
        {
            var scene = ReplicaScene.opened()
            scene.fault(one, 10_000..<20_000)
            scene.fault(other, 15_000..<30_000)
            scene.differ(12_000..<31_024)
            let times = scene.findings().milliseconds("replica.difference.time")
            #expect(times == [1_024])
        }
    }
}
