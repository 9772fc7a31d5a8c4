/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        3, 6, 4, 1, 8, 411, 177, 20, 18, 18, 5, 13, 23, 15, 11, 10,
        8, 29, 16, 25, 12, 18, 15, 29, 16, 9, 44, 813, 123, 46, 77, 11,
        16, 525, 59, 41, 25, 15, 11, 13, 9, 12, 6, 13, 6, 39, 5, 2,
        5, 3, 8, 39, 24, 4, 10, 306, 15, 4, 8, 30, 22, 971, 112, 32,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
