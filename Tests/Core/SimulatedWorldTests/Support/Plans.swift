import KodamaShipped
import AppCoordination
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSimulation
import SansIO

/// Small worlds, built in code.
extension WorldPlan {
    /// Two phones in one group, a person at each, and nothing said.
    static func pair(
        _ voice: VoiceMode = .sized,
        lasting duration: Duration,
        over direction: LinkDirection = .after(.milliseconds(8))
    ) -> WorldPlan {
        var plan = WorldPlan(name: "pair", duration: duration, systems: .shipped)
        plan.voice = voice
        for (person, speaker) in [("mika", "en-f"), ("taro", "it-m")] {
            plan.addPhone("\(person)-phone", group: "ridge")
            plan.people.append(PersonPlan(name: person, phone: "\(person)-phone"))
            plan.people[plan.people.count - 1].voice = speaker
        }
        plan.link("mika-phone", "taro-phone", direction)
        return plan
    }

    /// Two phones whose people talk with each other nearly all the time.
    static func conversation(
        lasting duration: Duration,
        over direction: LinkDirection = .after(.milliseconds(8))
    ) -> WorldPlan {
        var plan = pair(lasting: duration, over: direction)
        plan.talk = [
            .conversation(people: ["mika", "taro"], from: .milliseconds(200), until: duration)
        ]
        return plan
    }

    /// Two phones, of which one hears a person who talks without a pause.
    static func story(
        _ voice: VoiceMode = .sized,
        lasting duration: Duration,
        from start: Duration = .milliseconds(500),
        for talk: Duration? = nil,
        over direction: LinkDirection = .after(.milliseconds(8))
    ) -> WorldPlan {
        var plan = pair(voice, lasting: duration, over: direction)
        plan.talk = [.monologue(person: "mika", at: start, lasting: talk ?? duration - start)]
        return plan
    }

    mutating func addPhone(_ name: String, group: String?, first: Bool = false) {
        var app = IntercomAppPlan()
        app.group = group
        var phone = PhonePlan(name: name)
        phone.apps = [AppPlan(app, start: group == nil ? .closed : .open)]
        phones.insert(phone, at: first ? 0 : phones.count)
    }

    mutating func link(
        _ first: String,
        _ second: String,
        _ direction: LinkDirection = .after(.milliseconds(8)),
        atFront: Bool = false
    ) {
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        let link = LinkPlan(first: first, second: second, profile: profile)
        links.insert(link, at: atFront ? 0 : links.count)
    }
}

extension LinkDirection {
    /// A clean direction with a delay.
    static func after(_ delay: Duration) -> LinkDirection {
        var direction = LinkDirection()
        direction.delay = delay
        return direction
    }
}

extension Probability {
    static func percent(_ percent: Int32) -> Probability {
        Probability(partsPerMillion: percent * 10_000)
    }
}
