import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO

/// What guests say over a stream.
private struct GuestSaying: StreamContent {
    var text: String
}

/// What happens to a guest's streams, as it is told.
enum GuestStreamNews: Equatable {
    /// Another guest opened one, which has this name from now on.
    case accepted(String, from: String)
    /// One that the guest opened is open.
    case opened(String)
    /// The other side said something.
    case said(String, text: String, bytes: Int)
    /// It is over.
    case closed(String, StreamClosure)
}

/// The streams of a guest's process, to other guests over the links between their phones and to the relay over
/// the Internet: TCP with TLS.
final class GuestStreams {
    unowned let app: GuestApp
    private var streams: [GuestStream] = []
    private var count: UInt32 = 0

    /// The port on which guests accept streams, behind the app's own bits; those that they open come behind it.
    private static let listeningPort: UInt64 = 1
    /// How many a guest may have at a time.
    static let countMax = 64

    init(of app: GuestApp) {
        self.app = app
    }

    /// The names of those that are there.
    var names: [String] { streams.map(\.name) }

    /// Opens a stream to another guest, or to the relay.
    func open(_ name: String, to peer: GuestPeer?, on stage: inout Stage) {
        let linked = SocketAddress.peer(app.phone.index, app: app.id)
        // Without an address there is no way out.
        guard let own = peer == nil ? app.socket : linked else {
            return app.tell(.closed(name, .failed), on: &stage)
        }
        let number = next()
        let source = SocketAddress(
            address: own.address,
            port: own.port + Self.listeningPort + UInt64(number)
        )
        let destination =
            peer.map {
                SocketAddress(
                    address: $0.socket.address,
                    port: $0.socket.port + Self.listeningPort
                )
            } ?? app.system.relay.socket
        let ends = (source, destination)
        let stream = GuestStream(name, number, ends, peer, role: .client, of: self, at: stage.now)
        streams.append(stream)
        stream.tell(.open, on: &stage)
    }

    /// Says something over a stream, which must be there.
    func say(_ text: String, bytes: Int, over name: String, on stage: inout Stage) {
        let message = StreamMessage(GuestSaying(text: text), byteCount: bytes)
        stream(name)?.tell(.send(message), on: &stage)
    }

    /// Closes a stream, which must be there; what was said before still arrives.
    func close(_ name: String, on stage: inout Stage) {
        stream(name)?.tell(.close, on: &stage)
    }

    /// The process is gone, or held: the system resets its streams.
    func abort(on stage: inout Stage) {
        for stream in streams { stream.tell(.abort, on: &stage) }
    }

    /// Sockets of an address report an error.
    func fail(from address: NetworkAddress, on stage: inout Stage) {
        for stream in streams where stream.source.address == address {
            stream.tell(.fail, on: &stage)
        }
    }

    /// A segment came from another phone, or from the relay.
    func receive(
        _ packet: Packet,
        _ segment: StreamSegment,
        isListening: Bool,
        on stage: inout Stage
    ) {
        let stream = streams.first {
            $0.destination == packet.source && $0.source == packet.destination
        }
        if let stream { return stream.hear(.received(segment), on: &stage) }
        guard let peer = app.peer(at: packet.source) else { return }
        let mayAccept = isListening && streams.count < Self.countMax
        switch StreamConnection.stray(segment, isListening: mayAccept) {
        case .opensConnection:
            let number = next()
            let stream = GuestStream(
                "\(peer.name)/\(number)",
                number,
                (packet.destination, packet.source),
                peer,
                role: .server,
                of: self,
                at: stage.now
            )
            streams.append(stream)
            stream.hear(.received(segment), on: &stage)
        case .answered(let answer, let wireBytes):
            guard let direction = peer.direction else { return }
            let reply = Packet(
                from: packet.destination,
                to: packet.source,
                wireBytes: wireBytes,
                .stream(answer)
            )
            stage.send(reply, by: direction)
        case .dropped:
            break
        }
    }

    /// The wake of a stream is due.
    func wake(_ number: UInt32, on stage: inout Stage) {
        streams.first { $0.number == number }?.awaken(on: &stage)
    }

    private func stream(_ name: String) -> GuestStream? { streams.first { $0.name == name } }

    private func next() -> UInt32 {
        count += 1
        return count
    }

    fileprivate func forget(_ stream: GuestStream) {
        streams.removeAll { $0 === stream }
    }
}

/// One side of a stream between two guests, or between a guest and the relay.
final class GuestStream: Host {
    let name: String
    /// Its number among all of its phone's guest.
    let number: UInt32
    let source: SocketAddress
    let destination: SocketAddress
    /// The guest at the other end; `nil` for the relay.
    private let peer: GuestPeer?
    private let role: StreamConnection.Role
    @exclusivity(unchecked) var seat: Seat<StreamConnection>
    private unowned let streams: GuestStreams
    private(set) var isAwake = true

    init(
        _ name: String,
        _ number: UInt32,
        _ ends: (source: SocketAddress, destination: SocketAddress),
        _ peer: GuestPeer?,
        role: StreamConnection.Role,
        of streams: GuestStreams,
        at now: Instant
    ) {
        self.name = name
        self.number = number
        (source, destination) = ends
        self.peer = peer
        self.role = role
        self.streams = streams
        seat = Seat(StreamConnection(role: role, looksUp: peer == nil), at: now)
    }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        streams.app.scheduleWake(.stream, number, at: instant, on: &stage)
    }

    func perform(_ effect: StreamEffect, on stage: inout Stage) {
        let app = streams.app
        switch effect {
        case .transmit(let segment, let wireBytes):
            let packet = Packet(
                from: source,
                to: destination,
                wireBytes: wireBytes,
                .stream(segment)
            )
            guard let peer else {
                stage.send(packet)
                return
            }
            // Without a link nothing is heard of the other phone.
            if let direction = peer.direction { stage.send(packet, by: direction) }
        case .opened:
            let isOwn = role == .client
            let from = peer?.name ?? GuestRelay.componentName
            app.tell(isOwn ? .opened(name) : .accepted(name, from: from), on: &stage)
        case .delivered(let message):
            guard let saying = message.content as? GuestSaying else { return }
            app.tell(.said(name, text: saying.text, bytes: message.byteCount), on: &stage)
        case .closed(let closure):
            isAwake = false
            streams.forget(self)
            app.tell(.closed(name, closure), on: &stage)
        }
    }
}
