@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
@testable import SansIO
import Testing

@Suite("What a session does against its user (K-22)")
struct SessionConductTests {
    /// A conversation from 1 s to 60 s that is connected all the time.
    private func scene(
        _ media: SessionScene.Media = .sized,
        heard: [Range<Int64>] = [1_000..<60_000]
    ) -> SessionScene {
        var scene = SessionScene(media)
        scene.add(AgentJoined(), at: 900)
        scene.show(.connected, at: 1_060)
        scene.hear(.fromPhone, heard)
        scene.hear(.toPhone, [1_000..<60_000])
        return scene
    }

    private func breaches(_ scene: SessionScene) -> Int64? {
        scene.findings(until: 60_000).total("conduct.breaches")
    }

    @Test(
        "Who is heard a second after the mute is heard too long",
        arguments: SessionScene.Media.allCases
    )
    func muted(_ media: SessionScene.Media) {
        for (until, count) in [(Int64(20_900), Int64(0)), (21_500, 1)] {
            var scene = scene(media, heard: [1_000..<until, 40_000..<60_000])
            scene.act(.mute, at: 20_000)
            scene.act(.unmute, at: 39_000)
            #expect(breaches(scene) == count)
            let broken = scene.broken(until: 60_000)["session.nobody-overhears"]
            #expect(broken == (count == 0 ? nil : 1))
        }
    }

    @Test("Who is heard in a phone call is overheard")
    func called() {
        for (heard, count) in [([1_000..<20_500, 45_000..<60_000], 1), ([1_000..<60_000], 2)]
            as [([Range<Int64>], Int64)]
        {
            var scene = scene(heard: heard)
            scene.act(.phoneCallBegins, at: 20_000)
            scene.act(.phoneCallEnds, at: 40_000)
            // The agent is heard in the call as well: one breach, whoever it is.
            #expect(breaches(scene) == min(count, 1))
        }
    }

    @Test(
        "A part that stays on while another has the audio is a breach",
        arguments: [SoundPart.renderer, .engine]
    )
    func taken(_ part: SoundPart) {
        for (off, count) in [(Int64(20_900), Int64(0)), (21_500, 1)] {
            var scene = scene(heard: [1_000..<20_000])
            scene.add(SoundOrdered(part: TraceWord(part), isOn: TraceFlag(true)), at: 1_000)
            scene.add(SoundTaken(isTaken: TraceFlag(true)), at: 20_000)
            scene.add(SoundOrdered(part: TraceWord(part), isOn: TraceFlag(false)), at: off)
            scene.add(SoundTaken(isTaken: TraceFlag(false)), at: 30_000)
            scene.add(SoundOrdered(part: TraceWord(part), isOn: TraceFlag(true)), at: 30_100)
            #expect(breaches(scene) == count)
        }
    }

    @Test("An app whose user asks for the conversation may try to have the audio (K-22, RS-04)")
    func askedFor() {
        for (act, count) in [(.connect, 0), (.tapNotification, 0), (nil, 1)]
            as [(UserAct?, Int64)]
        {
            var scene = scene(heard: [1_000..<20_000])
            for start in [20_000, 40_000] as [Int64] {
                scene.add(SoundTaken(isTaken: TraceFlag(true)), at: start)
                if let act { scene.act(act, at: start + 5_000) }
                let on = SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(true))
                scene.add(on, at: start + 5_000)
                scene.add(SceneChanged(phase: .active), at: start + 5_300)
                scene.add(SoundTaken(isTaken: TraceFlag(false)), at: start + 5_300)
                scene.add(
                    SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(false)),
                    at: start + 10_000
                )
            }
            #expect(breaches(scene) == count * 2)
        }
    }

    @Test("A track that stays open while another has the audio is a breach if it is heard (K-22)")
    func openTrack() {
        for (heard, count) in [(Int64(20_000), Int64(0)), (21_500, 1)] {
            var scene = scene(heard: [1_000..<heard])
            scene.add(SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(true)), at: 900)
            scene.add(SoundOrdered(part: TraceWord(.microphone), isOn: TraceFlag(true)), at: 1_000)
            scene.add(SoundTaken(isTaken: TraceFlag(true)), at: 20_000)
            scene.add(SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(false)), at: 20_000)
            scene.add(SoundTaken(isTaken: TraceFlag(false)), at: 30_000)
            #expect(breaches(scene) == count)
        }
    }

    @Test("A part that is on after the disconnect is a breach", arguments: SoundPart.allCases)
    func left(_ part: SoundPart) {
        for (isStopped, count) in [(true, Int64(0)), (false, 1)] {
            var scene = SessionScene()
            scene.add(SoundOrdered(part: TraceWord(part), isOn: TraceFlag(true)), at: 1_000)
            scene.act(.disconnect, at: 20_000)
            if isStopped {
                scene.add(SoundOrdered(part: TraceWord(part), isOn: TraceFlag(false)), at: 20_000)
            }
            #expect(breaches(scene) == count)
        }
    }

    @Test("The microphone's track ends with its room, the renderer does not (RS-05)")
    func roomEnds() {
        for (part, count) in [(SoundPart.microphone, Int64(0)), (.renderer, 1)] {
            var scene = SessionScene()
            scene.add(ConnectBegan(room: 1), at: 500)
            scene.add(SoundOrdered(part: TraceWord(part), isOn: TraceFlag(true)), at: 1_000)
            scene.act(.disconnect, at: 20_000)
            scene.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 20_000)
            #expect(breaches(scene) == count)
        }
    }

    @Test("Who returns to the app may try to have the audio again")
    func returns() {
        var scene = SessionScene()
        scene.add(SoundTaken(isTaken: TraceFlag(true)), at: 10_000)
        scene.add(SceneChanged(phase: .active), at: 20_000)
        scene.add(SoundOrdered(part: TraceWord(.engine), isOn: TraceFlag(true)), at: 20_000)
        #expect(breaches(scene) == 0)
    }

    @Test("How long a status goes on saying that voice is lost is measured (RS-08, D-06)")
    func status() {
        for until in [Int64(20_500), 25_200] {
            var scene = scene()
            scene.show(.reconnecting, at: 20_000)
            scene.show(.connected, at: until)
            let lag = scene.findings(until: 60_000).distribution("session.false_lost.time")
            #expect(lag?.maximum == (until - 20_000) * 1_000_000)
        }
    }

    @Test("A second agent beside the first shows that a retry joined another room (D-18)")
    func rooms() {
        var second = scene()
        second.add(AgentJoined(), at: 30_000)
        #expect(doubled(second) == 1)
        var after = scene()
        after.add(AgentClosed(reason: TraceWord(.roomClosed)), at: 29_000)
        after.add(AgentJoined(), at: 30_000)
        #expect(doubled(after) == 0)
        var anew = scene()
        anew.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 29_000)
        anew.add(AgentJoined(), at: 30_000)
        #expect(doubled(anew) == 0)
        for stage in [SessionStage.disconnected, .signedOut, .takenOver] {
            var ended = scene()
            ended.show(stage, at: 29_000)
            ended.add(AgentJoined(), at: 30_000)
            #expect(doubled(ended) == 0)
        }
    }

    private func doubled(_ scene: SessionScene) -> Int64? {
        scene.findings(until: 60_000).proportion("session.rooms.doubled")?.first
    }

    @Test("A stay in a room in the background lasts until the app lets go or comes back (D-05)")
    func background() {
        for (form, at) in [
            (RoomLeft(room: 1, manner: TraceWord(.disconnect)), 23_000),
            (SceneChanged(phase: .active), 25_000),
            (RoomDisconnected(room: 1, error: TraceWord(.network)), 22_000),
            (AppTerminated(), 21_000),
        ] as [(any TraceForm, Int64)] {
            var scene = SessionScene()
            scene.add(ConnectBegan(room: 1), at: 1_000)
            scene.add(SceneChanged(phase: .background), at: 20_000)
            scene.add(form, at: at)
            let stays = scene.findings(until: 60_000).distribution("session.background.room.time")
            #expect(stays?.count == 1)
            #expect(stays?.maximum == (at - 20_000) * 1_000_000)
        }
        var free = SessionScene()
        free.add(SceneChanged(phase: .background), at: 20_000)
        #expect(
            free.findings(until: 60_000).distribution("session.background.room.time")?.count ?? 0
                == 0
        )
    }

    private func stays(_ scene: SessionScene) -> [Double]? {
        scene.findings(until: 60_000).milliseconds("session.background.room.time")
    }

    @Test("A room that is joined in the background counts, all of them in one sum (RS-07, D-05)")
    func joinedInBackground() {
        var scene = SessionScene()
        scene.act(.leaveApp, at: 200)
        scene.add(SceneChanged(phase: .background), at: 1_000)
        scene.add(ConnectBegan(room: 1), at: 1_200)
        scene.add(ConnectEnded(room: 1, error: TraceWord(.network)), at: 5_200)
        scene.add(ConnectBegan(room: 2), at: 6_000)
        scene.act(.openApp, at: 20_000)
        scene.add(SceneChanged(phase: .inactive), at: 20_000)
        scene.add(SceneChanged(phase: .active), at: 20_300)
        #expect(stays(scene) == [18_000])
    }

    @Test("Who taps a notification in the background is in front before the app connects (RS-13)")
    func tapped() {
        var scene = SessionScene()
        scene.add(SceneChanged(phase: .background), at: 20_000)
        scene.act(.tapNotification, at: 30_000)
        scene.add(SceneChanged(phase: .inactive), at: 30_000)
        scene.add(ConnectBegan(room: 1), at: 30_000)
        scene.add(SceneChanged(phase: .active), at: 30_300)
        #expect(stays(scene) == [])
    }

    @Test("Who is heard from the background is there", arguments: SessionScene.Media.allCases)
    func heardInBackground(_ media: SessionScene.Media) {
        var first = scene(media, heard: [1_000..<25_000])
        first.add(SceneChanged(phase: .background), at: 20_000)
        #expect(stays(first) == [5_000])
        // What is captured as the run ends may be under way: it is not taken for heard.
        var last = scene(media, heard: [1_000..<59_500])
        last.add(SceneChanged(phase: .background), at: 59_500)
        #expect(stays(last) == [])
    }

    @Test("Each failure that the screen names is counted by its name (RS-08)")
    func shown() {
        var scene = SessionScene()
        scene.show(.tokenFailed, at: 1_000)
        scene.show(.connecting, at: 2_000)
        scene.show(.tokenFailed, at: 3_000)
        scene.show(.takenOver, at: 4_000)
        let findings = scene.findings(until: 9_000)
        #expect(findings.total("session.shown.token-failed") == 2)
        #expect(findings.total("session.shown.taken-over") == 1)
        #expect(findings.total("session.shown.engine-failed") == 0)
    }

    @Test("A promise without a transport is counted, and one over dead signalling is timed (RS-11)")
    func unfounded() {
        for (isShown, isEnded) in [(true, true), (true, false), (false, true)] {
            for lack in RoomLack.allCases {
                var scene = SessionScene()
                scene.show(isShown ? .connected : .reconnecting, at: 600)
                scene.talk(600..<70_000)
                scene.add(
                    RoomLacking(lack: TraceWord(lack), isLacking: TraceFlag(true)),
                    at: 20_000
                )
                if isEnded {
                    scene.add(
                        RoomLacking(lack: TraceWord(lack), isLacking: TraceFlag(false)),
                        at: 50_020
                    )
                }
                let findings = scene.findings(until: 60_000)
                let isHollow = lack == .transport && isShown
                #expect(findings.total("session.transportless") == (isHollow ? 1 : 0))
                let times = findings.distribution("session.signalling.unnoticed.time")
                let isTimed = lack == .signalling && isShown
                #expect(times?.count == (isTimed ? 1 : 0))
                let length: Int64 = isEnded ? 30_020_000_000 : 40_000_000_000
                #expect(times?.quantile(perMille: 1_000) == (isTimed ? length : nil))
            }
        }
    }
}
