#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A UDP socket on the loopback interface.
struct UDPSocket {
    /// Why a socket could not be had.
    struct Failure: Error, CustomStringConvertible {
        var call: String
        var code: Int32

        var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    private let descriptor: Int32
    /// The port that the system gave.
    let port: UInt16

    init() throws(Failure) {
        #if canImport(Glibc)
        let kind = Int32(SOCK_DGRAM.rawValue)
        #else
        let kind = SOCK_DGRAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
        var address = Self.address(port: 0)
        let (size, file) = (socklen_t(MemoryLayout<sockaddr_in>.size), descriptor)
        let bound = Self.withGeneric(&address) { bind(file, $0, size) }
        guard bound == 0 else { throw Failure(call: "bind", code: errno) }
        var length = size
        let named = Self.withGeneric(&address) { getsockname(file, $0, &length) }
        guard named == 0 else { throw Failure(call: "getsockname", code: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Sends a datagram; one that the system does not take is lost, as on any network.
    func send(_ packet: [UInt8], to port: UInt16) {
        var address = Self.address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = Self.withGeneric(&address) {
            sendto(descriptor, packet, packet.count, 0, $0, size)
        }
    }

    /// Waits for a datagram.
    ///
    /// - Returns: The datagram and its sender's port; `nil` if none came in time.
    func receive(waitingMilliseconds: Int32) -> (packet: [UInt8], port: UInt16)? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, waitingMilliseconds) > 0 else { return nil }
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var room = [UInt8](repeating: 0, count: 2_048)
        let count = Self.withGeneric(&address) {
            recvfrom(descriptor, &room, room.count, 0, $0, &length)
        }
        guard count >= 0 else { return nil }
        return (Array(room[..<count]), UInt16(bigEndian: address.sin_port))
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    private static func withGeneric<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
