@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaPhone
import SansIO
import Testing

@Suite("What excuses a call once excuses it no more when it is over")
struct CallSecondCauseTests {
    /// A call that Ren answers at 5 s, connected from 6 s to 60 s, in which nobody is heard.
    private static func silent() -> CallScene {
        var scene = CallScene()
        scene.place(dialled: 1_000, placed: 1_500)
        scene.accept(at: 2_000)
        scene.ring(3_000..<5_000, .answered)
        scene.take(at: 5_200)
        scene.connect(6_000..<60_000)
        return scene
    }

    /// A fault of the world that keeps voice from passing.
    struct Cause: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let add: @Sendable (inout CallScene, Range<Int64>) -> Void
    }

    private static let radios = ["ren-phone/wifi", "ren-phone/cellular"]

    static let causes: [Cause] = [
        Cause(testDescription: "media cut") { $0.cutMedia($1) },
        Cause(testDescription: "a black hole") { $0.fault(.blackHole, $1) },
        Cause(testDescription: "media cut on both radios") { scene, time in
            for radio in radios { scene.cutMedia(on: radio, time) }
        },
        Cause(testDescription: "no network on one radio, media cut on the other") { scene, time in
            scene.radioDown(on: radios[0], time)
            scene.cutMedia(on: radios[1], time)
        },
        Cause(testDescription: "no network on both radios") { scene, time in
            for radio in radios { scene.radioDown(on: radio, time) }
        },
        Cause(testDescription: "an outage") { scene, time in scene.outage(time) },
    ]

    @Test(
        "A fault of the world excuses a silent call while it lasts, and at no other time (VP-05)",
        arguments: causes
    )
    func silence(cause: Cause) {
        func count(_ times: Range<Int64>...) -> Int64? {
            var scene = Self.silent()
            for time in times { cause.add(&scene, time) }
            return scene.findings().total("call.silent")
        }
        #expect(count() == 1, "without it the call counts")
        #expect(count(5_500..<61_000) == 0)
        #expect(count(2_000..<2_500) == 1, "one that was over before")
        #expect(count(2_000..<2_500, 3_000..<3_500) == 1)
        #expect(count(2_000..<2_500, 5_500..<61_000) == 0, "the second counts as one")
    }

    @Test("Two cuts that overlap last until both are over (VP-05)")
    func overlapping() {
        for (last, count) in [(61_000, 0), (30_000, 1)] as [(Int64, Int64)] {
            var scene = Self.silent()
            scene.fault(.blackHole, 5_500..<20_000)
            scene.cutMedia(6_500..<last)
            #expect(scene.findings().total("call.silent") == count)
        }
    }

    @Test("Do Not Disturb that is over, or another phone's, silences no push (K-16)")
    func focus() {
        func unrung(_ change: (inout CallScene) -> Void) -> Int64? {
            var scene = CallScene()
            scene.place(dialled: 1_000, placed: 1_500)
            scene.accept(.suspended, at: 2_000)
            change(&scene)
            scene.add(PushReceived(call: 1), at: 2_100)
            scene.end(.unanswered, at: 40_000)
            return scene.findings().total("call.unrung")
        }
        #expect(unrung { _ in } == 1)
        #expect(unrung { $0.focus(1_000..<60_000) } == 0)
        #expect(unrung { $0.focus(1_000..<1_500) } == 1, "it was over")
        #expect(unrung { $0.fault(.focus, on: "ren-pad", 1_000..<60_000) } == 1)
        #expect(
            unrung {
                $0.focus(500..<800)
                $0.focus(1_000..<60_000)
            } == 0
        )
        // It begins between the push and the app's word of the call; what the app says alone excuses nothing.
        let filtered = CallEnded(call: 1, reason: TraceWord(.filtered))
        for (begins, count) in [(2_500, 0), (4_000, 1)] as [(Int64, Int64)] {
            #expect(
                unrung {
                    $0.focus(begins..<60_000)
                    $0.add(filtered, of: .phone, at: 3_000)
                } == count
            )
        }
    }
}
