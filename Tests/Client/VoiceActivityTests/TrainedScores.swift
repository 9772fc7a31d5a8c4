/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        4, 5, 5, 2, 9, 357, 159, 18, 22, 16, 7, 16, 21, 12, 9, 11,
        11, 42, 28, 36, 23, 27, 20, 38, 18, 10, 31, 382, 30, 21, 47, 15,
        30, 650, 78, 53, 75, 31, 33, 24, 14, 15, 7, 18, 12, 60, 8, 2,
        4, 3, 11, 58, 24, 5, 8, 195, 8, 3, 8, 32, 16, 955, 96, 25,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
