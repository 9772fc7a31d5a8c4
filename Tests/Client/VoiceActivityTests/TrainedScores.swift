/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        19, 11, 9, 3, 11, 62, 7, 5, 5, 1, 1, 2, 1, 0, 2, 1,
        25, 10, 68, 46, 112, 39, 40, 10, 13, 39, 233, 45, 25, 37, 8, 8,
        19, 92, 5, 7, 12, 2, 3, 2, 2, 1, 2, 3, 16, 10, 81, 29,
        61, 22, 62, 14, 14, 46, 180, 285, 64, 36, 9, 6, 61, 197, 7, 14,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
