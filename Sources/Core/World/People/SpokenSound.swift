public import KodamaLanguage
public import KodamaSimulation
public import KodamaSpeech
public import SansIO

/// The sound at a phone by the world's clock: speech and surroundings, as its microphone could hear them.
public final class SpokenSound {
    private var feed: MicrophoneFeed
    private let scratch: UnsafeMutableBufferPointer<Int16>

    private static let samplesPerFrame = 960

    /// Finds the people at a phone and what they say.
    ///
    /// - Parameters:
    ///   - phone: The phone's name.
    ///   - plan: The run's plan; with `voice: real`.
    ///   - seed: The run's seed.
    ///   - fork: Where the run's weather parts from that of the seed.
    ///   - material: The voices.
    /// - Throws: A voice that is not there.
    public init(
        at phone: String,
        in plan: WorldPlan,
        seed: UInt64,
        fork: WeatherFork? = nil,
        material: SpeechMaterial?
    ) throws(WorldError) {
        let tracks = try Script.tracks(of: plan, seed: seed, fork: fork, material: material)
        feed = MicrophoneFeed(zip(plan.people, tracks).filter { $0.0.phone == phone }.map(\.1))
        scratch = .allocate(capacity: Self.samplesPerFrame)
    }

    deinit { scratch.deallocate() }

    /// The sound of a stretch at 48 kHz, in whole frames of 20 ms; silence before the run begins.
    public func samples(from start: Instant, lasting duration: Duration) -> [Int16] {
        let frameNanoseconds: Int64 = 20_000_000
        let count = Int(duration.wholeNanoseconds / frameNanoseconds)
        var sound = [Int16](repeating: 0, count: count * Self.samplesPerFrame)
        sound.withUnsafeMutableBufferPointer { sound in
            for frame in 0..<count {
                let instant = start.advanced(by: .nanoseconds(Int64(frame) * frameNanoseconds))
                guard instant >= .zero else { continue }
                let place = frame * Self.samplesPerFrame
                let part = UnsafeMutableBufferPointer(
                    rebasing: sound[place..<place + Self.samplesPerFrame]
                )
                feed.read(from: instant, into: part, by: scratch)
            }
        }
        return sound
    }
}
