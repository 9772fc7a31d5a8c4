public import KodamaEvidence
public import KodamaNetwork
import KodamaPhone

extension NetworkAddress {
    /// The one address of a server, which has one interface and keeps it.
    public init(ofServer server: ComponentIndex) {
        self.init(host: server.index, interface: 0, lease: 0)
    }
}
