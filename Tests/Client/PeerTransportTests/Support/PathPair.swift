import PeerTransport
import SansIO
import SansIOTesting

/// Two phones, each with its handover and a probe for each path, and the scripted links between them.
///
/// Whoever talks does so without a pause. Each link says for every moment and direction what share
/// of packets it loses; nothing but the script and the seed decides.
final class PathPair {
    typealias Probe = LinkProbe

    /// What a link does, by milliseconds since the start.
    struct Link {
        var delayMilliseconds: Int64
        var jitterMilliseconds: Int64 = 0
        /// Lost packets in percent, by time and sender.
        var lossPercent: (_ milliseconds: Int64, _ sender: Int) -> Int = { _, _ in 0 }
    }

    struct Phase: Equatable, CustomStringConvertible {
        var milliseconds: Int64
        var phone: Int
        var phase: Handover.Phase
        var cause: Handover.Cause
        var description: String { "\(milliseconds):\(phone):\(phase)(\(cause))" }
    }

    private enum Packet {
        case voice(SerialNumber, captureIndex: Int64)
        case control(ControlMessage)
        case event(Handover.Event)
    }

    private struct Delivery {
        var due: Int64
        var order: Int
        var receiver: Int
        var path: TransportPath
        var packet: Packet
    }

    private struct Phone {
        var handover: Handover
        var probes = TransportPath.allCases.map { Probe(path: $0, judge: ThresholdJudge()) }
        var wantsInternet = false
        var sequence = SerialNumber(0)
        /// By capture index, when a frame of the other phone came first, and how many copies came.
        var heard: [Int64: (first: Int64, copies: Int)] = [:]
        var said: [Int64] = []
    }

    var local = Link(delayMilliseconds: 8)
    var internet = Link(delayMilliseconds: 60)
    /// Which phones talk.
    var talkers = [0, 1]
    /// How long the Internet takes to come up once both phones want it.
    var internetSetUpMilliseconds: Int64 = 2_000
    /// Whether there is any Internet, by time.
    var hasInternet: (_ milliseconds: Int64) -> Bool = { _ in true }
    private(set) var phases: [Phase] = []
    private(set) var requests = 0
    private(set) var bytesByInternet = 0
    private(set) var now: Int64 = 0

    private var phones: [Phone]
    private var queue: [Delivery] = []
    private var orders = 0
    private var random: LawRandom
    private var nextFrame: Int64 = 0
    private var isInternetUp = false
    private var internetDue: Int64?

    init(seed: UInt64 = 1, configuration: HandoverConfiguration = HandoverConfiguration()) {
        random = LawRandom(seed: seed)
        let phone = Phone(handover: Handover(configuration: configuration))
        phones = [phone, phone]
        for index in phones.indices { hear(.event(.started), by: .local, at: index) }
    }

    var phase: [Handover.Phase] { phones.map(\.handover.phase) }
    var sendingPaths: [TransportPaths] { phones.map(\.handover.sendingPaths) }
    var isInternetUnavailable: [Bool] { phones.map(\.handover.isInternetUnavailable) }

    /// The radios find each other, or lose each other with a notice.
    func bringLocalUp() { tell(.pathCameUp(.local)) }
    func loseLocal() { tell(.pathLost(.local)) }

    private func tell(_ event: Handover.Event) {
        for index in phones.indices { hear(.event(event), by: .local, at: index) }
    }

    /// Changes of path that were completed.
    var switches: Int {
        phases.count { $0.phone == 0 && $0.phase == .internetConnected && $0.cause != .localLost }
            + phases.count { $0.phone == 0 && $0.phase == .localConnected && $0.cause == .elapsed }
    }

    func first(_ phase: Handover.Phase, phone: Int = 0, after: Int64 = 0) -> Int64? {
        phases.first { $0.phase == phase && $0.phone == phone && $0.milliseconds >= after }?
            .milliseconds
    }

    /// The longest stretch of what the other phone said that came later than it can wait, in ms.
    ///
    /// A frame can wait for the difference of the paths and 60 ms more: what a jitter buffer holds that
    /// has heard both.
    func longestSilence(of phone: Int, from start: Int64 = 0, to end: Int64 = .max) -> Int64 {
        silences(of: phone, from: start, to: end).max() ?? 0
    }

    func silences(of phone: Int, from start: Int64 = 0, to end: Int64 = .max) -> [Int64] {
        let patience = max(local.delayMilliseconds, internet.delayMilliseconds) + 60
        var runs: [Int64] = []
        var run: Int64 = 0
        // What was said last may still be on its way.
        let end = min(end, now - 2 * patience)
        for index in phones[1 - phone].said where index * 20 >= start && index * 20 < end {
            let first = phones[phone].heard[index]?.first ?? .max
            if first <= index * 20 + patience {
                if run > 0 { runs.append(run) }
                run = 0
            } else {
                run += 20
            }
        }
        return run > 0 ? runs + [run] : runs
    }

    /// How many frames that were said in the stretch came by both paths.
    func copies(of phone: Int, from start: Int64, to end: Int64) -> Int {
        phones[phone].heard.count { (start..<end).contains($0.key * 20) && $0.value.copies > 1 }
    }

    func run(to end: Int64) {
        while true {
            var next = min(end, nextFrame)
            if let due = queue.first?.due { next = min(next, due) }
            for index in phones.indices {
                next = min(next, milliseconds(phones[index].handover.deadline))
                next = min(next, milliseconds(phones[index].probes[0].deadline))
                next = min(next, milliseconds(phones[index].probes[1].deadline))
            }
            now = max(now, next)
            step()
            guard now < end else { return }
        }
    }

    private func milliseconds(_ deadline: Deadline?) -> Int64 {
        guard let deadline else { return .max }
        return max(now, (deadline.instant.nanoseconds + 999_999) / 1_000_000)
    }

    private var instant: Instant { Instant(nanoseconds: now * 1_000_000) }

    private func step() {
        if isInternetUp, !hasInternet(now) { loseInternet() }
        while let delivery = queue.first, delivery.due <= now {
            queue.removeFirst()
            hear(delivery.packet, by: delivery.path, at: delivery.receiver)
        }
        if let due = internetDue, due <= now { finishInternet() }
        for index in phones.indices { wake(index) }
        guard nextFrame <= now else { return }
        for index in talkers { talk(index) }
        nextFrame += 20
    }

    private func talk(_ index: Int) {
        let captureIndex = nextFrame / 20
        phones[index].said.append(captureIndex)
        for path in phones[index].handover.voicePaths.paths {
            send(
                .voice(phones[index].sequence, captureIndex: captureIndex),
                byteCount: 100,
                from: index,
                by: path
            )
        }
        phones[index].sequence = phones[index].sequence.advanced(by: 1)
    }

    private func wake(_ index: Int) {
        for path in TransportPath.allCases {
            let deadline = phones[index].probes[Int(path.rawValue)].deadline
            guard let deadline, deadline.instant <= instant else { continue }
            perform(phones[index].probes[Int(path.rawValue)].wake(at: instant), of: path, at: index)
        }
        guard let deadline = phones[index].handover.deadline, deadline.instant <= instant else {
            return
        }
        perform(phones[index].handover.wake(at: instant), at: index)
    }

    private func hear(_ packet: Packet, by path: TransportPath, at index: Int) {
        switch packet {
        case .voice(let sequence, let captureIndex):
            let earlier = phones[index].heard[captureIndex]
            phones[index].heard[captureIndex] =
                (earlier?.first ?? now, (earlier?.copies ?? 0) + 1)
            probe(
                .voiceReceived(sequence: sequence, captureIndex: captureIndex, marks: []),
                path,
                at: index
            )
            probe(.voiceHeardElsewhere(sequence: sequence), path.other, at: index)
        case .control(.ping(let ping)): probe(.pingReceived(ping), path, at: index)
        case .control(.pong(let pong)): probe(.pongReceived(pong), path, at: index)
        case .control(.pathStatus(let notice)): handle(.noticeReceived(notice), at: index)
        case .control: break
        case .event(let event): handle(event, at: index)
        }
    }

    private func probe(_ event: Probe.Event, _ path: TransportPath, at index: Int) {
        let effects = phones[index].probes[Int(path.rawValue)].handle(event, at: instant)
        perform(effects, of: path, at: index)
    }

    private func handle(_ event: Handover.Event, at index: Int) {
        switch event {
        case .pathCameUp(let path): probe(.pathCameUp, path, at: index)
        case .pathLost(let path): probe(.pathLost, path, at: index)
        default: break
        }
        perform(phones[index].handover.handle(event, at: instant), at: index)
    }

    private func perform(_ effects: [Probe.Effect], of path: TransportPath, at index: Int) {
        for effect in effects {
            switch effect {
            case .send(let message): send(.control(message), byteCount: 60, from: index, by: path)
            case .activated: handle(.pathActivated(path), at: index)
            case .answered: handle(.radioAnswered, at: index)
            case .judged(let verdict, _): handle(.judged(verdict, path), at: index)
            }
        }
    }

    private func perform(_ effects: [Handover.Effect], at index: Int) {
        for effect in effects {
            switch effect {
            case .bringUpInternet: request(index)
            case .releaseInternet:
                phones[index].wantsInternet = false
                if isInternetUp { loseInternet() }
            case .probeLocal(let isProbing):
                probe(isProbing ? .probingBegan : .probingEnded, .local, at: index)
            case .askLocal: probe(.asked, .local, at: index)
            case .sendNotice(let status, let subject, let number):
                let notice = PathStatusNotice(path: subject, status: status, number: number)
                for path in TransportPath.allCases {
                    send(.control(.pathStatus(notice)), byteCount: 64, from: index, by: path)
                }
            case .phaseChanged(let phase, let cause):
                phases.append(
                    Phase(milliseconds: now, phone: index, phase: phase, cause: cause)
                )
            }
        }
    }

    // MARK: The Internet: a match that both must join

    private func request(_ index: Int) {
        requests += 1
        guard hasInternet(now) else {
            return enqueue(.event(.internetFailed), to: index, by: .internet, after: 300)
        }
        phones[index].wantsInternet = true
        guard phones.allSatisfy(\.wantsInternet), !isInternetUp else { return }
        internetDue = internetDue ?? now + internetSetUpMilliseconds
    }

    private func finishInternet() {
        internetDue = nil
        guard phones.allSatisfy(\.wantsInternet), hasInternet(now) else { return }
        isInternetUp = true
        for index in phones.indices { handle(.pathCameUp(.internet), at: index) }
    }

    private func loseInternet() {
        isInternetUp = false
        for index in phones.indices {
            phones[index].wantsInternet = false
            handle(.pathLost(.internet), at: index)
        }
    }

    private func send(_ packet: Packet, byteCount: Int, from index: Int, by path: TransportPath) {
        guard path == .local || isInternetUp else { return }
        if path == .internet { bytesByInternet += byteCount }
        let link = path == .local ? local : internet
        guard !random.chance(percent: link.lossPercent(now, index)) else { return }
        let jitter = link.jitterMilliseconds
        let delay =
            link.delayMilliseconds + (jitter > 0 ? Int64(random.below(Int(jitter + 1))) : 0)
        enqueue(packet, to: 1 - index, by: path, after: delay)
    }

    private func enqueue(
        _ packet: Packet,
        to receiver: Int,
        by path: TransportPath,
        after milliseconds: Int64
    ) {
        orders += 1
        let delivery = Delivery(
            due: now + milliseconds,
            order: orders,
            receiver: receiver,
            path: path,
            packet: packet
        )
        let index = queue.firstIndex { $0.due > delivery.due } ?? queue.endIndex
        queue.insert(delivery, at: index)
    }
}
