import KodamaEvidence
import SansIO

extension MediaMark {
    /// A frame of another member's voice.
    static let played = MediaMark(FramePlayed.self) { record, speaker in
        let frame = FramePlayed(record)
        return Sound(
            row: "plays",
            label: speaker,
            heardNanoseconds: frame.heard.nanoseconds,
            sampleCount: frame.samples
        )
    }

    /// Sound that was made up for a frame that is missing.
    static let concealed = MediaMark(FrameConcealed.self) { record, _ in
        let frame = FrameConcealed(record)
        return Sound(
            row: "made up",
            label: frame.means.value.map { Hyphenation.words(of: "\($0)") } ?? "",
            heardNanoseconds: frame.heard.nanoseconds,
            sampleCount: frame.samples
        )
    }
}
