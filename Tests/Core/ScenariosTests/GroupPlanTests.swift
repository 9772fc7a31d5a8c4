import AppCoordination
@testable import KodamaIntercom
@testable import KodamaLanguage
import PeerTransport
import SansIO
import Testing

@Suite("From scenario to plan: the intercom of groups")
struct GroupPlanTests {
    private static let text = """
        version: 2
        scenario: ridge-walk
        seeds: 2
        duration: 60s
        voice: sized
        parameters:
          handover.double_sending: 1500ms
          handover.poor_silence: 100ms
          nearby.cold_most: 12s
          match.notice_never: 10%
        phones:
          - { name: mika-phone, apps: { intercom: { group: ridge, secured: true } } }
          - { name: taro-phone, apps: { intercom: { group: ridge, secured: true } } }
        links:
          - { between: [mika-phone, taro-phone], profile: local-clean }
        timeline:
          - { at: 20s, do: { peer-radio: { of: taro-phone, is: off } } }
          - { at: 30s, do: { peer-radio: { of: taro-phone, is: on } } }
          - { at: 40s, do: { user: { of: mika-phone, does: leave-group } } }
        expect:
          - metric: voice.duplicates.played
            value: "== 0"

        """

    @Test("A secured intercom has its own figures, and the world those of radio and match service")
    func figures() throws {
        let plan = try Fixture.loader.load(text: Self.text, file: "ridge.yaml").plan
        let app = try #require(plan.phones[0].intercom)
        #expect(app.isSecured && plan.hasSecuredIntercom)
        #expect(app.grouping.configuration.handover.doubleSending == .milliseconds(1_500))
        #expect(app.grouping.configuration.handover.probingTime == .seconds(5))
        #expect(app.grouping.judge.silence.poor == .milliseconds(100))
        #expect(plan.nearby.coldSetUpMost == .seconds(12))
        #expect(plan.match.noticeNever == Probability(partsPerMillion: 100_000))
    }

    @Test("An intercom that is not secured makes and takes no invites (HN-02)")
    func unsecuredInvite() throws {
        let invite = "{ invite: { from: mika-phone, to: taro-phone, by: qr } }"
        let text = Self.text.replacing(
            "{ user: { of: mika-phone, does: leave-group } }",
            with: invite
        )
        _ = try Fixture.loader.load(text: text, file: "ridge.yaml")
        let unsecured = text.replacing(", secured: true", with: "")
        let error = #expect(throws: InvalidScenario.self) {
            try Fixture.loader.load(text: unsecured, file: "ridge.yaml")
        }
        let found = error?.diagnostics.filter { $0.severity == .error } ?? []
        #expect(found.map(\.code) == ["unsecured-invite", "unsecured-invite"])
        #expect(found.first?.message.hasPrefix("'mika-phone' has an intercom that is not") == true)
    }

    @Test("A radio is switched, and a group left, by acts of the intercom")
    func acts() throws {
        let timeline = try Fixture.loader.load(text: Self.text, file: "ridge.yaml").plan.timeline
        let expected: [(IntercomAct, String, Duration)] = [
            (.peerRadio(isOn: false), "taro-phone.intercom", .seconds(20)),
            (.peerRadio(isOn: true), "taro-phone.intercom", .seconds(30)),
            (.leaveGroup, "mika-phone.intercom", .seconds(40)),
        ]
        #expect(
            timeline == expected.map { TimelineEntry($0.0, to: $0.1, trigger: .at($0.2)) }
        )
    }

    /// The warnings of the scenario with other lines in it, those for want of data left out.
    private func warnings(_ changes: (old: String, new: String)...) throws -> [String] {
        let text = changes.reduce(Self.text) { $0.replacing($1.old, with: $1.new) }
        return try Fixture.loader.load(text: text, file: "ridge.yaml").warnings
            .map(\.code).filter { $0 != "no-data" }
    }

    @Test("Who have Internet need no link to hear one another in a secured group (HN-02)")
    func farApart() throws {
        let links = "links:\n  - { between: [mika-phone, taro-phone], profile: local-clean }\n"
        let people = """
            people:
              - { name: mika, holds: mika-phone }
              - { name: taro, holds: taro-phone }
            talk:
              - { conversation: p59, between: [mika, taro], from: 25s }

            """
        let internet = "phone, radios: { cellular: internet-60 }, apps"
        #expect(try warnings((links, people)) == ["no-path"])
        #expect(try warnings((links, people), ("phone, apps", internet)).isEmpty)
        let taro = "taro-phone, apps: { intercom: { group"
        #expect(
            try warnings(
                (links, people),
                ("\(taro): ridge", "\(taro): valley"),
                ("phone, apps", internet)
            ) == ["other-groups"]
        )
        #expect(
            try warnings(
                (links, people),
                ("phone, apps", internet),
                ("secured: true", "secured: false")
            ).contains("no-path")
        )
    }

    @Test("Copies and forgeries on the air come with a warning where no voice frame has a seal")
    func unsealed() throws {
        let order = "  - { at: 20s, do: { peer-radio: { of: taro-phone, is: off } } }"
        func attack(_ kind: String) -> (old: String, new: String) {
            let attack = "{ link: mika-phone/taro-phone, by: \(kind), for: 5s }"
            return (order, "  - { at: 20s, do: { attack: \(attack) } }")
        }
        #expect(try warnings(attack("replay")) == ["voice-unsealed"])
        #expect(try warnings(attack("reflect")) == ["voice-unsealed"])
        #expect(try warnings(attack("forge")) == ["voice-unsealed"])
        #expect(try warnings(attack("flood")).isEmpty)
        #expect(try warnings(attack("replay"), ("voice: sized", "voice: real")).isEmpty)
    }

    @Test("Seals are tested where packets are copied, changed or sent by others (S-SEC-004)")
    func sealsTested() throws {
        func isTested(_ changes: (old: String, new: String)...) throws -> Bool {
            let text = changes.reduce(Self.text) { $0.replacing($1.old, with: $1.new) }
            let scenario = try Fixture.loader.load(text: text, file: "ridge.yaml")
            return scenario.points[0].plan.putsSealsToTest
        }
        let order = "  - { at: 20s, do: { peer-radio: { of: taro-phone, is: off } } }"
        let flood = "{ link: mika-phone/taro-phone, by: flood, for: 5s }"
        let clean = "profile: local-clean }"
        let change = "{ link: mika-phone/taro-phone, profile: local-clean, corruption: 1% }"
        #expect(try !isTested())
        #expect(try isTested((order, "  - { at: 20s, do: { attack: \(flood) } }")))
        #expect(try isTested((clean, "profile: local-clean, corruption: 1% }")))
        #expect(try isTested((clean, "profile: local-clean, duplication: 1% }")))
        #expect(try isTested((order, "  - { at: 20s, do: { change: \(change) } }")))
        let radio = "phone, radios: { cellular: { profile: lte-good, corruption: 1% } }, apps"
        #expect(try isTested(("phone, apps", radio)))
    }

    /// The order that other orders stand in for.
    private static let order = "{ peer-radio: { of: taro-phone, is: off } }"

    /// What is wrong with the scenario with other lines in it.
    private func errors(_ changes: (old: String, new: String)...) -> [String] {
        let text = changes.reduce(Self.text) { $0.replacing($1.old, with: $1.new) }
        do throws(InvalidScenario) {
            _ = try Fixture.loader.load(text: text, file: "ridge.yaml")
            return []
        } catch {
            return error.diagnostics.map(\.code)
        }
    }

    @Test("A radio that would be asked too seldom to be judged is refused (A-F-010, HN-02)")
    func seldomProbed() {
        let figure = "handover.poor_silence: 100ms"
        #expect(errors((figure, "handover.probing_period: 150ms")).isEmpty)
        #expect(errors((figure, "handover.probing_period: 250ms")).contains("out-of-range"))
    }

    @Test("What only a secured app knows is refused where one is not secured (HN-02)")
    func unsecuredActs() {
        let unsecured = (old: "secured: true", new: "secured: false")
        let orders = [
            ("{ invite: { from: mika-phone, to: taro-phone, by: qr } }", "unsecured-invite"),
            ("{ user: { of: taro-phone, does: make-group } }", "act-unheeded"),
        ]
        for (order, code) in orders {
            #expect(errors((Self.order, order)).isEmpty)
            #expect(errors((Self.order, order), unsecured).contains(code))
        }
        let shows = (old: "secured: true", new: "shows: valley")
        #expect(errors(shows).contains("shows-unsecured"))
    }

    @Test("An invite to oneself is refused (HN-02)")
    func ownInvite() {
        let own = "{ invite: { from: mika-phone, to: mika-phone, by: qr } }"
        #expect(errors((Self.order, own)) == ["own-invite"])
    }

    @Test("Two of one group of whom only one is secured never hear each other (HN-02)")
    func unlike() throws {
        let people = """
            people:
              - { name: mika, holds: mika-phone }
              - { name: taro, holds: taro-phone }
            talk:
              - { conversation: p59, between: [mika, taro], from: 25s }

            """
        let talk = (old: "expect:\n", new: "\(people)expect:\n")
        let taro = "taro-phone, apps: { intercom: { group: ridge"
        #expect(try warnings(talk).isEmpty)
        #expect(try warnings(talk, ("\(taro), secured: true", taro)) == ["unlike-seals"])
    }

    @Test("An invite that comes after the run and an attack without pauses are refused (HN-02)")
    func impossible() {
        func invite(_ more: String) -> (old: String, new: String) {
            let invite = "{ invite: { from: mika-phone, to: taro-phone, by: qr\(more) } }"
            return ("20s, do: \(Self.order)", "50s, do: \(invite)")
        }
        #expect(errors(invite("")).isEmpty)
        #expect(errors(invite(", takes: 10s")).isEmpty)
        #expect(errors(invite(", takes: 11s")) == ["outside-run"])
        #expect(errors(invite(", copies: 5")).isEmpty)
        #expect(errors(invite(", copies: 6")) == ["outside-run"])
        let flood = "{ attack: { link: mika-phone/taro-phone, by: flood, for: 5s, every: 1ns } }"
        #expect(errors((Self.order, flood)) == ["out-of-range"])
        let dense = flood.replacing("1ns", with: "100us")
        #expect(errors((Self.order, dense)).isEmpty)
    }

    @Test("A figure below another that bounds it is refused")
    func constraints() {
        let text = Self.text.replacing("nearby.cold_most: 12s", with: "nearby.cold_most: 9s")
        #expect(throws: InvalidScenario.self) {
            try Fixture.loader.load(text: text, file: "ridge.yaml")
        }
    }
}
