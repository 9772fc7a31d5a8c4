@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSimulation
import SansIO
import Testing

@Suite("From scenario to plan: phones")
struct PhonePlanTests {
    @Test("What a phone refuses at the start stands under its key (RS-03, RS-08)")
    func phoneCondition() throws {
        let plan = try Fixture.loadSession(
            phone: """
                radios: { wifi: local-clean, cellular: lte-good }
                    condition:
                      microphone: { status: undetermined, answer: denied, after: 4s }
                      secure_storage: locked
                      engine: { delay: 2s, failures: all }
                """
        ).plan
        var condition = PhoneCondition()
        condition.microphone.status = .undetermined
        condition.microphone.isGrantedWhenAsked = false
        condition.microphone.answerDelay = .seconds(4)
        condition.secureStorage = .locked
        condition.engine.delay = .seconds(2)
        condition.engine.failures = .max
        #expect(plan.phones[0].condition == condition)
        #expect(try Fixture.loadSession().plan.phones[0].condition == PhoneCondition())
    }

    @Test("A user who is never asked needs one word, and one who never answers another")
    func microphone() throws {
        let links = "radios: { wifi: local-clean, cellular: lte-good }\n    condition: "
        let denied = try Fixture.loadSession(
            phone: links + "{ microphone: denied }"
        ).plan.phones[0].condition
        #expect(denied.microphone.status == .denied)
        let silent = try Fixture.loadSession(
            phone: links + "{ microphone: { status: undetermined, answer: never } }"
        ).plan.phones[0].condition
        #expect(silent.microphone.answerDelay == nil)
    }

    @Test("The timeline changes what a phone refuses, and its user unlocks and allows it (RS-08)")
    func phoneChanges() throws {
        let entries = try Fixture.sessionTimeline(
            "{ at: 1s, do: { condition: { of: mika-phone, secure_storage: failing } } }",
            "{ at: 2s, do: { condition: { of: mika-phone, engine: { failures: 3 } } } }",
            "{ at: 3s, do: { user: { of: mika-phone, does: unlock } } }",
            "{ at: 4s, do: { user: { of: mika-phone, does: refuse-microphone } } }",
            "{ at: 5s, do: { user: { of: mika-phone, does: allow-microphone } } }"
        )
        var engine = EngineCondition()
        engine.failures = 3
        #expect(
            entries.compactMap { $0.act as? PhoneAct } == [
                .secureStorage(.failing),
                .engine(engine),
                .unlock,
                .setMicrophone("session", isGranted: false),
                .setMicrophone("session", isGranted: true),
            ]
        )
        #expect(entries.allSatisfy { $0.target == "mika-phone" })
    }

    @Test("A fault that any app can have is the named one's, where the phone has several (HN-02)")
    func faultOfOneApp() throws {
        for app in ["calls", "session"] {
            let text = Fixture.session
                .replacing("{ session: {} }", with: "{ calls: { user: mia }, session: {} }")
                .replacing(
                    "kinds: { outage: 4, handover: 2 }",
                    with: "app: \(app), kinds: { background: 1, kill-app: 1, lock: 1 }"
                )
            let plan = try Fixture.loader.load(text: text, file: "commute.yaml").plan
            let mix = plan.faults[0]
            var random = RandomStream(seed: 1, purpose: "test", entity: mix.phone)
            let acts = mix.shares.flatMap { share in
                share.chance.draw(at: .zero, of: plan.phones[0], app: mix.app, from: &random).acts
            }
            #expect(
                acts.compactMap { $0.act as? PhoneAct } == [
                    .leaveApp, .openApp(app), .killApp(app), .lock, .openApp(app),
                ]
            )
        }
    }

    @Test("A phone's clock is wrong from the start, and jumps (RS-01)")
    func clocks() throws {
        let links = "radios: { wifi: local-clean, cellular: lte-good }\n    clock: -90s"
        let plan = try Fixture.loadSession(phone: links).plan
        #expect(plan.phones[0].condition.clockOffset == .seconds(-90))
        let entries = try Fixture.sessionTimeline(
            "{ at: 1s, do: { set-clock: { of: mika-phone, to: 2h } } }"
        )
        #expect(
            entries == [
                .init(
                    PhoneAct.clock(offset: .seconds(7_200)),
                    to: "mika-phone",
                    trigger: .at(.seconds(1))
                )
            ]
        )
    }
}
