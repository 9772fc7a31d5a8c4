@testable import KodamaEvidence
import Testing

@Suite("Music and headsets beside an app that talks (A-F-001, A-F-002)")
struct PhoneMeterTests {
    private func findings(_ add: (inout TraceBuilder) -> Void) -> Findings {
        var builder = TraceBuilder(["a", "b"])
        add(&builder)
        builder.end(at: 60_000)
        return Findings(builder.trace)
    }

    private func music(_ isPlaying: Bool, wanted: Bool = true, call: Bool = false) -> MusicChanged {
        MusicChanged(isWanted: wanted, isPlaying: isPlaying, isTakenByCall: call)
    }

    private func route(used: Bool, attached: Bool = true, running: Bool = true) -> AudioRouted {
        AudioRouted(isAttached: attached, isUsed: used, isRunning: running)
    }

    @Test(
        "Music that is wanted and does not play is stopped, but for calls, phone by phone (A-F-001)"
    )
    func stopped() {
        let found = findings { builder in
            builder.add(music(true), at: 1_000, "a")
            builder.add(music(false), at: 2_000, "a")
            builder.add(music(false, call: true), at: 3_024, "a")
            builder.add(music(false), at: 10_000, "a")
            builder.add(music(true), at: 11_024, "a")
            builder.add(music(false, wanted: false), at: 20_000, "a")
            builder.add(music(true), at: 5_000, "b")
        }
        #expect(found.milliseconds("phone.music.stopped.time") == [0, 2_048])
    }

    @Test("Music that is stopped at the end counts until then (A-F-001)")
    func stoppedToTheEnd() {
        let found = findings { $0.add(music(false), at: 57_952, "a") }
        #expect(found.milliseconds("phone.music.stopped.time") == [2_048])
    }

    @Test("A headset is unused while an app sounds elsewhere, and only while it is there (A-F-002)")
    func unused() {
        let found = findings { builder in
            builder.add(route(used: false, running: false), at: 1_000, "a")
            builder.add(route(used: false), at: 4_000, "a")
            builder.add(route(used: true), at: 5_024, "a")
            builder.add(route(used: false), at: 9_000, "a")
            builder.add(route(used: false, attached: false), at: 10_024, "a")
        }
        #expect(found.milliseconds("phone.headset.unused.time") == [2_048])
        #expect(found.milliseconds("phone.music.stopped.time") == [])
    }
}
