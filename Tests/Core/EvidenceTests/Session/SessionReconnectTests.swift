@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("Session metrics: losing and regaining the conversation")
struct SessionReconnectTests {
    typealias Media = SessionScene.Media

    /// Talk until an outage that begins at 10 s, and from `back` on.
    private func scene(_ media: Media, outage: Int64, back: Int64) -> SessionScene {
        var scene = SessionScene(media)
        scene.talk(1_000..<10_000, back..<200_000)
        scene.outage(10_000..<10_000 + outage)
        return scene
    }

    @Test(
        "A reconnect lasts from path lost to the ear's first sound, in either media mode (K-01a)",
        arguments: Media.allCases
    )
    func reconnect(media: Media) {
        let findings = scene(media, outage: 4_000, back: 17_000).findings(until: 100_000)
        #expect(findings.milliseconds("session.reconnect.time") == [7_060])
        #expect(findings.milliseconds("session.recovery.time") == [3_060])
        #expect(findings.milliseconds("session.reconnect.whole.time") == [7_060])
        #expect(findings.milliseconds("session.audio.lost.time") == [7_060])
        #expect(findings.milliseconds("session.connect.time") == [1_060])
        // Launched at 0, heard from 1,060 on: what follows is 98,940 ms.
        let share = findings.proportion("session.audio.lost.share")
        #expect(share == [7_060_000_000, 98_940_000_000])
        #expect(findings.total("session.unrecovered") == 0)
    }

    @Test(
        "An outage of 14.9 s asks for K-01a, one of 15.1 s only for K-01b",
        arguments: [(Int64(14_900), 1), (15_000, 1), (15_100, 0)]
    )
    func lengths(outage: Int64, count: Int) {
        let findings = scene(.sized, outage: outage, back: 30_000).findings(until: 100_000)
        #expect(findings.distribution("session.reconnect.time")?.count == count)
        #expect(
            findings.milliseconds("session.recovery.time") == [Double(30_060 - 10_000 - outage)]
        )
        #expect(findings.milliseconds("session.reconnect.whole.time") == [20_060])
    }

    @Test("A connect and a reconnect of the SDK are measured by themselves (K-02, RS-11)")
    func connections() {
        var scene = SessionScene()
        scene.add(ConnectBegan(room: 1), at: 400)
        scene.attempt(.connect, 400..<900)
        scene.add(ConnectEnded(room: 1, error: TraceWord(nil)), at: 920)
        scene.talk(1_000..<60_000)
        scene.add(LossDetected(room: 1, cause: TraceWord(.signalClosed)), at: 20_000)
        scene.attempt(.quick, 20_000..<21_000, failure: .socketBroken)
        scene.attempt(.quick, 21_300..<21_500)
        scene.add(LossDetected(room: 1, cause: TraceWord(.signalClosed)), at: 40_000)
        scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 41_000)
        let findings = scene.findings(until: 62_000)
        #expect(findings.milliseconds("session.room.connect.time") == [520])
        #expect(findings.milliseconds("session.signalling.reconnect.time") == [1_000, 1_500])
        #expect(findings.milliseconds("session.reconnect.whole.time") == [2_000])
    }

    @Test("Joins refused between two that succeed are counted (D-08)")
    func refusedJoins() {
        var scene = SessionScene()
        scene.attempt(.connect, 400..<900)
        scene.talk(1_000..<10_000)
        for start in [10_000, 11_000, 12_000] as [Int64] {
            scene.attempt(.quick, start..<start + 200, failure: .refused)
        }
        scene.attempt(.quick, 13_000..<13_200, failure: .socketTimeout)
        scene.attempt(.connect, 14_000..<14_500)
        scene.attempt(.connect, 20_000..<20_500)
        scene.attempt(.quick, 30_000..<30_200, failure: .refused)
        let findings = scene.findings(until: 62_000)
        let refused = findings.distribution("session.joins.refused")
        #expect(refused?.maximum == 3)
    }

    @Test("Gaps of 60 to 200 ms are no losses, and counted", arguments: Media.allCases)
    func clicks(media: Media) {
        var scene = SessionScene(media)
        scene.hear(.toPhone, [1_000..<10_000, 10_040..<20_000, 20_060..<30_000, 30_180..<60_000])
        scene.hear(.fromPhone, [1_000..<40_000, 40_200..<60_000])
        let findings = scene.findings(until: 61_000)
        #expect(findings.milliseconds("session.audio.clicks.time") == [60, 180])
        #expect(findings.distribution("session.reconnect.whole.time")?.count == 1)
    }

    @Test("A recovery takes no time if the audio was back before the path (K-01b)")
    func early() {
        let findings = scene(.sized, outage: 9_000, back: 15_000).findings(until: 100_000)
        #expect(findings.milliseconds("session.recovery.time") == [0])
        #expect(findings.milliseconds("session.reconnect.time") == [5_060])
    }

    @Test(
        "Signalling lost alone is no loss while both sides hear each other",
        arguments: Media.allCases
    )
    func signallingOnly(media: Media) {
        var scene = SessionScene(media)
        scene.talk(1_000..<200_000)
        scene.outage(10_000..<40_000, cause: .signalling)
        let findings = scene.findings(until: 100_000)
        for name in [
            "session.reconnect.time", "session.recovery.time", "session.reconnect.whole.time",
        ] {
            #expect(findings.value(name)?.samples == 0, "\(name)")
        }
        #expect(findings.milliseconds("session.audio.lost.time") == [0])
    }

    @Test("Without a lost path a loss counts from the first frame that is not heard")
    func noPath() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 12_000..<200_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.reconnect.time") == [2_060])
        #expect(findings.value("session.recovery.time")?.samples == 0)
    }

    @Test("Audio that stops with the path, its last sound under way, counts from path lost")
    func underWay() {
        for lead in [Int64(40), 1_000] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000 - lead, 12_000..<200_000)
            scene.outage(10_000..<11_000)
            #expect(
                scene.findings(until: 100_000).milliseconds("session.reconnect.time") == [2_060]
            )
        }
        var scene = SessionScene()
        scene.talk(1_000..<8_980, 12_000..<200_000)
        scene.outage(10_000..<11_000)
        #expect(scene.findings(until: 100_000).milliseconds("session.reconnect.time") == [3_080])
    }

    @Test("Three outages before the audio is back are one loss (flapping)")
    func flapping() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 22_000..<200_000)
        for start in [Int64(10_000), 13_000, 16_000] { scene.outage(start..<start + 2_000) }
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.reconnect.time") == [12_060])
        #expect(findings.milliseconds("session.recovery.time") == [4_060])
    }

    @Test("A path usable for 10 s ended its outage: the next one does not excuse the first")
    func secondChance() {
        var scene = SessionScene()
        scene.talk(1_000..<10_000, 50_000..<200_000)
        scene.outage(10_000..<20_000)
        scene.outage(30_000..<40_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.reconnect.time") == [20_060, 40_060])
        #expect(findings.milliseconds("session.recovery.time") == [10_060, 30_060])
        #expect(findings.milliseconds("session.reconnect.whole.time") == [40_060])
    }

    @Test(
        "One side alone is no conversation: a loss ends with the later one",
        arguments: Media.allCases
    )
    func oneWay(media: Media) {
        var scene = SessionScene(media)
        scene.hear(.fromPhone, [1_000..<10_000, 12_000..<200_000])
        scene.hear(.toPhone, [1_000..<10_000, 15_000..<200_000])
        scene.outage(10_000..<11_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.reconnect.time") == [5_060])
        #expect(findings.milliseconds("session.audio.lost.time") == [5_060])
    }

    @Test("A frame heard more than 1 s after its capture is not heard", arguments: Media.allCases)
    func late(media: Media) {
        for (delay, count) in [(Int64(1_000), 0), (1_020, 1)] {
            var scene = SessionScene(media)
            scene.hear(.fromPhone, [1_000..<10_000])
            scene.hear(.fromPhone, [10_000..<200_000], delay: delay)
            scene.hear(.toPhone, [1_000..<200_000])
            let findings = scene.findings(until: 100_000)
            #expect(findings.distribution("session.reconnect.time")?.count == count)
        }
    }

    @Test("Frames that others overtook on a faster path are heard all the same")
    func overtaken() {
        for (delay, samples) in [(Int64(1_000), [Double]()), (1_020, [800])] {
            var scene = SessionScene()
            scene.hear(.fromPhone, [1_000..<10_000, 10_740..<200_000])
            scene.hear(.fromPhone, [10_000..<10_740], delay: delay)
            scene.hear(.toPhone, [1_000..<200_000])
            let findings = scene.findings(until: 100_000)
            #expect(findings.milliseconds("session.reconnect.time") == samples)
        }
    }

    @Test("Less than 200 ms of missing sound is no loss", arguments: Media.allCases)
    func hiccup(media: Media) {
        for (missing, samples) in [(Int64(180), [Double]()), (200, [260])] {
            var scene = SessionScene(media)
            scene.hear(.fromPhone, [1_000..<10_000, 10_000 + missing..<200_000])
            scene.hear(.toPhone, [1_000..<200_000])
            let findings = scene.findings(until: 100_000)
            #expect(findings.milliseconds("session.reconnect.time") == samples)
        }
    }

    @Test(
        "A loss that never ends counts with its length so far (K-01a, K-01b)",
        arguments: Media.allCases
    )
    func endless(media: Media) {
        var scene = SessionScene(media)
        scene.talk(1_000..<10_000)
        scene.outage(10_000..<12_000)
        let soon = scene.findings(until: 21_000)
        #expect(soon.milliseconds("session.reconnect.time") == [11_000])
        #expect(soon.milliseconds("session.recovery.time") == [9_000])
        #expect(soon.occasions("session.recovery.time")?.censoredCount == 1)
        #expect(soon.occasions("session.unrecovered")?.censoredCount == 1)
        #expect(soon.total("session.unrecovered") == 0)
        let later = scene.findings(until: 41_000)
        #expect(later.milliseconds("session.reconnect.time") == [31_000])
        #expect(later.milliseconds("session.recovery.time") == [29_000])
        #expect(later.total("session.unrecovered") == 0)
        let last = scene.findings(until: 42_000)
        #expect(last.total("session.unrecovered") == 1)
        #expect(last.milliseconds("session.reconnect.whole.time") == [32_000])
    }

    @Test("A path still lost at the end excuses, one usable for 10 min is a miss whatever followed")
    func unrecovered() {
        var lost = SessionScene()
        lost.talk(1_000..<10_000)
        lost.add(PathLost(cause: .link), at: 10_000)
        let findings = lost.findings(until: 100_000)
        #expect(findings.total("session.unrecovered") == 0)
        #expect(findings.value("session.reconnect.time")?.samples == 0)
        #expect(findings.occasions("session.reconnect.whole.time")?.censoredCount == 1)

        for (back, count) in [(Int64(611_000), Int64(0)), (612_000, 1)] {
            var late = SessionScene(.reachability)
            late.talk(1_000..<10_000, back..<900_000)
            late.outage(10_000..<12_000)
            #expect(late.findings(until: 900_000).total("session.unrecovered") == count)
        }
    }

    @Test("While the app waits for its own server, which is gone, nothing is unrecovered")
    func unserved() {
        // A request that timed out proves nothing: the app gives up what it likes.
        for (isGone, isAsked, count) in [
            (true, true, 0), (true, false, 1), (false, true, 1),
        ] as [(Bool, Bool, Int64)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000)
            if isGone { scene.ownServerGone(12_000..<21_000) }
            if isAsked {
                scene.add(TokenRequested(operation: 1), at: 16_000)
                let timedOut = TokenAnswered(operation: 1, outcome: TraceWord(.timedOut))
                scene.add(timedOut, at: 21_000)
            }
            #expect(scene.findings(until: 45_000).total("session.unrecovered") == count)
            #expect(scene.findings(until: 52_000).total("session.unrecovered") == 1)
        }
    }

    @Test("What has to connect by a dead Wi-Fi is not unrecovered, a room is that is there (K-01b)")
    func stranded() {
        // Until 45 s, 33 s of a usable path are too many, and 19 s are not.
        for (isDead, leaves, isUp, count) in [
            (true, true, true, 0), (false, true, true, 1), (true, false, true, 1),
            (true, true, false, 1),
        ] as [(Bool, Bool, Bool, Int64)] {
            var scene = SessionScene()
            scene.add(ConnectBegan(room: 1), at: 500)
            scene.add(ConnectEnded(room: 1, error: TraceWord(nil)), at: 900)
            scene.talk(1_000..<10_000)
            if isDead { scene.wifiDead(12_000..<26_000) }
            // By another radio the system connects as soon as Wi-Fi has no network.
            if !isUp { scene.wifiDown(12_000..<26_000) }
            if leaves {
                scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 11_000)
            }
            #expect(scene.findings(until: 45_000).total("session.unrecovered") == count)
            #expect(scene.findings(until: 60_000).total("session.unrecovered") == 1)
        }
    }

    @Test("A Wi-Fi whose link stops, or holds everything back for over 5 s, is as dead (K-01b)")
    func strandedByLink() {
        for (change, seconds, count) in [(.stopped, 14, 0), (.jammed, 14, 0), (.jammed, 5, 1)]
            as [(LinkChange, Int64, Int64)]
        {
            var scene = SessionScene()
            scene.add(ConnectBegan(room: 1), at: 500)
            scene.add(ConnectEnded(room: 1, error: TraceWord(nil)), at: 900)
            scene.talk(1_000..<10_000)
            scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 11_000)
            scene.wifi(change, lasting: seconds, at: seconds == 14 ? 12_000 : 20_000)
            #expect(scene.findings(until: 45_000).total("session.unrecovered") == count)
        }
    }

    @Test("A recovery leaves out the time in which a full or closed server turned the app away")
    func serverShut() {
        // A full server answers; what breaks the socket is a closed port, or the phone's own path.
        for (fault, failure, recovery) in [
            (.serverFull, .refused, 6_060), (.portClosed, .socketBroken, 6_060),
            (.serverFull, .socketBroken, 20_060), (.serverFull, nil, 20_060),
            (nil, .refused, 20_060),
        ] as [(WorldFault?, AttemptFailure?, Double)] {
            var scene = scene(.sized, outage: 4_000, back: 34_000)
            if let fault { scene.serverShut(fault, 12_000..<28_000) }
            if let failure {
                scene.attempt(.connect, 15_000..<15_200, room: 2, failure: failure)
                scene.attempt(.connect, 24_000..<24_200, room: 3, failure: failure)
            }
            let findings = scene.findings(until: 100_000)
            #expect(findings.milliseconds("session.recovery.time") == [recovery])
        }
    }

    @Test("A drained server that starts anew lets people in again")
    func drainedAnew() {
        var scene = scene(.sized, outage: 4_000, back: 34_000)
        scene.serverShut(.serverDrained, 12_000..<28_000)
        scene.attempt(.connect, 13_000..<13_200, room: 2, failure: .refused)
        scene.restartServer(at: 14_000)
        let findings = scene.findings(until: 100_000)
        #expect(findings.milliseconds("session.recovery.time") == [20_060])
    }

    @Test("A recovery leaves out what the app asks its own server in vain, which is gone (K-01b)")
    func ownServerGone() {
        // Gone, and asked from 15 s on; not asked; asked, and there all the time.
        for (isGone, isAsked, samples) in [
            (true, true, 7_060), (true, false, 20_060), (false, true, 20_060),
        ] as [(Bool, Bool, Double)] {
            var scene = scene(.sized, outage: 4_000, back: 34_000)
            if isGone { scene.ownServerGone(12_000..<28_000) }
            if isAsked {
                // The second request is asked after a pause, and answered once the server is back.
                scene.add(TokenRequested(operation: 1), at: 15_000)
                let timedOut = TokenAnswered(operation: 1, outcome: TraceWord(.timedOut))
                scene.add(timedOut, at: 20_000)
                scene.add(TokenRequested(operation: 2), at: 24_000)
                let answered = TokenAnswered(operation: 2, outcome: TraceWord(number: 200))
                scene.add(answered, at: 29_000)
            }
            let findings = scene.findings(until: 100_000)
            #expect(findings.milliseconds("session.recovery.time") == [samples])
        }
    }

    @Test("Who connects without the token that they ask for in vain had one all the while (K-01b)")
    func needlessRequest() {
        // Connects while its server is gone, and asks again; once it is back; with a token from it.
        for (connectsAt, asksAgain, givenAt, samples) in [
            (18_000, false, nil, 20_060), (18_000, true, nil, 12_060),
            (30_000, false, nil, 20_060), (30_000, true, 29_000, 7_060),
        ] as [(Int64, Bool, Int64?, Double)] {
            var scene = scene(.sized, outage: 4_000, back: 34_000)
            scene.ownServerGone(12_000..<28_000)
            scene.add(TokenRequested(operation: 1), at: 15_000)
            let timedOut = TokenAnswered(operation: 1, outcome: TraceWord(.timedOut))
            scene.add(timedOut, at: 17_000)
            scene.add(ConnectBegan(room: 2), at: connectsAt)
            if asksAgain { scene.add(TokenRequested(operation: 2), at: 20_000) }
            if let givenAt {
                let answered = TokenAnswered(operation: 2, outcome: TraceWord(number: 200))
                scene.add(answered, at: givenAt)
            }
            let findings = scene.findings(until: 100_000)
            #expect(findings.milliseconds("session.recovery.time") == [samples])
        }
    }

    @Test("An outage of more than 10 min asks for no recovery time")
    func tooLong() {
        for (outage, count) in [(Int64(600_000), 1), (600_020, 0)] {
            var scene = SessionScene(.reachability)
            scene.talk(1_000..<10_000, 615_000..<900_000)
            scene.outage(10_000..<10_000 + outage)
            let findings = scene.findings(until: 900_000)
            #expect(findings.distribution("session.recovery.time")?.count == count)
        }
    }
}
