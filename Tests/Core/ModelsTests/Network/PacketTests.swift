@testable import KodamaNetwork
import Testing

@Suite("Packets")
struct PacketTests {
    @Test("Voice is media traffic, a segment is signalling (RS-11)")
    func trafficClasses() {
        let address = NetworkAddress(host: 0, interface: 0, lease: 0)
        let socket = SocketAddress(address: address, port: 1)
        let segment = StreamSegment(.synchronize, sequence: 0, acknowledgement: 0)
        let packet = Packet(from: socket, to: socket, wireBytes: 60, .stream(segment))
        #expect(packet.trafficClass == .signalling)
    }
}
