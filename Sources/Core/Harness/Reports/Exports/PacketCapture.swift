public import Foundation
import KodamaLanguage

/// A run's voice as a capture file that packet tools read: pcapng (draft-ietf-opsawg-pcapng).
///
/// Each stream is RTP as it arrived, in UDP over IPv4: the sequence number counts what the sender sent, so
/// a pause in speech is no loss; the timestamp follows from the capture index; the payload, which the
/// trace does not hold, is zeros of the right length. Announcements (SAP, RFC 2974, with SDP) come first,
/// by which `tshark -z rtp,streams` knows the streams without being told of them.
public struct PacketCapture {
    private var bytes: [UInt8] = []

    private static let payloadType: UInt8 = 111
    private static let clockPerFrame: Int64 = 960
    /// IPv4, UDP and RTP.
    private static let headerBytes: Int64 = 20 + 8 + 12
    /// No packet of voice is longer than a frame of Ethernet carries; a trace's file may say anything.
    private static let packetBytesMax: Int64 = 1_500

    /// Captures streams.
    public init(_ streams: [VoiceStream]) {
        writeHead()
        for stream in streams {
            write(announcement(of: stream), at: 0)
        }
        let packets = streams.flatMap { stream in stream.packets.map { (stream, $0) } }
        // Packets of one instant stay in the order of the streams.
        let ordered = packets.enumerated().sorted {
            ($0.element.1.arrival, $0.offset) < ($1.element.1.arrival, $1.offset)
        }
        for (_, (stream, packet)) in ordered {
            write(datagram(of: packet, in: stream), at: packet.arrival)
        }
    }

    /// The file's bytes.
    public var data: Data { Data(bytes) }

    // MARK: Blocks of the file, in little-endian order

    private mutating func writeHead() {
        writeBlock(0x0A0D_0D0A) { body in
            body.little(UInt32(0x1A2B_3C4D))
            body.little(UInt16(1))
            body.little(UInt16(0))
            body.little(UInt64.max)
        }
        writeBlock(1) { body in
            // Raw IP; whole packets; instants in nanoseconds (option 9).
            body.little(UInt16(101))
            body.little(UInt16(0))
            body.little(UInt32(0))
            body.little(UInt16(9))
            body.little(UInt16(1))
            body += [9, 0, 0, 0]
            body.little(UInt32(0))
        }
    }

    private mutating func write(_ packet: [UInt8], at nanoseconds: Int64) {
        writeBlock(6) { body in
            body.little(UInt32(0))
            body.little(UInt32(truncatingIfNeeded: nanoseconds >> 32))
            body.little(UInt32(truncatingIfNeeded: nanoseconds))
            body.little(UInt32(packet.count))
            body.little(UInt32(packet.count))
            body += packet
            while !body.count.isMultiple(of: 4) { body.append(0) }
        }
    }

    private mutating func writeBlock(_ type: UInt32, _ content: (inout [UInt8]) -> Void) {
        var body: [UInt8] = []
        content(&body)
        let length = UInt32(body.count + 12)
        bytes.little(type)
        bytes.little(length)
        bytes += body
        bytes.little(length)
    }

    // MARK: Packets, in the order of the network

    private func datagram(of packet: VoiceStream.Packet, in stream: VoiceStream) -> [UInt8] {
        var rtp: [UInt8] = [0x80, Self.payloadType]
        rtp.big(UInt16(truncatingIfNeeded: packet.sequence))
        rtp.big(UInt32(truncatingIfNeeded: packet.index &* Self.clockPerFrame))
        let (sender, receiver, path) = stream.ends
        rtp.big((sender + 1) << 16 | (receiver + 1) << 2 | UInt32(path & 3))
        let bytes = min(max(packet.bytes, Self.headerBytes), Self.packetBytesMax)
        rtp += Array(repeating: 0, count: Int(bytes - Self.headerBytes))
        let port = Self.port(of: stream)
        return udp(rtp, from: Self.address(sender), to: Self.address(receiver), port: port)
    }

    private func announcement(of stream: VoiceStream) -> [UInt8] {
        let (sender, receiver, _) = stream.ends
        let address = Self.address(receiver).map { "\($0)" }.joined(separator: ".")
        let names = [stream.sender, stream.receiver].map(Self.plain)
        let lines = [
            "v=0", "o=- 1 1 IN IP4 \(address)", "s=\(names.joined(separator: " to "))",
            "c=IN IP4 \(address)", "t=0 0",
            "m=audio \(Self.port(of: stream)) RTP/AVP \(Self.payloadType)",
            "a=rtpmap:\(Self.payloadType) opus/48000/2",
        ]
        var sap: [UInt8] = [0x20, 0, 0, 1] + Self.address(sender)
        sap += "application/sdp".utf8 + [0]
        sap += lines.map { $0 + "\r\n" }.joined().utf8
        return udp(sap, from: Self.address(sender), to: [224, 2, 127, 254], port: 9_875)
    }

    private func udp(
        _ payload: [UInt8],
        from source: [UInt8],
        to destination: [UInt8],
        port: UInt16
    ) -> [UInt8] {
        var packet: [UInt8] = [0x45, 0]
        packet.big(UInt16(truncatingIfNeeded: 28 + payload.count))
        packet += [0, 0, 0, 0, 64, 17, 0, 0] + source + destination
        packet.big(port)
        packet.big(port)
        packet.big(UInt16(truncatingIfNeeded: 8 + payload.count))
        packet.big(UInt16(0))
        return packet + payload
    }

    /// A name without what would begin another line.
    private static func plain(_ name: String) -> String {
        name.replacingScalars { $0.value < 0x20 || $0.value == 0x7F ? " " : nil }
    }

    private static func port(of stream: VoiceStream) -> UInt16 {
        5_004 + 2 * UInt16(stream.ends.path & 3)
    }

    /// A device's address in 10.0.0.0/8, by its number in the trace.
    private static func address(_ component: UInt32) -> [UInt8] {
        let number = component + 1
        return [10, UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }
}

extension [UInt8] {
    fileprivate mutating func little(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func big(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
