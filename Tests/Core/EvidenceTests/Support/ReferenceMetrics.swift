@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaSimulation
import PeerTransport
import SansIO

/// The voice metrics computed the slow, obvious way, with the whole trace in view.
struct ReferenceMetrics {
    var samples: [String: [Int64]] = [:]
    var shares: [String: [Int64]] = [:]
    var totals: [String: Int64] = [:]

    private let records: [TraceRecord]
    private let history: CallHistory

    init(_ trace: RecordedTrace) {
        records = trace.records
        history = CallHistory(trace.records)
        measureMouthToEar()
        measurePlayout()
        measureTransmission()
        measureLosses()
        for device in history.devices {
            measureCoverage(of: device)
            measureSpurts(of: device)
            for peer in history.devices where peer != device {
                measureGaps(of: device, at: peer)
            }
        }
    }

    private mutating func measureMouthToEar() {
        var perStream: [Route: (sum: Int64, count: Int64)] = [:]
        for (place, record) in records.enumerated() {
            guard history.isMember(record.component, place),
                history.isMember(record.subject, place),
                let frame = record.read(FramePlayed.self)
            else { continue }
            let captured = frame.captured.nanoseconds
            let length = history.frameLength(record.subject)
            let stretches = history.stretches(at: record.subject)
            let spoken = stretches.last { $0.onset < captured + length && $0.end > captured }
            guard let spoken else { continue }
            let delay = frame.heard.nanoseconds - captured
            let route = Route(origin: record.subject, listener: record.component)
            let tally = perStream[route] ?? (0, 0)
            perStream[route] = (tally.sum + delay, tally.count + 1)
            if captured - spoken.onset < 300_000_000 {
                samples["voice.mouth_to_ear.onset.time", default: []].append(delay)
            }
            if captured - spoken.onset > 2_000_000_000 {
                samples["voice.mouth_to_ear.time", default: []].append(delay)
            }
        }
        for device in history.devices {
            for origin in history.devices {
                let route = Route(origin: origin, listener: device)
                guard let tally = perStream[route], tally.count >= 50 else { continue }
                score(route, delay: tally.sum / tally.count)
            }
        }
    }

    private mutating func score(_ route: Route, delay: Int64) {
        let due = records.enumerated().filter { place, record in
            (record.kind == FramePlayed.kind || Self.samplesInsteadOfFrame(record) > 0)
                && record.component == route.listener && record.subject == route.origin
                && history.isMember(record.subject, place)
                && history.isMember(record.component, place)
        }.map(\.element)
        let sounds = due.map {
            $0.kind == FramePlayed.kind ? 960 : Self.samplesInsteadOfFrame($0)
        }
        let heard = due.map { $0.read(FrameConcealed.self)?.means.value == .extrapolated }
        let lostSamples = zip(heard, sounds).reduce(0) { $0 + ($1.0 ? $1.1 : 0) }
        var bursts: Int64 = 0
        for (place, isLost) in heard.enumerated() where isLost {
            bursts += place == 0 || !heard[place - 1] ? 1 : 0
        }
        let score = EModel.meanOpinionScoreThousandths(
            mouthToEarNanoseconds: delay,
            lostPartsPerMillion: lostSamples * 1_000_000 / sounds.reduce(0, +),
            burstThousandths: bursts == 0 ? 1_000 : lostSamples * 1_000 / (bursts * 960)
        )
        samples["voice.mos.estimated", default: []].append(score)
    }

    /// How long made-up sound stands in for frames that were due.
    private static func samplesInsteadOfFrame(_ record: TraceRecord) -> Int64 {
        record.read(FrameConcealed.self)?.samples ?? 0
    }

    private mutating func measureCoverage(of device: ComponentIndex) {
        for segment in history.segments(of: device) {
            let peers = history.peers(of: device, segment.from)
            guard !peers.isEmpty else { continue }
            let length = segment.until - segment.from
            let frame = history.frame(of: device, at: segment.from)
            let isSent = frame.map(history.isSent) ?? false
            guard history.isSpeaking(at: device, segment.from) else {
                addShare("voice.silence.sent", isSent ? length : 0, length)
                continue
            }
            addShare("voice.speech.not_sent", isSent ? 0 : length, length)
            for peer in peers {
                let isPlayed = frame.map { history.isPlayed($0, at: peer) } ?? false
                addShare("voice.speech.not_played", isPlayed ? 0 : length, length)
            }
        }
    }

    private mutating func measureSpurts(of device: ComponentIndex) {
        for spurt in history.settledSpurts(at: device) {
            // In company from the onset to the end.
            let instants = history.moments(from: spurt.onset, until: spurt.end)
            guard instants.allSatisfy({ !history.peers(of: device, $0).isEmpty }) else { continue }
            let frames = history.frames(of: device)
                .filter { $0.end > spurt.onset && $0.start < spurt.end }
            let sent = frames.first(where: history.isSent)
            let clip = sent.map { max(0, $0.start - spurt.onset) } ?? spurt.end - spurt.onset
            samples["voice.onset.clipped.sender.time", default: []].append(clip)
            for peer in history.devices where peer != device {
                let isThere = instants.allSatisfy { history.peers(of: device, $0).contains(peer) }
                guard isThere else { continue }
                let played = frames.first { history.isPlayed($0, at: peer) }
                let clip = played.map { max(0, $0.start - spurt.onset) } ?? spurt.end - spurt.onset
                samples["voice.onset.clipped.listener.time", default: []].append(clip)
            }
        }
    }

    private mutating func measureGaps(of device: ComponentIndex, at peer: ComponentIndex) {
        var gap: Int64 = 0
        func close(_ samples: inout [String: [Int64]]) {
            if gap > 0 {
                samples["voice.speech.gap.time", default: []].append(gap)
            }
            gap = 0
        }
        for segment in history.segments(of: device) {
            let spurts = history.spurts(at: device)
                .filter { $0.onset <= segment.from && segment.from < $0.end }
            let frame = history.frame(of: device, at: segment.from)
            let isPlayed = frame.map { history.isPlayed($0, at: peer) } ?? false
            guard history.peers(of: device, segment.from).contains(peer), !spurts.isEmpty, !isPlayed
            else {
                close(&samples)
                continue
            }
            let wasHeard = spurts.contains { spurt in
                let instants = history.moments(from: spurt.onset, until: segment.until)
                let isThere = instants.allSatisfy { history.peers(of: device, $0).contains(peer) }
                return isThere
                    && history.frames(of: device).contains {
                        $0.end > spurt.onset && $0.start < segment.from
                            && history.isPlayed($0, at: peer)
                    }
            }
            if wasHeard {
                gap += segment.until - segment.from
            }
        }
        close(&samples)
    }

    private mutating func measurePlayout() {
        var played: [Route: [FramePlayed]] = [:]
        var repaired: [Route: [Int64]] = [:]
        var runs: [Route: Int64] = [:]
        var due: Int64 = 0
        var counts: [String: Int64] = [:]
        var means: [Int64: Int64] = [:]
        func close(_ route: Route, _ samples: inout [String: [Int64]]) {
            if let run = runs[route], run > 0 {
                samples["voice.concealed.run.time", default: []].append(
                    run * 1_000_000_000 / 48_000
                )
            }
            runs[route] = 0
        }
        for (place, record) in records.enumerated() {
            guard history.isMember(record.component, place), history.isMember(record.subject, place)
            else { continue }
            let route = Route(origin: record.subject, listener: record.component)
            switch record.kind {
            case FramePlayed.kind:
                let frame = FramePlayed(record)
                due += 960
                counts["sounded", default: 0] += frame.samples
                counts["inserted", default: 0] += max(0, frame.samples - 960)
                let before = played[route, default: []]
                let indices = before.map(\.index) + repaired[route, default: []]
                counts["twice", default: 0] += indices.contains(frame.index) ? 1 : 0
                counts["disorder", default: 0] += indices.contains { $0 > frame.index } ? 1 : 0
                played[route, default: []].append(frame)
                close(route, &samples)
            case FrameConcealed.kind:
                let frame = FrameConcealed(record)
                counts["sounded", default: 0] += frame.samples
                means[frame.means.number, default: 0] += frame.samples
                due += Self.samplesInsteadOfFrame(record)
                if frame.means.value == .repaired {
                    counts["inserted", default: 0] += max(0, frame.samples - 960)
                    let before = (played[route] ?? []).map(\.index) + repaired[route, default: []]
                    counts["twice", default: 0] += before.contains(frame.index) ? 1 : 0
                    repaired[route, default: []].append(frame.index)
                    close(route, &samples)
                } else if let last = played[route]?.last {
                    let length = history.frameLength(record.subject)
                    let start = last.captured.nanoseconds + (frame.index - last.index) * length
                    let isSpeech = history.stretches(at: record.subject).contains {
                        $0.onset < start + length && $0.end > start
                            && $0.onset <= record.instant.nanoseconds
                    }
                    if isSpeech {
                        runs[route, default: 0] += frame.samples
                    } else {
                        close(route, &samples)
                    }
                }
            case PacketArrived.kind where PacketArrived(record).content.value == .voice:
                counts["arrived", default: 0] += 1
            case FrameDiscarded.kind where FrameDiscarded(record).reason.value == .late:
                counts["late", default: 0] += 1
            default: break
            }
        }
        for route in runs.keys {
            close(route, &samples)
        }
        totals["voice.duplicates.played"] = counts["twice", default: 0]
        totals["voice.order.broken"] = counts["disorder", default: 0]
        shares["voice.late"] = [counts["late", default: 0], counts["arrived", default: 0]]
        shares["voice.concealed"] = [
            means[ConcealmentMeans.extrapolated.rawValue, default: 0], due,
        ]
        shares["voice.repaired"] = [means[ConcealmentMeans.repaired.rawValue, default: 0], due]
        shares["voice.stretched"] = [counts["inserted", default: 0], counts["sounded", default: 0]]
    }

    private mutating func measureTransmission() {
        var last: [Route: [Int64: Int64]] = [:]
        for name in ["voice.bytes", "voice.frames.sent"] {
            totals[name] = 0
        }
        func pause(_ route: Route, _ now: Int64, _ samples: inout [String: [Int64]]) {
            if let latest = last[route]?.values.max(), now - latest > 100_000_000 {
                samples["voice.send.gap.time", default: []].append(now - latest)
            }
        }
        for (place, record) in records.enumerated() {
            let now = record.instant.nanoseconds
            let route = Route(origin: record.component, listener: record.subject)
            if record.kind == GroupLeft.kind {
                last = last.filter {
                    $0.key.origin != record.component && $0.key.listener != record.component
                }
            }
            if record.kind == RunEnded.kind {
                for route in last.keys {
                    pause(route, now, &samples)
                }
            }
            guard history.isMember(record.component, place) else { continue }
            guard let packet = record.read(PacketSent.self) else { continue }
            totals["voice.bytes", default: 0] += packet.bytes
            totals["voice.frames.sent", default: 0] += packet.content.value == .voice ? 1 : 0
            guard history.isMember(record.subject, place) else { continue }
            if packet.content.value == .keepalive, let latest = last[route]?[packet.path.number] {
                samples["voice.keepalive.period", default: []].append(now - latest)
            }
            pause(route, now, &samples)
            last[route, default: [:]][packet.path.number] = now
        }
    }

    /// Each voice frame of a route is `true` if the network dropped it; bursts are runs of these.
    private mutating func measureLosses() {
        let drops = records.enumerated().filter { place, record in
            record.kind == PacketDropped.kind && history.isMember(record.component, place)
        }.map { PacketDropped($0.element) }
        func count(_ name: String, _ isCounted: (PacketDropped) -> Bool) {
            totals["voice.packets.dropped" + name] = Int64(drops.filter(isCounted).count)
        }
        count("") { _ in true }
        count(".frames") { $0.content.value == .voice }
        count(".lost") { $0.reason.value == .loss }
        count(".queued") { [.queueFull, .queueManaged].contains($0.reason.value) }
        count(".stopped") { [.down, .blocked, .tooLarge].contains($0.reason.value) }
        var fates: [Route: [Bool]] = [:]
        for (place, record) in records.enumerated()
        where history.isMember(record.component, place) && history.isMember(record.subject, place) {
            let route = Route(origin: record.component, listener: record.subject)
            if record.read(PacketSent.self)?.content.value == .voice {
                fates[route, default: []].append(false)
            } else if record.read(PacketDropped.self)?.content.value == .voice,
                let last = fates[route]?.indices.last
            {
                fates[route]?[last] = true
            }
        }
        for row in fates.values {
            let bursts = row.split(separator: false).map { Int64($0.count) }
            samples["voice.loss.burst.frames", default: []] += bursts
            guard let first = row.firstIndex(of: true), let last = row.lastIndex(of: true) else {
                continue
            }
            let gaps = row[first...last].split(separator: true).map { Int64($0.count) }
            samples["voice.loss.gap.frames", default: []] += gaps
        }
    }

    private mutating func addShare(_ name: String, _ part: Int64, _ whole: Int64) {
        let share = shares[name] ?? [0, 0]
        shares[name] = [share[0] + part, share[1] + whole]
    }
}

/// A speaker and a listener.
private struct Route: Hashable {
    var origin: ComponentIndex
    var listener: ComponentIndex
}
