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
