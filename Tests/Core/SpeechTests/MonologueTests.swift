@testable import KodamaSpeech
import SansIO
import Testing

@Suite("Monologue")
struct MonologueTests {
    @Test("A monologue is one talk spurt of the wanted length", arguments: [3, 20, 60])
    func oneSpurt(seconds: Int64) throws {
        let material = try RecordedSpeech.material.get()
        let start = Instant(nanoseconds: 1_000_000_000)
        for voice in material.voices {
            let pieces = Monologue.pieces(
                of: voice,
                person: "aoi",
                seed: 4,
                from: start,
                lasting: .seconds(seconds)
            )
            let track = TalkTrack(person: "aoi", material: material, pieces: pieces)
            #expect(track.speech.count == 1)
            #expect(track.speech.first?.lowerBound == 48_000)
            let wanted = (seconds + 1) * 48_000
            let missing = wanted - (track.speech.first?.upperBound ?? 0)
            let shortest = voice.spurts.map(\.sampleCount).min() ?? 0
            #expect(missing >= 0 && missing < shortest + 7_200, "\(missing) samples are missing")
        }
    }

    @Test("The pauses last 60 to 150 ms, and every spurt comes before any comes again")
    func pauses() throws {
        let material = try RecordedSpeech.material.get()
        let voice = material.voices[0]
        let pieces = Monologue.pieces(
            of: voice,
            person: "aoi",
            seed: 5,
            from: .zero,
            lasting: .seconds(120)
        )
        let pauses = zip(pieces, pieces.dropFirst()).map { $1.start - $0.range.upperBound }
        #expect(pauses.allSatisfy { (2_880...7_200).contains($0) })
        let round = pieces.prefix(voice.spurts.count).map(\.spurt.offset)
        #expect(Set(round).count == voice.spurts.count)
    }

    @Test("A time too short for any spurt stays silent")
    func tooShort() throws {
        let material = try RecordedSpeech.material.get()
        let pieces = Monologue.pieces(
            of: material.voices[0],
            person: "aoi",
            seed: 1,
            from: .zero,
            lasting: .milliseconds(50)
        )
        #expect(pieces.isEmpty)
    }
}
