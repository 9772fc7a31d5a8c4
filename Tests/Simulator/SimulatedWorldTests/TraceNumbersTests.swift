@testable import Evidence
import RealtimeVoice
@testable import SimulatedWorld
import Testing
import VoiceActivity

@Suite("The numbers that the world writes into traces")
struct TraceNumbersTests {
    @Test("Traces have the world's own words for them")
    func words() {
        expect(.linkChange) { LinkChange(rawValue: $0) }
        expect(.sessionFault) { SessionFault(rawValue: $0) }
        expect(.pathLoss) { PathLossCause(rawValue: $0) }
        expect(.leaving) { Leaving(rawValue: $0) }
        #expect(
            VoiceDirection.allCases.map { TraceLegend.direction.word(of: $0.rawValue) }
                == ["from-phone", "to-phone"]
        )
        let states: [TalkGate.State] = [
            .idle, .attack(speechFrames: 1), .talking, .release(quietFrames: 1),
        ]
        #expect(
            states.map { TraceLegend.gateState.word(of: Int64($0.number)) }
                == ["idle", "attack", "talking", "release"]
        )
    }

    @Test("What came of a request for a token is a status or a word")
    func tokenOutcomes() {
        let answers: [APIAnswer] = [
            .refused(statusCode: 503), .challenge("x"), .failed(.offline), .failed(.timedOut),
            .failed(.connectionLost), .malformed,
        ]
        let words = answers.map { TraceLegend.tokenOutcome.word(of: $0.traceNumber) }
        #expect(words == [nil, nil, "offline", "timed-out", "connection-lost", "malformed"])
    }

    private func expect(_ legend: TraceLegend, _ value: (Int64) -> Any?) {
        for (number, word) in legend.words.enumerated() {
            let name = value(Int64(number)).map { "\($0)".lowercased() }
            #expect(name == word.replacing("-", with: ""))
        }
        #expect(value(Int64(legend.words.count)) == nil)
    }
}
