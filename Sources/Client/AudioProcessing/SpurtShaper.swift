/// Rounds the edges of one talker's spurts, and fills the pauses with the noise of the talker's room.
///
/// Sound that begins after a pause is faded in over 5 ms; where it ends, its last 10 ms sound once more
/// backwards and fade out, so nothing is held back and nothing steps. Pauses hold comfort noise, which
/// fades too when the pause is long or the talker has left.
///
/// Use: pass every block of a talker's sound through `play`, and let `pause` fill what lies between.
public struct SpurtShaper: Sendable, Equatable {
    /// The length of a fade-in: 5 ms.
    static let fadeInSamples = 240
    /// The length of a fade-out: 10 ms.
    static let fadeOutSamples = 480

    private let fades: Bool
    private let makesNoise: Bool
    private var noise = ComfortNoise()
    /// The last samples that sounded, in a ring, and where the newest lies.
    private var tail = [Int16](repeating: 0, count: SpurtShaper.fadeOutSamples)
    private var newest = 0
    /// How many samples of the pause have been made, up to the fade-out's length.
    private var pausePosition = SpurtShaper.fadeOutSamples
    /// How many samples of the fade-in have been made.
    private var fadeInPosition = SpurtShaper.fadeInSamples
    private var isPausing = true

    /// Starts in silence.
    ///
    /// - Parameters:
    ///   - fades: Whether spurts are faded in and out; otherwise their edges are what they are.
    ///   - makesNoise: Whether pauses hold comfort noise; otherwise they are silent.
    public init(fades: Bool = true, makesNoise: Bool = true) {
        self.fades = fades
        self.makesNoise = makesNoise
    }

    /// Shapes sound in its place.
    ///
    /// - Parameters:
    ///   - sound: Any number of samples of the talker's sound at 48 kHz.
    ///   - isHeard: Whether they came from the talker: nothing is learnt from concealment.
    public mutating func play(_ sound: UnsafeMutableBufferPointer<Int16>, isHeard: Bool) {
        guard !sound.isEmpty else { return }
        if makesNoise, isHeard { noise.learn(UnsafeBufferPointer(sound)) }
        if isPausing { (isPausing, fadeInPosition) = (false, 0) }
        let faded = fades ? min(sound.count, Self.fadeInSamples - fadeInPosition) : 0
        for index in 0..<faded {
            let share = Double(fadeInPosition) / Double(Self.fadeInSamples)
            let other = pauseSample(isLeaving: false)
            sound[index] = Self.nearest(other + share * (Double(sound[index]) - other))
            fadeInPosition += 1
        }
        for sample in sound.suffix(Self.fadeOutSamples) {
            newest = newest + 1 == tail.count ? 0 : newest + 1
            tail[newest] = sample
        }
    }

    /// Fills a pause.
    ///
    /// - Parameters:
    ///   - output: Any number of samples.
    ///   - isLeaving: Whether the talker has left for good.
    public mutating func pause(
        _ output: UnsafeMutableBufferPointer<Int16>,
        isLeaving: Bool = false
    ) {
        guard !output.isEmpty else { return }
        if !isPausing {
            (isPausing, pausePosition) = (true, 0)
            if makesNoise { noise.begin() }
        }
        for index in output.indices {
            output[index] = Self.nearest(pauseSample(isLeaving: isLeaving))
        }
    }

    /// The next sample of the present pause, or of the one that a fade-in ends.
    private mutating func pauseSample(isLeaving: Bool) -> Double {
        let made = makesNoise ? noise.next(isLeaving: isLeaving) : 0
        guard fades, pausePosition < Self.fadeOutSamples else { return made }
        let share = Double(pausePosition) / Double(Self.fadeOutSamples)
        let index = newest - pausePosition
        let echo = Double(tail[index < 0 ? index + tail.count : index])
        pausePosition += 1
        return echo + share * (made - echo)
    }

    private static func nearest(_ sample: Double) -> Int16 {
        Int16(max(-32_768, min(32_767, sample < 0 ? sample - 0.5 : sample + 0.5)))
    }
}
