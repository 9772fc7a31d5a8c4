/// What a frame's score is held against: a threshold that moves with the scores before it.
///
/// A frame after a quiet one, of less than a quarter of the threshold, has to reach the threshold
/// itself: a lone blip is no beginning, and a voice that comes clear out of silence gets there at
/// once. Any other frame has to reach (1 + m) ÷ 2 of it, where m is the running mean of the scores as
/// a share of their range: half while a word begins, so that the first frames of a soft one count;
/// more in a crowd that sounds half like speech all the time; nearly all amid speech, so that its end
/// shows.
///
/// The numbers were chosen, and kept round, on speakers and noises that no training heard. At the
/// same silence sent, fewer spurts lose their beginning than by a threshold that stays: sending ends
/// sooner, and begins more often where nobody speaks.
struct MovingThreshold: Sendable, Equatable {
    /// The range of a score.
    private static let whole: Int32 = 1000

    private let highest: Int32
    private var last: Int32 = 0
    /// The running mean over 16 frames or so, in 1024ths of a score's unit.
    private var mean: Int32 = 0

    /// Makes the threshold of a detector that has heard nothing.
    ///
    /// - Parameter highest: The threshold where it stands highest, 0 to 1000.
    init(highest: Int) {
        self.highest = Int32(highest)
    }

    /// What the next frame's score has to reach, 0 to 1000.
    var value: Int16 {
        guard 4 * last >= highest else { return Int16(highest) }
        // Rounded up: to reach the quotient is to reach the next whole number.
        let twice = 2 * Self.whole
        return Int16((highest * (Self.whole + (mean >> 10)) + twice - 1) / twice)
    }

    /// Takes the next frame's score.
    ///
    /// - Parameter score: How much the frame is like speech, 0 to 1000.
    mutating func remember(_ score: Int16) {
        last = Int32(score)
        mean += ((last << 10) - mean) >> 4
    }
}
