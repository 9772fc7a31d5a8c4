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
    /// The last samples that sounded, oldest first.
    private var tail = [Int16](repeating: 0, count: SpurtShaper.fadeOutSamples)
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
        if fades, fadeInPosition < Self.fadeInSamples { fadeIn(sound) }
        remember(sound)
    }

    /// Keeps the last of what sounded, for the echo that fades out.
    private mutating func remember(_ sound: UnsafeMutableBufferPointer<Int16>) {
        let newest = sound.suffix(Self.fadeOutSamples)
        tail.withUnsafeMutableBufferPointer { tail in
            let kept = tail.count - newest.count
            for index in 0..<kept { tail[index] = tail[index + newest.count] }
            for index in 0..<newest.count { tail[kept + index] = newest[newest.startIndex + index] }
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
        fill(output, isLeaving: isLeaving)
    }

    /// Fades the first of the sound in over what the pause would have held on.
    private mutating func fadeIn(_ sound: UnsafeMutableBufferPointer<Int16>) {
        let count = min(sound.count, Self.fadeInSamples - fadeInPosition)
        withUnsafeTemporaryAllocation(of: Int16.self, capacity: count) { pause in
            pause.initialize(repeating: 0)
            fill(pause, isLeaving: false)
            for index in 0..<count {
                let share = Double(fadeInPosition) / Double(Self.fadeInSamples)
                let other = Double(pause[index])
                sound[index] = nearestSample(other + share * (Double(sound[index]) - other))
                fadeInPosition += 1
            }
        }
    }

    /// Makes the next of the present pause, or of the one that a fade-in ends.
    private mutating func fill(
        _ output: UnsafeMutableBufferPointer<Int16>,
        isLeaving: Bool
    ) {
        if makesNoise {
            noise.fill(output, isLeaving: isLeaving)
        } else {
            output.update(repeating: 0)
        }
        guard fades else { return }
        for index in 0..<min(output.count, Self.fadeOutSamples - pausePosition) {
            let share = Double(pausePosition) / Double(Self.fadeOutSamples)
            let echo = Double(tail[tail.count - 1 - pausePosition])
            output[index] = nearestSample(echo + share * (Double(output[index]) - echo))
            pausePosition += 1
        }
    }
}

/// Rounds to the nearest sample of 16 bits.
func nearestSample(_ value: Double) -> Int16 {
    Int16(max(-32_768, min(32_767, value < 0 ? value - 0.5 : value + 0.5)))
}
