import AppCoordination
import PeerTransport
import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("The intercom app's laws")
struct IntercomCoordinatorLawTests {
    @Test("The app keeps the laws of its contract", arguments: 0..<5 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var played = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var weather = IntercomWeather()
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { Scene.app() },
                frame: { effect in
                    if case .playout(_, .play) = effect { played += 1 }
                    return effect.frame
                },
                finish: .groupLeft
            ) { random, now in
                weather.next(&random, now)
            }
        }
        #expect(played > 0, "ten weathers in which nothing is heard prove little")
    }
}

/// Draws what a microphone, a speaker, six members and two strangers may do to an app.
struct IntercomWeather {
    private var hasBegun = false
    private var captureIndex: Int64 = 0
    private var isSpeech = false
    /// By member: the next sequence number, which begins close to its wrap.
    private var sequences = [UInt32](repeating: .max - 40, count: 9)
    private var captureIndices = [UInt32](repeating: .max - 60, count: 9)

    mutating func next(_ random: inout LawRandom, _ now: Instant) -> IntercomCoordinator.Event {
        guard hasBegun else {
            hasBegun = true
            return .groupChosen(Scene.group)
        }
        let path: TransportPath = random.chance(percent: 80) ? .local : .internet
        switch random.below(100) {
        case 0, 1: return .groupChosen(random.chance(percent: 50) ? Scene.group : Scene.otherGroup)
        case 2:
            hasBegun = random.chance(percent: 20)
            return .groupLeft
        case 3..<13: return .transport(.peerJoined(peer(&random)), path: path)
        case 13: return .transport(.peerLeft(peer(&random)), path: path)
        case 14..<45: return captured(&random)
        case 45..<78: return voice(&random, path)
        case 78..<86: return .transport(control(&random, now), path: path)
        case 86, 87: return .sound(soundNews(&random))
        case 88: return .transport(.refused(from: peer(&random)), path: path)
        case 89: return .muteChanged(random.chance(percent: 20))
        default: return .renderRequested(samples: samples(&random))
        }
    }

    /// News of microphone and speaker, mostly such as a system would have.
    private func soundNews(_ random: inout LawRandom) -> SoundKeeper.Event {
        let operation = OperationID(number: UInt32(1 + random.below(6)))
        return switch random.below(5) {
        case 4: .engineConfigurationChanged
        case 0: .microphonePermissionAnswered(operation, isGranted: random.chance(percent: 90))
        case 1: .voiceEngineAnswered(operation, isRunning: random.chance(percent: 80))
        case 2: .audioSessionTaken
        default: .audioSessionReturned
        }
    }

    /// Members 1 to 6 and strangers 7 and 8; sometimes the app's own stream.
    private func peer(_ random: inout LawRandom) -> PeerID {
        PeerID(
            streamID: random.chance(percent: 2) ? Scene.ownStream : UInt32(1 + random.below(8))
        )
    }

    private mutating func captured(_ random: inout LawRandom) -> IntercomCoordinator.Event {
        captureIndex += random.chance(percent: 97) ? 1 : Int64(random.below(9)) - 4
        if random.chance(percent: 10) { isSpeech.toggle() }
        return .frameCaptured(
            CapturedFrame(
                captureIndex: captureIndex,
                frame: random.newFrame(),
                decision: SpeechDecision(
                    isSpeech: isSpeech,
                    score: 500,
                    threshold: 500,
                    level: .silence
                )
            )
        )
    }

    /// The next frame, or one that is doubled, skipped, reordered, restarted or foreign.
    private mutating func voice(
        _ random: inout LawRandom,
        _ path: TransportPath
    ) -> IntercomCoordinator.Event {
        let peer = peer(&random)
        let place = Int(peer.streamID % 9)
        switch random.below(150) {
        case 0: sequences[place] &-= UInt32(random.below(6))
        case 1: sequences[place] &+= UInt32(random.below(400))
        case 2: sequences[place] = UInt32(truncatingIfNeeded: random.next())
        case 3: captureIndices[place] &+= UInt32(random.below(300))
        case 4: captureIndices[place] &-= UInt32(random.below(300))
        case 5: captureIndices[place] = UInt32(truncatingIfNeeded: random.next())
        default: break
        }
        let isAgain = random.chance(percent: 15)
        sequences[place] &+= isAgain ? 0 : 1
        captureIndices[place] &+= isAgain ? 0 : 1
        let isForeign = random.chance(percent: 3)
        return .transport(
            .voiceReceived(
                FrameHeader(
                    streamID: isForeign ? 77 : peer.streamID,
                    sequence: SerialNumber(sequences[place]),
                    captureIndex: SerialNumber(captureIndices[place]),
                    marks: FrameMarks(
                        rawValue: random.chance(percent: 80) ? 0 : UInt8(random.below(8))
                    ),
                    carriesFEC: random.chance(percent: 30),
                    level: AudioLevel(decibelsBelowOverload: UInt8(random.below(128))),
                    holdsSpeech: random.chance(percent: 50)
                ),
                random.newFrame(),
                from: peer
            ),
            path: path
        )
    }

    private mutating func control(_ random: inout LawRandom, _ now: Instant) -> TransportEvent {
        let peer = peer(&random)
        let place = Int(peer.streamID % 9)
        let stream = random.chance(percent: 90) ? peer.streamID : 77
        let last = SerialNumber(captureIndices[place] &+ UInt32(random.below(5)) &- 2)
        if random.chance(percent: 40) {
            let mark = EndMark(
                streamID: stream,
                lastSequence: SerialNumber(sequences[place]),
                lastCaptureIndex: last
            )
            return .controlReceived(.endMark(mark), from: peer)
        }
        let keepalive = Keepalive(
            streamID: stream,
            nextSequence: SerialNumber(sequences[place] &+ 1),
            lastCaptureIndex: last,
            isTalking: random.chance(percent: 50),
            sentMicroseconds: UInt32(truncatingIfNeeded: random.next()),
            echo: random.chance(percent: 50)
                ? Keepalive.Echo(
                    sentMicroseconds: UInt32(truncatingIfNeeded: now.nanoseconds / 1_000 - 40_000),
                    heldMicroseconds: UInt32(random.below(60_000))
                ) : nil
        )
        return .controlReceived(.keepalive(keepalive), from: peer)
    }

    private func samples(_ random: inout LawRandom) -> Int {
        switch random.below(20) {
        case 0: random.below(100_000)
        case 1: -random.below(10)
        default: 480
        }
    }
}
