public import SansIO
internal import Simulation

extension Conversation {
    /// The least pause between two spurts of one person, so that they stay two (ITU-T P.56: 200 ms).
    static let pauseSamplesMin: Int64 = 9_600
    /// Among how many drawn spurts the best length is chosen.
    private static let candidateCount = 8

    /// Says what a person says in each turn: recorded spurts of about the drawn lengths.
    ///
    /// A turn lasts as long as its spurt, which never reaches into the pause of 200 ms before the
    /// same person's next turn. A turn into which no spurt fits stays silent, or begins up to
    /// 200 ms late where the turn before lasted too long.
    ///
    /// - Parameters:
    ///   - turns: The person's turns in order.
    ///   - voice: The person's voice.
    ///   - person: The person's name.
    ///   - seed: The run's seed; with the name it makes the choice.
    ///   - end: When the last spurt must be over.
    /// - Returns: The spurts in order.
    public static func fill(
        _ turns: [TalkTurn],
        with voice: SpeechMaterial.Voice,
        person: String,
        seed: UInt64,
        until end: Instant
    ) -> [SoundPiece] {
        var random = RandomStream(seed: seed, purpose: "words", entity: person)
        let last = MicrophoneTime.sampleIndex(at: end)
        var pieces: [SoundPiece] = []
        var free = Int64.min
        for (number, turn) in turns.enumerated() {
            let start = max(MicrophoneTime.sampleIndex(at: turn.start), free)
            let wanted = MicrophoneTime.sampleIndex(at: turn.end) - start
            var limit = last - start
            if number + 1 < turns.count {
                let next = MicrophoneTime.sampleIndex(at: turns[number + 1].start)
                limit = min(limit, next - pauseSamplesMin - start)
            }
            let drawn = draw(from: voice, wanted: wanted, limit: limit, &random)
            guard wanted > 0, let spurt = drawn else { continue }
            pieces.append(SoundPiece(start: start, spurt: spurt))
            free = start + Int64(spurt.sampleCount) + pauseSamplesMin
        }
        return pieces
    }

    /// The drawn spurt whose length is nearest to the wanted one within the limit.
    private static func draw(
        from voice: SpeechMaterial.Voice,
        wanted: Int64,
        limit: Int64,
        _ random: inout RandomStream
    ) -> SpeechMaterial.Spurt? {
        var best: SpeechMaterial.Spurt?
        for _ in 0..<candidateCount {
            let spurt = voice.spurts[Int(random.uniform(below: UInt64(voice.spurts.count)))]
            let length = Int64(spurt.sampleCount)
            guard length <= limit else { continue }
            if let other = best, abs(length - wanted) >= abs(Int64(other.sampleCount) - wanted) {
                continue
            }
            best = spurt
        }
        return best
    }
}
