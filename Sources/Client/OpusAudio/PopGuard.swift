/// Keeps what a decoder makes of the first frames after a loss within what the voice has shown.
///
/// libopus 1.3.1 now and then overshoots there, since its predictors start from a wrong past: we
/// measured 3 frames in 2,000 losses of 60 ms, at up to full scale where the loss-free decode has
/// 20,000. Samples up to the loudest of late pass unchanged; above, the curve y = k + h·e/(e + h), for
/// an excess e over the knee k and a headroom h of half the knee, bends smoothly.
struct PopGuard: Sendable {
    /// How many frames after a loss are watched; 100 ms.
    static let framesWatched = 5
    /// The least knee, −12 dB below full scale: no pop below it is minded.
    static let kneeMin: Int32 = 8_192
    /// A peak is forgotten by this part of itself per frame: half of it in 7 s.
    static let forgettingShift: Int32 = 9

    private var loudest: Int32 = 0
    private var framesLeft = 0

    /// Starts to watch: the sound before was concealed.
    mutating func concealed() {
        framesLeft = Self.framesWatched
    }

    /// Bends what is too loud in a frame after a loss, or learns from any other.
    mutating func pass(_ frame: UnsafeMutableBufferPointer<Int16>) {
        guard framesLeft > 0 else {
            loudest -= loudest >> Self.forgettingShift
            for sample in frame { loudest = max(loudest, abs(Int32(sample))) }
            return
        }
        framesLeft -= 1
        let knee = max(loudest, Self.kneeMin)
        for index in frame.indices where abs(Int32(frame[index])) > knee {
            frame[index] = Self.bend(Int32(frame[index]), knee: knee)
        }
    }

    private static func bend(_ sample: Int32, knee: Int32) -> Int16 {
        let (excess, headroom) = (abs(sample) - knee, knee / 2)
        let bent = knee + headroom * excess / (excess + headroom)
        return Int16(clamping: sample < 0 ? -bent : bent)
    }
}
