public import SansIO
internal import KodamaSimulation

/// One person talks without a pause that would end the talk spurt.
public enum Monologue {
    /// Pauses between the joined spurts, 60 to 150 ms: below the 200 ms that end a talk spurt (P.56).
    private static let pauseSamples: ClosedRange<Int64> = 2_880...7_200

    /// Joins spurts into one long talk.
    ///
    /// Every spurt of the voice is used once before any comes again.
    ///
    /// - Parameters:
    ///   - voice: The person's voice.
    ///   - person: The person's name.
    ///   - seed: The run's seed; with the name and the start it makes the choice.
    ///   - start: When the talk begins.
    ///   - duration: How long it lasts; it ends early by less than the shortest spurt and a pause.
    /// - Returns: The spurts in order.
    public static func pieces(
        of voice: SpeechMaterial.Voice,
        person: String,
        seed: UInt64,
        from start: Instant,
        lasting duration: Duration
    ) -> [SoundPiece] {
        var random = RandomStream(
            seed: seed,
            purpose: "monologue",
            entity: "\(person)/\(start.nanoseconds)"
        )
        let end = MicrophoneTime.sampleIndex(at: start.advanced(by: duration))
        var position = MicrophoneTime.sampleIndex(at: start)
        var pieces: [SoundPiece] = []
        var unused: [SpeechMaterial.Spurt] = []
        while true {
            if unused.isEmpty {
                unused = voice.spurts
                random.shuffle(&unused)
            }
            let left = end - position
            if let last = unused.last, Int64(last.sampleCount) <= left {
                pieces.append(SoundPiece(start: position, spurt: last))
                unused.removeLast()
            } else {
                // Near the end: the longest spurt that still fits, so that the talk ends in time.
                let fitting = voice.spurts.filter { Int64($0.sampleCount) <= left }
                guard let longest = fitting.max(by: { $0.sampleCount < $1.sampleCount }) else {
                    return pieces
                }
                pieces.append(SoundPiece(start: position, spurt: longest))
            }
            position = (pieces.last?.range.upperBound ?? end) + random.uniform(in: pauseSamples)
        }
    }
}
