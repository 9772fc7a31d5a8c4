import KodamaShipped
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaSimulation
import RealtimeVoice
import SansIO

/// Small worlds with a voice session, built in code.
extension WorldPlan {
    /// One phone on Wi-Fi with cellular beside it, both clean, whose user opens the app and talks with
    /// the agent.
    static func session(
        _ voice: VoiceMode = .sized,
        lasting duration: Duration,
        over direction: LinkDirection = .after(.milliseconds(20))
    ) -> WorldPlan {
        var plan = WorldPlan(name: "session", duration: duration, systems: .shipped)
        plan.voice = voice
        plan.addSession("mika-phone", over: direction)
        plan.people = [PersonPlan(name: "mika", phone: "mika-phone")]
        plan.talk = stride(from: 3, to: duration.wholeNanoseconds / 1_000_000_000, by: 10).map {
            .monologue(person: "mika", at: .seconds($0), lasting: .seconds(2))
        }
        return plan
    }

    /// Adds a phone with the session app.
    mutating func addSession(
        _ name: String,
        over direction: LinkDirection = .after(.milliseconds(20)),
        opens: Duration? = .zero,
        first: Bool = false
    ) {
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        var phone = PhonePlan(name: name)
        phone.radios = [RadioPlan(.wifi, profile: profile), RadioPlan(.cellular, profile: profile)]
        let start = opens.map { AppStart.opened(at: $0) } ?? .closed
        phone.apps = [AppPlan(SessionAppPlan(), start: start)]
        phones.insert(phone, at: first ? 0 : phones.count)
    }

    /// Adds something that happens.
    mutating func at(_ time: Duration, _ act: TimedAct) {
        timeline.append(TimelineEntry(act.act, to: act.target, trigger: .at(time)))
    }

    /// The same world with its voice carried otherwise.
    func carrying(_ voice: VoiceMode) -> WorldPlan {
        var plan = self
        plan.voice = voice
        return plan
    }
}

/// What tests do to Mika's phone, to the session on it, and to its servers.
extension TimedAct {
    static func phone(_ act: PhoneAct) -> TimedAct {
        TimedAct(act, to: "mika-phone")
    }

    static func session(_ act: SessionAppAct) -> TimedAct {
        TimedAct(act, to: "mika-phone.session")
    }

    static func rooms(_ fault: RoomServerFault) -> TimedAct {
        TimedAct(fault, to: ServicesPlan.roomsName)
    }
}
