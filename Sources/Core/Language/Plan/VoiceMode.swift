/// How much of the voice is carried, from the most real to the least.
public enum VoiceMode: String, Sendable, CaseIterable {
    /// Recorded speech, encoded, carried, decoded and mixed, where an app makes sound.
    case real
    /// Speech from the truth, every frame with its size only.
    case sized
    /// No frames: whether voice is heard follows from the state of the path.
    case reachability

    /// What it means, in one sentence.
    var summary: String {
        switch self {
        case .real: "Recorded speech, detected, encoded, carried, decoded and mixed."
        case .sized: "Speech from the truth, frames with sizes only."
        case .reachability: "No frames: what is heard follows from the state of the path."
        }
    }

    /// How far from real it is.
    var distance: Int {
        switch self {
        case .real: 0
        case .sized: 1
        case .reachability: 2
        }
    }
}
