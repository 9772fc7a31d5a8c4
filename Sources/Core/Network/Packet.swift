/// One packet between two hosts: two phones, or a phone and a server.
public struct Packet: Sendable, Equatable {
    /// What a packet carries.
    public enum Content: Sendable {
        /// A segment of a reliable stream: TCP with TLS.
        case stream(StreamSegment)
        /// A connectivity check or its answer (RFC 8445, RFC 8489).
        case stun(StunMessage)
        /// A flight of the DTLS handshake (RFC 6347).
        case dtls(DtlsFlight)
        /// One frame of voice (RTP over SRTP).
        case media(MediaFrame)
        /// Bytes, which the network keeps until they have arrived.
        case datagram(DatagramHandle)
        /// A system's own message, whole.
        case message(any PacketPayload)
    }

    /// Where it comes from.
    public var source: SocketAddress
    /// Where it goes.
    public var destination: SocketAddress
    /// Its size on the wire with all headers.
    public var wireBytes: Int
    /// What it carries.
    public var content: Content

    /// Makes a packet.
    public init(
        from source: SocketAddress,
        to destination: SocketAddress,
        wireBytes: Int,
        _ content: Content
    ) {
        self.source = source
        self.destination = destination
        self.wireBytes = wireBytes
        self.content = content
    }
}

/// Where the network keeps a datagram's bytes.
@frozen
public struct DatagramHandle: Sendable, Hashable, BitwiseCopyable {
    /// The slot.
    public var slot: UInt32

    /// Names a slot.
    @inlinable
    public init(slot: UInt32) {
        self.slot = slot
    }
}

/// Which kind of traffic a packet belongs to; a fault may block one and spare the other.
public enum TrafficClass: Int64, Sendable, Hashable, CaseIterable {
    /// Reliable streams: signalling and requests, and what goes by ICE over TCP.
    case signalling
    /// Datagrams: connectivity checks, DTLS, voice.
    case media
}

extension Packet {
    /// The server's port whose checks, handshakes and voice go by TCP: LiveKit's (`config-sample.yaml`,
    /// `rtc.tcp_port`).
    public static let streamMediaPort: UInt64 = 7_881

    /// The packet's kind of traffic.
    public var trafficClass: TrafficClass {
        switch content {
        case .stream: .signalling
        case .stun, .dtls, .media: isInStream ? .signalling : .media
        case .datagram, .message: .media
        }
    }

    private var isInStream: Bool {
        source.port == Self.streamMediaPort || destination.port == Self.streamMediaPort
    }
}

/// A message that fits one packet, of a type that its system declares.
public protocol PacketPayload: Sendable, Equatable {
    /// The word for it in the record of a packet that a link carries.
    static var cargo: PacketCargo { get }
}

extension PacketPayload {
    /// A message without a word of its own.
    public static var cargo: PacketCargo { .message }
}

extension PacketPayload {
    fileprivate func equals(_ other: any PacketPayload) -> Bool { self == other as? Self }
}

extension Packet.Content: Equatable {
    /// Whether both carry the same.
    public static func == (left: Packet.Content, right: Packet.Content) -> Bool {
        switch (left, right) {
        case (.stream(let left), .stream(let right)): left == right
        case (.stun(let left), .stun(let right)): left == right
        case (.dtls(let left), .dtls(let right)): left == right
        case (.media(let left), .media(let right)): left == right
        case (.datagram(let left), .datagram(let right)): left == right
        case (.message(let left), .message(let right)): left.equals(right)
        default: false
        }
    }
}
