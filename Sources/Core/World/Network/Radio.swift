package import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
package import SansIO

/// One of a phone's ways to the Internet: an interface, the link behind it, and what is filtered.
package final class Radio {
    package let interface: NetworkInterface
    package let link: NetworkLink
    /// The address that sockets may use; `nil` while the network lends none.
    @exclusivity(unchecked) package var address: NetworkAddress?
    @exclusivity(unchecked) private var blocks: [Block] = []

    /// Packets of one kind, or all, vanish for a while.
    private struct Block {
        let traffic: TrafficClass?
        let ways: LinkWays
        let until: Instant
    }

    package init(_ interface: NetworkInterface, link: NetworkLink) {
        self.interface = interface
        self.link = link
    }

    /// Lets packets of a kind, or all, vanish.
    package func block(_ traffic: TrafficClass?, _ ways: LinkWays, until end: Instant) {
        blocks.append(Block(traffic: traffic, ways: ways, until: end))
    }

    /// Forgets the blocks that are over.
    package func endBlocks(at now: Instant) {
        blocks.removeAll { $0.until <= now }
    }

    /// Whether packets of a kind vanish on their way up or down, or on either.
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
