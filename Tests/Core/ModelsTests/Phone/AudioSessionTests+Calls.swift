@testable import KodamaPhone
import SansIOTesting
import Testing

private typealias Effect = AudioSession.Effect

extension AudioSessionTests {
    @Test("A call that is answered while something rings has the audio until it is over (RS-15)")
    func answeredWhileRinging() throws {
        var story = try sounding()
        for round in [0, 20] as [Int64] {
            try story.expect(.ring(isOn: true), at: .seconds(round + 2)) {
                Effect.soundChanged(Self.session, isOn: false)
                Effect.news(Self.session, .interruptionBegan)
                Effect.news(Self.calls, .interruptionBegan)
            }
            try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(round + 3))
            try story.expect(Self.start(Self.calls, Self.second), at: .seconds(round + 3)) {
                Effect.soundChanged(Self.calls, isOn: true)
                Effect.engineAnswered(Self.calls, Self.second, .running)
            }
            // It rings on as a tone; that it is over gives nothing back.
            try story.expect(.ring(isOn: true), at: .seconds(round + 4))
            try story.expect(.ring(isOn: false), at: .seconds(round + 5))
            try story.expect(Self.start(Self.session, Self.first), at: .seconds(round + 6)) {
                Effect.engineAnswered(Self.session, Self.first, .failed(.insufficientPriority))
            }
            try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(round + 9)) {
                Effect.soundChanged(Self.calls, isOn: false)
                Effect.news(Self.session, .interruptionEnded(shouldResume: true))
            }
            try story.expect(Self.start(Self.session, Self.first), at: .seconds(round + 10)) {
                Effect.soundChanged(Self.session, isOn: true)
                Effect.engineAnswered(Self.session, Self.first, .running)
            }
        }
    }
}
