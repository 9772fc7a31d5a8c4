@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSimulation
@testable import KodamaSpeech
import PeerTransport
import SansIO
import Testing

@Suite("What reaches the ear over a bad link")
struct RoughLinkTests {
    @Test(
        "A corrupted datagram is refused: nothing of it is played (S-AUD)",
        arguments: [VoiceMode.real, .sized]
    )
    func corruption(voice: VoiceMode) throws {
        var direction = LinkDirection.after(.milliseconds(8))
        direction.corruption = .one
        var plan = WorldPlan.story(voice, lasting: .seconds(3), over: direction)
        plan.people[0].voice = nil
        let material = SpeechMaterial.synthetic(spurtsPerVoice: 4)
        let run = try WorldRun(plan, material: material)
        #expect(run.records(PacketArrived.self, of: "taro-phone").count > 100)
        let forms: [any TraceForm.Type] = [
            FramePlayed.self, FrameConcealed.self, FrameDiscarded.self, TargetChanged.self,
        ]
        for form in forms {
            #expect(run.records(form).isEmpty)
        }
    }

    @Test(
        "Packets that all come twice are heard once (K-14)",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func duplication(seed: UInt64) throws {
        var direction = LinkDirection.after(.milliseconds(20))
        direction.duplication = .one
        direction.jitter = .halfNormal(deviation: .milliseconds(20))
        direction.allowsReordering = true
        var plan = WorldPlan.conversation(lasting: .seconds(8), over: direction)
        // Silence at the end, so that no packet is under way there.
        plan.talk = [.conversation(people: ["mika", "taro"], from: .zero, until: .seconds(7))]
        let run = try WorldRun(plan, seed: seed)
        let arrived = run.values(PacketArrived.self).count { $0.content.value == .voice }
        let copies = run.values(FrameDiscarded.self).count { $0.reason.value == .duplicate }
        #expect(copies * 2 == arrived)
        #expect(copies > 200)
        #expect(run.count("voice.duplicates.played") == 0)
        #expect(run.violationCount == 0)
    }

    @Test("Sound clocks that drift 400 ppm apart do not let the delay grow (A-F-007)")
    func drift() throws {
        var plan = WorldPlan.pair(lasting: .seconds(200))
        plan.phones[0].clockDriftPartsPerMillion = 200
        plan.phones[1].clockDriftPartsPerMillion = -200
        for minute in 0..<3 as Range<Int64> {
            for (person, start) in [("mika", 1), ("taro", 30)] as [(String, Int64)] {
                plan.talk.append(
                    .monologue(
                        person: person,
                        at: .seconds(60 * minute + start),
                        lasting: .seconds(25)
                    )
                )
            }
        }
        let run = try WorldRun(plan)
        let growth = try #require(run.distribution("voice.delay.growth.time"))
        #expect(growth.count == 4)
        // Left alone, clocks 400 ppm apart would part by 48 ms in two minutes.
        #expect(growth.maximum ?? .max < 15_000_000)
        #expect(growth.minimum ?? .min > -15_000_000)
        #expect(run.violationCount == 0)
        let frames = ["mika-phone", "taro-phone"].map {
            run.records(FrameCaptured.self, of: $0).count
        }
        // 200 s of 50 frames: two more at the fast clock, two less at the slow one.
        #expect(frames[0] - frames[1] == 4)
    }
}
