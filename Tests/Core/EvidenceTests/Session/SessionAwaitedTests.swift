@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
@testable import SansIO
import Testing

@Suite("Session metrics: what an app waits for its user for is not its own time")
struct SessionAwaitedTests {
    /// The waits for two-way audio in 100 s, in milliseconds.
    private func waits(_ scene: SessionScene, _ name: String) -> [Double]? {
        scene.findings(until: 100_000).milliseconds("session.\(name).time")
    }

    private func unrecovered(_ scene: SessionScene) -> Int64? {
        scene.findings(until: 100_000).total("session.unrecovered")
    }

    @Test("Who is asked to sign in and does not excuses the app, unless they are signed in (RS-12)")
    func neverSignsIn() {
        for (isSignedIn, samples) in [(false, [Double]()), (true, [100_000])] {
            var scene = SessionScene()
            scene.add(SignInShown(isSignedIn: TraceFlag(isSignedIn)), at: 1_200)
            #expect(waits(scene, "connect") == samples)
            #expect(unrecovered(scene) == Int64(samples.count))
        }
    }

    @Test("An app that is late to ask for the sign-in took that time itself (K-02)")
    func late() {
        var scene = SessionScene()
        scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 31_000)
        #expect(waits(scene, "connect") == [31_000])
    }

    @Test("The wait counts from the first sign-in, though another one follows (RS-12)")
    func swallowed() {
        for isShownAgain in [false, true] {
            var scene = SessionScene()
            scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200)
            scene.act(.signIn, at: 40_000)
            if isShownAgain { scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 40_200) }
            scene.act(.signIn, at: 75_000)
            scene.talk(77_000..<200_000)
            #expect(waits(scene, "connect") == [])
            #expect(waits(scene, "resume") == [2_060, 35_000])
            #expect(unrecovered(scene) == 1)
        }
    }

    @Test("A sign-in before there is one to answer is no try (RS-12)")
    func early() {
        var scene = SessionScene()
        scene.act(.signIn, at: 500)
        scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200)
        #expect(waits(scene, "connect") == [500])
        #expect(unrecovered(scene) == 0)
    }

    @Test("Whoever was heard and has to sign in anew is waited for as well (RS-12)")
    func expired() {
        for (isShown, count) in [(true, Int64(0)), (false, 1)] {
            var scene = SessionScene()
            scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200)
            scene.act(.signIn, at: 10_000)
            scene.talk(12_000..<30_000)
            if isShown { scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 30_500) }
            #expect(unrecovered(scene) == count)
        }
    }

    @Test("Whoever logs out and kills the app is signed out when it is opened again (RS-12)")
    func relaunched() {
        var scene = SessionScene()
        scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200)
        scene.act(.signIn, at: 10_000)
        scene.act(.logOut, at: 12_000)
        scene.act(.killApp, at: 13_000)
        scene.add(AppTerminated(), at: 13_000)
        scene.add(AppLaunched(), at: 20_000)
        scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 21_000)
        #expect(waits(scene, "connect") == [])
        #expect(unrecovered(scene) == 0)
    }

    @Test("The app waits for the microphone while its user is asked or refuses, no longer (RS-08)")
    func microphone() {
        let answers: [(MicrophoneState?, [Double], Int64)] = [
            (nil, [], 0), (.refused, [], 0), (.allowed, [61_000], 1),
        ]
        for (answer, samples, count) in answers {
            var scene = SessionScene()
            scene.add(MicrophoneChanged(state: .asked), at: 1_000)
            if let answer { scene.add(MicrophoneChanged(state: answer), at: 40_000) }
            #expect(waits(scene, "connect") == samples)
            #expect(unrecovered(scene) == count)
        }
        var allowed = SessionScene()
        allowed.add(MicrophoneChanged(state: .asked), at: 1_000)
        allowed.add(MicrophoneChanged(state: .allowed), at: 40_000)
        allowed.talk(42_000..<200_000)
        #expect(waits(allowed, "connect") == [3_060])
    }

    @Test("A refused microphone is one of that process: the next one has it (RS-08)")
    func allowedInSettings() {
        var scene = SessionScene()
        scene.add(MicrophoneChanged(state: .refused), at: 0)
        scene.act(.allowMicrophone, at: 40_000)
        scene.add(AppTerminated(), at: 40_000)
        scene.add(AppLaunched(), at: 50_000)
        #expect(waits(scene, "connect") == [50_000])
        #expect(unrecovered(scene) == 1)
    }

    @Test("Whoever starts the app while the keychain fails has to ask for the conversation again")
    func keychain() {
        // Fails at the start; fails later; fails, and the user asks again when it works, or before.
        for (failure, asksAt, count) in [
            (21_000..<70_000, nil, 0), (30_000..<70_000, nil, 1), (21_000..<40_000, 50_000, 1),
            (21_000..<70_000, 50_000, 0),
        ] as [(Range<Int64>, Int64?, Int64)] {
            var scene = SessionScene()
            scene.talk(1_000..<20_000)
            scene.act(.killApp, at: 20_000)
            scene.add(AppTerminated(), at: 20_000)
            scene.keychainFails(failure)
            scene.add(AppLaunched(), at: 25_000)
            scene.add(SceneChanged(phase: .active), at: 25_400)
            if let asksAt { scene.act(.connect, at: asksAt) }
            #expect(unrecovered(scene) == count)
        }
    }

    @Test("An app that connects has read the keychain, and is excused by it no more (K-01b)")
    func keychainRead() {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 46_000..<60_000)
        scene.act(.killApp, at: 20_000)
        scene.add(AppTerminated(), at: 20_000)
        scene.keychainFails(21_000..<40_000)
        scene.add(AppLaunched(), at: 25_000)
        scene.add(SceneChanged(phase: .active), at: 25_400)
        scene.add(ConnectBegan(room: 2), at: 45_000)
        #expect(unrecovered(scene) == 1)
    }

    @Test("Whoever opens an app whose engine does not start has to ask for it again (RS-08)")
    func engine() {
        /// An app that was opened while the engine fails, and is refused it at 26 s.
        func opened(_ failure: Range<Int64>, _ change: (inout SessionScene) -> Void) -> Int64? {
            var scene = SessionScene()
            scene.talk(1_000..<20_000)
            scene.act(.leaveApp, at: 20_000)
            scene.engineFails(failure)
            scene.act(.openApp, at: 25_000)
            change(&scene)
            return unrecovered(scene)
        }
        func refuse(_ scene: inout SessionScene, at instant: Int64) {
            let engine = TraceWord(SoundPart.engine)
            scene.add(SoundOrdered(part: engine, isOn: TraceFlag(true)), at: instant)
            scene.add(SoundOrdered(part: engine, isOn: TraceFlag(false)), at: instant)
        }
        #expect(opened(21_000..<90_000) { refuse(&$0, at: 26_000) } == 0)
        // Refused before the engine failed; refused in a conversation that goes on; asked for again.
        #expect(opened(27_000..<90_000) { refuse(&$0, at: 26_000) } == 1)
        let inConversation = opened(21_000..<90_000) {
            $0.add(ConnectBegan(room: 2), at: 25_500)
            refuse(&$0, at: 26_000)
        }
        #expect(inConversation == 1)
        for asks in [UserAct.connect, .tapNotification] {
            let isAskedFor = opened(21_000..<90_000) {
                refuse(&$0, at: 26_000)
                $0.act(asks, at: 50_000)
            }
            #expect(isAskedFor == 1, "\(asks)")
        }
        // Tried every 5 s in it, until the end or until the app gives up; the engine works again at 60 s.
        for (failure, triesUntil, count) in [
            (21_000..<90_000, 90_000, 0), (21_000..<90_000, 40_000, 1),
            (21_000..<60_000, 60_000, 1),
        ] as [(Range<Int64>, Int64, Int64)] {
            let isTried = opened(failure) { scene in
                scene.add(ConnectBegan(room: 2), at: 25_500)
                for instant in stride(from: Int64(26_000), to: triesUntil, by: 5_000) {
                    refuse(&scene, at: instant)
                }
            }
            #expect(isTried == count, "\(failure), tried until \(triesUntil)")
        }
        // In vain a second time.
        let twice = opened(21_000..<90_000) {
            refuse(&$0, at: 26_000)
            $0.act(.connect, at: 50_000)
            refuse(&$0, at: 50_400)
        }
        #expect(twice == 0)
    }

    @Test("Control Centre over an app before it is active is for its user to put away (RS-07)")
    func covered() {
        // Never put away; put away; pulled over an app that was active.
        for (activeAt, putAwayAt, count) in [
            (nil, nil, 0), (50_000, 50_000, 1), (25_050, nil, 1), (nil, 80_000, 0),
        ] as [(Int64?, Int64?, Int64)] {
            var scene = SessionScene()
            scene.talk(1_000..<20_000)
            scene.act(.lock, at: 20_000)
            scene.add(SceneChanged(phase: .background), at: 20_300)
            scene.act(.openApp, at: 25_000)
            scene.add(SceneChanged(phase: .inactive), at: 25_000)
            if let activeAt, activeAt < 25_100 {
                scene.add(SceneChanged(phase: .active), at: activeAt)
            }
            scene.act(.openControlCentre, at: 25_100)
            if let putAwayAt { scene.act(.closeControlCentre, at: putAwayAt) }
            if let activeAt, activeAt > 25_100 {
                scene.add(SceneChanged(phase: .active), at: activeAt)
            }
            #expect(unrecovered(scene) == count, "active at \(activeAt ?? -1)")
        }
    }

    @Test("A room to which no agent is called and that holds none is no fault of the app's (D-18)")
    func agents() {
        func unrecovered(_ change: (inout SessionScene) -> Void) -> Int64? {
            var scene = SessionScene()
            scene.talk(1_000..<20_000)
            change(&scene)
            return self.unrecovered(scene)
        }
        #expect(unrecovered { $0.agentsAway(20_000..<75_000) } == 0)
        #expect(unrecovered { $0.agentsAway(20_000..<65_000) } == 1)
        let nanoseconds: Int64 = 55_000_000_000
        let skipped = FaultBegan(fault: .agentSkips, parameter: nanoseconds)
        #expect(unrecovered { $0.add(skipped, at: 20_000) } == 0)
        // One came all the same.
        let attended = unrecovered {
            $0.add(skipped, at: 20_000)
            $0.add(AgentJoined(), at: 30_000)
        }
        #expect(attended == 1)
        let left = unrecovered {
            $0.add(skipped, at: 20_000)
            $0.add(AgentJoined(), at: 21_000)
            $0.add(AgentClosed(reason: TraceWord(.unknownReason)), at: 22_000)
        }
        #expect(left == 0)
    }

    @Test("A room server that let nobody in and turned the app away is excused (K-01b)")
    func shutOut() {
        // The last one asked nobody while it was shut.
        for (until, isTurnedAway, count) in [(75, true, 0), (65, true, 1), (75, false, 1)] {
            var scene = SessionScene()
            scene.talk(1_000..<20_000)
            scene.serverShut(.portClosed, 20_000..<Int64(until * 1_000))
            if isTurnedAway {
                scene.attempt(.connect, 30_000..<30_020, room: 2, failure: .socketBroken)
            }
            #expect(unrecovered(scene) == Int64(count))
        }
    }

    @Test("Who comes back where there is no path waits for the app from when there is one (RS-06)")
    func returnsWithoutPath() {
        // A path that is there for less than 10 s is none.
        for (between, wait) in [
            (nil, 2_060), (31_000..<40_980, 2_060), (31_000..<41_000, 16_060),
        ] as [(Range<Int64>?, Double)] {
            var scene = SessionScene()
            scene.talk(1_000..<10_000, 47_000..<200_000)
            scene.act(.disconnect, at: 10_000)
            scene.outage(20_000..<(between?.lowerBound ?? 45_000))
            if let between { scene.outage(between.upperBound..<45_000) }
            scene.act(.connect, at: 30_000)
            #expect(waits(scene, "resume") == [wait])
            #expect(unrecovered(scene) == 0)
        }
    }

    @Test("A path that comes back while the user is waited for asks for no recovery (K-01b)")
    func recovery() {
        for (isAsked, samples) in [(true, [Double]()), (false, [80_000])] {
            var scene = SessionScene()
            if isAsked { scene.add(SignInShown(isSignedIn: TraceFlag(false)), at: 1_200) }
            scene.outage(10_000..<20_000)
            #expect(waits(scene, "recovery") == samples)
        }
    }
}
