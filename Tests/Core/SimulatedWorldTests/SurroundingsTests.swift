import KodamaShipped
@testable import KodamaLanguage
@testable import KodamaSpeech
@testable import KodamaWorld
import SansIO
import Testing

@Suite("Noises around a person in the world")
struct SurroundingsTests {
    private static let material = SpeechMaterial.synthetic(spurtsPerVoice: 4)

    /// One person who says something from 1 s to 4 s of a run of 6 s.
    private func track(_ surroundings: [SurroundingPlan]) throws -> TalkTrack {
        var plan = WorldPlan(name: "ridge", duration: .seconds(6), systems: .shipped)
        plan.addPhone("phone", group: nil)
        var person = PersonPlan(name: "aoi", phone: "phone")
        person.surroundings = surroundings
        plan.people = [person]
        plan.talk = [.monologue(person: "aoi", at: .seconds(1), lasting: .seconds(3))]
        return try #require(try Script.tracks(of: plan, seed: 1, material: Self.material).first)
    }

    /// The levels of the microphone's frames, in decibels below overload.
    private func levels(_ track: TalkTrack) -> [Int] {
        var feed = MicrophoneFeed([track])
        var frame = [Int16](repeating: 0, count: 960)
        var scratch = frame
        return (0..<300).map { index in
            let start = MicrophoneTime.instant(of: Int64(index) * 960)
            return frame.withUnsafeMutableBufferPointer { frame in
                scratch.withUnsafeMutableBufferPointer { scratch in
                    feed.read(from: start, into: frame, by: scratch)
                    return Int(AudioLevel(of: UnsafeBufferPointer(frame)).decibelsBelowOverload)
                }
            }
        }
    }

    @Test("The microphone hears the noise always, and the truth stays the speech (K-15)")
    func always() throws {
        let silent = try track([])
        let noisy = try track([SurroundingPlan(.white, .absolute(milliDecibels: -50_000))])
        #expect(noisy.speech == silent.speech)
        let (before, after) = (levels(silent), levels(noisy))
        #expect(before[..<45].allSatisfy { $0 == 127 } && before[220...].allSatisfy { $0 == 127 })
        // A third of white noise lies below 8 kHz, so the whole is 4.8 dB louder.
        #expect(after[..<45].allSatisfy { abs($0 - 45) <= 1 }, "\(after[..<45])")
        #expect(after[220...].allSatisfy { abs($0 - 45) <= 1 })
        for (index, level) in before.enumerated() where level < 40 {
            #expect(abs(after[index] - level) <= 2, "frame \(index)")
        }
    }

    @Test("Every noise of a scenario is the noise of the same name")
    func names() {
        #expect(
            SurroundingPlan.Noise.allCases.map { NoiseBed.Kind($0).rawValue }
                == SurroundingPlan.Noise.allCases.map(\.rawValue)
        )
        #expect(NoiseBed.Kind.allCases.count == SurroundingPlan.Noise.allCases.count)
        let plan = SurroundingPlan(.rain, .signalToNoise(milliDecibels: -1))
        #expect(NoiseBed(plan) == NoiseBed(.rain, .signalToNoise(milliDecibels: -1)))
    }
}
