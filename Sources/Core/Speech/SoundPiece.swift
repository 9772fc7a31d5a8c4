/// A talk spurt of the material, placed on a person's time line.
@frozen
public struct SoundPiece: Sendable, Equatable, BitwiseCopyable {
    /// The index of the person's sample at which the sound begins.
    public var start: Int64
    /// The sound.
    public var spurt: SpeechMaterial.Spurt

    /// Places `spurt` at sample `start`.
    @inlinable
    public init(start: Int64, spurt: SpeechMaterial.Spurt) {
        self.start = start
        self.spurt = spurt
    }

    /// The samples that it covers.
    @inlinable
    public var range: Range<Int64> { start..<start + Int64(spurt.sampleCount) }
}
