import KodamaEvidence

/// How much of what people say is sent and played, and how much of their silence is sent.
///
/// It walks along each device's time line two seconds behind the records, so that by the time a
/// captured frame is judged it is known whether it was sent and where it was played. What happens
/// later than that counts as not having happened: voice two seconds old is no conversation.
struct CoverageMeter {
    /// Something to be judged when it is two seconds old.
    struct Event {
        /// When it was recorded.
        var instant: Int64
        /// To which device it happened.
        var device: Int
        /// What it was.
        var content: Content
    }

    /// What can happen.
    enum Content {
        /// The microphone delivered a frame.
        case captured(CoverageFrame)
        /// The device joined a group.
        case joined(group: Int64)
        /// The device left its group.
        case left
        /// A person at the device began to speak.
        case began(ComponentIndex)
        /// A person at the device ended to speak.
        case ended(ComponentIndex)
        /// A person at the device is muted amid speech.
        case hushed(ComponentIndex)
    }

    /// When the oldest event is due; nothing has to be judged before.
    private(set) var nextDue: Int64 = .max
    /// What was found so far.
    private(set) var totals = CoverageTotals()

    private var events = EventQueue<Event>()
    private var lines: [CoverageLine] = []
    private var sentIndices: [IndexWindow] = []

    private static var patience: Int64 { 2_000_000_000 }
    /// No microphone takes longer than this to deliver a frame.
    private static var captureLatencyMax: Int64 { 1_000_000_000 }

    /// One more device is known.
    mutating func openDevice(_ phone: ComponentIndex) {
        lines.append(CoverageLine(device: lines.count, phone: phone))
        sentIndices.append(IndexWindow())
    }

    /// Something happened that is to be judged later.
    mutating func observe(_ event: Event) {
        if events.isEmpty {
            nextDue = event.instant + Self.patience
        }
        events.append(event)
    }

    /// A device sent a frame to a peer.
    mutating func sent(_ index: Int64, by device: Int) {
        _ = sentIndices[device].insert(index)
    }

    /// Judges what is at least two seconds old at `now`.
    mutating func settle(until now: Int64, _ pairs: PairTable<VoicePair>) {
        while let event = events.first {
            guard event.instant + Self.patience <= now else {
                nextDue = event.instant + Self.patience
                return
            }
            events.removeFirst()
            judge(event, pairs)
        }
        nextDue = .max
    }

    /// Judges what is left at the run's end, but for the last seconds.
    mutating func end(at now: Int64, _ pairs: PairTable<VoicePair>) {
        settle(until: now, pairs)
        for device in lines.indices {
            let end = now - Self.patience - Self.captureLatencyMax
            lines[device].walk(to: end, nil, pairs, &totals)
            lines[device].finish(pairs, &totals)
            guard let rate = lines[device].openings.rate else { continue }
            let occurrence = Occurrence(rate.longest, of: lines[device].phone)
            totals.needlessOpenings.add(rate.perHour, at: occurrence)
        }
    }

    private mutating func judge(_ event: Event, _ pairs: PairTable<VoicePair>) {
        let device = event.device
        switch event.content {
        case .captured(var frame):
            frame.isSent = sentIndices[device].contains(frame.index)
            lines[device].walk(to: frame.start, nil, pairs, &totals)
            lines[device].walk(to: frame.end, frame, pairs, &totals)
        case .joined(let group):
            // The members of the group as it stands two seconds ago, in this replay.
            let peers = lines.indices.filter { $0 != device && lines[$0].membership == group }
            lines[device].membership = group
            pass(.joined, device, event.instant, pairs)
            for peer in peers {
                pass(.peerJoined(peer, lines[peer].phone), device, event.instant, pairs)
                pass(.peerJoined(device, lines[device].phone), peer, event.instant, pairs)
            }
        case .left:
            guard let group = lines[device].membership else { return }
            lines[device].membership = nil
            pass(.left, device, event.instant, pairs)
            for peer in lines.indices where lines[peer].membership == group {
                pass(.peerLeft(device), peer, event.instant, pairs)
            }
        case .began(let person):
            pass(.began(person), device, event.instant, pairs)
        case .ended(let person):
            pass(.ended(person), device, event.instant, pairs)
        case .hushed(let person):
            pass(.hushed(person), device, event.instant, pairs)
        }
    }

    /// Puts an edge onto a device's line; the walk crosses it when it comes there.
    ///
    /// Frames that span the edge may be yet to come, but not for ever: where no microphone is open the
    /// line is walked without frames, so that edges never pile up.
    private mutating func pass(
        _ content: CoverageEdge.Content,
        _ device: Int,
        _ instant: Int64,
        _ pairs: PairTable<VoicePair>
    ) {
        let latency = lines[device].isJoined ? Self.captureLatencyMax : 0
        lines[device].edges.append(CoverageEdge(instant: instant, content: content))
        lines[device].walk(to: instant - latency, nil, pairs, &totals)
    }
}

/// A captured frame.
struct CoverageFrame {
    var index: Int64
    var start: Int64
    var end: Int64
    /// Whether it was sent to anyone.
    var isSent = false
}
