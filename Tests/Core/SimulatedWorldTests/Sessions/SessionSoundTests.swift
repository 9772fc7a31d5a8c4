@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaSpeech
@testable import KodamaWorld
import SansIO
import Testing

@Suite("A session as sound")
struct SessionSoundTests {
    private static let phone = "mika-phone"
    private static let material = SpeechMaterial.synthetic()

    private func run(
        lasting seconds: Int64 = 40,
        over direction: LinkDirection = .after(.milliseconds(20)),
        _ tape: Tape = Tape(),
        agents: Tape = Tape(),
        seed: UInt64 = 1,
        _ happenings: (Duration, TimedAct)...
    ) throws -> WorldRun {
        var plan = WorldPlan.session(.real, lasting: .seconds(seconds), over: direction)
        for (time, action) in happenings { plan.at(time, action) }
        return try WorldRun(
            plan,
            seed: seed,
            material: Self.material,
            taps: [Self.phone: tape, ServicesPlan.agentsName: agents]
        )
    }

    /// When voice of a direction was heard, and how long after it was captured.
    private func heard(_ run: WorldRun, _ direction: VoiceDirection) -> [VoiceHeard] {
        run.values(VoiceHeard.self).filter { $0.direction.value == direction }
    }

    /// The loudest sample of a stretch of a recording, in seconds of the run.
    private func peak(_ tape: Tape, _ from: Double, _ until: Double) -> Int {
        guard let start = tape.start else { return 0 }
        let first = max(0, Int((from - Double(start.nanoseconds) / 1e9) * 48_000))
        let last = min(tape.samples.count, Int((until - Double(start.nanoseconds) / 1e9) * 48_000))
        return first < last ? tape.samples[first..<last].reduce(0) { max($0, abs(Int($1))) } : 0
    }

    @Test(
        "What the user says passes libopus both ways and is heard by the agent, and its answer (K-09)"
    )
    func conversation() throws {
        let (tape, agents) = (Tape(), Tape())
        let run = try run(lasting: 32, tape, agents: agents)
        #expect(run.violationCount == 0)
        #expect(run.count("session.unrecovered") == 0)
        let trips = try #require(run.distribution("voice.round_trip.time"))
        #expect(trips.count == 3)
        // What the agent's ear gets is what was said, some 0.1 s later.
        var plan = WorldPlan.session(.real, lasting: .seconds(32))
        plan.voice = .real
        let spoken = try SpokenSound(at: Self.phone, in: plan, seed: 1, material: Self.material)
        let said = spoken.samples(from: .zero, lasting: .seconds(32))
        let start = try #require(agents.start)
        let ear = Ear(
            microphone: said,
            speaker: agents.samples,
            speakerStart: start.nanoseconds
        )
        let second: Int64 = 1_000_000_000
        for talk in [13, 23] as [Int64] {
            let match = try #require(
                ear.match(from: talk * second + 500_000_000, to: talk * second + 800_000_000)
            )
            #expect(match.isClear, "\(match)")
            #expect((60_000_000...200_000_000).contains(match.lag), "\(match)")
        }
        // The answers are heard at the phone, and nothing between them.
        let answers = run.values(AnswerHeard.self)
        #expect(answers.count == 3)
        for answer in answers {
            let at = Double(answer.heard.nanoseconds) / 1e9
            #expect(peak(tape, at + 0.1, at + 1) > 1_000)
            #expect(peak(tape, at - 0.5, at - 0.05) < 200)
        }
        for direction in VoiceDirection.allCases {
            let voices = heard(run, direction)
            #expect(voices.count > 1_000)
            #expect(zip(voices, voices.dropFirst()).allSatisfy { $0.captured < $1.captured })
        }
        let madeUp = try #require(run.proportion("session.sound.made_up.share"))
        #expect(madeUp.denominator > 2_000 * 960)
        #expect(madeUp.numerator * 200 < madeUp.denominator)
        #expect(try #require(run.distribution("session.sound.onset.clipped.time")).maximum == 0)
        #expect(run.distribution("session.sound.never_played.time")?.count == 0)
    }

    @Test("An outage is silence at the ear, and counts as what was never played (K-10, K-09)")
    func outage() throws {
        let tape = Tape()
        // The answer to what was said at 13 s begins about 15.7 s.
        let run = try run(
            lasting: 60,
            tape,
            (.milliseconds(16_200), .phone(.block(nil, nil, lasting: .seconds(12))))
        )
        #expect(run.count("session.unrecovered") == 0)
        let unplayed = try #require(run.distribution("session.sound.never_played.time"))
        #expect(unplayed.count >= 1)
        #expect(try #require(unplayed.maximum) > 200_000_000)
        #expect(peak(tape, 15.9, 16.2) > 1_000)
        #expect(peak(tape, 17.8, 28) < 200, "what is made up has faded")
        // After it the agent is heard again, by a new decoder.
        let back = run.values(AnswerHeard.self).last.map { Double($0.heard.nanoseconds) / 1e9 } ?? 0
        #expect(back > 30)
        #expect(peak(tape, back + 0.1, back + 1) > 1_000)
    }

    @Test("Lost frames are made up by libopus, as many as were lost (K-10)")
    func loss() throws {
        var direction = LinkDirection.after(.milliseconds(20))
        direction.loss = .independent(.percent(5))
        let run = try run(lasting: 60, over: direction)
        let madeUp = try #require(run.proportion("session.sound.made_up.share"))
        let perMille = madeUp.numerator * 1_000 / madeUp.denominator
        #expect((25...90).contains(perMille), "\(perMille)")
        #expect(try #require(run.distribution("session.sound.made_up.time")).count > 5)
    }

    @Test("A run with sound is the same twice, and hears the same outside of it")
    func repeats() throws {
        let first = try run(lasting: 25)
        let second = try run(lasting: 25)
        #expect(first.digest.run == second.digest.run)
        #expect(try run(lasting: 25, seed: 2).digest.run != first.digest.run)
        let sized = try WorldRun(WorldPlan.session(.sized, lasting: .seconds(25)))
        #expect(sized.values(SoundOpened.self).isEmpty)
        #expect(sized.distribution("session.sound.mouth_to_ear.time")?.count == 0)
        let spans = [first, sized].map { $0.distribution("session.connect.time")?.maximum ?? 0 }
        #expect(abs(spans[0] - spans[1]) < 200_000_000, "\(spans)")
    }

    @Test("Who is muted is sent nowhere, and nothing of it is missed (K-22)")
    func muted() throws {
        let agents = Tape()
        let run = try run(
            lasting: 40,
            agents: agents,
            (.seconds(12), .session(.mute)),
            (.seconds(20), .session(.unmute))
        )
        #expect(run.count("conduct.breaches") == 0)
        #expect(peak(agents, 13.5, 15.2) < 200)
        #expect(peak(agents, 23.5, 25) > 1_000)
        let clipped = try #require(run.distribution("session.sound.onset.clipped.time"))
        #expect(clipped.maximum == 0)
    }
}
