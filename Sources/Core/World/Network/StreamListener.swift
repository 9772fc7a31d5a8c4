package import KodamaNetwork
import KodamaPhone
package import SansIO

/// A server's socket for streams: it accepts connections, keeps them apart by their clients, and wakes
/// them.
package final class StreamListener {
    package unowned(unsafe) let service: any StreamService
    package let socket: SocketAddress
    private var byClient: [SocketAddress: AcceptedStream] = [:]
    private var byNumber: [UInt32: AcceptedStream] = [:]
    private var count: UInt32 = 0

    package init(for service: any StreamService, at socket: SocketAddress) {
        self.service = service
        self.socket = socket
    }

    /// A segment reaches the socket.
    package func receive(_ packet: Packet, on stage: inout Stage) {
        guard case .stream(let segment) = packet.content else { return }
        if let stream = byClient[packet.source] {
            return stream.hear(.received(segment), on: &stage)
        }
        switch StreamConnection.stray(segment) {
        case .opensConnection:
            let stream = AcceptedStream(count, from: packet.source, at: self, now: stage.now)
            count += 1
            byClient[stream.client] = stream
            byNumber[stream.number] = stream
            stream.hear(.received(segment), on: &stage)
        case .answered(let answer, let wireBytes):
            send(answer, wireBytes, to: packet.source, on: &stage)
        case .dropped:
            break
        }
    }

    /// The wake of a connection, by its number, is due.
    package func wake(_ number: UInt32, on stage: inout Stage) {
        byNumber[number]?.awaken(on: &stage)
    }

    fileprivate func forget(_ stream: AcceptedStream) {
        stream.isOpen = false
        byClient[stream.client] = nil
        byNumber[stream.number] = nil
    }

    fileprivate func send(
        _ segment: StreamSegment,
        _ wireBytes: Int,
        to client: SocketAddress,
        on stage: inout Stage
    ) {
        stage.send(Packet(from: socket, to: client, wireBytes: wireBytes, .stream(segment)))
    }
}

/// A component that serves streams by a listener.
package protocol StreamService: AnyObject {
    /// A connection wants to be woken.
    func scheduleWake(of stream: AcceptedStream, at instant: Instant, on stage: inout Stage)
    /// A message came.
    func received(_ message: StreamMessage, by stream: AcceptedStream, on stage: inout Stage)
    /// A connection is gone.
    func closed(_ stream: AcceptedStream, on stage: inout Stage)
}

/// A connection that a server has accepted.
package final class AcceptedStream: Host {
    /// Its number among the connections of its listener, in the order of acceptance.
    package let number: UInt32
    package let client: SocketAddress
    @exclusivity(unchecked) package var seat: Seat<StreamConnection>
    package unowned(unsafe) let listener: StreamListener
    package fileprivate(set) var isOpen = true

    fileprivate init(
        _ number: UInt32,
        from client: SocketAddress,
        at listener: StreamListener,
        now: Instant
    ) {
        self.number = number
        self.client = client
        self.listener = listener
        seat = Seat(StreamConnection(role: .server), at: now)
    }

    package var isAwake: Bool { isOpen }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        listener.service.scheduleWake(of: self, at: instant, on: &stage)
    }

    package func perform(_ effect: StreamEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let segment, let wireBytes):
            listener.send(segment, wireBytes, to: client, on: &stage)
        case .opened:
            break
        case .delivered(let message):
            listener.service.received(message, by: self, on: &stage)
        case .closed:
            listener.forget(self)
            listener.service.closed(self, on: &stage)
        }
    }
}
