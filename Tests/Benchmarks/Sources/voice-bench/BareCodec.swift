import Evidence
import Harness
import OpusAudio
import SansIO
import Speech
import VoiceActivity

/// What a run asked of detector and libopus, done again with nothing around it.
///
/// The frames are those of the run: every captured frame is judged, every sent one encoded, every
/// played one decoded, every concealed one extrapolated, in the order of the trace.
struct BareCodec: ~Copyable {
    private var detector = SpeechDetector(configuration: .init(), sampleRate: .hertz48000)
    private var encoder: OpusEncoder
    private var decoder: OpusDecoder
    private var reader: TalkTrack.Reader
    private var packets: [Int64: [UInt8]] = [:]
    private let pcm: UnsafeMutableBufferPointer<Int16>
    private let output: UnsafeMutableBufferPointer<Int16>
    private let packet: UnsafeMutableRawBufferPointer

    /// Processor seconds within detector and libopus.
    private(set) var processorSeconds = 0.0
    /// Calls of libopus's encoder and decoder.
    private(set) var encodedCount = 0
    private(set) var decodedCount = 0

    init(_ track: TalkTrack) throws {
        let encoder = try OpusEncoder(configuration: .init())
        let decoder = try OpusDecoder()
        self.encoder = encoder
        self.decoder = decoder
        reader = track.makeReader()
        pcm = .allocate(capacity: 960)
        output = .allocate(capacity: 960)
        packet = .allocate(byteCount: 1_276, alignment: 16)
    }

    deinit {
        pcm.deallocate()
        output.deallocate()
        packet.deallocate()
    }

    /// Judges a captured frame.
    mutating func judge(startingAt nanoseconds: Int64) {
        read(startingAt: nanoseconds)
        let watch = Stopwatch()
        _ = detector.decide(UnsafeBufferPointer(pcm))
        processorSeconds += watch.elapsedSeconds
    }

    /// Encodes a captured frame.
    mutating func encode(_ index: Int64, startingAt nanoseconds: Int64) throws {
        read(startingAt: nanoseconds)
        let watch = Stopwatch()
        let size = try encoder.encode(UnsafeBufferPointer(pcm), into: packet)
        processorSeconds += watch.elapsedSeconds
        encodedCount += 1
        packets[index] = Array(packet[..<size])
    }

    /// Decodes a frame that was encoded before.
    mutating func decode(_ index: Int64) throws {
        guard let bytes = packets.removeValue(forKey: index) else { return }
        try bytes.withUnsafeBytes { bytes in
            let watch = Stopwatch()
            _ = try decoder.decode(packet: bytes, into: output)
            processorSeconds += watch.elapsedSeconds
        }
        decodedCount += 1
    }

    /// Extrapolates sound.
    mutating func conceal(_ samples: Int) throws {
        let part = UnsafeMutableBufferPointer(rebasing: output[..<samples])
        let watch = Stopwatch()
        _ = try decoder.conceal(into: part)
        processorSeconds += watch.elapsedSeconds
    }

    private mutating func read(startingAt nanoseconds: Int64) {
        let sample = MicrophoneTime.sampleIndex(at: Instant(nanoseconds: nanoseconds))
        reader.read(frameAt: sample, into: pcm)
    }
}
