import AppCoordination
import AudioProcessing
import KodamaSpeech
import KodamaWorld
import OpusAudio
import SansIO
import VoiceActivity

/// Real sound: recorded speech, the app's own detector, codec, time scaler and mixer.
final class RealSound: DeviceSound {
    private let configuration: IntercomConfiguration
    private var detector: SpeechDetector
    private var encoder: OpusEncoder
    private var voices: [PeerVoice]
    private var mixer = Mixer(samplesPerFrame: SoundHardware.samplesPerRender)
    private var microphone: MicrophoneFeed
    private let scratch: UnsafeMutableBufferPointer<Int16>
    private let speaker: UnsafeMutableBufferPointer<Int16>
    private let tap: (any SpeakerTap)?
    private var edgeProbe = EdgeProbe()
    let codecDelayNanoseconds: Int64

    /// The most samples that one render call or one order may ask for.
    private static let samplesMax = 4_096

    init(
        configuration: IntercomConfiguration,
        peers: Int,
        microphone: MicrophoneFeed,
        tap: (any SpeakerTap)?
    ) throws(OpusError) {
        self.configuration = configuration
        detector = Self.detector(configuration)
        encoder = try OpusEncoder(configuration: configuration.codec)
        voices = try Self.voices(peers, configuration)
        self.microphone = microphone
        self.tap = tap
        scratch = .allocate(capacity: Self.samplesMax)
        speaker = .allocate(capacity: SoundHardware.samplesPerRender)
        codecDelayNanoseconds = AudioClock.duration(ofSamples: encoder.lookaheadSamples)
    }

    deinit {
        scratch.deallocate()
        speaker.deallocate()
    }

    private static func detector(_ configuration: IntercomConfiguration) -> SpeechDetector {
        SpeechDetector(configuration: configuration.detector, sampleRate: .hertz48000)
    }

    private static func voices(
        _ count: Int,
        _ configuration: IntercomConfiguration
    ) throws(OpusError) -> [PeerVoice] {
        var voices: [PeerVoice] = []
        for _ in 0..<count {
            voices.append(
                try PeerVoice(
                    fadesSpurts: configuration.fadesSpurts,
                    playsComfortNoise: configuration.playsComfortNoise
                )
            )
        }
        return voices
    }

    func restart() {
        detector = Self.detector(configuration)
        do throws(OpusError) {
            encoder = try OpusEncoder(configuration: configuration.codec)
            voices = try Self.voices(voices.count, configuration)
        } catch {
            preconditionFailure("codecs that could be made before cannot be made: \(error)")
        }
    }

    func capture(
        from start: Instant,
        to end: Instant,
        into frame: UnsafeMutableRawBufferPointer
    ) -> SpeechDecision {
        let pcm = frame.bindMemory(to: Int16.self)
        microphone.read(from: start, into: pcm, by: scratch)
        return detector.decide(UnsafeBufferPointer(pcm))
    }

    func encode(
        _ frame: UnsafeMutableRawBufferPointer,
        captureIndex: Int64,
        from start: Instant,
        to end: Instant,
        into packet: UnsafeMutableRawBufferPointer
    ) -> Int {
        let pcm = UnsafeBufferPointer(frame.bindMemory(to: Int16.self))
        do throws(OpusError) {
            return try encoder.encode(pcm, into: packet)
        } catch {
            preconditionFailure("a whole frame and a full-size packet cannot be refused: \(error)")
        }
    }

    func play(_ packet: UnsafeMutableRawBufferPointer, of peer: Int, samples: Int) {
        voices[peer].append(SoundHardware.samplesPerFrame, as: samples) {
            decoder,
            output throws(OpusError) in
            try decoder.decode(packet: UnsafeRawBufferPointer(packet), into: output)
        }
    }

    func recover(from next: UnsafeMutableRawBufferPointer, of peer: Int, samples: Int) {
        voices[peer].append(SoundHardware.samplesPerFrame, as: samples) {
            decoder,
            output throws(OpusError) in
            try decoder.recover(fromNext: UnsafeRawBufferPointer(next), into: output)
        }
    }

    func conceal(of peer: Int, samples: Int) {
        voices[peer].conceal(samples: samples)
    }

    func pause(of peer: Int, samples: Int) {
        voices[peer].pause(samples: samples)
    }

    func pendingSamples(of peer: Int) -> Int {
        voices[peer].pendingSamples
    }

    func render(at now: Instant, _ found: (SpurtEdge) -> Void) {
        let part = UnsafeMutableBufferPointer(rebasing: scratch[..<SoundHardware.samplesPerRender])
        for (peer, voice) in voices.enumerated() {
            let wasSounding = voice.isSounding
            voice.take(into: part)
            mixer.add(UnsafeBufferPointer(part))
            edgeProbe.add(voice.edges, isSounding: wasSounding || voice.isSounding, of: peer)
        }
        mixer.drain(into: speaker)
        edgeProbe.sound(UnsafeBufferPointer(speaker), found)
        let sounds = Instant(nanoseconds: now.nanoseconds + SoundHardware.outputLatency)
        tap?.take(UnsafeBufferPointer(speaker), at: sounds)
    }
}
