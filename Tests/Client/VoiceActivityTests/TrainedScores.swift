/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        26, 7, 7, 7, 7, 8, 2, 2, 11, 17, 6, 4, 4, 3, 14, 4,
        83, 12, 19, 2, 4, 47, 5, 3, 1, 7, 11, 3, 4, 0, 1, 1,
        3, 8, 3, 8, 9, 11, 8, 2, 3, 2, 2, 10, 153, 28, 34, 61,
        18, 542, 227, 189, 81, 78, 133, 47, 12, 2, 20, 4, 5, 7, 3, 2,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
