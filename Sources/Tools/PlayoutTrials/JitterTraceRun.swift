public import PeerTransport
import SansIO

/// Plays a trace through the client's own jitter buffer, with a speaker that asks for samples.
public struct JitterTraceRun: Sendable {
    /// The buffer's configuration.
    public var configuration = JitterBuffer.Configuration()
    /// The samples of one request of the speaker at 48 kHz; 1 to 4800, 2.5 ms by default.
    public var requestSamples = 120
    /// How much faster than the network's clock the speaker's runs, in parts per million.
    public var speakerDriftPartsPerMillion: Int64 = 0

    /// Makes a run with the default configuration.
    public init() {}

    /// Plays the whole trace as one talk spurt.
    ///
    /// - Parameter trace: Frames sent 20 ms apart; the speaker starts with the first sending and
    ///   goes on for 5 s after the last.
    /// - Returns: What a listener would have heard.
    public func measure(_ trace: JitterTrace) -> JitterTraceResult {
        let trace = trace.fromFirstSending
        var listener = TraceListener(trace)
        guard let last = trace.frames.last else { return listener.result }
        precondition((1...4800).contains(requestSamples), "\(requestSamples) samples per request")
        var driver = MachineDriver(JitterBuffer(configuration: configuration))
        var arrivals = trace.arrivalOrder[...]
        let end = last.sentNanoseconds + 5_000_000_000
        var requests: Int64 = 0
        while true {
            let nominal = requests * Int64(requestSamples) * 62_500 / 3
            let now = nominal - nominal / 1_000_000 * speakerDriftPartsPerMillion
            guard now < end else { break }
            while let place = arrivals.first, trace.frames[place].arrivedNanoseconds <= now {
                arrivals = arrivals.dropFirst()
                let arrived = Instant(nanoseconds: trace.frames[place].arrivedNanoseconds)
                driver.send(event(place, of: trace), at: arrived) { listener.hear($0, at: now) }
            }
            listener.requestBegins()
            driver.send(
                .renderRequested(samples: requestSamples),
                at: Instant(nanoseconds: now)
            ) { listener.hear($0, at: now) }
            listener.requestEnds(samples: requestSamples)
            requests += 1
        }
        listener.stopListening()
        return listener.result
    }

    private func event(_ place: Int, of trace: JitterTrace) -> JitterBuffer.Event {
        var marks: FrameMarks = []
        if place == 0 { marks.insert(.talkStart) }
        if place == trace.frames.count - 1 { marks.insert(.talkEnd) }
        return .frameReceived(
            ReceivedFrame(
                captureIndex: Int64(place),
                frame: FrameHandle(slot: UInt32(place)),
                marks: marks
            )
        )
    }
}

/// Counts what the effects of a buffer sound like.
private struct TraceListener {
    private enum Direction {
        case none
        case shorter
        case longer
    }

    let trace: JitterTrace
    let fastest: Int64
    var result = JitterTraceResult()
    /// Samples ordered beyond the requests so far.
    private var ahead = 0
    private var lastPlace: Int?
    private var madeUpSinceLast = 0
    private var direction = Direction.none

    init(_ trace: JitterTrace) {
        self.trace = trace
        fastest = trace.fastestTransitNanoseconds ?? 0
        result.framesSent = trace.frames.count
        for frame in trace.frames where frame.isLost { result.framesLost += 1 }
    }

    mutating func requestBegins() {
        precondition(ahead >= 0, "the buffer left the speaker \(-ahead) samples short")
    }

    mutating func requestEnds(samples: Int) {
        ahead -= samples
        precondition(ahead >= 0, "the buffer left the speaker \(-ahead) samples short")
    }

    mutating func hear(_ effect: JitterBuffer.Effect, at now: Int64) {
        switch effect {
        case .play(_, let captureIndex, let samples):
            play(Int(captureIndex), samples, at: now + Int64(ahead) * 62_500 / 3)
            ahead += samples
        case .recover(let captureIndex, _, let samples):
            play(Int(captureIndex), samples, at: now + Int64(ahead) * 62_500 / 3)
            ahead += samples
        case .conceal(_, let samples), .silence(let samples):
            ahead += samples
            madeUpSinceLast += samples
        case .discard:
            result.framesDiscarded += 1
        case .targetChanged:
            break
        }
    }

    /// What comes later than anybody listens, or is held until then, has come for nothing.
    mutating func stopListening() {
        let came = result.framesSent - result.framesLost
        result.framesDiscarded = max(result.framesDiscarded, came - result.played.count)
    }

    private mutating func play(_ place: Int, _ samples: Int, at instant: Int64) {
        closeGap(before: place)
        let frame = trace.frames[place]
        let delay = instant - frame.sentNanoseconds - fastest
        result.played.append(.init(place: place, delayNanoseconds: delay))
        result.concealedSamples += max(0, samples - 960)
        note(samples == 960 ? .none : samples < 960 ? .shorter : .longer)
        lastPlace = place
        madeUpSinceLast = 0
    }

    private mutating func closeGap(before place: Int) {
        guard let lastPlace else { return }
        guard place > lastPlace else {
            result.orderBreaks += 1
            return
        }
        let missing = lastPlace + 1..<place
        guard !missing.isEmpty || madeUpSinceLast > 0 else { return }
        let lost = missing.count { trace.frames[$0].isLost }
        result.concealedSamples += max(0, madeUpSinceLast - 960 * lost)
        let surplus = madeUpSinceLast - 960 * missing.count
        note(surplus > 24 ? .longer : surplus < -24 ? .shorter : .none)
    }

    private mutating func note(_ next: Direction) {
        if next != .none, next != direction { result.changes += 1 }
        direction = next
    }
}
