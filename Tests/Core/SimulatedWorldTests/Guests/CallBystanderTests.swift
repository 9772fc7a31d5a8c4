import KodamaShipped
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("Calls depend on nothing but who is in them")
struct CallBystanderTests {
    /// Two people on clean Wi-Fi, of whom one calls the other at 10 s.
    private static var plan: WorldPlan {
        var plan = WorldPlan(name: "call", duration: .seconds(60), systems: .shipped)
        plan.voice = .reachability
        for name in ["mika", "taro"] {
            var settings = CallAppPlan()
            settings.user = name
            settings.answersAfter = .seconds(3)
            settings.hangsUpAfter = .seconds(20)
            plan.phones.append(phone(name + "-phone", AppPlan(settings, start: .opened(at: .zero))))
        }
        let dial = TimelineEntry(
            CallAppAct.dial(CallDial("taro")),
            to: "mika-phone.calls",
            trigger: .at(.seconds(10))
        )
        plan.timeline.append(dial)
        return plan
    }

    private static func phone(
        _ name: String,
        _ app: AppPlan,
        on radio: NetworkInterface = .wifi
    ) -> PhonePlan {
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        var phone = PhonePlan(name: name)
        phone.radios = [RadioPlan(radio, profile: profile)]
        phone.apps = [app]
        return phone
    }

    /// Mika calls Taro at 100 s; before that Hana calls Sora, who has so many devices.
    private static func rings(soraHas deviceCount: Int) throws -> [Instant] {
        var plan = Self.plan
        plan.duration = .seconds(160)
        plan.timeline = []
        let devices = ["hana"] + Array(repeating: "sora", count: deviceCount)
        for (index, user) in devices.enumerated() {
            var settings = CallAppPlan()
            settings.user = user
            let app = AppPlan(settings, start: .opened(at: .zero))
            plan.phones.append(phone("\(user)-\(index)", app, on: .cellular))
        }
        for (phone, user, time) in [("hana-0", "sora", 40), ("mika-phone", "taro", 100)] {
            let dial = TimelineEntry(
                CallAppAct.dial(CallDial(user)),
                to: "\(phone).calls",
                trigger: .at(.seconds(Int64(time)))
            )
            plan.timeline.append(dial)
        }
        return try WorldRun(plan, seed: 3).records(CallRinging.self, of: "taro-phone")
            .map(\.instant)
    }

    @Test("How long a phone's radio takes to be paged is its own affair (HN-01)")
    func paging() throws {
        let one = try Self.rings(soraHas: 1)
        #expect(one.count == 1)
        #expect(try Self.rings(soraHas: 3) == one)
    }

    @Test(
        "A phone without the calls app changes nobody's records (HN-01)",
        arguments: [false, true]
    )
    func bystander(isFirst: Bool) throws {
        let without = try WorldRun(Self.plan, seed: 3)
        #expect(without.metrics.contains { $0.name == "call.ring.time" && $0.samples == 1 })
        var plan = Self.plan
        let bystander = Self.phone("bystander", AppPlan(IntercomAppPlan(), start: .closed))
        plan.phones.insert(bystander, at: isFirst ? 0 : plan.phones.count)
        let with = try WorldRun(plan, seed: 3)
        for (name, digest) in without.digest.components {
            #expect(with.digest.digest(of: name) == digest, "\(name)")
        }
    }
}
