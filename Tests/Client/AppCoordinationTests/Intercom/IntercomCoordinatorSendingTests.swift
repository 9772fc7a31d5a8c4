import AppCoordination
import PeerTransport
import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("What the intercom app sends")
struct IntercomCoordinatorSendingTests {
    private typealias Effect = IntercomCoordinator.Effect

    @Test("The pre-roll goes out first, oldest frame first and marked as a burst (S-VAD-004, D-16)")
    func preRoll() throws {
        var story = Transcript(Scene.app())
        try story.expect(.groupChosen(Scene.group), at: .zero) {
            Effect.transport(.connect(Scene.group, path: .local))
            Effect.sound(.requestMicrophonePermission(OperationID(number: 1)))
        }
        for index in 0..<9 as Range<Int64> {
            try story.expect(Scene.captured(index, isSpeech: false), at: .milliseconds(20 * index))
        }
        // The pre-roll of ten frames holds a place for the frame that opens the spurt.
        for index in 9..<20 as Range<Int64> {
            try story.expect(Scene.captured(index, isSpeech: false), at: .milliseconds(20 * index))
            {
                .discardCaptured(FrameHandle(slot: UInt32(index - 9)))
            }
        }
        try story.expect(Scene.captured(20, isSpeech: true), at: .milliseconds(400)) {
            Effect.discardCaptured(FrameHandle(slot: 11))
            Effect.talkStateChanged(.attack(speechFrames: 1))
        }
        try story.expect(Scene.captured(21, isSpeech: true), at: .milliseconds(420)) {
            .discardCaptured(FrameHandle(slot: 12))
        }
        try story.expect(Scene.captured(22, isSpeech: true), at: .milliseconds(440)) {
            Scene.sent(13, sequence: 0, [.talkStart, .burst], isSpeech: false)
            (14...19).map { Scene.sent($0, sequence: UInt32($0 - 13), .burst, isSpeech: false) }
            (20...21).map { Scene.sent($0, sequence: UInt32($0 - 13), .burst, isSpeech: true) }
            Scene.sent(22, sequence: 9, [], isSpeech: true)
            Effect.talkStateChanged(.talking)
        }
    }

    @Test(
        "Connect, audio, control and disconnect are the whole of what a transport is told (S-ARCH-001)"
    )
    func transportVocabulary() {
        var play = Play(Scene.app())
        var told: [String] = []
        func note(_ effects: [Effect]) {
            for case .transport(let command) in effects {
                switch command {
                case .connect(Scene.group, .local): told.append("connect")
                case .sendAudioFrame: told.append("audio")
                case .sendControl(.endMark, nil, .local): told.append("end mark")
                case .sendControl(.keepalive, Scene.mika, .local): told.append("keepalive")
                case .disconnect(.local): told.append("disconnect")
                case .connect, .sendControl, .disconnect: told.append("something else")
                }
            }
        }
        note(play.send(.groupChosen(Scene.group), at: 0))
        note(play.send(Scene.joined(Scene.mika), at: 0))
        for index in 0..<3 as Range<Int64> {
            note(play.send(Scene.captured(index, isSpeech: true), at: 20 * index))
        }
        for index in 3..<20 as Range<Int64> {
            note(play.send(Scene.captured(index, isSpeech: false), at: 20 * index))
        }
        // The last voice went out at 340 ms, so one keepalive is due before 2 s.
        note(play.wake(until: 2_000).map(\.1))
        note(play.send(.groupLeft, at: 3_000))
        // Three frames of speech and 300 ms of release, each once.
        let audio = [String](repeating: "audio", count: 18)
        #expect(told == ["connect"] + audio + ["end mark", "keepalive", "disconnect"])
    }

    @Test("The last frame of a talk spurt carries the end, and an end mark repeats it (S-AUD-004)")
    func endMark() throws {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        for index in 0..<30 as Range<Int64> {
            play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
        }
        var effects: [IntercomCoordinator.Effect] = []
        for index in 30..<45 as Range<Int64> {
            #expect(!effects.contains { $0.isEndMark })
            effects = play.send(Scene.captured(index, isSpeech: false), at: 20 * index)
        }
        let mark = EndMark(
            streamID: Scene.ownStream,
            lastSequence: SerialNumber(44),
            lastCaptureIndex: SerialNumber(44)
        )
        #expect(
            effects == [
                Scene.sent(44, sequence: 44, .talkEnd, isSpeech: false),
                .transport(.sendControl(.endMark(mark), to: nil, path: .local)),
            ]
        )
    }

    @Test("A user who leaves while talking ends the spurt before disconnecting")
    func leavingWhileTalking() {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        for index in 0..<10 as Range<Int64> {
            play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
        }
        let mark = EndMark(
            streamID: Scene.ownStream,
            lastSequence: SerialNumber(9),
            lastCaptureIndex: SerialNumber(9)
        )
        #expect(
            play.send(.groupLeft, at: 200) == [
                .transport(.sendControl(.endMark(mark), to: nil, path: .local)),
                .talkStateChanged(.idle),
                .transport(.disconnect(path: .local)),
            ]
        )
    }

    @Test("Nothing is sent before a group is chosen, and every frame is given back")
    func noGroup() {
        var play = Play(Scene.app())
        var effects: [IntercomCoordinator.Effect] = []
        for index in 0..<50 as Range<Int64> {
            effects += play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
        }
        effects += play.send(.groupLeft, at: 1_000)
        #expect(effects.compactMap(\.frame).count == 50)
        #expect(!effects.contains { if case .transport = $0 { true } else { false } })
        #expect(play.driver.deadline == nil)
    }

    @Test("In silence each member gets a keepalive a second, and each echoes that member's own")
    func keepalives() throws {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        play.send(Scene.joined(Scene.taro), at: 10)
        play.send(Scene.joined(Scene.mika), at: 10)
        let theirs = Keepalive(
            streamID: Scene.mika.streamID,
            nextSequence: SerialNumber(0),
            lastCaptureIndex: SerialNumber(0),
            isTalking: false,
            sentMicroseconds: 777
        )
        play.send(
            .transport(.controlReceived(.keepalive(theirs), from: Scene.mika), path: .local),
            at: 400
        )
        let sent = play.wake(until: 2_500)
        #expect(sent.map(\.0.nanoseconds) == [1, 1, 2, 2].map { $0 * 1_000_000_000 })
        let echoes = try sent.map { try #require($0.1.keepalive) }
        #expect(echoes.map(\.peer) == [Scene.mika, Scene.taro, Scene.mika, Scene.taro])
        #expect(
            echoes.map(\.keepalive.echo) == [
                Keepalive.Echo(sentMicroseconds: 777, heldMicroseconds: 600_000), nil,
                Keepalive.Echo(sentMicroseconds: 777, heldMicroseconds: 1_600_000), nil,
            ]
        )
        #expect(echoes.map(\.keepalive.sentMicroseconds) == [1, 1, 2, 2].map { $0 * 1_000_000 })
    }

    @Test("After a talk spurt keepalives say that nobody talks any more (S-AUD-004)")
    func keepaliveAfterTalk() throws {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        play.send(Scene.joined(Scene.mika), at: 0)
        for index in 0..<40 as Range<Int64> {
            play.send(Scene.captured(index, isSpeech: index < 10), at: 20 * index)
        }
        let sent = play.wake(until: 2_500).compactMap(\.1.keepalive)
        #expect(!sent.isEmpty)
        #expect(sent.allSatisfy { !$0.keepalive.isTalking })
    }

    @Test("While somebody talks no keepalive goes out (S-VAD-002)")
    func voiceIsALifeSign() {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        play.send(Scene.joined(Scene.mika), at: 0)
        for index in 0..<200 as Range<Int64> {
            #expect(play.wake(until: 20 * index).isEmpty)
            play.send(Scene.captured(index, isSpeech: true), at: 20 * index)
        }
        #expect(play.wake(until: 20 * 199 + 1_000).count == 1)
    }
}

extension IntercomCoordinator.Effect {
    fileprivate var isEndMark: Bool {
        if case .transport(.sendControl(.endMark, _, _)) = self { true } else { false }
    }

    fileprivate var keepalive: (keepalive: Keepalive, peer: PeerID?)? {
        guard case .transport(.sendControl(.keepalive(let keepalive), let peer, _)) = self else {
            return nil
        }
        return (keepalive, peer)
    }
}
