/// Plays frames faster or slower without changing their pitch (D-16).
///
/// Waveform-similarity overlap-add (WSOLA; Verhelst and Roelands, ICASSP 1993): where time must be
/// gained or lost, one cross-fade jumps over, or back by, a stretch of sound about as long as a
/// pitch period or a few, chosen so that the waveforms on both sides match. The caller decides how many
/// samples come out of each frame; jumps come in whole periods, so up to 15 ms wait inside.
///
/// While nothing waits and as many samples are asked as given, samples pass unchanged and at once.
public struct TimeScaler: Sendable, Equatable {
    /// The samples that go in with every call; 20 ms at 48 kHz.
    public static let samplesPerFrame = 960
    /// How many samples may be asked of one frame: 15 % fewer to 15 % more.
    public static let outputCounts = 816...1_104
    /// The most samples that can wait inside; 15 ms.
    public static let pendingSamplesMax = TimeScaler.lagMax

    /// The shortest jump; 2.5 ms, one period of a voice at 400 Hz.
    static let lagMin = 120
    /// The longest jump; 15 ms, one period of a voice at 67 Hz.
    static let lagMax = 720
    /// The length of a cross-fade; 5.3 ms.
    static let fadeCount = 256
    /// How many samples may wait before a jump is made although nothing matches well; 10 ms.
    static let patienceCount = 480
    /// What no ear minds in a cross-fade: samples up to −54 dBov.
    static let quietPeak: Int16 = 64

    /// The last `lagMax` samples played, then those that wait, then room for one frame.
    private var window = [Int16](
        repeating: 0,
        count: TimeScaler.lagMax + TimeScaler.pendingSamplesMax + TimeScaler.samplesPerFrame
    )

    /// How many samples went in that have not come out: 0 to `pendingSamplesMax`.
    public private(set) var pendingSampleCount = 0

    /// Starts with silence behind it.
    public init() {}

    /// Forgets all sound, also what waits, as at the start of a talk spurt.
    public mutating func reset() {
        window.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        pendingSampleCount = 0
    }

    /// Takes one frame and gives as many samples as `output` has.
    ///
    /// What waits is worked off, when the sound allows it, by calls that ask for no more than they give.
    /// A part of a frame, such as 10 ms of concealment, can only pass: it queues up behind what waits.
    ///
    /// - Parameters:
    ///   - input: 960 samples, or fewer for a part of a frame.
    ///   - output: 816 to 1,104 samples; fewer than 960 catch up, more gain time. For a part of a
    ///     frame as many as `input` has.
    public mutating func process(
        _ input: UnsafeBufferPointer<Int16>,
        into output: UnsafeMutableBufferPointer<Int16>
    ) {
        precondition(
            input.count == Self.samplesPerFrame
                ? Self.outputCounts.contains(output.count)
                : input.count < Self.samplesPerFrame && output.count == input.count,
            "\(input.count) samples cannot become \(output.count)"
        )
        let available = pendingSampleCount + input.count
        var left = 0
        window.withUnsafeMutableBufferPointer { window in
            guard let history = window.baseAddress, let frame = input.baseAddress,
                let target = output.baseAddress
            else { return }
            let next = history + Self.lagMax
            (next + pendingSampleCount).update(from: frame, count: input.count)
            let surplus = available - output.count
            let isWhole = input.count == Self.samplesPerFrame
            let jump = isWhole ? Self.jump(at: next, surplus: surplus, asked: output.count) : 0
            Self.play(from: next, jump: jump, into: target, count: output.count)
            let played = output.count + jump
            left = available - played
            history.update(from: history + played, count: Self.lagMax + left)
        }
        pendingSampleCount = left
    }

    /// Chooses how far to jump.
    ///
    /// - Parameters:
    ///   - next: The first sample that has not been played.
    ///   - surplus: How many samples will wait, or lack if negative, when nothing is done.
    ///   - asked: How many samples are to come out.
    /// - Returns: Forward if positive, back if negative, 0 for not at all.
    private static func jump(
        at next: UnsafePointer<Int16>,
        surplus: Int,
        asked: Int
    ) -> Int {
        if surplus < 0 {
            let offsets = -lagMax...min(-lagMin, surplus)
            return SimilaritySearch(at: next, among: offsets).best().offset
        }
        guard surplus > 0, asked <= samplesPerFrame else { return 0 }
        if isQuiet(next), isQuiet(next + surplus) {
            return surplus
        }
        guard surplus >= lagMin else { return 0 }
        let isForced = asked < samplesPerFrame && surplus >= patienceCount
        let least = isForced ? max(lagMin, surplus - patienceCount) : lagMin
        let offsets = least...min(lagMax, surplus)
        let found = SimilaritySearch(at: next, among: offsets).best()
        return isForced || found.isGood ? found.offset : 0
    }

    private static func isQuiet(_ start: UnsafePointer<Int16>) -> Bool {
        var peak: Int16 = 0
        for index in 0..<fadeCount {
            // −32768 has no positive twin; one less is as loud.
            peak = max(peak, start[index] ^ (start[index] >> 15))
        }
        return peak <= quietPeak
    }

    /// Writes the samples from `start` on, or those after a cross-fade to the jump's other side.
    private static func play(
        from start: UnsafePointer<Int16>,
        jump: Int,
        into output: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        let landing = start + jump
        var faded = 0
        if jump != 0 {
            for index in 0..<fadeCount {
                let rising = Int32(truncatingIfNeeded: index)
                let falling = Int32(fadeCount) &- rising
                let sum = Int32(start[index]) &* falling &+ Int32(landing[index]) &* rising
                output[index] = Int16(truncatingIfNeeded: (sum &+ Int32(fadeCount) / 2) >> 8)
            }
            faded = fadeCount
        }
        (output + faded).update(from: landing + faded, count: count - faded)
    }

    /// Scalers are equal when their past and what waits in them are.
    public static func == (left: TimeScaler, right: TimeScaler) -> Bool {
        left.pendingSampleCount == right.pendingSampleCount
            && left.window.prefix(lagMax + left.pendingSampleCount)
                == right.window.prefix(lagMax + right.pendingSampleCount)
    }
}
