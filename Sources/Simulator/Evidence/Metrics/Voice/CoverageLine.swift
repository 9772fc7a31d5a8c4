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

/// Where `CoverageMeter` stands on one device's time line, and what holds there.
struct CoverageLine {
    /// Another device of the group.
    struct Peer {
        var device: Int
        /// The speech that it has not heard since it last heard some of the spurt.
        var gap: Int64 = 0
    }

    /// Speech of one person that has not ended yet.
    struct Spurt {
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
    /// Everything before this instant is accounted for.
    var cursor: Int64 = 0
    /// Whether the device is in a group at the cursor.
    private(set) var isJoined = false
    /// The other devices of the group at the cursor.
    var peers: [Peer] = []
    /// The speech that lasts at the cursor.
    private(set) var spurts: [Spurt] = []

    mutating func join() {
        isJoined = true
    }

    mutating func leave() {
        isJoined = false
        peers.removeAll(keepingCapacity: true)
        for place in spurts.indices {
            spurts[place].isWhole = false
            spurts[place].listeners.removeAll()
        }
    }

    mutating func removePeer(at place: Int) {
        let peer = peers.remove(at: place).device
        for place in spurts.indices {
            spurts[place].listeners.removeAll { $0.device == peer }
            if peers.isEmpty {
                spurts[place].isWhole = false
            }
        }
    }

    mutating func begin(_ person: ComponentIndex, at instant: Int64) {
        guard !spurts.contains(where: { $0.person == person }) else { return }
        let spurt = Spurt(
            person: person,
            onset: instant,
            isWhole: isJoined && !peers.isEmpty,
            listeners: peers.map { Spurt.Listener(device: $0.device) }
        )
        spurts.append(spurt)
    }

    mutating func takeSpurt(of person: ComponentIndex) -> Spurt? {
        spurts.firstIndex { $0.person == person }.map { spurts.remove(at: $0) }
    }

    /// A frame that begins at `start` was sent and covers the cursor.
    mutating func markSent(from start: Int64) {
        for place in spurts.indices where spurts[place].sentFrom == nil {
            spurts[place].sentFrom = max(start, spurts[place].onset)
        }
    }

    /// A frame that begins at `start` was played at `peer` and covers the cursor.
    mutating func markHeard(by peer: Int, from start: Int64) {
        for place in spurts.indices {
            let onset = spurts[place].onset
            for listener in spurts[place].listeners.indices
            where spurts[place].listeners[listener].device == peer {
                if spurts[place].listeners[listener].heardFrom == nil {
                    spurts[place].listeners[listener].heardFrom = max(start, onset)
                }
            }
        }
    }

    /// Whether `peer` has heard some of the speech that lasts.
    func isHeard(by peer: Int) -> Bool {
        spurts.contains { spurt in
            spurt.listeners.contains { $0.device == peer && $0.heardFrom != nil }
        }
    }
}
