public import SansIO
internal import KodamaSimulation

/// When two people talk, fall silent and talk at once, after ITU-T P.59 (03/1993).
///
/// Four states: one talks, the other talks, both, nobody; each lasts an exponential time. P.59's
/// table 1 gives means of 1.004 s for a talk spurt, 1.587 s for a pause, 0.228 s for double talk and 0.508 s
/// for mutual silence, and shares of 38.5, 61.5, 6.6 and 22.5 %. These do not fit together:
/// 2 · 38.5 − 6.6 + 22.5 makes 92.9 % and not 100. The model here keeps the talk spurt, the double
/// talk, its share and the mutual silence; what follows is 40 % of talk, 26 % of mutual silence and a
/// pause of 1.49 s.
public enum Conversation {
    /// How long one person talks alone, on average: what makes talk spurts last 1.004 s.
    static let singleTalkNanoseconds: Int64 = 839_700_000
    /// How long both talk, on average.
    static let doubleTalkNanoseconds: Int64 = 228_000_000
    /// How long nobody talks, on average.
    static let mutualSilenceNanoseconds: Int64 = 508_000_000
    /// How likely single talk becomes double talk rather than silence: what makes 6.6 % double talk.
    static let interruption = Probability(partsPerMillion: 360_400)

    private enum State {
        case nobody, first, second, both

        func talks(_ person: Int) -> Bool {
            self == .both || self == (person == 0 ? .first : .second)
        }
    }

    /// Draws the turns of both people.
    ///
    /// - Parameters:
    ///   - first: One person's name.
    ///   - second: The other person's name.
    ///   - seed: The run's seed; with the names it makes the conversation.
    ///   - start: When both are still silent.
    ///   - end: When both are silent again.
    /// - Returns: Each one's turns in order; turns of the same person do not touch.
    public static func turns(
        between first: String,
        and second: String,
        seed: UInt64,
        from start: Instant,
        until end: Instant
    ) -> (first: [TalkTurn], second: [TalkTurn]) {
        var random = RandomStream(
            seed: seed,
            purpose: "conversation",
            entity: "\(first)/\(second)"
        )
        var turns: [[TalkTurn]] = [[], []]
        var openings: [Instant?] = [nil, nil]
        var state = State.nobody
        var now = start
        while now < end {
            for person in 0..<2 where state.talks(person) != (openings[person] != nil) {
                if let opening = openings[person], opening < now {
                    turns[person].append(TalkTurn(start: opening, end: now))
                }
                openings[person] = state.talks(person) ? now : nil
            }
            now = now.advanced(by: .nanoseconds(stay(in: state, &random)))
            state = next(after: state, &random)
        }
        for person in 0..<2 {
            if let opening = openings[person] {
                turns[person].append(TalkTurn(start: opening, end: end))
            }
        }
        return (turns[0], turns[1])
    }

    private static func stay(in state: State, _ random: inout RandomStream) -> Int64 {
        switch state {
        case .nobody: random.exponential(meanNanoseconds: mutualSilenceNanoseconds)
        case .first, .second: random.exponential(meanNanoseconds: singleTalkNanoseconds)
        case .both: random.exponential(meanNanoseconds: doubleTalkNanoseconds)
        }
    }

    private static func next(after state: State, _ random: inout RandomStream) -> State {
        switch state {
        case .nobody, .both: random.uniform(below: 2) == 0 ? .first : .second
        case .first, .second: random.bernoulli(interruption) ? .both : .nobody
        }
    }
}
