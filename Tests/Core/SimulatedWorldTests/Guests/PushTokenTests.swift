import KodamaShipped
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("A push token that is taken back or replaced")
struct PushTokenTests {
    private static let phone = "taro-phone"

    /// Two people on clean Wi-Fi; Mika calls Taro, who answers and hangs up soon, at these seconds.
    private static func plan(calls: [Int64], _ acts: [TimelineEntry]) -> WorldPlan {
        var plan = WorldPlan(name: "tokens", duration: .seconds(200), systems: .shipped)
        plan.voice = .reachability
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        for user in ["mika", "taro"] {
            var settings = CallAppPlan()
            settings.user = user
            settings.answersAfter = .seconds(2)
            settings.hangsUpAfter = .seconds(4)
            var phone = PhonePlan(name: "\(user)-phone")
            phone.radios = [RadioPlan(.wifi, profile: profile)]
            phone.apps = [AppPlan(settings, start: .opened(at: .zero))]
            plan.phones.append(phone)
        }
        let dials = calls.map { at in
            TimelineEntry(
                CallAppAct.dial(CallDial("taro")),
                to: "mika-phone.calls",
                trigger: .at(.seconds(at))
            )
        }
        plan.timeline = acts + dials
        return plan
    }

    private static func does(_ act: PhoneAct, at milliseconds: Int64) -> TimelineEntry {
        TimelineEntry(act, to: phone, trigger: .at(.milliseconds(milliseconds)))
    }

    /// The system takes the token back and asks for another so much later.
    private static func withdraws(at milliseconds: Int64, gap: Duration) -> [TimelineEntry] {
        let act = PushAct.withdrawToken(phone: phone)
        let trigger = TimelineTrigger.at(.milliseconds(milliseconds))
        return [
            TimelineEntry(act, to: CallServicesPlan.pushName, trigger: trigger),
            does(.withdrawPushToken(CallAppPlan.system, lasting: gap), at: milliseconds),
        ]
    }

    private static func replaces(at milliseconds: Int64) -> TimelineEntry {
        TimelineEntry(
            PushAct.invalidateToken(phone: phone),
            to: CallServicesPlan.pushName,
            trigger: .at(.milliseconds(milliseconds))
        )
    }

    private static func rings(_ plan: WorldPlan) throws -> Int {
        try WorldRun(plan, seed: 3).records(CallRinging.self, of: phone).count
    }

    @Test("An app that was suspended meanwhile is called once it was opened, twice (VP-03)")
    func suspended() throws {
        for gap in [nil, .zero, .seconds(10)] as [Duration?] {
            let acts = [0, 80_000].flatMap { (round: Int64) -> [TimelineEntry] in
                let token =
                    gap.map { Self.withdraws(at: round + 30_000, gap: $0) }
                    ?? [Self.replaces(at: round + 30_000)]
                return [Self.does(.leaveApp, at: round + 10_000)] + token + [
                    Self.does(.openApp(CallAppPlan.system), at: round + 50_000)
                ]
            }
            #expect(try Self.rings(Self.plan(calls: [60, 140], acts)) == 2, "\(gap as Any)")
        }
    }

    @Test("A token that is taken back while it is on its way is no token (VP-03)")
    func onItsWay() throws {
        for milliseconds in stride(from: 20, through: 320, by: 20) as StrideThrough<Int64> {
            let acts = Self.withdraws(at: milliseconds, gap: .milliseconds(500))
            #expect(try Self.rings(Self.plan(calls: [20], acts)) == 1, "\(milliseconds) ms")
        }
    }

    @Test("A new token that was sent over a connection that had died comes by the next one (VP-03)")
    func deadConnection() throws {
        let acts = [0, 60_000].flatMap { (round: Int64) -> [TimelineEntry] in
            [
                Self.does(.radio(.wifi, isUp: false, .immediate), at: round + 29_000),
                Self.replaces(at: round + 30_000),
                Self.does(.radio(.wifi, isUp: true, .immediate), at: round + 35_000),
            ]
        }
        #expect(try Self.rings(Self.plan(calls: [60, 120], acts)) == 2)
    }
}
