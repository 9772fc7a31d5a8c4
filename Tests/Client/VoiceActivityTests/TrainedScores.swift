/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        14, 57, 73, 3, 4, 169, 30, 4, 15, 6, 2, 2, 7, 36, 10, 129,
        85, 79, 104, 17, 12, 17, 24, 29, 36, 14, 84, 2, 9, 28, 10, 1,
        17, 632, 48, 5, 17, 5, 1, 1, 8, 24, 4, 24, 25, 87, 154, 27,
        13, 18, 7, 11, 49, 7, 35, 13, 2, 8, 6, 0, 3, 383, 42, 6,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
