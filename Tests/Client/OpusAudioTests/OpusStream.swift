import OpusAudio
import SansIO

/// Encodes whole frames of `sound` and returns the packets.
func encode(
    _ sound: [Int16],
    with configuration: OpusEncoderConfiguration = OpusEncoderConfiguration()
) throws -> [[UInt8]] {
    var encoder = try OpusEncoder(configuration: configuration)
    var packets: [[UInt8]] = []
    for frame in 0..<(sound.count / OpusFormat.samplesPerFrame) {
        packets.append(try encodeFrame(frame, of: sound, with: &encoder))
    }
    return packets
}

/// Encodes frame number `frame` of `sound`.
func encodeFrame(
    _ frame: Int,
    of sound: [Int16],
    with encoder: inout OpusEncoder
) throws -> [UInt8] {
    var packet = [UInt8](repeating: 0, count: OpusFormat.packetBytesMax)
    let size = try sound.withUnsafeBufferPointer { samples in
        let start = frame * OpusFormat.samplesPerFrame
        let frame = UnsafeBufferPointer(rebasing: samples[start..<start + 960])
        return try packet.withUnsafeMutableBytes { try encoder.encode(frame, into: $0) }
    }
    return Array(packet.prefix(size))
}

/// What a receiver does for one frame.
enum Reception {
    case packet([UInt8])
    case recovered(fromNext: [UInt8])
    case concealed
}

/// Decodes a stream frame by frame.
func decode(_ frames: [Reception]) throws -> [Int16] {
    var decoder = try OpusDecoder()
    var sound: [Int16] = []
    for frame in frames {
        var output = [Int16](repeating: 0, count: OpusFormat.samplesPerFrame)
        let count = try output.withUnsafeMutableBufferPointer { samples in
            switch frame {
            case .packet(let packet):
                try packet.withUnsafeBytes { try decoder.decode(packet: $0, into: samples) }
            case .recovered(let next):
                try next.withUnsafeBytes { try decoder.recover(fromNext: $0, into: samples) }
            case .concealed:
                try decoder.conceal(into: samples)
            }
        }
        sound += output.prefix(count)
    }
    return sound
}
