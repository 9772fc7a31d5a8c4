public import KodamaSpeech

/// The voices of a set of runs, with the versions that a report must state (HN-01).
public struct Voices: Sendable, CustomStringConvertible {
    /// The voices; `nil` where no scenario makes sound.
    public let material: SpeechMaterial?
    /// The libraries, with their versions, on which the bytes of runs with sound depend.
    private let libraries: [String]

    /// Gets voices ready.
    ///
    /// - Parameters:
    ///   - needsSound: Whether a scenario makes real sound.
    ///   - isSynthetic: Whether the built-in synthetic voice talks instead of recordings.
    ///   - libraries: The libraries of the systems that make sound, with their versions.
    ///   - decoder: Makes samples at 16 kHz of a recording (G.722); a system that makes sound brings it.
    /// - Throws: `SpeechCorpusError` with the command that installs the recordings.
    public init(
        needsSound: Bool,
        isSynthetic: Bool,
        libraries: [String] = [],
        decoder: (([UInt8]) -> [Int16])? = nil
    ) throws(SpeechCorpusError) {
        self.libraries = libraries
        guard needsSound else {
            material = nil
            return
        }
        guard !isSynthetic else {
            material = .synthetic()
            return
        }
        guard let decoder else { throw .noDecoder }
        material = .recorded(try .load(decodedBy: decoder))
    }

    /// The voices, packages and codec with their versions, in one line.
    public var description: String {
        guard let material else { return "no sound was made" }
        return ([material.description] + libraries).joined(separator: "; ")
    }
}
