import KodamaShipped
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
@testable import KodamaSpeech
@testable import KodamaWorld
import SansIO
import Testing

@Suite("A call as sound")
struct CallSoundTests {
    private static let material = SpeechMaterial.synthetic()

    /// Mika calls Taro at 5 s, who answers after 3 s; both talk in turn, from 20 s on.
    private static func plan(_ happenings: [TimelineEntry] = []) -> WorldPlan {
        var plan = WorldPlan(name: "call", duration: .seconds(70), systems: .shipped)
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        for name in ["mika", "taro"] {
            var settings = CallAppPlan()
            settings.user = name
            settings.answersAfter = .seconds(3)
            var phone = PhonePlan(name: name + "-phone")
            phone.radios = [
                RadioPlan(.wifi, profile: profile), RadioPlan(.cellular, profile: profile),
            ]
            phone.apps = [AppPlan(settings, start: .opened(at: .zero))]
            plan.phones.append(phone)
            plan.people.append(PersonPlan(name: name, phone: name + "-phone"))
        }
        plan.talk = stride(from: 20, to: 60, by: 10).flatMap { second in
            [
                .monologue(person: "mika", at: .seconds(second), lasting: .seconds(4)),
                .monologue(person: "taro", at: .seconds(second + 5), lasting: .seconds(4)),
            ]
        }
        let dial = TimelineEntry(
            CallAppAct.dial(CallDial("taro")),
            to: "mika-phone.calls",
            trigger: .at(.seconds(5))
        )
        plan.timeline = [dial] + happenings
        return plan
    }

    private static func run(
        _ plan: WorldPlan,
        _ tapes: (mika: Tape, taro: Tape) = (Tape(), Tape())
    ) throws -> WorldRun {
        let taps = ["mika-phone": tapes.mika, "taro-phone": tapes.taro]
        return try WorldRun(plan, material: material, taps: taps)
    }

    @Test("What one says is what the other hears, by libopus and the room server (VP-09)")
    func conversation() throws {
        let tapes = (mika: Tape(), taro: Tape())
        let plan = Self.plan()
        let run = try Self.run(plan, tapes)
        #expect(run.violationCount == 0)
        let second: Int64 = 1_000_000_000
        for (talker, tape, from) in [("mika", tapes.taro, 20), ("taro", tapes.mika, 25)] {
            let sound = try SpokenSound(
                at: talker + "-phone",
                in: plan,
                seed: 1,
                material: Self.material
            )
            let ear = Ear(
                microphone: sound.samples(from: .zero, lasting: plan.duration),
                speaker: tape.samples,
                speakerStart: try #require(tape.start).nanoseconds
            )
            for start in stride(from: Int64(from), to: 60, by: 10) {
                let match = try #require(
                    ear.match(
                        from: start * second + 500_000_000,
                        to: start * second + 800_000_000
                    )
                )
                #expect(match.isClear, "\(talker) \(match)")
                #expect((80_000_000...250_000_000).contains(match.lag), "\(talker) \(match)")
            }
        }
        let clipped = try #require(run.distribution("call.sound.onset.clipped.time"))
        #expect(clipped.count == 8 && clipped.maximum == 0)
        #expect(run.distribution("call.sound.never_played.time")?.count == 0)
        let madeUp = try #require(run.proportion("call.sound.made_up.share"))
        #expect(madeUp.denominator > 2 * 2_000 * 960)
        #expect(madeUp.numerator * 200 < madeUp.denominator)
        // No session has sound here.
        #expect(run.distribution("session.sound.mouth_to_ear.time")?.count == 0)
    }

    @Test("What is said while a phone's path is dead is never heard, and is counted once (VP-09)")
    func outage() throws {
        let run = try Self.run(
            Self.plan([
                TimelineEntry(
                    PhoneAct.block(nil, nil, lasting: .seconds(3)),
                    to: "taro-phone",
                    trigger: .at(.milliseconds(30_500))
                )
            ])
        )
        let unplayed = try #require(run.distribution("call.sound.never_played.time"))
        #expect(unplayed.count == 1, "\(unplayed)")
        let most = try #require(unplayed.maximum)
        #expect((2_500_000_000...3_600_000_000).contains(most), "\(most)")
        let stalls = try #require(run.distribution("call.sound.made_up.time"))
        #expect(stalls.count >= 1)
    }

    @Test("Who mutes a call says nothing that could be missed in it (K-22)")
    func muted() throws {
        let run = try Self.run(
            Self.plan([
                TimelineEntry(
                    CallAppAct.choose(.mute),
                    to: "mika-phone.calls",
                    trigger: .at(.seconds(28))
                )
            ])
        )
        #expect(run.count("call.conduct.breaches") == 0)
        #expect(run.distribution("call.sound.never_played.time")?.count == 0)
        // Mika's first of four turns, and all of Taro's.
        #expect(run.distribution("call.sound.onset.clipped.time")?.count == 5)
    }

    @Test("A call with sound is the same twice, and no call makes any without being asked to")
    func repeats() throws {
        var plan = Self.plan()
        plan.duration = .seconds(30)
        plan.talk = Array(plan.talk.prefix(2))
        #expect(try Self.run(plan).digest.run == Self.run(plan).digest.run)
        plan.voice = .sized
        let sized = try WorldRun(plan)
        #expect(sized.values(SoundOpened.self).isEmpty)
        #expect(sized.distribution("call.sound.mouth_to_ear.time")?.count == 0)
    }
}
