/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        7, 2, 3, 1, 2, 1, 0, 1, 1, 1, 1, 2, 1, 0, 0, 23,
        437, 69, 11, 5, 3, 49, 5, 5, 1, 2, 3, 72, 5, 2, 4, 0,
        1, 4, 1, 1, 0, 1, 1, 4, 2, 1, 39, 118, 659, 207, 111, 29,
        12, 147, 10, 8, 13, 20, 40, 109, 9, 4, 5, 1, 2, 13, 2, 1,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
