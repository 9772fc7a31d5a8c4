import KodamaShipped
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("Each call by itself: whose it is, when its user answers and ends it")
struct CallHabitTests {
    /// Phones on clean Wi-Fi with their users; Taro lets calls ring and last for so long.
    private static func plan(
        _ users: KeyValuePairs<String, String>,
        answers: Duration,
        hangsUp: Duration? = nil
    ) -> WorldPlan {
        var plan = WorldPlan(name: "calls", duration: .seconds(80), systems: .shipped)
        plan.voice = .reachability
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        for (name, user) in users {
            var settings = CallAppPlan()
            settings.user = user
            if user == "taro" {
                settings.answersAfter = answers
                settings.hangsUpAfter = hangsUp
            }
            var phone = PhonePlan(name: name)
            phone.radios = [RadioPlan(.wifi, profile: profile)]
            phone.apps = [AppPlan(settings, start: .opened(at: .zero))]
            plan.phones.append(phone)
        }
        return plan
    }

    private static func dial(
        _ user: String = "taro",
        from phone: String,
        at seconds: Int64
    ) -> TimelineEntry {
        let act = CallAppAct.dial(CallDial(user))
        return TimelineEntry(act, to: phone + ".calls", trigger: .at(.seconds(seconds)))
    }

    private static func hangUp(on phone: String, at seconds: Int64) -> TimelineEntry {
        TimelineEntry(PhoneAct.call(.hangUp), to: phone, trigger: .at(.seconds(seconds)))
    }

    private static func lengths(_ begins: [TraceRecord], _ ends: [TraceRecord]) -> [Duration] {
        zip(begins, ends).map { $0.instant.duration(to: $1.instant) }
    }

    @Test("A call is that phone's on which it was dialled, not its user's first one (VP-09)")
    func secondPhone() throws {
        var plan = Self.plan(
            ["pad": "mika", "mika-phone": "mika", "taro-phone": "taro"],
            answers: .seconds(3),
            hangsUp: .seconds(10)
        )
        plan.timeline = [Self.dial(from: "mika-phone", at: 5)]
        let run = try WorldRun(plan)
        let forms: [any TraceForm.Type] = [CallPlaced.self, CallTaken.self, CallOver.self]
        for form in forms {
            let callers = run.records(form).map { run.phone(of: $0.subject) }
            #expect(callers == ["mika-phone"], "\(form)")
        }
        for name in ["call.place.time", "call.wait.time", "call.end.time"] {
            #expect(run.metrics.contains { $0.name == name && $0.samples == 1 }, "\(name)")
        }
    }

    @Test("A call whose app dies before the server has it takes no wait from the next one (VP-09)")
    func unplaced() throws {
        var plan = Self.plan(
            ["mika-phone": "mika", "taro-phone": "taro"],
            answers: .seconds(3),
            hangsUp: .seconds(10)
        )
        let kill = TimelineEntry(
            PhoneAct.killApp("calls"),
            to: "mika-phone",
            trigger: .at(.milliseconds(10_050))
        )
        plan.timeline = [
            Self.dial(from: "mika-phone", at: 10), kill, Self.dial(from: "mika-phone", at: 40),
        ]
        let run = try WorldRun(plan)
        #expect(run.values(CallPlaced.self).map(\.call) == [2])
        #expect(run.values(CallOver.self).map(\.call) == [2])
        #expect(run.metrics.contains { $0.name == "call.wait.time" && $0.samples == 1 })
    }

    @Test("A call that was given up makes nobody answer the next one early (VP-05)")
    func answers() throws {
        var plan = Self.plan(
            ["mika-phone": "mika", "taro-phone": "taro"],
            answers: .seconds(15)
        )
        plan.timeline = [
            Self.dial(from: "mika-phone", at: 5), Self.hangUp(on: "mika-phone", at: 8),
            Self.dial(from: "mika-phone", at: 16),
        ]
        let run = try WorldRun(plan)
        let rings = run.records(CallRinging.self, of: "taro-phone")
        let ends = run.records(CallRingEnded.self, of: "taro-phone")
        #expect(ends.map { CallRingEnded($0).end.value } == [.endedByApp, .answered])
        #expect(Self.lengths(rings, ends).last == Duration.seconds(15))
    }

    @Test("A call that is over makes nobody end the next one early (VP-05)")
    func ends() throws {
        var plan = Self.plan(
            ["mika-phone": "mika", "taro-phone": "taro"],
            answers: .seconds(1),
            hangsUp: .seconds(20)
        )
        plan.timeline = [
            Self.dial(from: "mika-phone", at: 5), Self.hangUp(on: "mika-phone", at: 20),
            Self.dial(from: "mika-phone", at: 22),
        ]
        let run = try WorldRun(plan)
        let joined = run.records(CallConnected.self, of: "taro-phone")
        let ends = run.records(CallEnded.self, of: "taro-phone")
        #expect(joined.count == 2 && ends.count == 2)
        #expect(Self.lengths(joined, ends).last == Duration.seconds(20))
    }

    @Test("A user ends no other call for one on hold, and ends that when it is alone (VP-05)")
    func held() throws {
        var plan = Self.plan(
            ["mika-phone": "mika", "hana-phone": "hana", "taro-phone": "taro"],
            answers: .seconds(2),
            hangsUp: .seconds(20)
        )
        plan.timeline = [
            Self.dial(from: "mika-phone", at: 5), Self.dial(from: "hana-phone", at: 15),
        ]
        let run = try WorldRun(plan)
        let joined = run.records(CallConnected.self, of: "taro-phone")
        let ends = run.records(CallEnded.self, of: "taro-phone")
        #expect(joined.map { CallConnected($0).call } == [1, 2])
        #expect(ends.map { CallEnded($0).call } == [2, 1])
        let lengths = Self.lengths(joined.reversed(), ends)
        #expect(lengths == [Duration.seconds(20), Duration.seconds(40)])
    }

    @Test("Who dials in the middle of a call is heard in that no more, and hears no more (VP-09)")
    func dialsBeside() throws {
        var plan = Self.plan(
            ["mika-phone": "mika", "taro-phone": "taro", "hana-phone": "hana"],
            answers: .seconds(2)
        )
        plan.timeline = [
            Self.dial(from: "mika-phone", at: 5), Self.dial("hana", from: "taro-phone", at: 20),
        ]
        let run = try WorldRun(plan)
        let stops = run.records(CallVoiceStopped.self)
        let phones = stops.map { run.phone(of: $0.component) }
        #expect(phones.sorted() == ["mika-phone", "taro-phone"])
        #expect(stops.allSatisfy { $0.instant.nanoseconds / 1_000_000_000 == 20 })
        let begins = run.records(CallVoiceFlowing.self).map(\.instant)
        #expect(begins.count == 2 && begins.allSatisfy { $0.nanoseconds < 20_000_000_000 })
    }
}
