@testable import KodamaSession
@testable import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

@Suite("Voice agent")
struct VoiceAgentTests {
    /// An agent without chance: half a second of endpointing, 0.55 s of silence, medians elsewhere.
    private static var plain: VoiceAgentConfiguration {
        var configuration = VoiceAgentConfiguration()
        configuration.endpointingMistakes = .zero
        configuration.speechToText.sigmaMillionths = 0
        configuration.languageModel.sigmaMillionths = 0
        configuration.textToSpeech.sigmaMillionths = 0
        configuration.realtimeModel.sigmaMillionths = 0
        return configuration
    }

    private static func linked(
        _ configuration: VoiceAgentConfiguration = plain
    ) throws -> Transcript<VoiceAgent> {
        var story = Transcript(VoiceAgent(configuration: configuration, seed: 1))
        try story.expect(.participantConnected(identity: "aoi"), at: .zero)
        return story
    }

    @Test("It answers after frame, silence, model and voice: 50 + 550 + 420 + 140 ms (K-09)")
    func answers() throws {
        var story = try Self.linked()
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(3))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(4_160)))
        #expect(!story.machine.isAnswering)
        try story.expectWake(at: .milliseconds(4_160)) {
            VoiceAgentEffect.answerBegan(turn: 1, lasting: .seconds(3))
        }
        #expect(story.machine.isAnswering)
        try story.expectWake(at: .milliseconds(7_160)) {
            VoiceAgentEffect.answerEnded(turn: 1, wasInterrupted: false)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test(
        "A late transcript or a mistaken turn detector delays the answer, whichever is later (K-09)"
    )
    func overlap() throws {
        var configuration = Self.plain
        configuration.speechToText.median = .seconds(2)
        var story = try Self.linked(configuration)
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(3))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(5_610)))
        configuration.endpointingMistakes = .one
        story = try Self.linked(configuration)
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(3))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(6_610)))
    }

    @Test("A realtime model answers after its own latency alone (K-09)")
    func realtime() throws {
        var configuration = Self.plain
        configuration.pipeline = .realtime
        var story = try Self.linked(configuration)
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(3))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(3_550)))
    }

    @Test("Half a second of speech breaks an answer off, less does not")
    func interruption() throws {
        var story = try Self.linked()
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(2))
        try story.expectWake(at: .milliseconds(3_160)) {
            VoiceAgentEffect.answerBegan(turn: 1, lasting: .seconds(3))
        }
        try story.expect(.speechBegan, at: .milliseconds(3_500))
        try story.expect(.speechEnded, at: .milliseconds(3_900))
        #expect(story.machine.isAnswering)
        try story.expect(.speechBegan, at: .seconds(4))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(4_500)))
        try story.expectWake(at: .milliseconds(4_500)) {
            VoiceAgentEffect.answerEnded(turn: 1, wasInterrupted: true)
        }
        try story.expect(.speechEnded, at: .seconds(5))
        try story.expectWake(at: .milliseconds(6_160)) {
            VoiceAgentEffect.answerBegan(turn: 2, lasting: .seconds(3))
        }
    }

    @Test("Who goes on speaking before the answer sounds, is heard out; a click is not speech")
    func goesOn() throws {
        var story = try Self.linked()
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(2))
        try story.expect(.speechBegan, at: .milliseconds(2_200))
        try story.expect(.speechEnded, at: .milliseconds(2_240))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(3_160)))
        try story.expect(.speechBegan, at: .milliseconds(2_300))
        try story.expectWake(at: .milliseconds(2_350))
        #expect(story.machine.deadline == nil)
        try story.expect(.speechEnded, at: .seconds(4))
        try story.expectWake(at: .milliseconds(5_160)) {
            VoiceAgentEffect.answerBegan(turn: 2, lasting: .seconds(3))
        }
    }

    @Test(
        "Only who leaves on purpose ends its session (D-05, RS-11)",
        arguments: DisconnectReason.allCases
    )
    func closing(reason: DisconnectReason) throws {
        var story = try Self.linked()
        let ends = [.clientInitiated, .roomDeleted, .userRejected].contains(reason)
        try story.expect(.participantDisconnected(identity: "aoi", reason), at: .seconds(1)) {
            ends ? [VoiceAgentEffect.closed(reason)] : []
        }
        #expect(story.machine.isFinished == ends)
        try story.expect(.participantConnected(identity: "aoi"), at: .seconds(2))
        #expect(story.machine.linkedIdentity == (ends ? nil : "aoi"))
        try story.expect(.speechBegan, at: .seconds(3))
        try story.expect(.speechEnded, at: .seconds(4))
        #expect((story.machine.deadline == nil) == ends)
    }

    @Test("It listens to the first who comes, and to the next one only when they have gone")
    func linking() throws {
        var story = try Self.linked()
        try story.expect(.participantConnected(identity: "ren"), at: .seconds(1))
        #expect(story.machine.linkedIdentity == "aoi")
        try story.expect(
            .participantDisconnected(identity: "ren", .clientInitiated),
            at: .seconds(2)
        )
        try story.expect(
            .participantDisconnected(identity: "aoi", .connectionTimeout),
            at: .seconds(3)
        )
        #expect(story.machine.linkedIdentity == nil)
        try story.expect(.speechBegan, at: .seconds(4))
        try story.expect(.speechEnded, at: .seconds(5))
        #expect(story.machine.deadline == nil)
        try story.expect(.participantConnected(identity: "ren"), at: .seconds(6))
        #expect(story.machine.linkedIdentity == "ren")
    }

    @Test("A room that closes ends its session, and the answer that sounds")
    func roomClosed() throws {
        var story = try Self.linked()
        try story.expect(.speechBegan, at: .seconds(1))
        try story.expect(.speechEnded, at: .seconds(2))
        try story.expectWake(at: .milliseconds(3_160)) {
            VoiceAgentEffect.answerBegan(turn: 1, lasting: .seconds(3))
        }
        try story.expect(.roomClosed, at: .seconds(4)) {
            VoiceAgentEffect.answerEnded(turn: 1, wasInterrupted: true)
            VoiceAgentEffect.closed(.roomClosed)
        }
        #expect(story.machine.isFinished)
    }

    /// The 50th, 90th, 95th and 99th percentile of mouth to ear over 20,000 turns of a user who speaks
    /// to the agent over 50 ms each way, with frames of 20 ms and a jitter buffer of 60 ms.
    private static func percentiles(
        _ configuration: VoiceAgentConfiguration
    ) -> [Duration] {
        var agent = VoiceAgent(configuration: configuration, seed: 7)
        agent.handle(.participantConnected(identity: "aoi"), at: .zero)
        var totals: [Duration] = []
        for turn in 1...20_000 {
            let ended = Instant.zero.advanced(by: .seconds(60 * turn))
            agent.handle(.speechBegan, at: ended.advanced(by: .seconds(-1)))
            // The frame that holds the end of speech is captured, sent and carried.
            agent.handle(.speechEnded, at: ended.advanced(by: .milliseconds(20 + 50)))
            guard let answer = agent.deadline else { break }
            agent.wake(at: answer.instant)
            totals.append(ended.duration(to: answer.instant) + .milliseconds(20 + 50 + 60))
            guard let end = agent.deadline else { break }
            agent.wake(at: end.instant)
        }
        totals.sort()
        return [50, 90, 95, 99].map { totals[totals.count * $0 / 100] }
    }

    @Test("A turn takes 1.41 s in the middle and 3.2, 3.8, 4.0 s at the 90th, 95th, 99th (K-09)")
    func distribution() {
        let percentiles = Self.percentiles(VoiceAgentConfiguration())
        let published: [Duration] = [
            .milliseconds(1_410), .milliseconds(3_200), .milliseconds(3_800), .milliseconds(4_000),
        ]
        for (measured, expected) in zip(percentiles, published) {
            #expect(abs(measured / expected - 1) < 0.04, "\(measured) for \(expected)")
        }
    }

    @Test("A realtime model answers in 0.75 s in the middle and 1.05 s at the 90th (K-09)")
    func realtimeDistribution() {
        var configuration = VoiceAgentConfiguration()
        configuration.pipeline = .realtime
        let percentiles = Self.percentiles(configuration)
        #expect(abs(percentiles[0] / .milliseconds(750) - 1) < 0.02)
        #expect(abs(percentiles[1] / .milliseconds(1_050) - 1) < 0.02)
    }

    @Test("A turn's latencies do not depend on what happened in others")
    func keyedByTurn() throws {
        let configuration = VoiceAgentConfiguration()
        var first = try Self.linked(configuration)
        try first.expect(.speechBegan, at: .seconds(1))
        try first.expect(.speechEnded, at: .seconds(2))
        var second = try Self.linked(configuration)
        try second.expect(.speechBegan, at: .seconds(11))
        try second.expect(.speechEnded, at: .seconds(12))
        let delays = [first, second].compactMap { $0.machine.deadline?.instant.nanoseconds }
        #expect(delays[1] - delays[0] == 10_000_000_000)
    }

    @Test("The agent keeps the laws of its contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(
            seed: seed,
            steps: 400,
            make: { VoiceAgent(configuration: VoiceAgentConfiguration(), seed: seed) }
        ) { random, _ in
            let identity = ["aoi", "ren"][random.below(2)]
            return switch random.below(20) {
            case 0: .participantDisconnected(identity: identity, .connectionTimeout)
            case 1...3: .participantConnected(identity: identity)
            case 4 where random.chance(percent: 5):
                .participantDisconnected(identity: identity, .clientInitiated)
            case 5 where random.chance(percent: 5): .roomClosed
            case 4...12: .speechBegan
            default: .speechEnded
            }
        }
    }
}
