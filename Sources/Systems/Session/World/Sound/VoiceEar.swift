package import KodamaEvidence
package import KodamaNetwork
import KodamaPhone
package import KodamaWorld
package import SansIO

/// What a listener hears of others' voices: their streams, decoded and mixed.
package final class VoiceEar {
    /// The component that its records are of.
    private let listener: ComponentIndex
    private let direction: VoiceDirection
    /// How long frames are held at least.
    private let playout: Duration
    /// From the samples that are made to the ear, in nanoseconds.
    private let latencyNanoseconds: Int64
    private let tap: (any SpeakerTap)?
    private var streams: [VoiceStream] = []
    /// When sound was asked for last.
    private var rendered = Instant.zero
    private let part: UnsafeMutableBufferPointer<Int16>
    private let mixed: UnsafeMutableBufferPointer<Int16>

    /// The most samples that may be asked for at once: a frame.
    private static let samplesMax = SoundHardware.samplesPerFrame
    /// Nothing was asked for in so long: the engine stood, and what came before is of no use.
    private static let standstill = Duration.milliseconds(100)
    /// libopus delays by its look-ahead: 6.5 ms at 48 kHz.
    private static let codecNanoseconds = AudioClock.duration(ofSamples: 312)

    /// Makes an ear that hears nobody yet.
    ///
    /// - Parameters:
    ///   - listener: The component that its records are of.
    ///   - direction: Which way voices come.
    ///   - playout: How long frames are held at least, above the quickest.
    ///   - latencyNanoseconds: From the samples that are made to the ear.
    ///   - tap: Who listens along.
    init(
        of listener: ComponentIndex,
        _ direction: VoiceDirection,
        playout: Duration,
        latencyNanoseconds: Int64,
        tap: (any SpeakerTap)?
    ) {
        self.listener = listener
        self.direction = direction
        self.playout = playout
        self.latencyNanoseconds = latencyNanoseconds
        self.tap = tap
        part = .allocate(capacity: Self.samplesMax)
        mixed = .allocate(capacity: Self.samplesMax)
    }

    deinit {
        part.deallocate()
        mixed.deallocate()
    }

    /// A frame of a talker's came in.
    package func receive(
        _ frame: MediaFrame,
        _ packet: [UInt8],
        of talker: ComponentIndex,
        on stage: inout Stage
    ) {
        if rendered.duration(to: stage.now) > Self.standstill { streams = [] }
        let known = streams.first { $0.talker == talker && $0.track == frame.track }
        let stream = known ?? open(talker, frame.track, on: &stage)
        stream.receive(frame, packet, at: stage.now)
    }

    /// A talker's voice comes by another track from now on: the SDK makes another decoder.
    private func open(
        _ talker: ComponentIndex,
        _ track: UInt32,
        on stage: inout Stage
    ) -> VoiceStream {
        streams.removeAll { $0.talker == talker }
        let stream = VoiceStream(of: talker, track: track, playout: playout)
        streams.append(stream)
        let opened = SoundOpened(direction: TraceWord(direction), track: Int64(track))
        stage.note(opened, of: listener, about: talker)
        return stream
    }

    /// Makes the sound that is asked for.
    ///
    /// - Parameters:
    ///   - count: How many samples at 48 kHz; a frame at most.
    ///   - stage: The world.
    ///   - played: Told of each frame, and when its first sample is heard.
    package func render(
        _ count: Int,
        on stage: inout Stage,
        _ played: (MediaFrame, _ heard: Instant, inout Stage) -> Void = { _, _, _ in }
    ) {
        let now = stage.now
        rendered = now
        let (part, mixed) = (
            UnsafeMutableBufferPointer(rebasing: part[..<count]),
            UnsafeMutableBufferPointer(rebasing: mixed[..<count])
        )
        mixed.update(repeating: 0)
        for stream in streams {
            stream.render(into: part, at: now) { sounded, before in
                let wait = AudioClock.duration(ofSamples: before) + Self.codecNanoseconds
                let heard = now.advanced(by: .nanoseconds(wait + latencyNanoseconds))
                switch sounded {
                case .frame(let frame):
                    let voice = VoiceHeard(
                        direction: TraceWord(direction),
                        captured: frame.captured,
                        heard: heard,
                        speech: TraceFlag(frame.isSpeech)
                    )
                    stage.note(voice, of: listener, about: stream.talker)
                    played(frame, heard, &stage)
                case .madeUp(let samples):
                    let madeUp = SoundMadeUp(
                        direction: TraceWord(direction),
                        samples: Int64(samples),
                        heard: heard
                    )
                    stage.note(madeUp, of: listener, about: stream.talker)
                }
            }
            for place in 0..<count {
                mixed[place] = Int16(clamping: Int32(mixed[place]) + Int32(part[place]))
            }
        }
        let sounds = now.advanced(by: .nanoseconds(latencyNanoseconds))
        tap?.take(UnsafeBufferPointer(mixed), at: sounds)
    }

    /// The process that listened is gone.
    func clear() { streams = [] }
}
