@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO

/// What a trace says of who was where, who spoke and which frames went where.
struct CallHistory {
    struct Spurt {
        var onset: Int64
        var end: Int64
    }

    struct Frame {
        var device: ComponentIndex
        var index: Int64
        var start: Int64
        var end: Int64
        var recorded: Int64
    }

    private struct Membership {
        var group: Int64
        var from: Int64
        var until: Int64
    }

    private struct FrameKey: Hashable {
        var origin: ComponentIndex
        var listener: ComponentIndex
        var index: Int64
    }

    /// The devices that ever joined a group, in the order of joining.
    private(set) var devices: [ComponentIndex] = []
    private var memberships: [ComponentIndex: [Membership]] = [:]
    private var joinedAtPlace: [ComponentIndex: Int] = [:]
    private var spurtsByDevice: [ComponentIndex: [Spurt]] = [:]
    private var framesByDevice: [ComponentIndex: [Frame]] = [:]
    private var firstSent: [FrameKey: Int64] = [:]
    private var firstPlayed: [FrameKey: Int64] = [:]
    private let runEnd: Int64

    init(_ records: [TraceRecord]) {
        runEnd = records.last?.instant.nanoseconds ?? 0
        var open: [ComponentIndex: (ComponentIndex, Int64)] = [:]
        for (place, record) in records.enumerated() {
            let now = record.instant.nanoseconds
            switch record.kind {
            case GroupJoined.kind:
                if joinedAtPlace[record.component] == nil {
                    devices.append(record.component)
                    joinedAtPlace[record.component] = place
                }
                memberships[record.component, default: []]
                    .append(Membership(group: GroupJoined(record).group, from: now, until: .max))
            case GroupLeft.kind:
                if let last = memberships[record.component]?.indices.last {
                    memberships[record.component]?[last].until = now
                }
            case SpeechBegan.kind:
                open[record.component] = (record.subject, now)
            case SpeechEnded.kind:
                if let (device, onset) = open.removeValue(forKey: record.component) {
                    spurtsByDevice[device, default: []].append(Spurt(onset: onset, end: now))
                }
            case FrameCaptured.kind:
                let captured = FrameCaptured(record)
                let start = captured.start.nanoseconds
                let frame = Frame(
                    device: record.component,
                    index: captured.index,
                    start: start,
                    end: start + captured.durationNanoseconds,
                    recorded: now
                )
                framesByDevice[record.component, default: []].append(frame)
            default:
                break
            }
        }
        for (device, onset) in open.values {
            spurtsByDevice[device, default: []].append(Spurt(onset: onset, end: .max))
        }
        followFrames(records)
    }

    private mutating func followFrames(_ records: [TraceRecord]) {
        for (place, record) in records.enumerated() {
            guard isMember(record.component, place), isMember(record.subject, place) else {
                continue
            }
            let now = record.instant.nanoseconds
            if let packet = record.read(PacketSent.self), packet.content.value == .voice {
                let key = FrameKey(
                    origin: record.component,
                    listener: .none,
                    index: packet.index
                )
                firstSent[key] = min(firstSent[key] ?? now, now)
            } else if let frame = record.read(FramePlayed.self) {
                let key = FrameKey(
                    origin: record.subject,
                    listener: record.component,
                    index: frame.index
                )
                firstPlayed[key] = min(firstPlayed[key] ?? now, now)
            }
        }
    }

    /// Whether the component had joined a group by the record at `place`.
    func isMember(_ component: ComponentIndex, _ place: Int) -> Bool {
        (joinedAtPlace[component] ?? .max) <= place
    }

    func frameLength(_ device: ComponentIndex) -> Int64 {
        framesByDevice[device]?.first.map { $0.end - $0.start } ?? 20_000_000
    }

    func spurts(at device: ComponentIndex) -> [Spurt] {
        spurtsByDevice[device] ?? []
    }

    /// The times in which anybody speaks at the device, in order.
    func stretches(at device: ComponentIndex) -> [Spurt] {
        var merged: [Spurt] = []
        for spurt in spurts(at: device).sorted(by: { $0.onset < $1.onset }) {
            if let last = merged.indices.last, spurt.onset < merged[last].end {
                merged[last].end = max(merged[last].end, spurt.end)
            } else {
                merged.append(spurt)
            }
        }
        return merged
    }

    func isSpeaking(at device: ComponentIndex, _ instant: Int64) -> Bool {
        spurts(at: device).contains { $0.onset <= instant && instant < $0.end }
    }

    /// The spurts that ended at least 2 s before the run, where frames are settled.
    func settledSpurts(at device: ComponentIndex) -> [Spurt] {
        spurts(at: device)
            .filter { $0.end <= settledUntil(device) && $0.end <= runEnd - 2_000_000_000 }
    }

    func frames(of device: ComponentIndex) -> [Frame] {
        framesByDevice[device] ?? []
    }

    func frame(of device: ComponentIndex, at instant: Int64) -> Frame? {
        frames(of: device).first { $0.start <= instant && instant < $0.end }
    }

    func isSent(_ frame: Frame) -> Bool {
        let key = FrameKey(origin: frame.device, listener: .none, index: frame.index)
        return firstSent[key].map { $0 < frame.recorded + 2_000_000_000 } ?? false
    }

    func isPlayed(_ frame: Frame, at listener: ComponentIndex) -> Bool {
        let key = FrameKey(origin: frame.device, listener: listener, index: frame.index)
        return firstPlayed[key].map { $0 < frame.recorded + 2_000_000_000 } ?? false
    }

    /// The others in the device's group at `instant`; none if it is in no group itself.
    func peers(of device: ComponentIndex, _ instant: Int64) -> [ComponentIndex] {
        guard let group = group(of: device, instant) else { return [] }
        return devices.filter { $0 != device && self.group(of: $0, instant) == group }
    }

    private func group(of device: ComponentIndex, _ instant: Int64) -> Int64? {
        memberships[device]?.first { $0.from <= instant && instant < $0.until }?.group
    }

    /// `from` and every instant in [from, until) at which somebody joins or leaves.
    func moments(from: Int64, until: Int64) -> [Int64] {
        [from]
            + memberships.values.joined().flatMap { [$0.from, $0.until] }
            .filter { $0 > from && $0 < until }
    }

    /// The device's time line cut wherever anything changes, as far as it is settled.
    func segments(of device: ComponentIndex) -> [(from: Int64, until: Int64)] {
        let limit = settledUntil(device)
        let settled = frames(of: device).filter { $0.end <= limit }
        var cuts = settled.flatMap { [$0.start, $0.end] }
        cuts += spurts(at: device).flatMap { [$0.onset, $0.end] }
        cuts += memberships.values.joined().flatMap { [$0.from, $0.until] }
        cuts += [0, limit]
        let ordered = Set(cuts).filter { $0 >= 0 && $0 <= limit }.sorted()
        return zip(ordered, ordered.dropFirst()).map { (from: $0, until: $1) }
    }

    private func settledUntil(_ device: ComponentIndex) -> Int64 {
        let frames = frames(of: device).filter { $0.recorded <= runEnd - 2_000_000_000 }
        return max(frames.last?.end ?? 0, runEnd - 3_000_000_000)
    }
}
