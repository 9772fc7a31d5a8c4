import PeerTransport
import SansIO
import SansIOTesting

/// A probe whose pings are answered after a fixed round trip.
struct ProbeBench {
    var probe = LinkProbe(path: .local, judge: ThresholdJudge())
    var roundTripMilliseconds: Int64
    var heldMilliseconds: UInt32 = 0
    var answersPings: Bool
    /// Whether a ping is lost, by its number from one on.
    var losesPing: (Int) -> Bool = { _ in false }
    private(set) var verdicts: [LinkVerdict] = []
    private(set) var pings = 0
    private(set) var answers = 0
    private(set) var wasActivated = false
    var sequence: UInt32 = 0

    private var now = Instant.zero
    private var pongs: [(due: Int64, pong: Pong)] = []
    private var silent = LinkProbe(path: .local, judge: ThresholdJudge())

    init(roundTripMilliseconds: Int64, answersPings: Bool = true) {
        self.roundTripMilliseconds = roundTripMilliseconds
        self.answersPings = answersPings
        silent.handle(.pathCameUp, at: now)
    }

    var metrics: LinkMetrics { probe.metrics(at: now) }
    /// The loss of a probe beside the other that sends no pings.
    var voiceLoss: Probability { silent.metrics(at: now).lossFraction }

    mutating func send(_ event: LinkProbe.Event) {
        perform(probe.handle(event, at: now))
        guard case .voiceReceived = event else { return }
        silent.handle(event, at: now)
    }

    mutating func talk(
        frames: Int,
        endsMarked: Bool = false,
        losing: (Int) -> Bool = { _ in false }
    ) {
        for frame in 0..<frames {
            run(forMilliseconds: 20)
            defer { sequence += 1 }
            guard !losing(frame) else { continue }
            send(
                .voiceReceived(
                    sequence: SerialNumber(sequence),
                    captureIndex: now.nanoseconds / 20_000_000,
                    marks: endsMarked && frame == frames - 1 ? .talkEnd : []
                )
            )
        }
    }

    /// The same stream goes on by the other path alone.
    mutating func talkElsewhere(frames: Int) {
        for _ in 0..<frames {
            run(forMilliseconds: 20)
            send(.voiceHeardElsewhere(sequence: SerialNumber(sequence)))
            sequence += 1
        }
    }

    mutating func run(forMilliseconds milliseconds: Int64) {
        for _ in 0..<milliseconds {
            now = Instant(nanoseconds: now.nanoseconds + 1_000_000)
            let due = pongs.filter { $0.due <= now.nanoseconds }
            pongs.removeAll { $0.due <= now.nanoseconds }
            for pong in due { send(.pongReceived(pong.pong)) }
            guard let deadline = probe.deadline, deadline.instant <= now else { continue }
            perform(probe.wake(at: now))
        }
    }

    private mutating func perform(_ effects: [LinkProbe.Effect]) {
        for effect in effects {
            switch effect {
            case .send(.ping(let ping)):
                pings += 1
                guard answersPings, !losesPing(pings) else { continue }
                let due = now.nanoseconds + roundTripMilliseconds * 1_000_000
                pongs.append((due, Pong(ping, heldMicroseconds: heldMilliseconds * 1_000)))
            case .judged(let verdict, _): verdicts.append(verdict)
            case .activated: wasActivated = true
            case .answered: answers += 1
            case .send: break
            }
        }
    }
}
