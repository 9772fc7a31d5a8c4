public import KodamaEvidence
public import KodamaNetwork
import KodamaPhone

extension NetworkAddress {
    /// Makes the address of a server, which has one interface for good.
    public init(ofServer server: ComponentIndex) {
        self.init(host: server.index, interface: 0, lease: 0)
    }
}
