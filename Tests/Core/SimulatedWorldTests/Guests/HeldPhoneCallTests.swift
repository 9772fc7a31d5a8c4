import KodamaShipped
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("A phone call that is put on hold for an app's call, beside a voice session")
struct HeldPhoneCallTests {
    /// Taro's phone has calls and a session, and a phone call from 30 s on; Mika calls him at 40 s,
    /// and he is back in the session at 70 s.
    private static func run() throws -> WorldRun {
        var plan = WorldPlan(name: "held", duration: .seconds(120), systems: .shipped)
        plan.voice = .reachability
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        for user in ["mika", "taro"] {
            var settings = CallAppPlan()
            settings.user = user
            var phone = PhonePlan(name: "\(user)-phone")
            phone.radios = [RadioPlan(.wifi, profile: profile)]
            if user == "taro" {
                settings.answersAfter = .seconds(3)
                settings.hangsUpAfter = .seconds(10)
            }
            phone.apps = [AppPlan(settings, start: .opened(at: .zero))]
            if user == "taro" {
                phone.apps.append(AppPlan(SessionAppPlan(), start: .opened(at: .seconds(5))))
            }
            plan.phones.append(phone)
        }
        plan.at(.seconds(30), TimedAct(PhoneAct.phoneCallBegins, to: "taro-phone"))
        plan.at(.seconds(40), TimedAct(CallAppAct.dial(CallDial("taro")), to: "mika-phone.calls"))
        plan.at(.seconds(70), TimedAct(PhoneAct.openApp("session"), to: "taro-phone"))
        return try WorldRun(plan)
    }

    @Test("Who answers during a phone call is in none any more, and is heard again (RS-15, K-22)")
    func answered() throws {
        let run = try Self.run()
        let answers = run.records(UserActed.self, of: "taro-phone").filter {
            UserActed($0).action == .answerCall
        }
        let held = run.records(PhoneCallHeld.self, of: "taro-phone")
        #expect(answers.count == 1)
        #expect(held.map(\.instant) == answers.map(\.instant))
        let flows = run.records(AudioFlowing.self, of: "taro-phone")
        #expect(flows.contains { $0.instant.nanoseconds > 70_000_000_000 })
        #expect(run.violationCount == 0)
    }

    @Test("Who comes back to the session afterwards waits for it, which is measured (K-02)")
    func returns() throws {
        let run = try Self.run()
        let waits = try #require(run.distribution("session.resume.time"))
        #expect(waits.maximum.map { $0 > 300_000_000 && $0 < 3_000_000_000 } == true)
    }
}
