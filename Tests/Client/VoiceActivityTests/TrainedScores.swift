/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {
    static let scores: [Int16] = [
        29, 113, 8, 10, 26, 191, 5, 3, 134, 14, 7, 27, 18, 27, 59, 33,
        107, 12, 111, 69, 130, 169, 101, 14, 16, 268, 951, 896, 482, 741, 309, 65,
        183, 534, 21, 12, 535, 97, 52, 73, 34, 64, 91, 198, 113, 41, 58, 21,
        91, 313, 712, 29, 12, 428, 765, 958, 797, 865, 385, 86, 212, 646, 32, 21,
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }
}
