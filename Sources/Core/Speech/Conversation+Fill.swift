public import SansIO
internal import KodamaSimulation

extension Conversation {
    /// The shortest word that anybody says in a conversation, in samples: 300 ms.
    ///
    /// Spurts drawn after P.59 have no least length, and three in ten are shorter than this. No
    /// recording yields one so short (`TalkSpurts`), and a voice without sound has the same words.
    private static let wordSamplesMin = Int64(TalkSpurts.spurtMilliseconds.lowerBound) * 48
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
        return seat(turns, until: end) { place in
            draw(from: voice, wanted: place.wanted, limit: place.limit, &random).map {
                (piece: SoundPiece(start: place.start, spurt: $0), length: Int64($0.sampleCount))
            }
        }
    }

    /// How long a person talks in each turn where no sound is made.
    ///
    /// As with recorded spurts, a turn too short for a word lasts as long as one, and one in which
    /// there is no space for a word before the same person's next turn stays silent.
    ///
    /// - Parameters:
    ///   - turns: The person's turns in order.
    ///   - end: When the last one must be over.
    /// - Returns: The samples in which the person talks, in order, with 200 ms or more in between.
    public static func fill(_ turns: [TalkTurn], until end: Instant) -> [Range<Int64>] {
        seat(turns, until: end) { place in
            let length = min(max(place.wanted, wordSamplesMin), place.limit)
            guard length >= wordSamplesMin else { return nil }
            return (piece: place.start..<place.start + length, length: length)
        }
    }

    /// Where something is said, in samples, and how long.
    private struct Place {
        let start: Int64
        /// How long the turn lasts from there on.
        let wanted: Int64
        /// How long it may last, for the pause before the next turn or for the end.
        let limit: Int64
    }

    /// Puts into each turn what is chosen for it, if that is anything.
    private static func seat<Piece>(
        _ turns: [TalkTurn],
        until end: Instant,
        _ choose: (Place) -> (piece: Piece, length: Int64)?
    ) -> [Piece] {
        let last = MicrophoneTime.sampleIndex(at: end)
        var pieces: [Piece] = []
        var free = Int64.min
        for (number, turn) in turns.enumerated() {
            let start = max(MicrophoneTime.sampleIndex(at: turn.start), free)
            let wanted = MicrophoneTime.sampleIndex(at: turn.end) - start
            var limit = last - start
            if number + 1 < turns.count {
                let next = MicrophoneTime.sampleIndex(at: turns[number + 1].start)
                limit = min(limit, next - TalkTrack.pauseSamplesMin - start)
            }
            let chosen = choose(Place(start: start, wanted: wanted, limit: limit))
            guard wanted > 0, let chosen else { continue }
            pieces.append(chosen.piece)
            free = start + chosen.length + TalkTrack.pauseSamplesMin
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
