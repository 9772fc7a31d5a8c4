import AppCoordination
import Foundation
@testable import KodamaIntercom
@testable import KodamaLanguage
@testable import KodamaSession
@testable import KodamaShipped
import RealtimeVoice
import SansIO
import Testing
import VoiceActivity

@Suite("Systems' vocabularies")
struct VocabularyTests {
    private static let systems = SystemRegistry(.shipped + [.ping])

    private static let text = """
        version: 2
        scenario: pings
        duration: 60s
        phones:
          - name: mika-phone
            radios: { wifi: local-clean }
            parameters: { ping.interval: 5s }
            apps: { ping: { partner: taro-phone }, session: {} }
          - { name: taro-phone, apps: { ping: {} } }
        parameters: { relay.delay: 20ms }
        timeline:
          - { at: 10s, do: { burst: { of: taro-phone, count: 3 } } }
          - { at: 20s, do: { user: { of: mika-phone, does: hush } } }
          - { after: { event: speech.began, of: relay }, do: { burst: { of: mika-phone } } }
        faults:
          - { of: taro-phone, kinds: { quiet: 1 }, every: 10s }
        expect:
          - invariant: voice.order-kept

        """

    private func loader(_ systems: SystemRegistry = VocabularyTests.systems) -> ScenarioLoader {
        var vocabulary = Fixture.vocabulary
        vocabulary.systems = systems
        return ScenarioLoader(vocabulary: vocabulary, files: Fixture.files)
    }

    private func load(
        replacing piece: String = "",
        with other: String = "",
        settings: [String] = []
    ) throws(InvalidScenario) -> Scenario {
        let text =
            piece.isEmpty ? Self.text : Self.text.replacingOccurrences(of: piece, with: other)
        return try loader().load(text: text, file: "pings.yaml", settings: settings)
    }

    @Test(
        "A system of a test adds an app, a verb, an act, a fault, a server and parameters (HN-02)"
    )
    func toy() throws {
        let plan = try load(settings: ["ping.interval=7s"]).plan
        let app = try #require(plan.phones[0].settings(of: PingAppPlan.self))
        #expect(app.partner == "taro-phone")
        #expect(app.configuration.interval == .seconds(7))
        #expect(plan.phones[0].apps.map(\.name) == ["ping", "session"])
        #expect(plan.phones[1].apps.map(\.start) == [.opened(at: .seconds(1))])
        #expect(plan.shared[RelayConfiguration.self].delay == .milliseconds(20))
        #expect(
            plan.timeline.map { TimedAct($0.act, to: $0.target) } == [
                TimedAct(PingAct.burst(3), to: "taro-phone.ping"),
                TimedAct(PingAct.hush, to: "mika-phone.ping"),
                TimedAct(PingAct.burst(10), to: "mika-phone.ping"),
            ]
        )
        #expect(plan.faults[0].shares.map(\.chance.name) == ["quiet"])
        #expect(
            try load(replacing: "{ ping.interval: 5s }", with: "{}").plan.phones[0]
                .settings(of: PingAppPlan.self)?.configuration == PingConfiguration()
        )
    }

    @Test("What a foreign system's reader refuses is placed like any mistake (HN-02)")
    func refusals() {
        let error = #expect(throws: InvalidScenario.self) {
            try load(replacing: "count: 3", with: "count: 13")
        }
        #expect(
            error?.description == """
                pings.yaml:12:54: error: 13 pings bring bad luck
                  - { at: 10s, do: { burst: { of: taro-phone, count: 13 } } }
                                                                     ^~
                """
        )
    }

    @Test("A resolved scenario shows what a foreign system adds, and loads again (HN-02)")
    func resolves() throws {
        let scenario = try load()
        func row(_ path: String) -> String? {
            scenario.resolved.values.first { $0.path == path }.map { "\($0.value) \($0.origin)" }
        }
        #expect(row("phones[0].parameters.ping.interval") == "5s pings.yaml:7")
        #expect(row("phones[1].apps.ping.opens") == "1s default")
        #expect(row("parameters.relay.delay") == "20ms pings.yaml:10")
        #expect(row("timeline[2].do.burst.count") == "10 default")
        let again = try loader().load(text: scenario.resolved.yaml, file: "pings.yaml")
        #expect(again.plan == scenario.plan)
    }

    @Test("The schema takes a foreign system's words, and lacks them without it (HN-02)")
    func schema() throws {
        let node = try #require(YAMLReader.read(SourceText(Self.text, file: "pings.yaml")).root)
        let with = ScenarioSchema.json(vocabulary: loader().vocabulary)
        #expect(try SchemaValidator(with).accepts(node))
        let without = ScenarioSchema.json(vocabulary: Fixture.vocabulary)
        #expect(try !SchemaValidator(without).accepts(node))
    }

    @Test("The order in which systems are registered never shows (HN-02)")
    func order() throws {
        let systems = Self.systems.systems
        let orders = [systems, systems.reversed(), Array(systems.dropFirst() + systems.prefix(1))]
        let broken = Self.text.replacing("burst:", with: "brst:").replacing("quiet", with: "qiet")
        let seen = try orders.map { order in
            let loader = loader(SystemRegistry(order))
            let scenario = try loader.load(text: Self.text, file: "pings.yaml")
            let error = #expect(throws: InvalidScenario.self) {
                try loader.load(text: broken, file: "pings.yaml")
            }
            return [
                scenario.resolved.yaml, "\(scenario.plan)", error?.description ?? "",
                ScenarioSchema.json(vocabulary: loader.vocabulary),
            ]
        }
        #expect(seen[0] == seen[1])
        #expect(seen[0] == seen[2])
    }

    @Test("The timeline waits for a record of a phone or of one app on it (HN-02)")
    func recordsOfApps() throws {
        let plan = try load(replacing: "of: relay", with: "of: mika-phone.ping").plan
        #expect(
            plan.timeline[2].trigger
                == .after(event: "speech.began", of: "mika-phone.ping", count: 1, delay: .zero)
        )
        let error = #expect(throws: InvalidScenario.self) {
            try load(replacing: "of: relay", with: "of: mika-phone.pong")
        }
        #expect(error?.diagnostics[0].notes.first?.message == "did you mean 'mika-phone.ping'?")
    }

    @Test("Two apps share a phone; an act that several could mean names its app (RS-07)")
    func severalApps() throws {
        let order = "user: { of: mika-phone, does: hush }"
        let named = try load(
            replacing: order,
            with: "user: { of: mika-phone, does: open-app, app: session }"
        )
        #expect(named.plan.timeline[1].act as? PhoneAct == .openApp("session"))
        let cases = [
            ("does: open-app", "'mika-phone' has several apps", "add 'app': ping or session"),
            ("does: leave-app, app: ping", "'leave-app' is done to the phone, not to an app", ""),
            ("does: mute, app: ping", "'mute' is done in the intercom or session app", ""),
            ("does: mute, app: intercom", "'mika-phone' has no intercom app", ""),
            ("does: connect, app: ping", "'connect' is done in the session app", ""),
        ]
        for (words, message, note) in cases {
            let error = #expect(throws: InvalidScenario.self) {
                try load(replacing: order, with: "user: { of: mika-phone, \(words) }")
            }
            #expect(error?.diagnostics.count == 1)
            #expect(error?.diagnostics[0].message.hasPrefix(message) ?? false)
            #expect(error?.diagnostics[0].notes.first?.message ?? "" == note)
        }
        let elsewhere = #expect(throws: InvalidScenario.self) {
            try load(replacing: order, with: "user: { of: taro-phone, does: mute }")
        }
        let message = "'taro-phone' has no intercom or session app"
        #expect(elsewhere?.diagnostics.map(\.message) == [message])
    }

    /// A phone with these apps, whose user mutes.
    private static func muting(_ apps: String, _ order: String = "does: mute") -> String {
        """
        version: 2
        scenario: mutes
        duration: 60s
        phones:
          - { name: mika-phone, radios: { wifi: local-clean }, apps: { \(apps) } }
        timeline:
          - { at: 20s, do: { user: { of: mika-phone, \(order) } } }
        expect:
          - invariant: voice.order-kept

        """
    }

    @Test("Intercom and session are muted by the same words; where a phone has both, one is named")
    func sharedWords() throws {
        func act(_ apps: String, _ order: String) throws -> TimedAct? {
            let text = Self.muting(apps, order)
            let entry = try Fixture.loader.load(text: text, file: "mutes.yaml").plan.timeline.first
            return entry.map { TimedAct($0.act, to: $0.target) }
        }
        let (intercom, session) = ("mika-phone.intercom", "mika-phone.session")
        let both = "intercom: { group: ridge }, session: { opens: never }"
        let cases: [(apps: String, order: String, act: TimedAct)] = [
            ("intercom: { group: ridge }", "does: mute", TimedAct(IntercomAct.mute, to: intercom)),
            ("intercom: { secured: true }", "does: mute", TimedAct(IntercomAct.mute, to: intercom)),
            ("session: {}", "does: unmute", TimedAct(SessionAppAct.unmute, to: session)),
            (both, "does: unmute, app: intercom", TimedAct(IntercomAct.unmute, to: intercom)),
            (both, "does: mute, app: session", TimedAct(SessionAppAct.mute, to: session)),
        ]
        for (apps, order, expected) in cases { #expect(try act(apps, order) == expected) }
        let error = #expect(throws: InvalidScenario.self) { try act(both, "does: mute") }
        #expect(error?.diagnostics.map(\.code) == ["which-app"])
        #expect(
            error?.diagnostics.first?.notes.map(\.message) == ["add 'app': intercom or session"]
        )
    }

    @Test("Where nothing can be muted it is said what to do instead")
    func nothingToMute() {
        func found(_ apps: String) -> [String] {
            let error = #expect(throws: InvalidScenario.self, "\(apps)") {
                try Fixture.loader.load(text: Self.muting(apps), file: "mutes.yaml")
            }
            let errors = error?.diagnostics.filter { $0.severity == .error } ?? []
            return errors.flatMap { [$0.code, $0.message] + $0.notes.map(\.message) }
        }
        #expect(
            found("calls: { user: mika }") == [
                "other-app", "'mika-phone' has no intercom or session app",
                "write 'mute-call' for the call that is going on",
            ]
        )
        #expect(
            found("intercom: {}") == [
                "act-unheeded", "'mute' does nothing: an intercom in no group is never opened",
                "give the intercom a 'group', or leave the act out",
            ]
        )
    }

    @Test("An act that another app has by another word is suggested by that word")
    func wordOfOtherApp() {
        let cases: [(word: String, notes: [String])] = [
            ("mute", ["did you mean 'mute-call'?"]),
            ("log-out", ["did you mean 'log-out-of-calls'?"]),
            ("sign-in", ["did you mean 'sign-in-to-calls'?"]),
            ("connect", []),
        ]
        for (word, notes) in cases {
            let text = Self.muting(
                "calls: { user: mika }, session: { opens: never }",
                "does: \(word), app: calls"
            )
            let error = #expect(throws: InvalidScenario.self) {
                try Fixture.loader.load(text: text, file: "mutes.yaml")
            }
            let found = error?.diagnostics.filter { $0.code == "act-of-other-app" } ?? []
            #expect(found.count == 1)
            #expect(found.flatMap { $0.notes.map(\.message) } == notes)
        }
    }

    @Test("Intercom and session share a phone: the voice is real, and figures are each app's own")
    func bothApps() throws {
        let text = Fixture.valid.replacing(
            "{ name: mika-phone, apps: { intercom: {} } }",
            with: """
                { name: mika-phone, radios: { wifi: local-clean }, clock_drift: 5ppm,
                      parameters: { vad.release: 200ms, session.token_timeout: 9s },
                      apps: { session: { opens: never }, intercom: { group: ridge } } }
                """
        )
        let plan = try Fixture.loader.load(text: text, file: "story.yaml").plan
        let phone = plan.phones[0]
        #expect(plan.voice == .real)
        #expect(phone.apps.map(\.name) == ["intercom", "session"])
        #expect(phone.apps.map(\.start) == [.open, .closed])
        #expect(phone.intercom?.configuration.gate.release == .milliseconds(200))
        #expect(phone.session?.configuration.session.tokenTimeout == .seconds(9))
        #expect(phone.clockDriftPartsPerMillion == 5)
    }
}
