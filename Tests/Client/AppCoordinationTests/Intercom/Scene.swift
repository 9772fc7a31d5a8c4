import AppCoordination
import PeerTransport
import SansIO
import VoiceActivity

/// Words and numbers that the coordinator's stories share.
enum Scene {
    /// The stream that the app under test sends.
    static let ownStream: UInt32 = 100
    static let group = GroupID(high: 1, low: 2)
    static let otherGroup = GroupID(high: 3, low: 4)
    static let mika = PeerID(streamID: 1)
    static let taro = PeerID(streamID: 2)

    static func app(
        _ change: (inout IntercomConfiguration) -> Void = { _ in }
    ) -> IntercomCoordinator {
        var configuration = IntercomConfiguration()
        change(&configuration)
        return IntercomCoordinator(configuration: configuration, streamID: ownStream)
    }

    /// A frame that the microphone delivered; its handle is its index.
    static func captured(_ index: Int64, isSpeech: Bool) -> IntercomCoordinator.Event {
        .frameCaptured(
            CapturedFrame(
                captureIndex: index,
                frame: FrameHandle(slot: UInt32(index)),
                decision: SpeechDecision(
                    isSpeech: isSpeech,
                    score: 0,
                    threshold: 500,
                    level: AudioLevel(decibelsBelowOverload: 30)
                )
            )
        )
    }

    /// The order that sends frame `index` as number `sequence` of the own stream.
    static func sent(
        _ index: Int64,
        sequence: UInt32,
        _ marks: FrameMarks,
        isSpeech: Bool
    ) -> IntercomCoordinator.Effect {
        let header = FrameHeader(
            streamID: ownStream,
            sequence: SerialNumber(sequence),
            captureIndex: SerialNumber(UInt32(index)),
            marks: marks,
            level: AudioLevel(decibelsBelowOverload: 30),
            holdsSpeech: isSpeech
        )
        return .transport(.sendAudioFrame(header, FrameHandle(slot: UInt32(index)), path: .local))
    }

    /// A voice frame of `peer` that reached the app.
    static func voice(
        _ sequence: UInt32,
        index: UInt32? = nil,
        marks: FrameMarks = [],
        stream: UInt32? = nil,
        from peer: PeerID,
        frame: FrameHandle,
        path: TransportPath = .local
    ) -> IntercomCoordinator.Event {
        let header = FrameHeader(
            streamID: stream ?? peer.streamID,
            sequence: SerialNumber(sequence),
            captureIndex: SerialNumber(index ?? sequence),
            marks: marks,
            level: AudioLevel(decibelsBelowOverload: 30),
            holdsSpeech: true
        )
        return .transport(.voiceReceived(header, frame, from: peer), path: path)
    }

    static func joined(_ peer: PeerID) -> IntercomCoordinator.Event {
        .transport(.peerJoined(peer), path: .local)
    }

    static func left(_ peer: PeerID) -> IntercomCoordinator.Event {
        .transport(.peerLeft(peer), path: .local)
    }
}

/// An app whose effects are looked at, not listed one by one.
struct Play {
    private(set) var driver: MachineDriver<IntercomCoordinator>

    init(_ app: IntercomCoordinator) {
        driver = MachineDriver(app)
    }

    /// Gives the app an event and returns what it orders.
    @discardableResult
    mutating func send(
        _ event: IntercomCoordinator.Event,
        at milliseconds: Int64
    ) -> [IntercomCoordinator.Effect] {
        var effects: [IntercomCoordinator.Effect] = []
        driver.send(event, at: Instant(nanoseconds: milliseconds * 1_000_000)) {
            effects.append($0)
        }
        return effects
    }

    /// Lets Mika say ten frames in the first 200 ms, all but one of which come, and the speaker ask for
    /// 400 ms; returns the frames that are heard.
    mutating func hearTen(without missing: UInt32) -> [FrameHandle] {
        var heard: [FrameHandle] = []
        for number in 0..<20 as Range<UInt32> {
            let time = 20 * Int64(number)
            if number < 10, number != missing {
                let frame = FrameHandle(slot: number)
                send(Scene.voice(number, from: Scene.mika, frame: frame), at: time)
            }
            for effect in send(.renderRequested(samples: 960), at: time + 10) {
                if case .playout(_, .play(let frame, _, _)) = effect { heard.append(frame) }
            }
        }
        return heard
    }

    /// Wakes the app when it asks for it, from then on until `milliseconds`, and returns its orders.
    mutating func wake(until milliseconds: Int64) -> [(Instant, IntercomCoordinator.Effect)] {
        var effects: [(Instant, IntercomCoordinator.Effect)] = []
        while let due = driver.deadline?.instant, due.nanoseconds <= milliseconds * 1_000_000 {
            driver.wake(at: due) { effects.append((due, $0)) }
        }
        return effects
    }
}

extension IntercomCoordinator.Effect {
    /// The handle that leaves the app by this order.
    var frame: FrameHandle? {
        switch self {
        case .transport(.sendAudioFrame(_, let frame, _)), .discardCaptured(let frame),
            .reject(let frame, _, _), .playout(_, .play(let frame, _, _)),
            .playout(_, .discard(let frame, _, _)):
            frame
        case .transport, .talkStateChanged, .playout, .sound:
            nil
        }
    }
}
