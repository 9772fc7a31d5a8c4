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
        case captured(Frame)
        /// The device joined a group.
        case joined(group: Int64)
        /// The device left its group.
        case left
        /// A person at the device began to speak.
        case began(ComponentIndex)
        /// A person at the device ended to speak.
        case ended(ComponentIndex)
    }

    /// A captured frame.
    struct Frame {
        var index: Int64
        var start: Int64
        var end: Int64
    }

    /// When the oldest event is due; nothing has to be judged before.
    private(set) var nextDue: Int64 = .max

    private(set) var senderClip = Distribution()
    private(set) var listenerClip = Distribution()
    private(set) var speechGap = Distribution()
    private(set) var speechNotSent = Proportion()
    private(set) var silenceSent = Proportion()
    private(set) var speechNotPlayed = Proportion()

    private var events = EventQueue<Event>()
    private var lines: [CoverageLine] = []
    private var sentIndices: [IndexWindow] = []

    private static var patience: Int64 { 2_000_000_000 }
    /// No microphone takes longer than this to deliver a frame.
    private static var captureLatencyMax: Int64 { 1_000_000_000 }

    /// One more device is known.
    mutating func openDevice() {
        lines.append(CoverageLine())
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
            walk(device, to: now - Self.patience - Self.captureLatencyMax, nil, pairs)
            closeGaps(device)
        }
    }

    private mutating func judge(_ event: Event, _ pairs: PairTable<VoicePair>) {
        let device = event.device
        switch event.content {
        case .captured(let frame):
            walk(device, to: frame.start, nil, pairs)
            walk(device, to: frame.end, frame, pairs)
        case .joined(let group):
            // The members of the group as it stands two seconds ago, in this replay.
            let peers = lines.indices.filter { $0 != device && lines[$0].membership == group }
            lines[device].membership = group
            pass(.joined, device, event.instant, pairs)
            for peer in peers {
                pass(.peerJoined(peer), device, event.instant, pairs)
                pass(.peerJoined(device), peer, event.instant, pairs)
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
        walk(device, to: instant - latency, nil, pairs)
    }

    /// Walks along a device's line up to `end`, all of which lies in `frame` or outside any frame.
    private mutating func walk(
        _ device: Int,
        to end: Int64,
        _ frame: Frame?,
        _ pairs: PairTable<VoicePair>
    ) {
        let isSent = frame.map { sentIndices[device].contains($0.index) } ?? false
        while true {
            let edge = lines[device].edges.first
            let stop = min(edge?.instant ?? end, end)
            if stop > lines[device].cursor {
                account(device, until: stop, frame, isSent: isSent, pairs)
                lines[device].cursor = stop
            }
            guard let edge, edge.instant <= end else { return }
            lines[device].edges.removeFirst()
            cross(edge, device)
        }
    }

    /// Accounts for the time from the cursor to `stop`, in which nothing changes.
    private mutating func account(
        _ device: Int,
        until stop: Int64,
        _ frame: Frame?,
        isSent: Bool,
        _ pairs: PairTable<VoicePair>
    ) {
        let length = stop - lines[device].cursor
        guard lines[device].isJoined, !lines[device].peers.isEmpty else { return }
        guard !lines[device].spurts.isEmpty else {
            silenceSent.add(isSent ? length : 0, of: length)
            return
        }
        speechNotSent.add(isSent ? 0 : length, of: length)
        if isSent, let frame {
            lines[device].markSent(from: frame.start)
        }
        for place in lines[device].peers.indices {
            let peer = lines[device].peers[place].device
            let isPlayed =
                frame.map { frame in
                    pairs.existing(device, peer).map {
                        pairs.values[$0].playout.heard.contains(frame.index)
                    } ?? false
                } ?? false
            speechNotPlayed.add(isPlayed ? 0 : length, of: length)
            if isPlayed, let frame {
                closeGap(device, place)
                lines[device].markHeard(by: peer, from: frame.start)
            } else if lines[device].isHeard(by: peer) {
                lines[device].peers[place].gap += length
            }
        }
    }

    private mutating func cross(_ edge: CoverageEdge, _ device: Int) {
        switch edge.content {
        case .joined:
            lines[device].join()
        case .left:
            closeGaps(device)
            lines[device].leave()
        case .peerJoined(let peer):
            lines[device].peers.append(CoverageLine.Peer(device: peer))
        case .peerLeft(let peer):
            if let place = lines[device].peers.firstIndex(where: { $0.device == peer }) {
                closeGap(device, place)
                lines[device].removePeer(at: place)
            }
        case .began(let person):
            lines[device].begin(person, at: edge.instant)
        case .ended(let person):
            end(person, device, at: edge.instant)
        }
    }

    /// A spurt has been walked to its end: its clipping is known.
    private mutating func end(_ person: ComponentIndex, _ device: Int, at instant: Int64) {
        guard let spurt = lines[device].takeSpurt(of: person) else { return }
        if spurt.isWhole {
            senderClip.add((spurt.sentFrom ?? instant) - spurt.onset)
            for listener in spurt.listeners {
                listenerClip.add((listener.heardFrom ?? instant) - spurt.onset)
            }
        }
        if lines[device].spurts.isEmpty {
            closeGaps(device)
        }
    }

    private mutating func closeGaps(_ device: Int) {
        for place in lines[device].peers.indices {
            closeGap(device, place)
        }
    }

    private mutating func closeGap(_ device: Int, _ place: Int) {
        let gap = lines[device].peers[place].gap
        if gap > 0 {
            speechGap.add(gap)
            lines[device].peers[place].gap = 0
        }
    }
}
