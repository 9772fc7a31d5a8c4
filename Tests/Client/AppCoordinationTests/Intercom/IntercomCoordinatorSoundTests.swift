import AppCoordination
import PeerTransport
import SansIO
import Testing
import VoiceActivity

@Suite("The intercom app when somebody else has the audio")
struct IntercomCoordinatorSoundTests {
    private static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// An app in its group with one member, whose engine runs.
    private static func inGroup() -> Play {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        play.send(.sound(.microphonePermissionAnswered(operation(1), isGranted: true)), at: 0)
        play.send(.sound(.voiceEngineAnswered(operation(2), isRunning: true)), at: 0)
        play.send(Scene.joined(Scene.mika), at: 0)
        return play
    }

    @Test("The microphone is asked for and the engine started when a group is chosen")
    func start() {
        var play = Play(Scene.app())
        let first = play.send(.groupChosen(Scene.group), at: 0)
        #expect(first.contains(.sound(.requestMicrophonePermission(Self.operation(1)))))
        let granted = SoundKeeper.Event.microphonePermissionAnswered(
            Self.operation(1),
            isGranted: true
        )
        #expect(
            play.send(.sound(granted), at: 0) == [
                .sound(.configureAudioSession(AudioSessionConfiguration())),
                .sound(.startVoiceEngine(Self.operation(2))),
            ]
        )
    }

    @Test("What is being said ends with a mark when a phone call takes the microphone")
    func endMark() {
        var play = Self.inGroup()
        for index in 0..<10 as Range<Int64> {
            play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
        }
        let taken = play.send(.sound(.audioSessionTaken), at: 200)
        let marks = taken.filter {
            if case .transport(.sendControl(.endMark, nil, .local)) = $0 { true } else { false }
        }
        #expect(marks.count == 1)
        #expect(taken.contains(.talkStateChanged(.idle)))
    }

    @Test("What comes in while the speaker is somebody else's is not kept for later")
    func nothingPilesUp() {
        var play = Self.inGroup()
        play.send(.sound(.audioSessionTaken), at: 100)
        for number in 0..<50 as Range<UInt32> {
            let frame = FrameHandle(slot: number)
            let event = Scene.voice(number, from: Scene.mika, frame: frame)
            let effects = play.send(event, at: 100 + 20 * Int64(number))
            #expect(effects == [.reject(frame, from: Scene.mika, nil)])
        }
        let again = Scene.voice(7, from: Scene.mika, frame: FrameHandle(slot: 99))
        play.send(.sound(.audioSessionReturned), at: 1_200)
        play.send(
            .sound(.voiceEngineAnswered(Self.operation(3), isRunning: true)),
            at: 1_200
        )
        #expect(
            play.send(again, at: 1_210)
                == [.reject(FrameHandle(slot: 99), from: Scene.mika, .duplicate)]
        )
        let new = Scene.voice(60, from: Scene.mika, frame: FrameHandle(slot: 60))
        #expect(play.send(new, at: 1_220).compactMap(\.frame).isEmpty)
    }

    /// Found by chance: a frame that the radio had lost came by the Internet when a headset was out.
    @Test("When the sound is back, what was said before what was heard is late (K-14)")
    func goesOn() {
        var play = Self.inGroup()
        #expect(play.hearTen(without: 3).contains(FrameHandle(slot: 9)))
        play.send(.sound(.audioSessionTaken), at: 400)
        play.send(.sound(.audioSessionReturned), at: 420)
        play.send(.sound(.voiceEngineAnswered(Self.operation(3), isRunning: true)), at: 420)
        let (late, new) = (FrameHandle(slot: 3), FrameHandle(slot: 30))
        let effects = play.send(Scene.voice(3, from: Scene.mika, frame: late), at: 430)
        #expect(effects.compactMap(\.frame) == [late])
        let kept = play.send(Scene.voice(30, from: Scene.mika, frame: new), at: 440)
        #expect(kept.compactMap(\.frame).isEmpty)
    }

    @Test("Who leaves the group during a call gives the sound back")
    func leaving() {
        var play = Self.inGroup()
        play.send(.sound(.audioSessionTaken), at: 100)
        let left = play.send(.groupLeft, at: 200)
        #expect(left.contains(.sound(.stopVoiceEngine)))
        let back = play.send(.groupChosen(Scene.group), at: 300)
        #expect(back.contains(.sound(.requestMicrophonePermission(Self.operation(3)))))
    }
}
