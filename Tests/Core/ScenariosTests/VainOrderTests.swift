@testable import KodamaLanguage
import Testing

@Suite("Orders that nothing can come of are refused, or warned of where others are why (HN-02)")
struct VainOrderTests {
    /// The session's scenario with these orders and without faults.
    private func text(_ orders: String..., session: String = "{}") -> String {
        Fixture.session
            .replacing(
                "  - { at: 20s, do: { outage: { of: mika-phone, for: 10s } } }",
                with: orders.map { "  - \($0)" }.joined(separator: "\n")
            )
            .replacing(", kinds: { outage: 4, handover: 2 }, every: 60s, from: 100s }\n", with: "")
            .replacing("faults:\n  - { of: mika-phone", with: "")
            .replacing("session: {}", with: "session: \(session)")
    }

    /// What is found wrong or doubtful of orders.
    private func codes(
        _ text: String,
        settings: [String] = [],
        sweeps: [String] = []
    ) -> [String] {
        let found: [Diagnostic]
        do throws(InvalidScenario) {
            found = try Fixture.loader.load(
                text: text,
                file: "commute.yaml",
                settings: settings,
                sweeps: sweeps
            ).warnings
        } catch {
            found = error.diagnostics
        }
        return found.map(\.code).filter { $0 != "no-data" }
    }

    @Test(
        "Who has no login neither signs in nor logs out (RS-12)",
        arguments: ["sign-in", "sign-in-as-guest", "log-out"]
    )
    func login(word: String) {
        let text = text("{ at: 20s, do: { user: { of: mika-phone, does: \(word) } } }")
        #expect(codes(text) == ["act-unheeded"])
        let signedIn = text + "parameters: { session.login: signed-in }\n"
        #expect(codes(signedIn).isEmpty)
        #expect(codes(text, settings: ["session.login=signed-in"]).isEmpty)
        #expect(codes(signedIn, settings: ["session.login=device-identity"]) == ["act-unheeded"])
        let sweep = "session.login=signed-in,device-identity"
        #expect(codes(text, sweeps: [sweep]) == ["act-unheeded"])
    }

    @Test(
        "What is done to calls is refused on a phone without their app",
        arguments: [
            "answer-call", "end-and-answer-call", "decline-call", "end-call", "mute-call",
            "unmute-call", "hold-call", "unhold-call", "focus-on", "focus-off", "allow-in-focus",
            "silence-in-focus",
        ]
    )
    func calls(word: String) {
        let text = text("{ at: 20s, do: { user: { of: mika-phone, does: \(word) } } }")
        #expect(codes(text) == ["other-app"])
        let both = text.replacing("session: {}", with: "session: {}, calls: { user: mika }")
            .replacing("does: \(word)", with: "does: \(word)\(Self.app(for: word))")
        #expect(codes(both).isEmpty)
    }

    private static func app(for word: String) -> String {
        word.hasSuffix("in-focus") ? ", app: calls" : ""
    }

    private static let evictions = [
        "{ does: leave, of: mika-phone, action: resume, reason: migration }",
        "{ does: join-elsewhere, of: mika-phone }",
    ]

    @Test("A server that is away throws nobody out", arguments: evictions)
    func away(eviction: String) {
        for fault in ["crash", "dark", "restart"] {
            for (time, isVain) in [(29, false), (31, true), (50, true), (51, false)] {
                let text = text(
                    "{ at: \(time)s, do: { server: \(eviction) } }",
                    "{ at: 30s, do: { server: { does: \(fault), for: 20s } } }"
                )
                #expect(codes(text) == (isVain ? ["order-in-vain"] : []), "\(fault), \(time) s")
            }
        }
        let full = text(
            "{ at: 30s, do: { server: { does: full, for: 20s } } }",
            "{ at: 40s, do: { server: \(eviction) } }"
        )
        #expect(codes(full).isEmpty)
    }

    @Test("Who is in a call's room can be thrown out of it too (D-08)", arguments: evictions)
    func outOfCall(eviction: String) {
        func text(_ app: String) -> String {
            """
            version: 2
            scenario: evicted
            summary: Somebody is thrown out.
            seeds: 1
            duration: 60s
            voice: reachability
            phones:
              - name: mika-phone
                radios: { wifi: local-clean }
                apps: { \(app) }
            people:
              - { name: mika, holds: mika-phone }
            timeline:
              - { at: 20s, do: { server: \(eviction) } }
            expect:
              - { metric: voice.late, value: "<= 5%" }

            """
        }
        #expect(codes(text("calls: { user: mika }")).isEmpty)
        #expect(codes(text("calls: { user: mika, opens: 30s }")) == ["order-in-vain"])
    }

    @Test("Nobody is thrown out before the app runs", arguments: evictions)
    func early(eviction: String) {
        let early = "{ at: 20s, do: { server: \(eviction) } }"
        let opens = "{ at: 10s, do: { user: { of: mika-phone, does: open-app } } }"
        #expect(codes(text(early)).isEmpty)
        #expect(codes(text(early, session: "{ opens: 30s }")) == ["order-in-vain"])
        #expect(codes(text(early, session: "{ opens: never }")) == ["order-in-vain"])
        #expect(codes(text(early, opens, session: "{ opens: never }")).isEmpty)
        #expect(codes(text(early, session: "{ opens: already }")).isEmpty)
        let chance = """
            faults:
              - { of: mika-phone, kinds: { lock: 1 }, every: 60s }

            """
        #expect(codes(text(early, session: "{ opens: never }") + chance).isEmpty)
    }

    @Test("Who is in a group makes another only after leaving it (S-GRP-003)")
    func secondGroup() {
        func codes(group: String, _ orders: String...) -> [String] {
            let app = "intercom: { \(group)secured: true }"
            let orders = orders.map { "  - \($0)\n" }.joined()
            return self.codes(
                Fixture.valid.replacing("intercom: {}", with: app)
                    .replacing("expect:", with: "timeline:\n\(orders)expect:")
            )
        }
        func order(_ word: String, _ when: String = "at: 20s") -> String {
            "{ \(when), do: { user: { of: mika-phone, does: \(word) } } }"
        }
        let vain = ["order-in-vain"]
        let made = order("make-group")
        let after = "after: { event: speech.began, of: mika }"
        #expect(codes(group: "group: ridge, ", made) == vain)
        #expect(codes(group: "group: ridge, ", order("make-group", after)) == vain)
        #expect(codes(group: "", made).isEmpty)
        #expect(codes(group: "", order("make-group", "at: 30s"), made) == vain)
        #expect(codes(group: "group: ridge, ", order("leave-group", "at: 10s"), made).isEmpty)
        #expect(codes(group: "group: ridge, ", order("leave-group", "at: 30s"), made) == vain)
        #expect(codes(group: "group: ridge, ", order("leave-group", after), made).isEmpty)
        #expect(codes(group: "group: ridge, ", order("leave-group"), made).isEmpty)
        #expect(codes(group: "group: ridge, ", made, order("leave-group")) == vain)
        let invite = "{ at: 10s, do: { invite: { from: taro-phone, to: mika-phone, by: qr } } }"
        #expect(codes(group: "", invite, made).isEmpty)
    }

    @Test("A server gives no client's wish for its reason")
    func reason() {
        let order = Self.evictions[0].replacing("migration", with: "client-initiated")
        #expect(codes(text("{ at: 20s, do: { server: \(order) } }")) == ["unknown-choice"])
    }

    @Test("Gates contradict each other across statistics of the same samples")
    func gates() {
        func codes(_ gates: String) -> [String] {
            self.codes(
                Fixture.valid.replacing("    p95: \"<= 120ms\"", with: "    \(gates)")
            )
        }
        let contradictory = ["contradictory-gates"]
        #expect(codes("min: \">= 5s\"\n    max: \"<= 3s\"") == contradictory)
        #expect(codes("max: \"<= 3s\"\n    min: \">= 5s\"") == contradictory)
        #expect(codes("p50: \"> 3s\"\n    p95: \"<= 3s\"") == contradictory)
        #expect(codes("mean: \"== 5s\"\n    max: \"< 5s\"") == contradictory)
        #expect(codes("p50: \"<= 3s\"\n    p95: \">= 5s\"").isEmpty)
        #expect(codes("min: \">= 3s\"\n    max: \"<= 3s\"").isEmpty)
        #expect(codes("mean: \">= 5s\"\n    p95: \"<= 3s\"").isEmpty)
        #expect(codes("max: \">= 5s\"\n    min: \"<= 3s\"").isEmpty)
    }
}
