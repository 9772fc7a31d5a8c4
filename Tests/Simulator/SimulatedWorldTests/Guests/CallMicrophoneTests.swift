import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation
import Testing

@testable import SimulatedWorld

@Suite("Who may be heard in a call")
struct CallMicrophoneTests {
    @Test(
        "Who refuses the calling app the microphone is not heard, and hears (RS-15)",
        arguments: [MicrophoneStatus.granted, .denied, .undetermined]
    )
    func refused(status: MicrophoneStatus) throws {
        var plan = WorldPlan(name: "call", duration: .seconds(60))
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
            if name == "taro" { phone.condition.microphone.status = status }
            plan.phones.append(phone)
        }
        plan.timeline = [
            TimelineEntry(
                CallAppAct.dial(CallDial("taro")),
                to: "mika-phone.calls",
                trigger: .at(.seconds(10))
            )
        ]
        let run = try WorldRun(plan)
        #expect(run.records(CallVoiceFlowing.self, of: "taro-phone").count == 1)
        let heard = run.records(CallVoiceFlowing.self, of: "mika-phone").count
        #expect(heard == (status == .granted ? 1 : 0))
    }
}
