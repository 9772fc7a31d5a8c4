/// Makes the noise of a talker's room, learnt from what is heard of it beside the speech.
///
/// The idea of RFC 3389, with the receiver's own estimate: the level and the spectrum are those of the
/// quietest frames of late, as an all-pole filter of order 10 that shapes white noise. Frames are
/// quiet that lie within 3 dB of the least energy, which rises by 1.7 dB a second until a quieter frame
/// comes.
///
/// Floating point is confined to + − × ÷ √, so the noise is the same everywhere.
struct ComfortNoise: Sendable, Equatable {
    /// The order of the filter; RFC 3389 leaves it open and shows 10 as the usual one.
    static let order = 10
    /// How long the noise stays at its level before it fades; 2 s, longer than most pauses in talk
    /// (ITU-T P.59: 1.6 s on average).
    static let holdSamples = 96_000
    /// What the amplitude is multiplied by per sample from then on: half in one second.
    static let fadeFactor = 0.999_985_56
    /// The same once the talker has left: a hundredth in 10 ms.
    static let leaveFactor = 0.990_45
    /// How many samples are made in one go; 10 ms.
    private static let samplesAtOnce = 480
    /// The least energy of a sample worth making; below it all is silence.
    private static let energyMin = 1.0

    /// The least energy per sample of late; negative before the first frame.
    private var least = -1.0
    /// The autocorrelation per sample of the quiet frames, running mean.
    private var correlation = [Double](repeating: 0, count: ComfortNoise.order + 1)
    /// The filter's weights of the last samples that it made, oldest first.
    private var weights = [Double](repeating: 0, count: ComfortNoise.order)
    /// Those samples, oldest first, then room for what is made at once.
    private var line = [Double](
        repeating: 0,
        count: ComfortNoise.order + ComfortNoise.samplesAtOnce
    )
    /// The amplitude of the white noise that the filter shapes.
    private var excitation = 0.0
    private var gain = 0.0
    private var samplesMade = 0
    private var state: UInt32 = 1

    /// Learns from a frame as it sounds, be it speech or not.
    mutating func learn(_ frame: UnsafeBufferPointer<Int16>) {
        guard frame.count > Self.order else { return }
        let energy = Self.correlation(of: frame, at: 0)
        least = least < 0 || energy < least ? energy : least + least / 128
        guard energy <= 2 * least else { return }
        let share = correlation[0] == 0 ? 1 : 0.125
        for lag in correlation.indices {
            let product = lag == 0 ? energy : Self.correlation(of: frame, at: lag)
            correlation[lag] += (product - correlation[lag]) * share
        }
    }

    /// Starts to make what was learnt.
    mutating func begin() {
        solve()
        gain = correlation[0] < Self.energyMin ? 0 : 1
        samplesMade = 0
    }

    /// Makes the next samples, or zeros once the noise has faded.
    ///
    /// - Parameters:
    ///   - output: Any number of samples.
    ///   - isLeaving: Whether the talker has left, so that the noise ends too.
    mutating func fill(_ output: UnsafeMutableBufferPointer<Int16>, isLeaving: Bool) {
        var made = 0
        while made < output.count, gain > 0 {
            let count = min(Self.samplesAtOnce, output.count - made)
            let stateBefore = state
            shape(count)
            var heard = 0
            while heard < count, gain > 0 {
                output[made + heard] = nearestSample(gain * line[Self.order + heard])
                fade(isLeaving)
                heard += 1
            }
            if heard < count {
                // The next pause goes on from here, in whatever pieces this one was made.
                state = stateBefore
                for _ in 0..<heard { state = Self.next(state) }
            }
            for place in 0..<Self.order { line[place] = line[heard + place] }
            made += heard
        }
        output[made...].update(repeating: 0)
    }

    /// Shapes white noise to the next `count` samples of the line.
    private mutating func shape(_ count: Int) {
        line.withUnsafeMutableBufferPointer { line in
            weights.withUnsafeBufferPointer { weights in
                for index in 0..<count {
                    state = Self.next(state)
                    var sample = excitation * (Double(state >> 8) / 8_388_608 - 1)
                    // The newest sample comes last: the sum of the others need not wait for it.
                    for place in 0..<Self.order { sample -= weights[place] * line[index + place] }
                    line[Self.order + index] = sample
                }
            }
        }
    }

    /// The next of the numbers that sound like white noise.
    private static func next(_ state: UInt32) -> UInt32 { state &* 1_664_525 &+ 1_013_904_223 }

    /// Fades by one sample where it is time to.
    private mutating func fade(_ isLeaving: Bool) {
        if isLeaving {
            gain *= Self.leaveFactor
        } else if samplesMade < Self.holdSamples {
            samplesMade += 1
            return
        } else {
            gain *= Self.fadeFactor
        }
        if gain * gain * correlation[0] < Self.energyMin / 4 { gain = 0 }
    }

    private static func correlation(of frame: UnsafeBufferPointer<Int16>, at lag: Int) -> Double {
        var sum: Int64 = 0
        for index in lag..<frame.count {
            sum &+= Int64(Int32(frame[index]) &* Int32(frame[index - lag]))
        }
        return Double(sum) / Double(frame.count)
    }

    /// Finds the filter for the correlation (Levinson and Durbin), and how much noise it wants.
    private mutating func solve() {
        // A thousandth of white noise keeps the filter stable for any correlation.
        var error = correlation[0] * 1.001
        var filter = [Double](repeating: 0, count: Self.order)
        defer { weights = filter.reversed() }
        guard error > 0 else { return }
        for step in filter.indices {
            var sum = correlation[step + 1]
            for index in 0..<step { sum += filter[index] * correlation[step - index] }
            let reflection = -sum / error
            let earlier = filter
            for index in 0..<step {
                filter[index] += reflection * earlier[step - 1 - index]
            }
            filter[step] = reflection
            error *= 1 - reflection * reflection
        }
        // Evenly spread noise from −a to a has an energy of a²/3.
        excitation = Self.root(of: 3 * error)
    }

    /// By Newton's method, since `squareRoot()` calls the C library on Linux; 40 steps bring any
    /// energy of 16-bit sound to the last bit.
    private static func root(of square: Double) -> Double {
        guard square > 0 else { return 0 }
        var root = max(square, 1)
        for _ in 0..<40 { root = (root + square / root) / 2 }
        return root
    }
}
