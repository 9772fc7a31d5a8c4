import KodamaEvidence

/// A change on a device's time line.
struct CoverageEdge {
    /// What changes.
    enum Content {
        /// The device joins a group.
        case joined
        /// The device leaves its group.
        case left
        /// Another device is in the group from now on.
        case peerJoined(Int, ComponentIndex)
        /// Another device is in the group no more.
        case peerLeft(Int)
        /// A person at the device begins to speak.
        case began(ComponentIndex)
        /// A person at the device ends to speak.
        case ended(ComponentIndex)
        /// A person at the device is muted amid speech.
        case hushed(ComponentIndex)
    }

    var instant: Int64
    var content: Content
}

/// One device's time line: where `CoverageMeter` stands on it, and what holds there.
struct CoverageLine {
    /// Another device of the group.
    private struct Peer {
        var device: Int
        var phone: ComponentIndex
        /// Whether some of the speech that lasts has a spurt that this peer has not heard of yet.
        var awaitsOnset = true
        /// The speech that it has not heard since it last heard some of the spurt.
        var gap: Int64 = 0
        /// From where that began to where it ends.
        var gapSpan = Span(start: 0, end: 0)
    }

    /// Speech of one person that has not ended yet.
    private struct Spurt {
        /// A device that was in the group from the onset on.
        struct Listener {
            var device: Int
            var phone: ComponentIndex
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
    private(set) var openings = OpeningTally()

    private let device: Int
    let phone: ComponentIndex
    /// Everything before this instant is accounted for.
    private var cursor: Int64 = 0
    private var peers: [Peer] = []
    private var spurts: [Spurt] = []
    /// Whether some spurt that lasts was not sent of yet.
    private var awaitsSending = false

    /// Starts the line of the device in a slot.
    init(device: Int, phone: ComponentIndex) {
        self.device = device
        self.phone = phone
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
            cross(edge, pairs, &totals)
        }
        account(until: end, frame, pairs, &totals)
    }

    /// The run is over: what was not heard by now is open.
    mutating func finish(_ pairs: PairTable<VoicePair>, _ totals: inout CoverageTotals) {
        closeGaps(&totals, isOpen: true)
        for spurt in spurts {
            if spurt.isWhole {
                let sent = Span(start: spurt.onset, end: max(spurt.onset, cursor))
                let occurrence = Occurrence(sent, of: phone)
                if spurt.sentFrom == nil {
                    totals.senderClip.censor(sent.length, at: occurrence)
                } else {
                    totals.senderClip.exclude("went on to the end", at: occurrence)
                }
            }
            for listener in spurt.listeners {
                leave(spurt, listener, "went on to the end", pairs, &totals)
            }
        }
    }

    /// A listener will hear no more of a spurt that goes on.
    private func leave(
        _ spurt: Spurt,
        _ listener: Spurt.Listener,
        _ reason: String,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        guard spurt.isWhole else { return }
        let span = Span(start: spurt.onset, end: max(spurt.onset, cursor))
        let occurrence = Occurrence(span, of: listener.phone, about: phone)
        let isFirst = pairs.existing(device, listener.device).map {
            pairs.values[$0].handover.isFirst(spurtFrom: spurt.onset)
        }
        if listener.heardFrom == nil {
            totals.listenerClip.censor(span.length, at: occurrence)
            if isFirst ?? false { totals.handoverClip.censor(span.length, at: occurrence) }
        } else {
            totals.listenerClip.exclude(reason, at: occurrence)
            if isFirst ?? false { totals.handoverClip.exclude(reason, at: occurrence) }
        }
    }

    /// Counts the speech not heard so far as gaps.
    private mutating func closeGaps(_ totals: inout CoverageTotals, isOpen: Bool = false) {
        for index in peers.indices {
            closeGap(index, &totals, isOpen: isOpen)
        }
    }

    /// Accounts for the time from the cursor to `stop`, in which nothing changes.
    private mutating func account(
        until stop: Int64,
        _ frame: CoverageFrame?,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        let span = Span(start: cursor, end: stop)
        let length = span.length
        guard length > 0 else { return }
        cursor = stop
        guard isJoined, !peers.isEmpty else { return }
        let isSent = frame?.isSent ?? false
        openings.account(span, isSent: frame?.isSent, isSpoken: !spurts.isEmpty)
        guard !spurts.isEmpty else {
            totals.silenceSent.add(
                isSent ? length : 0,
                of: length,
                at: Occurrence(span, of: phone)
            )
            return
        }
        totals.speechNotSent.add(
            isSent ? 0 : length,
            of: length,
            at: Occurrence(span, of: phone)
        )
        if isSent, awaitsSending, let frame {
            markSent(from: frame.start)
        }
        for index in peers.indices {
            let isPlayed = self.isPlayed(frame, index, pairs)
            let peer = peers[index]
            totals.speechNotPlayed.add(
                isPlayed ? 0 : length,
                of: length,
                at: Occurrence(span, of: peer.phone, about: phone)
            )
            if isPlayed, let frame {
                closeGap(index, &totals)
                markHeard(index, from: frame.start)
            } else if isHeard(by: peer.device) {
                if peers[index].gap == 0 { peers[index].gapSpan.start = span.start }
                peers[index].gap += length
                peers[index].gapSpan.end = stop
            }
        }
    }

    private func isPlayed(
        _ frame: CoverageFrame?,
        _ index: Int,
        _ pairs: PairTable<VoicePair>
    ) -> Bool {
        guard let frame, let pair = pairs.existing(device, peers[index].device) else {
            return false
        }
        return pairs.values[pair].playout.heard.contains(frame.index)
    }

    private mutating func cross(
        _ edge: CoverageEdge,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        switch edge.content {
        case .joined:
            isJoined = true
        case .left:
            closeGaps(&totals)
            leave(pairs, &totals)
        case .peerJoined(let peer, let phone):
            peers.append(Peer(device: peer, phone: phone))
        case .peerLeft(let peer):
            if let index = peers.firstIndex(where: { $0.device == peer }) {
                closeGap(index, &totals)
                removePeer(at: index, pairs, &totals)
            }
        case .began(let person):
            begin(person, at: edge.instant)
        case .ended(let person):
            end(person, at: edge.instant, pairs, &totals)
        case .hushed(let person):
            end(person, at: edge.instant, isHushed: true, pairs, &totals)
        }
    }

    private mutating func leave(
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        isJoined = false
        peers.removeAll(keepingCapacity: true)
        for index in spurts.indices {
            for listener in spurts[index].listeners {
                leave(spurts[index], listener, "the speaker left the group", pairs, &totals)
            }
            spurts[index].isWhole = false
            spurts[index].listeners.removeAll()
        }
    }

    private mutating func removePeer(
        at index: Int,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        let peer = peers.remove(at: index).device
        for index in spurts.indices {
            for listener in spurts[index].listeners where listener.device == peer {
                leave(spurts[index], listener, "the listener left the group", pairs, &totals)
            }
            spurts[index].listeners.removeAll { $0.device == peer }
            if peers.isEmpty {
                spurts[index].isWhole = false
            }
        }
    }

    private mutating func begin(_ person: ComponentIndex, at instant: Int64) {
        guard !spurts.contains(where: { $0.person == person }) else { return }
        let spurt = Spurt(
            person: person,
            onset: instant,
            isWhole: isJoined && !peers.isEmpty,
            listeners: peers.map { Spurt.Listener(device: $0.device, phone: $0.phone) }
        )
        spurts.append(spurt)
        awaitsSending = true
        for index in peers.indices {
            peers[index].awaitsOnset = true
        }
    }

    /// Speech that is broken off sooner by a mute need not be sent: a gate's attack, a frame and the
    /// microphone's buffers take so long.
    private static var attackMax: Int64 { 100_000_000 }

    /// A spurt has been walked to its end: its clipping is known.
    private mutating func end(
        _ person: ComponentIndex,
        at instant: Int64,
        isHushed: Bool = false,
        _ pairs: PairTable<VoicePair>,
        _ totals: inout CoverageTotals
    ) {
        guard let index = spurts.firstIndex(where: { $0.person == person }) else { return }
        let spurt = spurts.remove(at: index)
        let isUnbegun =
            isHushed && spurt.sentFrom == nil && instant - spurt.onset < Self.attackMax
        if !spurt.isWhole || isUnbegun {
            let reason = isUnbegun ? "muted before it began" : "not in company all the while"
            let span = Span(start: spurt.onset, end: instant)
            if isJoined { totals.senderClip.exclude(reason, at: Occurrence(span, of: phone)) }
        } else {
            let sentFrom = spurt.sentFrom ?? instant
            totals.senderClip.add(
                sentFrom - spurt.onset,
                at: Occurrence(Span(start: spurt.onset, end: sentFrom), of: phone)
            )
            for listener in spurt.listeners {
                let span = Span(start: spurt.onset, end: listener.heardFrom ?? instant)
                let occurrence = Occurrence(span, of: listener.phone, about: phone)
                totals.listenerClip.add(span.length, at: occurrence)
                guard let pair = pairs.existing(device, listener.device),
                    pairs.values[pair].handover.isFirst(spurtFrom: spurt.onset)
                else { continue }
                totals.handoverClip.add(span.length, at: occurrence)
            }
        }
        if spurts.isEmpty {
            closeGaps(&totals)
        }
    }

    /// A frame that begins at `start` was sent and covers the cursor.
    private mutating func markSent(from start: Int64) {
        for index in spurts.indices where spurts[index].sentFrom == nil {
            spurts[index].sentFrom = max(start, spurts[index].onset)
        }
        awaitsSending = false
    }

    /// A frame that begins at `start` was played at a peer and covers the cursor.
    private mutating func markHeard(_ peer: Int, from start: Int64) {
        guard peers[peer].awaitsOnset else { return }
        peers[peer].awaitsOnset = false
        let device = peers[peer].device
        for index in spurts.indices {
            let onset = spurts[index].onset
            for listener in spurts[index].listeners.indices
            where spurts[index].listeners[listener].device == device {
                if spurts[index].listeners[listener].heardFrom == nil {
                    spurts[index].listeners[listener].heardFrom = max(start, onset)
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

    private mutating func closeGap(
        _ index: Int,
        _ totals: inout CoverageTotals,
        isOpen: Bool = false
    ) {
        guard peers[index].gap > 0 else { return }
        let peer = peers[index]
        totals.speechGap.add(
            peer.gap,
            isOpen: isOpen,
            at: Occurrence(peer.gapSpan, of: peer.phone, about: phone)
        )
        peers[index].gap = 0
    }
}
