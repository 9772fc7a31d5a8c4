package import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
package import SansIO

/// One of a phone's ways to the Internet: an interface, the link behind it, and its filters.
package final class Radio {
    package let interface: NetworkInterface
    package let link: NetworkLink
    /// The address that sockets may use; `nil` while the network lends none.
    @exclusivity(unchecked) package var address: NetworkAddress?
    @exclusivity(unchecked) private var blocks: [Block] = []
    @exclusivity(unchecked) private var wall: (kind: Wall, until: Instant)?
    /// The sockets whose connections a portal has taken.
    @exclusivity(unchecked) private var taken: [SocketAddress] = []

    /// A filter that drops packets of one kind, or all, for a while.
    private struct Block {
        let traffic: TrafficClass?
        let ways: LinkWays
        let until: Instant
    }

    package init(_ interface: NetworkInterface, link: NetworkLink) {
        self.interface = interface
        self.link = link
    }

    /// Drops packets of a kind, or all, for a while.
    package func block(_ traffic: TrafficClass?, _ ways: LinkWays, until end: Instant) {
        blocks.append(Block(traffic: traffic, ways: ways, until: end))
    }

    /// Keeps everything from the servers for a while, and answers connects.
    package func raise(_ wall: Wall, until end: Instant) {
        block(nil, .both, until: end)
        self.wall = (wall, end)
        taken = []
    }

    /// What a wall answers to a segment, in the name of the server that it is for; nothing on connections
    /// that it has not seen begin.
    package func answer(
        to segment: StreamSegment,
        from socket: SocketAddress,
        at now: Instant
    ) -> StreamSegment? {
        guard let wall, now < wall.until else { return nil }
        switch (segment.kind, wall.kind) {
        case (.lookup, _):
            return StreamSegment(.lookupAnswer, sequence: 0, acknowledgement: 0)
        case (.synchronize, .firewall):
            return StreamSegment(.reset, sequence: 0, acknowledgement: 0)
        case (.synchronize, .portal):
            if !taken.contains(socket) { taken.append(socket) }
            let acknowledged = segment.sequence + 1
            return StreamSegment(
                .synchronizeAcknowledge,
                sequence: 1,
                acknowledgement: acknowledged
            )
        case (.acknowledge, _), (.reset, _):
            return nil
        default:
            guard taken.contains(socket) else { return nil }
            let acknowledged = segment.sequence + 1
            return StreamSegment(.acknowledge, sequence: 0, acknowledgement: acknowledged)
        }
    }

    /// Removes the blocks that have ended.
    package func endBlocks(at now: Instant) {
        blocks.removeAll { $0.until <= now }
    }

    /// Whether packets of a kind are dropped on their way up or down.
    package func isBlocked(
        _ traffic: TrafficClass,
        _ ways: LinkWays = .both,
        at now: Instant
    ) -> Bool {
        blocks.contains {
            $0.until > now && ($0.traffic ?? traffic) == traffic
                && ($0.ways == ways || $0.ways == .both || ways == .both)
        }
    }
}
