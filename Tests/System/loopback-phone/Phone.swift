import GroupSecurity
import PeerTransport
import SansIO

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A phone with a real socket and a real clock around the machines that an app links.
///
/// It says `frameCount` frames, each sealed twice as for two paths. Now and then it misbehaves: it
/// sends a datagram again, and one with a bit turned.
struct Phone {
    /// What the phone heard, and of whom.
    struct Report {
        var peer: MemberID?
        var cut: PacketRefusal?
        var received = 0
        var intact = 0
        var copies = 0
        var played = 0
    }

    static let framePeriodNanoseconds: Int64 = 20_000_000
    static let renderPeriodNanoseconds: Int64 = 10_000_000
    static let misbehavesEvery: UInt32 = 10

    private let socket: UDPSocket
    private let frameCount: UInt32
    private var peerPort: UInt16?
    private(set) var session: MachineDriver<SecureSession>
    private(set) var report = Report()

    private var sent: UInt32 = 0
    private var nextFrame: Instant?
    private var nextRender: Instant?
    private var window = ReplayWindow()
    private var captureIndices = SerialUnwrapper()
    private var playout = MachineDriver(JitterBuffer(), at: Phone.now())

    init(_ socket: UDPSocket, session: SecureSession, peerPort: UInt16?, frameCount: UInt32) {
        self.socket = socket
        self.session = MachineDriver(session, at: Phone.now())
        self.peerPort = peerPort
        self.frameCount = frameCount
    }

    /// Whether all was said and heard, or the peer was cut.
    var isDone: Bool { report.cut != nil || sent == frameCount && report.received >= frameCount }

    /// Talks and listens until all is said and heard, or patience is over.
    mutating func run(patience: Duration) {
        let end = Phone.now().advanced(by: patience)
        if peerPort != nil { send(.requested) }
        while !isDone, Phone.now() < end { step(until: end) }
        // The peer may still wait for the last of it.
        let linger = Phone.now().advanced(by: .milliseconds(500))
        while report.cut == nil, Phone.now() < min(linger, end) { step(until: linger) }
    }

    private mutating func step(until end: Instant) {
        let due = [session.deadline?.instant, nextFrame, nextRender].compactMap(\.self)
        let wait = Phone.now().duration(to: min(due.min() ?? end, end)).wholeNanoseconds
        if let (packet, port) = socket.receive(waitingMilliseconds: Int32(max(0, wait) / 1_000_000))
        {
            peerPort = peerPort ?? port
            receive(packet)
        }
        let now = Phone.now()
        if let deadline = session.deadline, deadline.instant <= now {
            var effects: [SecureSession.Effect] = []
            session.wake(at: now) { effects.append($0) }
            perform(effects)
        }
        if let next = nextFrame, next <= now { sendFrame(at: next) }
        if let next = nextRender, next <= now { render(at: next) }
    }

    // MARK: Sending

    private mutating func sendFrame(at due: Instant) {
        let header = FrameHeader(
            streamID: 1,
            sequence: SerialNumber(sent),
            captureIndex: SerialNumber(sent),
            marks: sent == 0 ? .talkStart : [],
            level: AudioLevel(decibelsBelowOverload: 30),
            holdsSpeech: true
        )
        var message = [UInt8](repeating: 0, count: PeerMessage.payloadOffset + 60)
        let payload = Phone.payload(of: sent)
        let count = message.withUnsafeMutableBytes { room in
            payload.withUnsafeBytes { PeerMessage.voice(header).encode(into: room, payload: $0) }
        }
        precondition(count == message.count, "a frame has \(message.count) bytes")
        for stream in 0..<2 as Range<UInt8> {
            guard let packet = seal(message, stream: stream), let peerPort else { continue }
            socket.send(packet, to: peerPort)
            guard stream == 0, sent % Phone.misbehavesEvery == 0 else { continue }
            socket.send(packet, to: peerPort)
            var forged = packet
            forged[packet.count - 1] ^= 1
            socket.send(forged, to: peerPort)
        }
        sent += 1
        nextFrame =
            sent < frameCount
            ? due.advanced(by: .nanoseconds(Phone.framePeriodNanoseconds)) : nil
    }

    private mutating func seal(_ message: [UInt8], stream: UInt8) -> [UInt8]? {
        var packet = [UInt8](
            repeating: 0,
            count: PacketSealer.packetCount(plaintextCount: message.count)
        )
        let count = message.withUnsafeBytes { message in
            packet.withUnsafeMutableBytes { room in
                session.update { $0.seal(message, stream: stream, into: room) }
            }
        }
        return count == nil ? nil : packet
    }

    private static func payload(of sequence: UInt32) -> [UInt8] {
        (0..<60).map { UInt8(truncatingIfNeeded: sequence &* 31 &+ $0) }
    }

    // MARK: Receiving

    private mutating func receive(_ packet: [UInt8]) {
        guard packet.withUnsafeBytes({ SecureSession.isSealed($0) }) else {
            return send(.handshakeReceived(packet))
        }
        var room = [UInt8](repeating: 0, count: PacketSealer.plaintextCountMax)
        let now = Phone.now()
        let opened = packet.withUnsafeBytes { packet in
            room.withUnsafeMutableBytes { room in
                session.update { session in
                    Result { () throws(PacketRefusal) in
                        try session.open(packet, into: room, at: now)
                    }
                }
            }
        }
        switch opened {
        case .failure(let refusal): send(.packetRefused(refusal))
        case .success(let opened): hear(Array(room[..<opened.count]), by: opened.stream, at: now)
        }
    }

    private mutating func hear(_ message: [UInt8], by path: UInt8, at now: Instant) {
        let decoded = message.withUnsafeBytes { bytes in
            Result { () throws(PeerMessage.Refusal) in try PeerMessage(decoding: bytes) }
        }
        guard case .success(.voice(let header)) = decoded else { return }
        guard window.admit(header.sequence) == .first else {
            report.copies += 1
            return
        }
        report.received += 1
        let payload = Array(message[PeerMessage.payloadOffset...])
        if payload == Phone.payload(of: header.sequence.rawValue) { report.intact += 1 }
        let frame = ReceivedFrame(
            captureIndex: captureIndices.unwrap(header.captureIndex),
            frame: FrameHandle(slot: header.sequence.rawValue),
            marks: header.marks,
            path: path
        )
        playout.send(.frameReceived(frame), at: now) { _ in }
        nextRender = nextRender ?? now
    }

    private mutating func render(at due: Instant) {
        var played = 0
        playout.send(.renderRequested(samples: 480), at: Phone.now()) { effect in
            if case .play = effect { played += 1 }
        }
        report.played += played
        nextRender = due.advanced(by: .nanoseconds(Phone.renderPeriodNanoseconds))
    }

    // MARK: The session

    private mutating func send(_ event: SecureSession.Event) {
        var effects: [SecureSession.Effect] = []
        session.send(event, at: Phone.now()) { effects.append($0) }
        perform(effects)
    }

    private mutating func perform(_ effects: [SecureSession.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let packet): if let peerPort { socket.send(packet, to: peerPort) }
            case .established(let peer):
                report.peer = peer.memberID
                nextFrame = nextFrame ?? Phone.now()
            case .cut(let refusal): report.cut = refusal
            case .timedOut: send(.requested)
            }
        }
    }

    /// The monotonic clock.
    private static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
