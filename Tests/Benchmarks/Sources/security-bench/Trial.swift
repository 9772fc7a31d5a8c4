import GroupSecurity
import SansIOTesting

/// A session under attack: authentic packets come in order, wrong ones between them.
struct Trial {
    /// How many wrong packets come for each right one.
    static let wrongPerRight = 4
    /// How many packets back the window reaches.
    static let windowLength = 256
    /// How far back packets are kept.
    static let historyLength = 1_024

    /// What became of one kind.
    struct Outcome {
        var tried = 0
        var accepted = 0
        var refused: [PacketRefusal: Int] = [:]
    }

    private var phones = Phones(in: Phones.makeGroup())
    private var strangers = Phones(in: Phones.makeGroup())
    private var others: Phones
    private var random = LawRandom(seed: 1)
    private var history: [[UInt8]] = []
    private var historyOfEpochBefore: [[UInt8]] = []
    private var rightCount = 0
    private var rightRefused = 0
    private var outcomes: [Outcome]
    private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

    init() {
        let group = Phones.makeGroup()
        phones = Phones(in: group)
        others = Phones(in: group)
        outcomes = Forgery.allCases.map { _ in Outcome() }
    }

    /// Whether nothing wrong was accepted and everything right was.
    var isPassed: Bool { outcomes.allSatisfy { $0.accepted == 0 } && rightRefused == 0 }

    mutating func run(forgeries: Int) {
        let kinds = Forgery.allCases
        var kind = 0
        var done = 0
        var progress = 0
        while done < forgeries {
            let packet = phones.anna.sealed(message(), stream: 0)
            for _ in 0..<Self.wrongPerRight where done < forgeries {
                let tried = attack(with: kinds[kind], beside: packet)
                kind = (kind + 1) % kinds.count
                done += tried ? 1 : 0
            }
            rightCount += 1
            if phones.ben.refusal(of: packet, into: room) != nil { rightRefused += 1 }
            remember(packet)
            if done * 10 / forgeries > progress {
                progress = done * 10 / forgeries
                SecurityBench.complain("\(progress * 10) % of \(forgeries) wrong packets\n")
            }
        }
    }

    /// A message as long as a voice frame, or now and then as long as any.
    private mutating func message() -> [UInt8] {
        let count = random.below(50) == 0 ? 1 + random.below(1_372) : 60 + random.below(40)
        return [UInt8](repeating: UInt8(truncatingIfNeeded: random.next()), count: count)
    }

    private mutating func remember(_ packet: [UInt8]) {
        if let last = history.last, last[2...3] != packet[2...3] {
            historyOfEpochBefore = history
            history.removeAll()
        }
        if history.count == 2 * Self.historyLength { history.removeFirst(Self.historyLength) }
        history.append(packet)
    }

    /// Gives a wrong packet to the receiver; false if none of this kind can be made yet.
    private mutating func attack(with kind: Forgery, beside packet: [UInt8]) -> Bool {
        guard let wrong = forge(kind, beside: packet) else { return false }
        let place = Forgery.allCases.firstIndex(of: kind) ?? 0
        outcomes[place].tried += 1
        if let refusal = phones.ben.refusal(of: wrong, into: room) {
            outcomes[place].refused[refusal, default: 0] += 1
        } else {
            outcomes[place].accepted += 1
        }
        return true
    }

    private mutating func forge(_ kind: Forgery, beside packet: [UInt8]) -> [UInt8]? {
        switch kind {
        case .versionBit: flip(packet, 0..<1, bits: 4..<8)
        case .typeBit: flip(packet, 0..<1, bits: 0..<4)
        case .otherStream: change(packet, 1, to: UInt8(1 + random.below(3)))
        case .streamBit: flip(packet, 1..<2, bits: 2..<8)
        case .nextEpoch: change(packet, 3, to: packet[3] &+ 1)
        case .previousEpoch: packet[3] == 0 ? nil : change(packet, 3, to: packet[3] &- 1)
        case .epochBit: flip(packet, 2..<3, bits: 0..<8)
        case .sessionBit: flip(packet, 4..<8)
        case .sequenceBit: flip(packet, 8..<12)
        case .bodyBit: flip(packet, 12..<packet.count - 16)
        case .tagBit: flip(packet, packet.count - 16..<packet.count)
        case .truncated:
            packet.count > 29 ? Array(packet.prefix(29 + random.below(packet.count - 29))) : nil
        case .extended:
            packet.count < 1_400 ? packet + [UInt8(truncatingIfNeeded: random.next())] : nil
        case .spliced: history.last.map { Array(packet[..<12]) + $0[12...] }
        case .otherGroup:
            Array(packet[..<12]) + strangers.anna.sealed(message(), stream: 0)[12...]
        case .otherSession:
            Array(packet[..<12]) + others.anna.sealed(message(), stream: 0)[12...]
        case .otherDirection: phones.ben.sealed(message(), stream: 0)
        case .replayInside: back(1 + random.below(Self.windowLength - 1))
        case .replayAtEdge: back(Self.windowLength)
        case .replayAtEdgeBehind: back(Self.windowLength + 1)
        case .replayBehind:
            back(Self.windowLength + 2 + random.below(Self.historyLength - Self.windowLength))
        case .replayOfEpochBefore:
            historyOfEpochBefore.isEmpty
                ? nil : historyOfEpochBefore[random.below(historyOfEpochBefore.count)]
        }
    }

    private mutating func flip(
        _ packet: [UInt8],
        _ bytes: Range<Int>,
        bits: Range<Int> = 0..<8
    ) -> [UInt8] {
        var changed = packet
        let byte = bytes.lowerBound + random.below(bytes.count)
        changed[byte] ^= 1 << UInt8(bits.lowerBound + random.below(bits.count))
        return changed
    }

    private func change(_ packet: [UInt8], _ place: Int, to value: UInt8) -> [UInt8] {
        var changed = packet
        changed[place] = value
        return changed
    }

    /// The packet that came so many packets ago, from 1.
    private func back(_ count: Int) -> [UInt8]? {
        count <= history.count ? history[history.count - count] : nil
    }

    func report() {
        for (kind, outcome) in zip(Forgery.allCases, outcomes) {
            let reasons = PacketRefusal.allCases.compactMap { reason in
                outcome.refused[reason].map { "\(reason) \($0)" }
            }
            print(
                kind.rawValue,
                kind.reachesTag ? "reaches the tag" : "refused before the tag",
                "tried \(outcome.tried)",
                "accepted \(outcome.accepted)",
                reasons.joined(separator: ", "),
                separator: "\t"
            )
        }
        let tried = outcomes.reduce(0) { $0 + $1.tried }
        let accepted = outcomes.reduce(0) { $0 + $1.accepted }
        print("wrong packets\t", "tried \(tried)", "accepted \(accepted)", separator: "\t")
        print("right packets\t", "tried \(rightCount)", "refused \(rightRefused)", separator: "\t")
    }
}
