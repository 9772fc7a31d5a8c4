import PeerTransport
import SansIO

/// A packet on its way to a receiver under test.
struct Packet {
    /// When it comes, in milliseconds.
    var arrives: Int
    var index: Int64
    var marks: FrameMarks = []
    var path: UInt8 = 0
    var carriesFEC = false
    /// A copy that the replay window refused, or an end mark for `index`, instead of a frame.
    var kind = Kind.frame

    enum Kind {
        case frame
        case copy
        case endMark
    }
}

/// Something that sounded, and when.
struct Heard: Equatable {
    enum Content: Equatable {
        case frame
        case recovered
        case concealed
        case silence
    }

    var content: Content
    /// The capture index; 0 for silence.
    var index: Int64
    /// When it began to sound, in nanoseconds.
    var began: Int64
    var samples: Int

    /// When it began to sound, in milliseconds.
    var milliseconds: Int { Int(began / 1_000_000) }
    /// Its playout time above its media time, in milliseconds.
    var lag: Int { Int((began - index * 20_000_000) / 1_000_000) }
}

/// A receiver: feeds packets to a buffer, lets a speaker ask for samples, and notes what sounds.
struct PlayoutBench {
    var driver: MachineDriver<JitterBuffer>
    var requestSamples = 120
    private(set) var heard: [Heard] = []
    private(set) var discards: [JitterBuffer.Effect] = []
    private(set) var handlesOut: [FrameHandle] = []
    private var ahead = 0
    private var nextSlot: UInt32 = 0
    private var requests = 0

    init(_ configuration: JitterBuffer.Configuration = .init()) {
        driver = MachineDriver(JitterBuffer(configuration: configuration))
    }

    /// Plays packets, in order of arrival, until `end` milliseconds.
    mutating func run(_ packets: [Packet], until end: Int) {
        var waiting = packets[...]
        while true {
            let now = Int64(requests) * Int64(requestSamples) * 62_500 / 3
            guard now < Int64(end) * 1_000_000 else { break }
            while let packet = waiting.first, Int64(packet.arrives) * 1_000_000 <= now {
                waiting = waiting.dropFirst()
                send(event(of: packet), at: Int64(packet.arrives) * 1_000_000, request: now)
            }
            send(.renderRequested(samples: requestSamples), at: now, request: now)
            requests += 1
        }
    }

    mutating func send(_ event: JitterBuffer.Event, at now: Int64, request: Int64) {
        var effects: [JitterBuffer.Effect] = []
        driver.send(event, at: Instant(nanoseconds: max(now, driver.now.nanoseconds))) {
            effects.append($0)
        }
        for effect in effects { note(effect, request) }
        if case .renderRequested(let samples) = event { ahead -= samples }
    }

    private mutating func event(of packet: Packet) -> JitterBuffer.Event {
        switch packet.kind {
        case .endMark:
            return .talkEnded(lastCaptureIndex: packet.index)
        case .copy:
            return .duplicateReceived(
                captureIndex: packet.index,
                marks: packet.marks,
                path: packet.path
            )
        case .frame:
            nextSlot += 1
            return .frameReceived(
                ReceivedFrame(
                    captureIndex: packet.index,
                    frame: FrameHandle(slot: nextSlot),
                    marks: packet.marks,
                    path: packet.path,
                    carriesFEC: packet.carriesFEC
                )
            )
        }
    }

    private mutating func note(_ effect: JitterBuffer.Effect, _ request: Int64) {
        switch effect {
        case .play(let frame, let index, let samples):
            handlesOut.append(frame)
            hear(.frame, index, samples, request)
        case .recover(let index, _, let samples): hear(.recovered, index, samples, request)
        case .conceal(let index, let samples): hear(.concealed, index, samples, request)
        case .silence(let samples): hear(.silence, 0, samples, request)
        case .discard(let frame, _, _):
            handlesOut.append(frame)
            discards.append(effect)
        case .targetChanged: break
        }
    }

    private mutating func hear(
        _ content: Heard.Content,
        _ index: Int64,
        _ samples: Int,
        _ request: Int64
    ) {
        let began = request + Int64(ahead) * 62_500 / 3
        heard.append(Heard(content: content, index: index, began: began, samples: samples))
        ahead += samples
    }

    /// The times of the requests up to `end`, for a caller that renders by itself.
    mutating func rendersDue(until end: Int64) -> [Int64] {
        var due: [Int64] = []
        while true {
            let now = Int64(requests) * Int64(requestSamples) * 62_500 / 3
            guard now <= end else { return due }
            due.append(now)
            requests += 1
        }
    }

    /// Forgets what sounded, to keep a long run small.
    mutating func forget() {
        heard.removeAll(keepingCapacity: true)
        handlesOut.removeAll(keepingCapacity: true)
    }

    /// The frames that sounded, recovered ones included.
    var frames: [Heard] { heard.filter { $0.content == .frame || $0.content == .recovered } }
    /// The first frames that sounded out of turn, once too often or not at all; `nil` if none.
    func deviation(from expected: [Int64]) -> String? {
        let played = frames.map(\.index)
        guard played != expected else { return nil }
        let missing = expected.filter { !played.contains($0) }.prefix(5)
        let surplus = played.filter { !expected.contains($0) }.prefix(5)
        return "missing \(Array(missing)), surplus \(Array(surplus)), of \(played.count) played"
    }

    /// The concealed time in milliseconds.
    var concealedMilliseconds: Int {
        heard.filter { $0.content == .concealed }.reduce(0) { $0 + $1.samples } / 48
    }
    /// The silent time between the first and the last frame that sounded, in milliseconds.
    var silenceInsideMilliseconds: Int {
        guard let first = frames.first, let last = frames.last else { return 0 }
        return heard.filter {
            $0.content == .silence && $0.began > first.began && $0.began < last.began
        }.reduce(0) { $0 + $1.samples } / 48
    }
}

/// A talk spurt with its pre-roll, as the sender's gate sends it (S-VAD-004).
///
/// - Parameters:
///   - first: The capture index of the first pre-roll frame.
///   - preRoll: How many frames are sent at once when sending starts.
///   - live: How many frames follow, each when its capture is over.
///   - delay: The network's delay in milliseconds.
/// - Returns: The packets in the order of their arrival.
func talkSpurt(first: Int64, preRoll: Int, live: Int, delay: Int) -> [Packet] {
    let start = Int(first) * 20 + preRoll * 20 + delay
    let last = first + Int64(preRoll + live) - 1
    return (first...last).map { index in
        let place = Int(index - first)
        var packet = Packet(arrives: max(start, Int(index + 1) * 20 + delay), index: index)
        if place == 0 { packet.marks.insert(.talkStart) }
        if place < preRoll { packet.marks.insert(.burst) }
        if index == last { packet.marks.insert(.talkEnd) }
        return packet
    }
}
