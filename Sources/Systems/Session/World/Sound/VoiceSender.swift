package import KodamaNetwork
import OpusAudio
import SansIO

/// The sending half of real sound: samples become packets by libopus, which are kept while they may be under
/// way.
///
/// Frames on the network are numbers and times; whoever receives one finds its packet here.
package final class VoiceSender {
    /// A packet with the frame that it is of.
    private struct Kept {
        var sequence: Int64
        var captured: Instant
        var packet: [UInt8]
    }

    private var encoder: OpusEncoder
    private var rate = OpusEncoderConfiguration().bitrate
    private let pcm = UnsafeMutableBufferPointer<Int16>.allocate(
        capacity: OpusFormat.samplesPerFrame
    )
    private let packet = UnsafeMutableRawBufferPointer.allocate(
        byteCount: OpusFormat.packetBytesMax,
        alignment: 8
    )
    private var kept: [Kept?] = Array(repeating: nil, count: VoiceSender.keptCount)

    /// Frames of 20 s: no packet is under way for longer.
    private static let keptCount = 1_000

    /// Makes an encoder at the start of a stream.
    ///
    /// - Throws: `OPUS_ALLOC_FAIL`.
    init() throws(OpusError) {
        encoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
    }

    deinit {
        pcm.deallocate()
        packet.deallocate()
    }

    /// Begins another stream at the default rate; the packets of the one before may still be under way.
    func restart() {
        rate = OpusEncoderConfiguration().bitrate
        do throws(OpusError) {
            encoder = try OpusEncoder(configuration: OpusEncoderConfiguration())
        } catch {
            preconditionFailure("there is no memory for an encoder: \(error)")
        }
    }

    /// Encodes at another rate from the next frame on; 6 to 128 kbit/s.
    func encode(at rate: DataRate) {
        guard rate != self.rate else { return }
        self.rate = rate
        var configuration = OpusEncoderConfiguration()
        configuration.bitrate = rate
        do throws(OpusError) {
            try encoder.apply(configuration)
        } catch {
            preconditionFailure("parameters keep within libopus's range: \(error)")
        }
    }

    /// The datagram that carries a frame with a packet of this size.
    static func datagram(
        of frame: MediaFrame,
        along route: MediaRoute,
        payloadBytes: Int
    ) -> Packet {
        Packet(
            from: route.source,
            to: route.destination,
            wireBytes: payloadBytes + SessionVoice.headerBytes,
            .media(frame)
        )
    }

    /// Encodes a frame and keeps its packet.
    ///
    /// - Returns: The packet's size in bytes.
    func encode(
        _ frame: MediaFrame,
        _ fill: (UnsafeMutableBufferPointer<Int16>) -> Void
    ) -> Int {
        fill(pcm)
        do throws(OpusError) {
            let size = try encoder.encode(UnsafeBufferPointer(pcm), into: packet)
            let bytes = Array(packet[..<size])
            kept[Self.place(of: frame.sequence)] = Kept(
                sequence: frame.sequence,
                captured: frame.captured,
                packet: bytes
            )
            return size
        } catch {
            preconditionFailure("a whole frame and a full-size packet cannot be refused: \(error)")
        }
    }

    /// The packet of a frame; `nil` if this sender has not sent it, or too long ago.
    package func packet(of frame: MediaFrame) -> [UInt8]? {
        guard let found = kept[Self.place(of: frame.sequence)],
            found.sequence == frame.sequence, found.captured == frame.captured
        else { return nil }
        return found.packet
    }

    private static func place(of sequence: Int64) -> Int {
        let rest = Int(sequence % Int64(keptCount))
        return rest < 0 ? rest + keptCount : rest
    }
}
