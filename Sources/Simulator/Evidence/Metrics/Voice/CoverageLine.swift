/// A change on a device's time line.
struct CoverageEdge {
    /// What changes.
    enum Content {
        /// The device joins a group.
        case joined
        /// The device leaves its group.
        case left
        /// Another device is in the group from now on.
        case peerJoined(Int)
        /// Another device is in the group no more.
        case peerLeft(Int)
        /// A person at the device begins to speak.
        case began(ComponentIndex)
        /// A person at the device ends to speak.
        case ended(ComponentIndex)
    }

    var instant: Int64
    var content: Content
}

/// One device's time line: where `CoverageMeter` stands on it, and what holds there.
struct CoverageLine {
    /// Another device of the group.
    private struct Peer {
        var device: Int
        /// Whether some of the speech that lasts has a spurt that this peer has not heard of yet.
        var awaitsOnset = true
        /// The speech that it has not heard since it last heard some of the spurt.
        var gap: Int64 = 0
    }

    /// Speech of one person that has not ended yet.
    private struct Spurt {
        /// A device that was in the group from the onset on.
        struct Listener {
            var device: Int
            var heardFrom: Int64?
        }

        var person: ComponentIndex
        var onset: Int64
        /// Whether there was somebody to send to all the time.
        var isWhole: Bool
        /// Where in the spurt the first frame sent begins, but not before the onset.
        var sentFrom: Int64?
        var listeners: [Listener]
    }

    /// The group that the device is in, as far as events were judged; ahead of the cursor.
    var membership: Int64?
    /// What lies between the cursor and the events judged.
    var edges = EventQueue<CoverageEdge>()
    /// Whether the device is in a group at the cursor.
    private(set) var isJoined = false

    private let device: Int
    /// Everything before this instant is accounted for.
    private var cursor: Int64 = 0
    private var peers: [Peer] = []
    private var spurts: [Spurt] = []
    /// Whether some spurt that lasts was not sent of yet.
    private var awaitsSending = false

    /// Starts the line of the device in a slot.
    init(device: Int) {
        self.device = device
    }

    /// Walks up to `end`, all of which lies in `frame`, or outside any frame.
    mutating func walk(
        to end: Int64,
        _ frame: CoverageFrame?,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        while let edge = edges.first, edge.instant <= end {
            account(until: edge.instant, frame, pairs, &totals)
            edges.removeFirst()
            cross(edge, &totals)
        }
        account(until: end, frame, pairs, &totals)
    }

    /// Counts the speech not heard so far as gaps.
    mutating func closeGaps(_ totals: inout CoverageTotals) {
        for place in peers.indices {
            closeGap(place, &totals)
        }
    }

    /// Accounts for the time from the cursor to `stop`, in which nothing changes.
    private mutating func account(
        until stop: Int64,
        _ frame: CoverageFrame?,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        let length = stop - cursor
        guard length > 0 else { return }
        cursor = stop
        guard isJoined, !peers.isEmpty else { return }
        let isSent = frame?.isSent ?? false
        guard !spurts.isEmpty else {
            totals.silenceSent.add(isSent ? length : 0, of: length)
            return
        }
        totals.speechNotSent.add(isSent ? 0 : length, of: length)
        if isSent, awaitsSending, let frame {
            markSent(from: frame.start)
        }
        for place in peers.indices {
            let isPlayed = self.isPlayed(frame, place, pairs)
            totals.speechNotPlayed.add(isPlayed ? 0 : length, of: length)
            if isPlayed, let frame {
                closeGap(place, &totals)
                markHeard(place, from: frame.start)
            } else if isHeard(by: peers[place].device) {
                peers[place].gap += length
            }
        }
    }

    private func isPlayed(
        _ frame: CoverageFrame?,
        _ place: Int,
        _ pairs: PairTable<VoicePair>
    ) -> Bool {
        guard let frame, let pair = pairs.existing(device, peers[place].device) else {
            return false
        }
        return pairs.values[pair].playout.heard.contains(frame.index)
    }

    private mutating func cross(_ edge: CoverageEdge, _ totals: inout CoverageTotals) {
        switch edge.content {
        case .joined:
            isJoined = true
        case .left:
            closeGaps(&totals)
            leave()
        case .peerJoined(let peer):
            peers.append(Peer(device: peer))
        case .peerLeft(let peer):
            if let place = peers.firstIndex(where: { $0.device == peer }) {
                closeGap(place, &totals)
                removePeer(at: place)
            }
        case .began(let person):
            begin(person, at: edge.instant)
        case .ended(let person):
            end(person, at: edge.instant, &totals)
        }
    }

    private mutating func leave() {
        isJoined = false
        peers.removeAll(keepingCapacity: true)
        for place in spurts.indices {
            spurts[place].isWhole = false
            spurts[place].listeners.removeAll()
        }
    }

    private mutating func removePeer(at place: Int) {
        let peer = peers.remove(at: place).device
        for place in spurts.indices {
            spurts[place].listeners.removeAll { $0.device == peer }
            if peers.isEmpty {
                spurts[place].isWhole = false
            }
        }
    }

    private mutating func begin(_ person: ComponentIndex, at instant: Int64) {
        guard !spurts.contains(where: { $0.person == person }) else { return }
        let spurt = Spurt(
            person: person,
            onset: instant,
            isWhole: isJoined && !peers.isEmpty,
            listeners: peers.map { Spurt.Listener(device: $0.device) }
        )
        spurts.append(spurt)
        awaitsSending = true
        for place in peers.indices {
            peers[place].awaitsOnset = true
        }
    }

    /// A spurt has been walked to its end: its clipping is known.
    private mutating func end(
        _ person: ComponentIndex,
        at instant: Int64,
        _ totals: inout CoverageTotals
    ) {
        guard let place = spurts.firstIndex(where: { $0.person == person }) else { return }
        let spurt = spurts.remove(at: place)
        if spurt.isWhole {
            totals.senderClip.add((spurt.sentFrom ?? instant) - spurt.onset)
            for listener in spurt.listeners {
                totals.listenerClip.add((listener.heardFrom ?? instant) - spurt.onset)
            }
        }
        if spurts.isEmpty {
            closeGaps(&totals)
        }
    }

    /// A frame that begins at `start` was sent and covers the cursor.
    private mutating func markSent(from start: Int64) {
        for place in spurts.indices where spurts[place].sentFrom == nil {
            spurts[place].sentFrom = max(start, spurts[place].onset)
        }
        awaitsSending = false
    }

    /// A frame that begins at `start` was played at a peer and covers the cursor.
    private mutating func markHeard(_ peer: Int, from start: Int64) {
        guard peers[peer].awaitsOnset else { return }
        peers[peer].awaitsOnset = false
        let device = peers[peer].device
        for place in spurts.indices {
            let onset = spurts[place].onset
            for listener in spurts[place].listeners.indices
            where spurts[place].listeners[listener].device == device {
                if spurts[place].listeners[listener].heardFrom == nil {
                    spurts[place].listeners[listener].heardFrom = max(start, onset)
                }
            }
        }
    }

    /// Whether `peer` has heard some of the speech that lasts.
    private func isHeard(by peer: Int) -> Bool {
        spurts.contains { spurt in
            spurt.listeners.contains { $0.device == peer && $0.heardFrom != nil }
        }
    }

    private mutating func closeGap(_ place: Int, _ totals: inout CoverageTotals) {
        guard peers[place].gap > 0 else { return }
        totals.speechGap.add(peers[place].gap)
        peers[place].gap = 0
    }
}
