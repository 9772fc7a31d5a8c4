import KodamaShipped
import IncomingCalls
@testable import KodamaCalls
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("Who may be heard in a call")
struct CallMicrophoneTests {
    /// Mika calls Taro at 20 s, who answers after 3 s, and the microphone's alert after a time.
    private static func plan(
        _ status: PermissionCondition.Status,
        answer: Duration = .seconds(2)
    ) -> WorldPlan {
        var plan = WorldPlan(name: "call", duration: .seconds(60), systems: .shipped)
        plan.voice = .reachability
        let direction = LinkDirection.after(.milliseconds(20))
        let profile = LinkProfile(name: "test", summary: "", source: "", forward: direction)
        for name in ["mika", "taro"] {
            var settings = CallAppPlan()
            settings.user = name
            settings.answersAfter = .seconds(3)
            var phone = PhonePlan(name: name + "-phone")
            phone.radios = [RadioPlan(.wifi, profile: profile)]
            phone.apps = [AppPlan(settings, start: .opened(at: .zero))]
            if name == "taro" {
                phone.condition.microphone.status = status
                phone.condition.microphone.answerDelay = answer
            }
            plan.phones.append(phone)
        }
        plan.timeline = [
            TimelineEntry(
                CallAppAct.dial(CallDial("taro")),
                to: "mika-phone.calls",
                trigger: .at(.seconds(20))
            )
        ]
        return plan
    }

    private static func heard(_ run: WorldRun, by name: String) -> [Instant] {
        run.records(CallVoiceFlowing.self, of: name).map(\.instant)
    }

    private static func states(_ run: WorldRun) -> [MicrophoneState] {
        run.values(MicrophoneChanged.self, of: "taro-phone").compactMap(\.state.value)
    }

    private static func notices(_ run: WorldRun) -> [MicrophoneNotice] {
        run.values(MicrophoneExplained.self, of: "taro-phone").compactMap(\.notice.value)
    }

    @Test("Who has allowed it when the call comes is heard, and asked before if need be (RS-08)")
    func allowed() throws {
        for status in [PermissionCondition.Status.granted, .undetermined] {
            let run = try WorldRun(Self.plan(status))
            for name in ["mika-phone", "taro-phone"] {
                #expect(Self.heard(run, by: name).count == 1, "\(status)")
            }
            #expect(Self.notices(run) == [])
            // What has never been in question is not written down.
            #expect(Self.states(run) == (status == .granted ? [] : [.unasked, .asked, .allowed]))
        }
    }

    @Test("Who has refused it is in no call, where nobody would hear them (VP-05)")
    func refused() throws {
        let run = try WorldRun(Self.plan(.denied))
        for name in ["mika-phone", "taro-phone"] {
            #expect(Self.heard(run, by: name) == [])
            let ends = run.values(CallEnded.self, of: name).compactMap(\.reason.value)
            #expect(ends == [.failed], "\(name)")
        }
        #expect(Self.states(run) == [.refused])
        #expect(Self.notices(run) == [.refused])
    }

    @Test("Who is asked over no lock screen allows it in the app, and is heard at once (VP-05)")
    func askedLate() throws {
        var plan = Self.plan(.undetermined, answer: .seconds(6))
        plan.timeline += [
            TimelineEntry(PhoneAct.lock, to: "taro-phone", trigger: .at(.seconds(3))),
            TimelineEntry(PhoneAct.openApp("calls"), to: "taro-phone", trigger: .at(.seconds(28))),
        ]
        let run = try WorldRun(plan)
        #expect(Self.states(run) == [.unasked, .asked, .unasked, .asked, .allowed])
        #expect(Self.notices(run) == [.openApp])
        let allowed = try #require(run.records(MicrophoneChanged.self, of: "taro-phone").last)
        for name in ["mika-phone", "taro-phone"] {
            let first = try #require(Self.heard(run, by: name).first)
            #expect(first > allowed.instant)
            #expect(first < allowed.instant.advanced(by: .seconds(3)))
        }
    }
}
