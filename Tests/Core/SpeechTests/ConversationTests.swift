@testable import KodamaSpeech
import SansIO
import Testing

@Suite("Conversation")
struct ConversationTests {
    private static let hours = Instant(nanoseconds: 10 * 3_600_000_000_000)

    private func seconds(_ turns: [TalkTurn]) -> Double {
        turns.reduce(0) { $0 + Double($1.start.duration(to: $1.end).wholeNanoseconds) / 1e9 }
    }

    /// How long both talk, and how often.
    private func overlap(_ left: [TalkTurn], _ right: [TalkTurn]) -> (seconds: Double, count: Int) {
        var (index, seconds, count) = (0, 0.0, 0)
        for turn in left {
            while index < right.count, right[index].end <= turn.start {
                index += 1
            }
            var other = index
            while other < right.count, right[other].start < turn.end {
                let start = max(turn.start, right[other].start)
                let end = min(turn.end, right[other].end)
                seconds += Double(end.nanoseconds - start.nanoseconds) / 1e9
                count += 1
                other += 1
            }
        }
        return (seconds, count)
    }

    @Test(
        "Ten hours of talk have P.59's spurts, pauses, double talk and silence",
        arguments: [1, 2]
    )
    func statistics(seed: UInt64) {
        let turns = Conversation.turns(
            between: "aoi",
            and: "ren",
            seed: seed,
            from: .zero,
            until: Self.hours
        )
        let both = overlap(turns.first, turns.second)
        for person in [turns.first, turns.second] {
            let talk = seconds(person)
            // P.59: 1.004 s, 1.587 s, 38.5 %; the last two within what the table's contradiction allows.
            #expect(abs(talk / Double(person.count) / 1.004 - 1) < 0.03)
            #expect(abs((36_000 - talk) / Double(person.count) / 1.587 - 1) < 0.10)
            #expect(abs(talk / 36_000 - 0.385) < 0.03)
        }
        // P.59: 0.228 s and 6.6 % of double talk.
        #expect(abs(both.seconds / Double(both.count) / 0.228 - 1) < 0.03)
        #expect(abs(both.seconds / 36_000 - 0.066) < 0.003)
        // P.59: 22.5 % of mutual silence.
        let silence = 36_000 - seconds(turns.first) - seconds(turns.second) + both.seconds
        #expect(abs(silence / 36_000 - 0.225) < 0.045)
    }

    @Test("Each one's turns are in order, do not touch, and stay within the conversation")
    func order() {
        let start = Instant(nanoseconds: 5_000_000_000)
        let end = Instant(nanoseconds: 605_000_000_000)
        let turns = Conversation.turns(between: "a", and: "b", seed: 7, from: start, until: end)
        for person in [turns.first, turns.second] {
            #expect(person.count > 100)
            #expect(person.allSatisfy { $0.start < $0.end && $0.start > start && $0.end <= end })
            #expect(zip(person, person.dropFirst()).allSatisfy { $0.end < $1.start })
        }
    }

    @Test("Seed and names make the conversation")
    func keyed() {
        let make: (UInt64, String) -> [TalkTurn] = { seed, name in
            Conversation.turns(
                between: name,
                and: "ren",
                seed: seed,
                from: .zero,
                until: Instant(nanoseconds: 60_000_000_000)
            ).first
        }
        #expect(make(1, "aoi") == make(1, "aoi"))
        #expect(make(1, "aoi") != make(2, "aoi"))
        #expect(make(1, "aoi") != make(1, "mio"))
    }

    @Test("Recorded words keep 200 ms of pause, end in time, and fill most of the talk")
    func filled() throws {
        let material = try RecordedSpeech.material.get()
        let end = Instant(nanoseconds: 3_600_000_000_000)
        let turns = Conversation.turns(between: "a", and: "b", seed: 3, from: .zero, until: end)
        for (name, person) in [("a", turns.first), ("b", turns.second)] {
            let voice = material.voice(forPlace: name == "a" ? 0 : 1)
            let pieces = Conversation.fill(person, with: voice, person: name, seed: 3, until: end)
            let gaps = zip(pieces, pieces.dropFirst()).map { $1.start - $0.range.upperBound }
            #expect(gaps.allSatisfy { $0 >= 9_600 })
            #expect(pieces.allSatisfy { $0.range.upperBound <= 3_600 * 48_000 })
            let share = Double(pieces.reduce(0) { $0 + $1.spurt.sampleCount }) / (3_600 * 48_000)
            #expect(share > 0.30 && share < 0.45, "\(share) of the time is talk")
            let starts = Set(person.map { MicrophoneTime.sampleIndex(at: $0.start) })
            let onTime = pieces.filter { starts.contains($0.start) }.count
            #expect(onTime * 100 > pieces.count * 95, "\(onTime) of \(pieces.count) begin on time")
            #expect(
                pieces == Conversation.fill(person, with: voice, person: name, seed: 3, until: end)
            )
        }
    }

    @Test("Talk without sound has no word that is shorter than a recorded one (P.59)")
    func filledWithoutSound() {
        let end = Instant(nanoseconds: 3_600_000_000_000)
        let turns = Conversation.turns(between: "a", and: "b", seed: 3, from: .zero, until: end)
        for person in [turns.first, turns.second] {
            let speech = Conversation.fill(person, until: end)
            #expect(speech.allSatisfy { $0.count >= 14_400 })
            let gaps = zip(speech, speech.dropFirst()).map { $1.lowerBound - $0.upperBound }
            #expect(gaps.allSatisfy { $0 >= 9_600 })
            #expect(speech.allSatisfy { $0.upperBound <= 3_600 * 48_000 })
            let share = Double(speech.reduce(0) { $0 + $1.count }) / (3_600 * 48_000)
            #expect(share > 0.35 && share < 0.45, "\(share) of the time is talk")
        }
    }

    @Test("A turn of 9 ms lasts a word where there is room for one, and is silent elsewhere")
    func short() {
        let turns = [0, 1_000, 1_400, 2_000, 4_000].map { (milliseconds: Int64) in
            TalkTurn(
                start: Instant(nanoseconds: milliseconds * 1_000_000),
                end: Instant(nanoseconds: (milliseconds + 9) * 1_000_000)
            )
        }
        let speech = Conversation.fill(turns, until: Instant(nanoseconds: 4_200_000_000))
        #expect(speech == [0..<14_400, 67_200..<81_600, 96_000..<110_400])
    }

    @Test("A turn ends 200 ms before the same person's next one")
    func pauses() {
        let turns = [0, 1_100].map { (milliseconds: Int64) in
            TalkTurn(
                start: Instant(nanoseconds: milliseconds * 1_000_000),
                end: Instant(nanoseconds: (milliseconds + 1_000) * 1_000_000)
            )
        }
        let speech = Conversation.fill(turns, until: Instant(nanoseconds: 4_000_000_000))
        #expect(speech == [0..<43_200, 52_800..<100_800])
    }
}
