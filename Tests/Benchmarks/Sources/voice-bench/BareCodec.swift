import KodamaEvidence
import KodamaHarness
import KodamaSpeech
import OpusAudio
import SansIO
import VoiceActivity

/// What a run asked of detector and libopus for one voice, done again with nothing around it.
///
/// The frames are those of the run: every captured frame is judged, every sent one encoded once, every
/// played one decoded by whoever plays it, every concealed one extrapolated, in the order of the trace.
final class BareCodec {
    private var detector = SpeechDetector(configuration: .init(), sampleRate: .hertz48000)
    private var encoder: OpusEncoder
    /// One for each phone.
    private let listeners: [Listener]
    private var reader: TalkTrack.Reader
    private var packets: [Int64: [UInt8]] = [:]
    private let pcm = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960)
    private let output = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 960)
    private let packet = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_276, alignment: 16)

    /// Processor seconds within detector and libopus.
    private(set) var processorSeconds = 0.0

    init(_ track: TalkTrack, listeners: Int) throws {
        encoder = try OpusEncoder(configuration: .init())
        self.listeners = try (0..<listeners).map { _ in try Listener() }
        reader = track.makeReader()
    }

    deinit {
        pcm.deallocate()
        output.deallocate()
        packet.deallocate()
    }

    /// Judges a captured frame.
    func judge(startingAt nanoseconds: Int64) {
        read(startingAt: nanoseconds)
        let watch = Stopwatch()
        _ = detector.decide(UnsafeBufferPointer(pcm))
        processorSeconds += watch.elapsedSeconds
    }

    /// Encodes a captured frame, unless it has gone to somebody before.
    func encode(_ index: Int64, startingAt nanoseconds: Int64) throws {
        guard packets[index] == nil else { return }
        read(startingAt: nanoseconds)
        let watch = Stopwatch()
        let size = try encoder.encode(UnsafeBufferPointer(pcm), into: packet)
        processorSeconds += watch.elapsedSeconds
        packets[index] = Array(packet[..<size])
        // Nobody plays what is older than a minute.
        packets[index - 3_000] = nil
    }

    /// Decodes a frame that was encoded before, for one listener.
    func decode(_ index: Int64, by listener: Int) throws {
        guard let bytes = packets[index] else { return }
        try bytes.withUnsafeBytes { bytes in
            let watch = Stopwatch()
            _ = try listeners[listener].decoder.decode(packet: bytes, into: output)
            processorSeconds += watch.elapsedSeconds
        }
    }

    /// Extrapolates sound for one listener.
    func conceal(_ samples: Int, by listener: Int) throws {
        let part = UnsafeMutableBufferPointer(rebasing: output[..<samples])
        let watch = Stopwatch()
        _ = try listeners[listener].decoder.conceal(into: part)
        processorSeconds += watch.elapsedSeconds
    }

    /// Holds a decoder, which cannot be copied and so lies in no array.
    private final class Listener {
        var decoder: OpusDecoder

        init() throws { decoder = try OpusDecoder() }
    }

    private func read(startingAt nanoseconds: Int64) {
        let sample = MicrophoneTime.sampleIndex(at: Instant(nanoseconds: nanoseconds))
        reader.read(frameAt: sample, into: pcm)
    }
}
