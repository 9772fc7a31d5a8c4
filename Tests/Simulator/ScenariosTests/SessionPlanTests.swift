import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Simulation
import Testing

@testable import Scenarios

@Suite("From scenario to plan: sessions")
struct SessionPlanTests {
    /// The timeline of the session's scenario with other entries.
    private func timeline(_ entries: String...) throws -> [TimelineEntry] {
        try Fixture.loadSession(
            replacing: "  - { at: 20s, do: { outage: { of: mika-phone, for: 10s } } }",
            with: entries.map { "  - \($0)" }.joined(separator: "\n")
        ).plan.timeline
    }

    private func radio(
        _ interface: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice = .immediate
    ) -> TimelineAction {
        .radio(phone: "mika-phone", interface, isUp: isUp, notice)
    }

    @Test("What is silent holds by default: both radios up, opened at once, sized media (HN-02)")
    func defaults() throws {
        let plan = try Fixture.loadSession().plan
        #expect(plan.phones.map(\.name) == ["mika-phone"])
        let phone = plan.phones[0]
        #expect(phone.radios.map(\.interface) == [.wifi, .cellular])
        #expect(phone.radios.allSatisfy { $0.isUp && $0.outages == nil })
        #expect(phone.radios.map(\.profile.name) == ["local-clean", "lte-good"])
        #expect(phone.apps[0].start == .opened(at: .zero))
        #expect(plan.media == .sized)
        #expect(plan.audio == .sized, "nobody makes sound")
        #expect(plan.timeOfDay == .seconds(6 * 3_600 + 30 * 60))
        #expect(plan.services == ServicesPlan())
        #expect(
            plan.faults == [
                FaultMixPlan(
                    device: "mika-phone",
                    shares: [.init(.outage, weight: 4), .init(.handover, weight: 2)],
                    meanGap: .seconds(60),
                    from: .seconds(100),
                    until: .seconds(180)
                )
            ]
        )
    }

    @Test("A radio says what it has otherwise than its profile, and may be absent (HN-02)")
    func radios() throws {
        let plan = try load(
            """
            opens: never
                links:
                  wifi: none
                  cellular:
                    profile: lte-good
                    delay: 80ms
                    up: false
                    outages: { per_hour: 12, median: 3s, spread: 80% }
            """
        ).plan
        #expect(plan.phones[0].apps[0].start == .closed)
        let radio = try #require(plan.phones[0].radios.first)
        #expect(plan.phones[0].radios.count == 1)
        #expect(radio.interface == .cellular)
        #expect(!radio.isUp)
        #expect(radio.profile.forward.delay == .milliseconds(80))
        #expect(
            radio.outages
                == OutageProcess(
                    perHour: 12,
                    medianLength: .seconds(3),
                    sigmaThousandths: 800,
                    shortest: .seconds(1),
                    longest: .seconds(60)
                )
        )
    }

    /// The session's scenario with other links, and without what needs two radios.
    private func load(_ links: String) throws -> Scenario {
        let text = Fixture.session
            .replacing("links: { wifi: local-clean, cellular: lte-good }", with: links)
            .replacing("{ outage: 4, handover: 2 }", with: "{ mute: 1 }")
            .replacing(
                "outage: { of: mika-phone, for: 10s }",
                with: "api: { does: silent, for: 1s }"
            )
        return try Fixture.loader.load(text: text, file: "commute.yaml")
    }

    @Test("An outage takes down what is up and brings it back; silence is packets that vanish")
    func outage() throws {
        let entries = try timeline(
            "{ at: 20s, do: { outage: { of: mika-phone, for: 10s } } }",
            "{ at: 40s, do: { outage: { of: mika-phone/wifi, for: 5s, notice: 3s } } }",
            "{ at: 60s, do: { outage: { of: mika-phone, for: 5s, notice: never } } }",
            "{ at: 70s, do: { outage: { of: mika-phone/cellular, for: 5s, notice: never, sockets: break } } }"
        )
        let late = PathNotice(delay: .seconds(3), breaksSockets: false)
        let mute = PathNotice(delay: nil, breaksSockets: true)
        #expect(
            entries == [
                .init(trigger: .at(.seconds(20)), action: radio(.wifi, isUp: false)),
                .init(trigger: .at(.seconds(20)), action: radio(.cellular, isUp: false)),
                .init(trigger: .at(.seconds(30)), action: radio(.wifi, isUp: true)),
                .init(trigger: .at(.seconds(30)), action: radio(.cellular, isUp: true)),
                .init(trigger: .at(.seconds(40)), action: radio(.wifi, isUp: false, late)),
                .init(trigger: .at(.seconds(45)), action: radio(.wifi, isUp: true, late)),
                .init(
                    trigger: .at(.seconds(60)),
                    action: .block(phone: "mika-phone", nil, nil, lasting: .seconds(5))
                ),
                .init(trigger: .at(.seconds(70)), action: radio(.cellular, isUp: false, mute)),
                .init(trigger: .at(.seconds(75)), action: radio(.cellular, isUp: true, mute)),
            ]
        )
    }

    @Test("A handover leaves the other radios, and a later outage does not bring them back")
    func handover() throws {
        // In any order of the file.
        let entries = try timeline(
            "{ at: 40s, do: { outage: { of: mika-phone, for: 5s } } }",
            "{ at: 20s, do: { handover: { of: mika-phone, to: cellular, sockets: silent } } }",
            "{ at: 50s, do: { handover: { of: mika-phone, to: wifi } } }"
        )
        let silent = PathNotice(delay: .zero, breaksSockets: false)
        #expect(
            entries == [
                .init(trigger: .at(.seconds(40)), action: radio(.cellular, isUp: false)),
                .init(trigger: .at(.seconds(45)), action: radio(.cellular, isUp: true)),
                .init(trigger: .at(.seconds(20)), action: radio(.wifi, isUp: false, silent)),
                .init(trigger: .at(.seconds(50)), action: radio(.wifi, isUp: true)),
                .init(trigger: .at(.seconds(50)), action: radio(.cellular, isUp: false)),
            ]
        )
    }

    @Test("Blocks, radios, users and servers become their actions")
    func others() throws {
        let entries = try timeline(
            "{ at: 1s, do: { block: { of: mika-phone/wifi, traffic: signalling, for: 20s } } }",
            "{ at: 2s, do: { block: { of: mika-phone, traffic: media, for: 20s } } }",
            "{ at: 3s, do: { radio: { of: mika-phone/wifi, is: down, notice: 3s } } }",
            "{ at: 4s, do: { user: { of: mika-phone, does: open-control-centre } } }",
            "{ at: 5s, do: { server: { does: crash, for: 3s } } }",
            "{ at: 9s, do: { server: { does: block-ice, for: 3s } } }",
            "{ at: 13s, do: { server: { does: leave, of: mika-phone, action: reconnect, reason: migration } } }",
            "{ at: 14s, do: { server: { does: join-elsewhere, of: mika-phone } } }",
            "{ at: 15s, do: { api: { does: silent, for: 5s } } }",
            "{ at: 16s, do: { slow: { link: mika-phone/wifi, for: 2s, by: 100ms } } }"
        )
        let notice = PathNotice(delay: .seconds(3), breaksSockets: false)
        #expect(
            entries.map(\.action) == [
                .block(phone: "mika-phone", .wifi, .signalling, lasting: .seconds(20)),
                .block(phone: "mika-phone", nil, .media, lasting: .seconds(20)),
                radio(.wifi, isUp: false, notice),
                .user(phone: "mika-phone", .openControlCentre),
                .rooms(.crash(downtime: .seconds(3))),
                .rooms(.blockIce),
                .rooms(.clear),
                .rooms(.leave(identity: "mika-phone", LeaveRequest(.reconnect, .migration))),
                .rooms(.joinElsewhere(identity: "mika-phone")),
                .silenceAPI(lasting: .seconds(5)),
                .disrupt(
                    link: "mika-phone/wifi",
                    .slowed(by: .milliseconds(100)),
                    lasting: .seconds(2)
                ),
            ]
        )
        #expect(entries[6].trigger == .at(.seconds(12)))
    }

    @Test("What a phone refuses at the start stands under its key (RS-03, RS-08)")
    func phoneCondition() throws {
        let plan = try load(
            """
            links: { wifi: local-clean, cellular: lte-good }
                phone:
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
        let links = "links: { wifi: local-clean, cellular: lte-good }\n    phone: "
        let denied = try load(links + "{ microphone: denied }").plan.phones[0].condition
        #expect(denied.microphone.status == .denied)
        let silent = try load(
            links + "{ microphone: { status: undetermined, answer: never } }"
        ).plan.phones[0].condition
        #expect(silent.microphone.answerDelay == nil)
    }

    @Test("The timeline changes what a phone refuses, and its user unlocks and allows it (RS-08)")
    func phoneChanges() throws {
        let entries = try timeline(
            "{ at: 1s, do: { phone: { of: mika-phone, secure_storage: failing } } }",
            "{ at: 2s, do: { phone: { of: mika-phone, engine: { failures: 3 } } } }",
            "{ at: 3s, do: { user: { of: mika-phone, does: unlock } } }",
            "{ at: 4s, do: { user: { of: mika-phone, does: refuse-microphone } } }",
            "{ at: 5s, do: { user: { of: mika-phone, does: allow-microphone } } }"
        )
        var engine = EngineCondition()
        engine.failures = 3
        #expect(
            entries.map(\.action) == [
                .phone("mika-phone", .secureStorage(.failing)),
                .phone("mika-phone", .engine(engine)),
                .user(phone: "mika-phone", .unlock),
                .user(phone: "mika-phone", .refuseMicrophone),
                .user(phone: "mika-phone", .allowMicrophone),
            ]
        )
    }

    @Test("A phone's clock is wrong from the start, and jumps (RS-01)")
    func clocks() throws {
        let links = "links: { wifi: local-clean, cellular: lte-good }\n    clock: -90s"
        #expect(try load(links).plan.phones[0].condition.clockOffset == .seconds(-90))
        let entries = try timeline(
            "{ at: 1s, do: { set-clock: { of: mika-phone, to: 2h } } }"
        )
        #expect(
            entries.map(\.action) == [.phone("mika-phone", .clock(offset: .seconds(7_200)))]
        )
    }

    @Test("What comes after an event ends so much later than it begins")
    func afterEvents() throws {
        let entries = try timeline(
            "{ after: { event: speech.began, of: mika, delay: 1s }, do: { outage: { of: mika-phone/wifi, for: 4s } } }"
        )
        #expect(
            entries.map(\.trigger) == [
                .after(event: "speech.began", of: "mika", count: 1, delay: .seconds(1)),
                .after(event: "speech.began", of: "mika", count: 1, delay: .seconds(5)),
            ]
        )
    }

    @Test("Turns are spoken until the end, with a pause for the answer between them (K-09)")
    func turns() throws {
        let talk = try Fixture.loadSession().plan.talk
        #expect(
            talk
                == [5, 20, 35, 50].map {
                    .monologue(person: "mika", at: .seconds($0), lasting: .seconds(3))
                }
        )
    }

    @Test("Times of day stand for times after the clock's start (HN-02)")
    func timesOfDay() throws {
        let entries = try timeline(
            "{ at: 06:30:20, do: { outage: { of: mika-phone/wifi, for: 10s } } }"
        )
        #expect(entries.map(\.trigger) == [.at(.seconds(20)), .at(.seconds(30))])
    }

    @Test("Presets, parameters, devices and settings win in this order (HN-05, D-07)")
    func parameters() throws {
        let scenario = try Fixture.loadSession(
            replacing: "devices:\n  - name: mika-phone\n",
            with: """
                preset: as-specified
                parameters: { reconnect.attempts: 7, sdk: { curve: js }, rooms.ping_interval: 4s }
                devices:
                  - name: mika-phone
                    parameters: { reconnect.max_delay: 4s, session.leave_on: inactive }

                """,
            settings: ["sdk.defects.loses_full_mark=false", "reconnect.max_delay=3s"]
        )
        let app = scenario.plan.session
        var session = RealtimeSessionConfiguration.asSpecified
        session.connectOptions.reconnectAttempts = 7
        session.connectOptions.reconnectMaxDelay = .seconds(3)
        session.leaveOn = .inactive
        #expect(app.configuration.session == session)
        #expect(app.sdk.curve == .js)
        #expect(!app.sdk.defects.losesFullMark)
        #expect(app.sdk.defects.completesAfterFailure)
        #expect(scenario.plan.services.rooms.pingInterval == .seconds(4))
        func origin(_ path: String) -> String? {
            scenario.resolved.values.first { $0.path == "parameters.\(path)" }?.origin.description
        }
        #expect(origin("reconnect.first_delay") == "preset as-specified")
        #expect(origin("rooms.ping_timeout") == "default")
        #expect(origin("vad.attack") == nil, "nobody runs the intercom")
    }

    @Test("A scenario of both apps has phones of both, and both modes (HN-02)")
    func bothApps() throws {
        let plan = try Fixture.load(
            replacing: "devices:\n",
            with: """
                media: reachability
                audio: sized
                devices:
                  - { name: aoi-phone, app: session, links: { wifi: local-clean } }

                """
        ).plan
        #expect(plan.phones.map(\.name) == ["aoi-phone", "mika-phone", "taro-phone"])
        #expect(
            plan.phones.map { $0.apps.map(\.name) } == [["session"], ["intercom"], ["intercom"]]
        )
        #expect(plan.media == .reachability)
        #expect(plan.audio == .sized)
    }

    @Test("A resolved session loads again as the same plan (HN-02)")
    func resolves() throws {
        for scenario in [
            try Fixture.loadSession(settings: ["sdk.curve=rust"]),
            try load("links: { wifi: { profile: local-clean, outages: driving }, cellular: none }"),
            try load("links: { cellular: { profile: lte-good, loss: 1%, up: false } }"),
        ] {
            let yaml = scenario.resolved.yaml
            let again = try Fixture.loader.load(text: yaml, file: "commute.yaml")
            #expect(again.plan == scenario.plan)
            #expect(again.resolved.values.map(\.path) == scenario.resolved.values.map(\.path))
            #expect(again.resolved.values.map(\.value) == scenario.resolved.values.map(\.value))
            #expect(again.resolved.values.contains { $0.path == "clock" && $0.value == "06:30:00" })
        }
    }
}
