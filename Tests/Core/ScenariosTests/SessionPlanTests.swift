import AppCoordination
import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaNetwork
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
import RealtimeVoice
import SansIO
import Testing

@Suite("From scenario to plan: sessions")
struct SessionPlanTests {
    /// What can go wrong by chance under this name.
    private func chance(_ name: String) throws -> Chance {
        try #require(Vocabularies.shipped.chances.first { $0.name == name })
    }

    private func radio(
        _ interface: NetworkInterface,
        isUp: Bool,
        _ notice: PathNotice = .immediate
    ) -> PhoneAct {
        .radio(interface, isUp: isUp, notice)
    }

    @Test("What is silent holds by default: both radios up, opened at once, sized media (HN-02)")
    func defaults() throws {
        let plan = try Fixture.loadSession().plan
        #expect(plan.phones.map(\.name) == ["mika-phone"])
        let phone = plan.phones[0]
        #expect(phone.radios.map(\.interface) == [.wifi, .cellular])
        #expect(phone.radios.allSatisfy { $0.isUp && $0.outages == nil })
        #expect(phone.radios.map(\.profile.name) == ["local-clean", "lte-good"])
        #expect(phone.apps.map(\.start) == [.opened(at: .zero)])
        #expect(plan.voice == .sized, "nobody makes sound")
        #expect(plan.timeOfDay == .seconds(6 * 3_600 + 30 * 60))
        #expect(plan.services == ServicesPlan())
        #expect(
            plan.faults == [
                FaultMixPlan(
                    phone: "mika-phone",
                    shares: [
                        .init(try chance("outage"), weight: 4),
                        .init(try chance("handover"), weight: 2),
                    ],
                    meanGap: .seconds(60),
                    from: .seconds(100),
                    until: .seconds(180)
                )
            ]
        )
    }

    @Test("A radio says what it has otherwise than its profile, and may be absent (HN-02)")
    func radios() throws {
        let plan = try Fixture.loadSession(
            phone: """
                radios:
                      wifi: none
                      cellular:
                        profile: lte-good
                        delay: 80ms
                        up: false
                        outages: { per_hour: 12, median: 3s, spread: 80% }
                """
        ).plan
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

    @Test("An outage takes down what is up and brings it back; silence is packets that vanish")
    func outage() throws {
        let entries = try Fixture.sessionTimeline(
            "{ at: 20s, do: { outage: { of: mika-phone, for: 10s } } }",
            "{ at: 40s, do: { outage: { of: mika-phone/wifi, for: 5s, notice: 3s } } }",
            "{ at: 60s, do: { outage: { of: mika-phone, for: 5s, notice: never } } }",
            "{ at: 70s, do: { outage: { of: mika-phone/cellular, for: 5s, notice: never, sockets: break } } }"
        )
        let late = PathNotice(delay: .seconds(3), breaksSockets: false)
        let mute = PathNotice(delay: nil, breaksSockets: true)
        #expect(
            entries == [
                .init(radio(.wifi, isUp: false), to: "mika-phone", trigger: .at(.seconds(20))),
                .init(radio(.cellular, isUp: false), to: "mika-phone", trigger: .at(.seconds(20))),
                .init(radio(.wifi, isUp: true), to: "mika-phone", trigger: .at(.seconds(30))),
                .init(radio(.cellular, isUp: true), to: "mika-phone", trigger: .at(.seconds(30))),
                .init(
                    radio(.wifi, isUp: false, late),
                    to: "mika-phone",
                    trigger: .at(.seconds(40))
                ),
                .init(radio(.wifi, isUp: true, late), to: "mika-phone", trigger: .at(.seconds(45))),
                .init(
                    PhoneAct.block(nil, nil, lasting: .seconds(5)),
                    to: "mika-phone",
                    trigger: .at(.seconds(60))
                ),
                .init(
                    radio(.cellular, isUp: false, mute),
                    to: "mika-phone",
                    trigger: .at(.seconds(70))
                ),
                .init(
                    radio(.cellular, isUp: true, mute),
                    to: "mika-phone",
                    trigger: .at(.seconds(75))
                ),
            ]
        )
    }

    @Test("A handover leaves the other radios, and a later outage does not bring them back")
    func handover() throws {
        // In any order of the file.
        let entries = try Fixture.sessionTimeline(
            "{ at: 40s, do: { outage: { of: mika-phone, for: 5s } } }",
            "{ at: 20s, do: { handover: { of: mika-phone, to: cellular, sockets: silent } } }",
            "{ at: 50s, do: { handover: { of: mika-phone, to: wifi } } }"
        )
        let silent = PathNotice(delay: .zero, breaksSockets: false)
        #expect(
            entries == [
                .init(radio(.cellular, isUp: false), to: "mika-phone", trigger: .at(.seconds(40))),
                .init(radio(.cellular, isUp: true), to: "mika-phone", trigger: .at(.seconds(45))),
                .init(
                    radio(.wifi, isUp: false, silent),
                    to: "mika-phone",
                    trigger: .at(.seconds(20))
                ),
                .init(radio(.wifi, isUp: true), to: "mika-phone", trigger: .at(.seconds(50))),
                .init(radio(.cellular, isUp: false), to: "mika-phone", trigger: .at(.seconds(50))),
            ]
        )
    }

    @Test("Blocks, radios, users and servers become acts of their components")
    func others() throws {
        let entries = try Fixture.sessionTimeline(
            "{ at: 1s, do: { block: { of: mika-phone/wifi, traffic: signalling, for: 20s } } }",
            "{ at: 2s, do: { block: { of: mika-phone, traffic: media, for: 20s, "
                + "ways: backward } } }",
            "{ at: 3s, do: { radio: { of: mika-phone/wifi, is: down, notice: 3s } } }",
            "{ at: 4s, do: { user: { of: mika-phone, does: open-control-centre } } }",
            "{ at: 5s, do: { server: { does: crash, for: 3s } } }",
            "{ at: 9s, do: { server: { does: block-ice, for: 3s } } }",
            "{ at: 13s, do: { server: { does: leave, of: mika-phone, action: reconnect, reason: migration } } }",
            "{ at: 14s, do: { server: { does: join-elsewhere, of: mika-phone } } }",
            "{ at: 15s, do: { api: { does: silent, for: 5s } } }",
            "{ at: 15s, do: { server: { does: dark, for: 4s } } }",
            "{ at: 15s, do: { api: { does: dark, for: 6s } } }",
            "{ at: 15s, do: { agent: { does: leave, of: mika-phone } } }",
            "{ at: 16s, do: { stop: { link: mika-phone/wifi, for: 2s, ways: backward } } }",
            "{ at: 16s, do: { slow: { link: mika-phone/wifi, for: 2s, by: 100ms } } }",
            "{ at: 17s, do: { user: { of: mika-phone, does: connect } } }"
        )
        let phone = "mika-phone"
        let request = LeaveRequest(.reconnect, .migration)
        let slow = LinkAct.disrupt(.slowed(by: .milliseconds(100)), lasting: .seconds(2))
        let stop = LinkAct.disrupt(.stopped, .backward, lasting: .seconds(2))
        let notice = PathNotice(delay: .seconds(3), breaksSockets: false)
        #expect(
            entries.map { TimedAct($0.act, to: $0.target) } == [
                TimedAct(PhoneAct.block(.wifi, .signalling, lasting: .seconds(20)), to: phone),
                TimedAct(PhoneAct.block(nil, .media, .backward, lasting: .seconds(20)), to: phone),
                TimedAct(radio(.wifi, isUp: false, notice), to: phone),
                TimedAct(PhoneAct.openControlCentre, to: phone),
                TimedAct(RoomServerFault.crash(downtime: .seconds(3)), to: "rooms"),
                TimedAct(RoomServerFault.blockIce, to: "rooms"),
                TimedAct(RoomServerFault.clear, to: "rooms"),
                TimedAct(RoomServerFault.leave(identity: phone, request), to: "rooms"),
                TimedAct(RoomServerFault.joinElsewhere(identity: phone), to: "rooms"),
                TimedAct(APIServerAct.silence(lasting: .seconds(5)), to: "api"),
                TimedAct(RoomServerFault.goDark(downtime: .seconds(4)), to: "rooms"),
                TimedAct(APIServerAct.goDark(lasting: .seconds(6)), to: "api"),
                TimedAct(AgentAct.leave(phone: phone), to: "agents"),
                TimedAct(stop, to: "\(phone)/wifi"),
                TimedAct(slow, to: "\(phone)/wifi"),
                TimedAct(SessionAppAct.connect, to: "\(phone).session"),
            ]
        )
        #expect(entries[6].trigger == .at(.seconds(12)))
    }

    @Test("What comes after an event ends so much later than it begins")
    func afterEvents() throws {
        let entries = try Fixture.sessionTimeline(
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
        let entries = try Fixture.sessionTimeline(
            "{ at: 06:30:20, do: { outage: { of: mika-phone/wifi, for: 10s } } }"
        )
        #expect(entries.map(\.trigger) == [.at(.seconds(20)), .at(.seconds(30))])
    }

    @Test("A time of day before the clock's is the next day's, in gates too (HN-02)")
    func pastMidnight() throws {
        let text = Fixture.session.replacing("clock: 06:30:00", with: "clock: 23:59:00")
            .replacing("at: 20s", with: "at: 00:00:10")
            .replacing(
                "value: \"<= 1%\"",
                with: "value: \"<= 1%\"\n    in: { from: 23:59:30, until: 00:01:00 }"
            )
        let night = try Fixture.loader.load(text: text, file: "commute.yaml")
        let instants: [TimelineTrigger] = [70, 70, 80, 80].map { .at(.seconds($0)) }
        #expect(night.plan.timeline.map(\.trigger) == instants)
        let window = GateScope.Window.between(from: 30_000_000_000, until: 120_000_000_000)
        #expect(night.points[0].expectations.gates.map(\.scope?.window) == [window])
    }

    @Test("Presets, parameters, phones and settings win in this order (HN-05, D-07)")
    func parameters() throws {
        let scenario = try Fixture.loadSession(
            replacing: "phones:\n  - name: mika-phone\n",
            with: """
                preset: as-specified
                parameters: { reconnect.attempts: 7, sdk: { curve: js }, rooms.ping_interval: 4s }
                phones:
                  - name: mika-phone
                    parameters: { reconnect.max_delay: 4s, session.leave_on: inactive }

                """,
            settings: ["sdk.defects.loses_full_mark=false", "reconnect.max_delay=3s"]
        )
        let phone = scenario.plan.phones[0]
        var session = RealtimeSessionConfiguration.asSpecified
        session.connectOptions.reconnectAttempts = 7
        session.connectOptions.reconnectMaxDelay = .seconds(3)
        session.leaveOn = .inactive
        let app = try #require(phone.session)
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

    @Test("A resolved session loads again as the same plan (HN-02)")
    func resolves() throws {
        let wifi = "{ profile: local-clean, outages: driving }"
        for scenario in [
            try Fixture.loadSession(settings: ["sdk.curve=rust"]),
            try Fixture.loadSession(phone: "radios: { wifi: \(wifi), cellular: none }"),
            try Fixture.loadSession(
                phone: "radios: { cellular: { profile: lte-good, loss: 1%, up: false } }"
            ),
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
