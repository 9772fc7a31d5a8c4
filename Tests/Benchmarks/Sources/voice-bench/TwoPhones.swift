import Evidence
import Harness
import SansIO
import Scenarios
import SimulatedWorld
import Simulation
import Speech

/// Two phones whose people converse over the clean local link.
struct TwoPhones {
    static let names = ["mika", "taro"]
    static let sliceSeconds = 600

    var voice: VoiceMode
    var seed: UInt64
    var seconds: Int

    var plan: WorldPlan {
        var plan = WorldPlan(name: "two-phones", duration: .seconds(seconds))
        plan.voice = voice
        plan.phones = Self.names.map { name in
            var app = IntercomAppPlan()
            app.group = "ridge"
            var phone = PhonePlan(name: "\(name)-phone")
            phone.apps = [AppPlan(app, start: .open)]
            return phone
        }
        plan.people = Self.names.map { PersonPlan(name: $0, phone: "\($0)-phone") }
        guard let profile = LinkProfile.named("local-clean") else {
            preconditionFailure("the catalogue has lost the clean local link")
        }
        plan.links = [LinkPlan(first: "mika-phone", second: "taro-phone", profile: profile)]
        plan.talk = [.conversation(people: Self.names, from: start, until: end)]
        return plan
    }

    /// The people's sound, as the world makes it from the same plan and seed.
    func tracks(_ material: SpeechMaterial) -> [TalkTrack] {
        let until = Instant.zero.advanced(by: end)
        let turns = Conversation.turns(
            between: Self.names[0],
            and: Self.names[1],
            seed: seed,
            from: Instant.zero.advanced(by: start),
            until: until
        )
        return zip(Self.names, [turns.first, turns.second]).enumerated().map { place, said in
            let pieces = Conversation.fill(
                said.1,
                with: material.voice(forPlace: place),
                person: said.0,
                seed: seed,
                until: until
            )
            return TalkTrack(person: said.0, material: material, pieces: pieces)
        }
    }

    private var start: Duration { .seconds(1) }
    private var end: Duration { .seconds(seconds - 1) }
}
