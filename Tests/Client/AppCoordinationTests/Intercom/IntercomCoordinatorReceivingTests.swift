import AppCoordination
import PeerTransport
import SansIO
import Testing

@Suite("What the intercom app receives")
struct IntercomCoordinatorReceivingTests {
    private static func inGroup(_ members: [PeerID]) -> Play {
        var play = Play(Scene.app())
        play.send(.groupChosen(Scene.group), at: 0)
        for member in members { play.send(Scene.joined(member), at: 0) }
        return play
    }

    @Test("A copy of a frame is refused, by whichever path it comes (S-HO-004, K-14)")
    func duplicates() {
        var play = Self.inGroup([Scene.mika])
        let (first, copy) = (FrameHandle(slot: 1), FrameHandle(slot: 2))
        let event = Scene.voice(5, from: Scene.mika, frame: first)
        #expect(play.send(event, at: 100).compactMap(\.frame).isEmpty)
        let again = Scene.voice(5, from: Scene.mika, frame: copy, path: .internet)
        #expect(play.send(again, at: 110) == [.reject(copy, from: Scene.mika, .duplicate)])
    }

    @Test("What comes by the radio and by the Internet makes the same orders (S-ARCH-001)")
    func pathsAlike() {
        func orders(by path: TransportPath) -> [IntercomCoordinator.Effect] {
            var play = Play(Scene.app())
            var orders = play.send(.groupChosen(Scene.group), at: 0)
            orders += play.send(.transport(.peerJoined(Scene.mika), path: path), at: 0)
            for number in 0..<30 as Range<UInt32> {
                let time = 20 * Int64(number)
                let voice = Scene.voice(
                    number,
                    from: Scene.mika,
                    frame: FrameHandle(slot: 100 + number),
                    path: path
                )
                // One is lost.
                if number != 7 { orders += play.send(voice, at: time) }
                let own = Scene.captured(Int64(number), isSpeech: number < 12)
                orders += play.send(own, at: time)
                orders += play.send(.renderRequested(samples: 960), at: time + 10)
            }
            orders += play.send(.transport(.refused(from: Scene.mika), path: path), at: 600)
            orders += play.send(.transport(.peerLeft(Scene.mika), path: path), at: 610)
            return orders + play.send(.groupLeft, at: 700)
        }
        let local = orders(by: .local)
        #expect(local == orders(by: .internet))
        let isHeard = local.contains { effect in
            if case .playout(_, .play) = effect { true } else { false }
        }
        #expect(isHeard)
    }

    @Test("A frame heard before its sender left and came back is not heard again (K-14)")
    func duplicatesAfterReturn() {
        var play = Self.inGroup([Scene.mika])
        let (first, copy, next) = (FrameHandle(slot: 1), FrameHandle(slot: 2), FrameHandle(slot: 3))
        play.send(Scene.voice(5, from: Scene.mika, frame: first), at: 100)
        play.send(Scene.left(Scene.mika), at: 110)
        play.send(Scene.joined(Scene.mika), at: 120)
        let again = Scene.voice(5, from: Scene.mika, frame: copy)
        #expect(play.send(again, at: 130) == [.reject(copy, from: Scene.mika, .duplicate)])
        let new = Scene.voice(6, from: Scene.mika, frame: next)
        #expect(play.send(new, at: 140).compactMap(\.frame).isEmpty)
    }

    @Test("What was heard between two departures is known after the second (K-14)")
    func duplicatesAfterTwoReturns() {
        var play = Self.inGroup([Scene.mika])
        for (round, sequence) in [(0 as Int64, 5 as UInt32), (1, 6)] {
            let frame = FrameHandle(slot: UInt32(round))
            play.send(Scene.voice(sequence, from: Scene.mika, frame: frame), at: 100 + 100 * round)
            play.send(Scene.left(Scene.mika), at: 110 + 100 * round)
            play.send(Scene.joined(Scene.mika), at: 120 + 100 * round)
        }
        let copy = FrameHandle(slot: 3)
        let again = Scene.voice(6, from: Scene.mika, frame: copy)
        #expect(play.send(again, at: 300) == [.reject(copy, from: Scene.mika, .duplicate)])
    }

    @Test("Of who left and came back, what was said before what was heard is late (K-14)")
    func lateAfterReturn() {
        var play = Self.inGroup([Scene.mika])
        #expect(play.hearTen(without: 3).contains(FrameHandle(slot: 9)))
        play.send(Scene.left(Scene.mika), at: 400)
        play.send(Scene.joined(Scene.mika), at: 410)
        let (late, new) = (FrameHandle(slot: 3), FrameHandle(slot: 30))
        let effects = play.send(Scene.voice(3, from: Scene.mika, frame: late), at: 430)
        #expect(effects.compactMap(\.frame) == [late])
        let kept = play.send(Scene.voice(30, from: Scene.mika, frame: new), at: 440)
        #expect(kept.compactMap(\.frame).isEmpty)
    }

    @Test("A frame from before the window of known frames is refused as stale")
    func stale() {
        var play = Self.inGroup([Scene.mika])
        let (new, old) = (FrameHandle(slot: 1), FrameHandle(slot: 2))
        play.send(Scene.voice(1_000, from: Scene.mika, frame: new), at: 100)
        let event = Scene.voice(744, from: Scene.mika, frame: old)
        #expect(play.send(event, at: 110) == [.reject(old, from: Scene.mika, .stale)])
    }

    @Test("Copies tell the jitter buffer how slow the second path is (S-HO-004, D-15)")
    func copiesMoveTheTarget() {
        var play = Self.inGroup([Scene.mika])
        var targets: [Duration] = []
        for number in 0..<100 as Range<UInt32> {
            let now = Int64(number) * 20 + 30
            let frame = FrameHandle(slot: 2 * number)
            play.send(Scene.voice(number, from: Scene.mika, frame: frame), at: now)
            // The slow path delivers four copies at a time, so the oldest of them is 60 ms late.
            guard number >= 10, number % 4 == 0 else { continue }
            for copied in number - 10...number - 7 {
                let slot = FrameHandle(slot: 2 * copied + 1)
                let copy = Scene.voice(copied, from: Scene.mika, frame: slot, path: .internet)
                for effect in play.send(copy, at: now) {
                    if case .playout(Scene.mika, .targetChanged(let target)) = effect {
                        targets.append(target)
                    }
                }
            }
        }
        #expect(targets.last ?? .zero >= .milliseconds(60))
    }

    @Test("A stranger's frame and one of a foreign stream are refused")
    func strangers() {
        var play = Self.inGroup([Scene.mika])
        let (one, two) = (FrameHandle(slot: 1), FrameHandle(slot: 2))
        let stranger = Scene.voice(1, from: Scene.taro, frame: one)
        #expect(play.send(stranger, at: 10) == [.reject(one, from: Scene.taro, nil)])
        let foreign = Scene.voice(1, stream: 77, from: Scene.mika, frame: two)
        #expect(play.send(foreign, at: 20) == [.reject(two, from: Scene.mika, nil)])
    }

    @Test("Whoever leaves takes their waiting frames along; others' frames stay")
    func parting() {
        var play = Self.inGroup([Scene.mika, Scene.taro])
        for number in 0..<3 as Range<UInt32> {
            let frames = (FrameHandle(slot: number), FrameHandle(slot: 10 + number))
            play.send(Scene.voice(number, from: Scene.mika, frame: frames.0), at: 100)
            play.send(Scene.voice(number, from: Scene.taro, frame: frames.1), at: 100)
        }
        let effects = play.send(Scene.left(Scene.mika), at: 110)
        #expect(effects.compactMap(\.frame?.slot) == [0, 1, 2])
        let late = FrameHandle(slot: 20)
        let event = Scene.voice(3, from: Scene.mika, frame: late)
        #expect(play.send(event, at: 120) == [.reject(late, from: Scene.mika, nil)])
        #expect(play.send(.groupLeft, at: 130).compactMap(\.frame?.slot) == [10, 11, 12])
    }

    @Test("Leaving the group gives back every frame, captured or received (law L11)")
    func leaving() {
        var play = Self.inGroup([Scene.mika, Scene.taro])
        for index in 0..<5 as Range<Int64> {
            play.send(Scene.captured(index, isSpeech: false), at: 20 * index)
        }
        for number in 0..<4 as Range<UInt32> {
            let frame = FrameHandle(slot: 100 + number)
            play.send(Scene.voice(number, from: Scene.taro, frame: frame), at: 100)
        }
        let slots = play.send(.groupLeft, at: 110).compactMap(\.frame?.slot)
        #expect(slots == [0, 1, 2, 3, 4, 100, 101, 102, 103])
        #expect(play.send(.groupLeft, at: 120).isEmpty)
    }

    @Test("Choosing another group leaves the first; its members are strangers there (A-F-018)")
    func changingGroups() {
        var play = Self.inGroup([Scene.mika])
        #expect(
            play.send(.groupChosen(Scene.otherGroup), at: 50) == [
                .transport(.disconnect(path: .local)),
                .transport(.connect(Scene.otherGroup, path: .local)),
            ]
        )
        let frame = FrameHandle(slot: 1)
        let event = Scene.voice(1, from: Scene.mika, frame: frame)
        #expect(play.send(event, at: 60) == [.reject(frame, from: Scene.mika, nil)])
    }

    @Test("Five others are heard; a seventh member is refused (S-GRP-001)")
    func seventhMember() {
        let members = (1...6).map { PeerID(streamID: $0) }
        var play = Self.inGroup(members)
        for member in members {
            let frame = FrameHandle(slot: member.streamID)
            let effects = play.send(Scene.voice(0, from: member, frame: frame), at: 100)
            let isRefused = effects == [.reject(frame, from: member, nil)]
            #expect(isRefused == (member.streamID == 6))
        }
        // A place that becomes free can be taken.
        play.send(Scene.left(members[0]), at: 110)
        play.send(Scene.joined(members[5]), at: 120)
        let frame = FrameHandle(slot: 9)
        let event = Scene.voice(1, from: members[5], frame: frame)
        #expect(play.send(event, at: 130).compactMap(\.frame).isEmpty)
    }

    @Test("Every member's voice is played for the same request, each on its own (S-AUD-002)")
    func everybodyIsHeard() {
        var play = Self.inGroup([Scene.mika, Scene.taro])
        var heard: [PeerID] = []
        for number in 0..<20 as Range<UInt32> {
            let now = Int64(number) * 20 + 100
            for peer in [Scene.taro, Scene.mika] {
                let frame = FrameHandle(slot: number * 2 + peer.streamID)
                let marks: FrameMarks = number == 0 ? .talkStart : []
                play.send(Scene.voice(number, marks: marks, from: peer, frame: frame), at: now)
            }
            for effect in play.send(.renderRequested(samples: 960), at: now + 5) {
                if case .playout(let peer, .play) = effect { heard.append(peer) }
            }
        }
        #expect(heard.count > 30)
        #expect(heard.filter { $0 == Scene.mika }.count == heard.filter { $0 == Scene.taro }.count)
    }

    @Test(
        "A member's end mark, or a keepalive that says it is silent, ends a spurt whose last frame is lost (S-AUD-004)",
        arguments: [
            PeerMessage.endMark(
                EndMark(
                    streamID: Scene.mika.streamID,
                    lastSequence: SerialNumber(19),
                    lastCaptureIndex: SerialNumber(19)
                )
            ), keepalive(isTalking: false), keepalive(isTalking: true), nil,
        ]
    )
    func lostEnd(message: PeerMessage?) {
        var play = Self.inGroup([Scene.mika])
        for number in 0..<20 as Range<UInt32> {
            let now = Int64(number) * 20 + 100
            let marks: FrameMarks = number == 0 ? .talkStart : []
            let frame = FrameHandle(slot: number)
            play.send(
                Scene.voice(number, marks: marks, from: Scene.mika, frame: frame),
                at: now
            )
            play.send(.renderRequested(samples: 960), at: now + 5)
        }
        if let message {
            let event = TransportEvent.controlReceived(message, from: Scene.mika)
            play.send(.transport(event, path: .local), at: 490)
        }
        var concealed = 0
        for step in 0..<20 as Range<Int64> {
            concealed += play.send(.renderRequested(samples: 960), at: 505 + 20 * step).count {
                if case .playout(_, .conceal) = $0 { true } else { false }
            }
        }
        let hasEnded = message != nil && message != Self.keepalive(isTalking: true)
        #expect((concealed == 0) == hasEnded)
    }

    private static func keepalive(isTalking: Bool) -> PeerMessage {
        .keepalive(
            Keepalive(
                streamID: Scene.mika.streamID,
                nextSequence: SerialNumber(20),
                lastCaptureIndex: SerialNumber(19),
                isTalking: isTalking,
                sentMicroseconds: 490_000,
                echo: nil
            )
        )
    }
}
