import AppCoordination
import GroupSecurity
import PeerTransport
import SansIO
import SansIOTesting
import Testing
import VoiceActivity

/// Phones in one place, each with its coordinator, and everything between them as bytes: handshakes are
/// whole, every message is encoded, sealed, opened and decoded.
final class GroupCall {
    typealias Coordinator = IntercomGroupCoordinator

    struct Phone {
        let name: String
        let identity: MemberIdentity
        var streamID: UInt32
        var coordinator: Coordinator
        var frames: [UInt32: [UInt8]] = [:]
        var nextSlot: UInt32 = 0
        var wants: Set<TransportPath> = []
        var isTalking = false
        var shownCards = IntercomCards()
        /// Capture indices that sounded, by talker's stream, with the time in ms at which each did.
        var played: [UInt32: [Int64: [Int64]]] = [:]
        var news: [(milliseconds: Int64, effect: IntercomGroupEffect)] = []
        var isOff = false
        /// When the Internet was asked for, in ms.
        var internetAsked: [Int64] = []
    }

    private struct Wire {
        let link: LinkID
        let ends: (Int, Int)
        let path: TransportPath
    }

    private struct Delivery {
        var due: Int64
        var link: LinkID
        var receiver: Int
        var bytes: [UInt8]
    }

    private(set) var now: Int64
    private(set) var phones: [Phone] = []
    var loss: (_ path: TransportPath, _ ends: (Int, Int), _ milliseconds: Int64) -> Int =
        { _, _, _ in 0 }
    var delayMilliseconds: [TransportPath: Int64] = [.local: 8, .internet: 60]
    var setUpMilliseconds: [TransportPath: Int64] = [.local: 500, .internet: 2_000]
    /// Whether microphones deliver frames at all.
    var capturesFrames = true
    /// Who judges paths in the phones that are added from now on.
    var judge: any LinkJudge = ThresholdJudge()
    /// What is tuned in them.
    var configuration = IntercomGroupConfiguration()
    /// Changes a packet on its way: an attacker.
    var tamper: (inout [UInt8]) -> Void = { _ in }
    private(set) var voicePackets: [TransportPath: Int] = [:]
    /// The headers of what was sent, in the order of sending; a copy for each connection.
    private(set) var sentHeaders: [FrameHeader] = []

    private var wires: [Wire] = []
    private var settingUp: [(due: Int64, ends: (Int, Int), path: TransportPath)] = []
    private var queue: [Delivery] = []
    private var nextLink: UInt32 = 1
    private var random: LawLikeRandom

    init(seed: UInt64 = 1, startingAt milliseconds: Int64 = 0) {
        random = LawLikeRandom(state: seed)
        now = milliseconds
    }

    static let group = makeGroup(1)

    static func makeGroup(_ number: UInt64) -> GroupCredential {
        var entropy = Entropy(seed: number, label: "call group")
        return GroupCredential(
            id: GroupID(high: number, low: 7),
            secret: GroupSecret(entropy: &entropy)
        )
    }

    @discardableResult
    func add(
        _ name: String,
        in group: GroupCredential = GroupCall.group,
        knowing others: [String] = []
    ) -> Int {
        let index = place(name)
        let known = others.map { other in
            KnownMember(id: Self.identity(other).publicKey.memberID, name: DisplayName(other))
        }
        send(.groupChosen(group, known: known), to: index)
        return index
    }

    /// Somebody comes by an invite of a member's.
    @discardableResult
    func add(_ name: String, invitedBy host: Int) throws -> Int {
        let invite = try Invite(to: Self.group, from: phones[host].identity)
        let index = place(name)
        let time = WallTime(nanosecondsSince1970: now * 1_000_000)
        send(.inviteReceived(.json(invite.json), at: time), to: index)
        return index
    }

    /// Another phone, whose app is in no group.
    private func place(_ name: String) -> Int {
        let identity = Self.identity(name)
        let streamID = UInt32(phones.count + 1) * 100
        phones.append(
            Phone(
                name: name,
                identity: identity,
                streamID: streamID,
                coordinator: coordinator(identity, streamID, name)
            )
        )
        return phones.count - 1
    }

    private static func identity(_ name: String) -> MemberIdentity {
        var entropy = Entropy(seed: 9, label: name)
        return MemberIdentity(entropy: &entropy)
    }

    private func coordinator(
        _ identity: MemberIdentity,
        _ streamID: UInt32,
        _ name: String
    ) -> Coordinator {
        Coordinator(
            configuration: configuration,
            identity: identity,
            streamID: streamID,
            name: DisplayName(name),
            judge: AnyLinkJudge(judge),
            entropy: Entropy(seed: UInt64(streamID), label: "sessions of \(name)")
        )
    }

    /// The app is killed and started again: other stream, no memory; the others are not told.
    func restart(_ index: Int) {
        wires.removeAll { $0.ends.0 == index || $0.ends.1 == index }
        phones[index].streamID += 1
        phones[index].frames = [:]
        phones[index].wants = []
        phones[index].coordinator = coordinator(
            phones[index].identity,
            phones[index].streamID,
            phones[index].name
        )
        send(.groupChosen(Self.group, known: []), to: index)
    }

    func talk(_ index: Int, _ isTalking: Bool = true) { phones[index].isTalking = isTalking }

    func switchOff(_ index: Int) {
        phones[index].isOff = true
        phones[index].isTalking = false
    }

    func id(_ index: Int) -> MemberID { phones[index].identity.publicKey.memberID }

    func cards(_ index: Int) -> IntercomCards { phones[index].coordinator.cards }

    func effects(_ index: Int) -> [IntercomGroupEffect] { phones[index].news.map(\.effect) }

    /// How many frames of a talker sounded twice, to anybody.
    var duplicatesPlayed: Int {
        phones.reduce(0) { sum, phone in
            sum + phone.played.values.reduce(0) { $0 + $1.values.count { $0.count > 1 } }
        }
    }

    /// The longest run of a talker's frames in the stretch that never sounded, in ms.
    func longestGap(of talker: Int, at listener: Int, from start: Int64, to end: Int64) -> Int64 {
        let played = phones[listener].played[phones[talker].streamID] ?? [:]
        var (run, longest): (Int64, Int64) = (0, 0)
        for index in (start / 20)..<(end / 20) {
            run = played[index] == nil ? run + 20 : 0
            longest = max(longest, run)
        }
        return longest
    }

    func send(_ event: IntercomGroupEvent, to index: Int) {
        perform(phones[index].coordinator.handle(event, at: instant), at: index)
    }

    /// Connects two phones whatever they show: a transport that is fooled.
    func forceLink(_ one: Int, _ other: Int) { connect((one, other), .local) }

    /// The connections that stand.
    var links: [LinkID] { wires.map(\.link) }

    /// The connections of two phones by a path are gone, and both are told.
    func dropLinks(_ one: Int, _ other: Int, by path: TransportPath = .local) {
        let ends = (min(one, other), max(one, other))
        for wire in wires where wire.path == path && wire.ends == ends {
            wires.removeAll { $0.link == wire.link }
            for end in [one, other] { send(.linkDown(wire.link), to: end) }
        }
    }

    func run(to end: Int64) {
        while now < end {
            now += 10
            let arriving = settingUp.filter { $0.due <= now }
            settingUp.removeAll { $0.due <= now }
            for link in arriving { connect(link.ends, link.path) }
            let due = queue.filter { $0.due <= now }
            queue.removeAll { $0.due <= now }
            for delivery in due { receive(delivery) }
            for index in phones.indices where !phones[index].isOff { tick(index) }
        }
    }

    var instant: Instant { Instant(nanoseconds: now * 1_000_000) }

    private func tick(_ index: Int) {
        if let deadline = phones[index].coordinator.deadline, deadline.instant <= instant {
            perform(phones[index].coordinator.wake(at: instant), at: index)
        }
        if capturesFrames, now % 20 == 0 { capture(index) }
        send(.renderRequested(samples: 480), to: index)
    }

    private func capture(_ index: Int) {
        let captureIndex = now / 20
        let text = "\(phones[index].streamID):\(captureIndex):"
        let padding = [UInt8](repeating: 0, count: 60 - text.utf8.count)
        let frame = keep(Array(text.utf8) + padding, at: index)
        let decision = SpeechDecision(
            isSpeech: phones[index].isTalking,
            score: 0,
            threshold: 500,
            level: AudioLevel(decibelsBelowOverload: 30)
        )
        send(
            .frameCaptured(
                CapturedFrame(captureIndex: captureIndex, frame: frame, decision: decision)
            ),
            to: index
        )
    }

    private func keep(_ payload: [UInt8], at index: Int) -> FrameHandle {
        let slot = phones[index].nextSlot
        phones[index].nextSlot += 1
        phones[index].frames[slot] = payload
        return FrameHandle(slot: slot)
    }

    // MARK: Effects

    private func perform(_ effects: [IntercomGroupEffect], at index: Int) {
        for effect in effects {
            switch effect {
            case .seekNearby: want(.local, at: index)
            case .seekByInternet: want(.internet, at: index)
            case .stopSeeking(let path): phones[index].wants.remove(path)
            case .disconnect(let path): leave(path, at: index)
            case .sendHandshake(let bytes, let link): transmit(bytes, by: link, from: index)
            case .sendVoice(let header, let frame, let fanout):
                let payload = phones[index].frames.removeValue(forKey: frame.slot) ?? []
                let bytes = Self.bytes(.voice(header), payload: payload)
                for link in phones[index].coordinator.links(in: fanout) {
                    sentHeaders.append(header)
                    if let wire = wires.first(where: { $0.link == link }) {
                        voicePackets[wire.path, default: 0] += 1
                    }
                    sealAndSend(bytes, by: link, from: index)
                }
            case .sendMessage(let message, let link):
                sealAndSend(Self.bytes(message, payload: []), by: link, from: index)
            case .sendControl(let message, let link):
                sealAndSend(message.encoded, by: link, from: index)
            case .closeLink(let link), .cutLink(let link, _):
                phones[index].news.append((now, effect))
                close(link, by: index)
            case .discardCaptured(let frame), .reject(let frame, _):
                phones[index].frames[frame.slot] = nil
            case .playout(_, let playout): play(playout, at: index)
            case .sound:
                // This bench's microphones and speakers work without being asked.
                break
            case .cardsChanged(let cards):
                #expect(cards != phones[index].shownCards, "cards are shown when they change")
                phones[index].shownCards = cards
                phones[index].news.append((now, effect))
            case .memberJoined, .guestCame, .inviteAnswered, .phaseChanged, .judged, .refused:
                phones[index].news.append((now, effect))
            }
        }
    }

    private static func bytes(_ message: PeerMessage, payload: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](
            repeating: 0,
            count: message.encodedCount(payloadCount: payload.count)
        )
        _ = bytes.withUnsafeMutableBytes { room in
            payload.withUnsafeBytes { message.encode(into: room, payload: $0) }
        }
        return bytes
    }

    private func sealAndSend(_ bytes: [UInt8], by link: LinkID, from index: Int) {
        var packet = [UInt8](
            repeating: 0,
            count: PacketSealer.packetCount(plaintextCount: bytes.count)
        )
        let count = bytes.withUnsafeBytes { bytes in
            packet.withUnsafeMutableBytes { room in
                phones[index].coordinator.seal(bytes, for: link, into: room)
            }
        }
        guard let count else { return }
        transmit(Array(packet[..<count]), by: link, from: index)
    }

    private func play(_ effect: JitterBuffer.Effect, at index: Int) {
        switch effect {
        case .play(let frame, _, _):
            guard let payload = phones[index].frames.removeValue(forKey: frame.slot) else {
                preconditionFailure("frame \(frame.slot) sounds twice")
            }
            let parts = String(decoding: payload, as: UTF8.self).split(separator: ":")
            guard let stream = UInt32(parts[0]), let capture = Int64(parts[1]) else { return }
            phones[index].played[stream, default: [:]][capture, default: []].append(now)
        case .discard(let frame, _, _): phones[index].frames[frame.slot] = nil
        case .conceal, .recover, .silence, .targetChanged: break
        }
    }

    // MARK: Transports

    private func want(_ path: TransportPath, at index: Int) {
        phones[index].wants.insert(path)
        if path == .internet { phones[index].internetAsked.append(now) }
        for other in phones.indices
        where other != index && !phones[other].isOff && phones[other].wants.contains(path) {
            let ends = (min(index, other), max(index, other))
            let isThere = wires.contains { $0.ends == ends && $0.path == path }
            let isComing = settingUp.contains { $0.ends == ends && $0.path == path }
            guard !isThere, !isComing else { continue }
            settingUp.append((now + (setUpMilliseconds[path] ?? 0), ends, path))
        }
    }

    private func connect(_ ends: (Int, Int), _ path: TransportPath) {
        guard phones[ends.0].wants.contains(path), phones[ends.1].wants.contains(path) else {
            return
        }
        let link = LinkID(number: nextLink)
        nextLink += 1
        wires.append(Wire(link: link, ends: ends, path: path))
        send(.linkUp(link, path), to: ends.0)
        send(.linkUp(link, path), to: ends.1)
    }

    private func leave(_ path: TransportPath, at index: Int) {
        phones[index].wants.remove(path)
        for wire in wires where wire.path == path && (wire.ends.0 == index || wire.ends.1 == index)
        {
            close(wire.link, by: index)
        }
    }

    private func close(_ link: LinkID, by index: Int) {
        guard let wire = wires.first(where: { $0.link == link }) else { return }
        wires.removeAll { $0.link == link }
        // What was sent before arrives before the end does.
        let last = queue.filter { $0.link == link }
        queue.removeAll { $0.link == link }
        for delivery in last { receive(delivery) }
        let other = wire.ends.0 == index ? wire.ends.1 : wire.ends.0
        guard !phones[other].isOff else { return }
        send(.linkDown(link), to: other)
    }

    private func transmit(_ bytes: [UInt8], by link: LinkID, from index: Int) {
        guard let wire = wires.first(where: { $0.link == link }) else { return }
        let receiver = wire.ends.0 == index ? wire.ends.1 : wire.ends.0
        guard !random.chance(percent: loss(wire.path, wire.ends, now)) else { return }
        var packet = bytes
        tamper(&packet)
        let due = now + (delayMilliseconds[wire.path] ?? 0)
        queue.append(Delivery(due: due, link: link, receiver: receiver, bytes: packet))
    }

    private func receive(_ delivery: Delivery) {
        let index = delivery.receiver
        guard !phones[index].isOff else { return }
        guard delivery.bytes.withUnsafeBytes({ SecureSession.isSealed($0) }) else {
            return send(.handshakeReceived(delivery.bytes, delivery.link), to: index)
        }
        var room = [UInt8](repeating: 0, count: PacketSealer.plaintextCountMax)
        let opened = delivery.bytes.withUnsafeBytes { packet in
            room.withUnsafeMutableBytes { room in
                Result { () throws(PacketRefusal) in
                    try phones[index].coordinator.open(
                        packet,
                        by: delivery.link,
                        into: room,
                        at: instant
                    )
                }
            }
        }
        switch opened {
        case .failure(let refusal): send(.packetRefused(refusal, delivery.link), to: index)
        case .success(let count): hear(Array(room[..<count]), by: delivery.link, at: index)
        }
    }

    private func hear(_ bytes: [UInt8], by link: LinkID, at index: Int) {
        if bytes.withUnsafeBytes({ ControlMessage.isControl($0) }) {
            guard let message = try? ControlMessage(decoding: bytes) else {
                return send(.packetRefused(.unreadable, link), to: index)
            }
            return send(.controlReceived(message, link), to: index)
        }
        switch bytes.withUnsafeBytes({ try? PeerMessage(decoding: $0) }) {
        case .voice(let header):
            let frame = keep(Array(bytes[PeerMessage.payloadOffset...]), at: index)
            send(.voiceReceived(header, frame, link), to: index)
        case let message?: send(.messageReceived(message, link), to: index)
        case nil: send(.packetRefused(.unreadable, link), to: index)
        }
    }
}

/// A seeded sequence (splitmix64).
struct LawLikeRandom {
    var state: UInt64

    mutating func chance(percent: Int) -> Bool {
        guard percent > 0 else { return false }
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((bits ^ (bits >> 31)) % 100) < percent
    }
}
