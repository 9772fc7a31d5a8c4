import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaShipped
@testable import KodamaSwarm
import Testing

@Suite("HN-10: worlds are drawn from their seed, part by part")
struct DrawTests {
    private let world = SwarmWorld(.shipped)

    @Test("The same seed draws the same world, another seed another one")
    func sameSeedSameWorld() {
        for seed in UInt64(1)...20 {
            #expect(world.document(seed: seed) == world.document(seed: seed))
            #expect(world.document(seed: seed) != world.document(seed: seed + 1))
        }
    }

    @Test("A draw depends on what it is for, not on which draws there are besides it")
    func drawsAreKeyed() {
        let draw = SwarmDraw(seed: 7)
        let alone = draw["outage"]["for"].number(in: 0...1_000_000)
        _ = draw["black-hole"].number(in: 0...9)
        #expect(draw["outage"]["for"].number(in: 0...1_000_000) == alone)
        #expect(draw["outage"]["at"].number(in: 0...1_000_000) != alone)
        let some = draw["kinds"].some(of: ["a", "b", "c", "d", "e", "f"])
        #expect(draw["kinds"].some(of: ["a", "c", "e"]) == some.filter { "ace".contains($0) })
    }

    @Test("A system that is left out changes nothing of the other systems' apps")
    func leavingASystemOut() {
        let without = SwarmWorld(.shipped, only: ["calls", "intercom", "replica", "session"])
        for seed in UInt64(1)...40 {
            let all = apps(world.document(seed: seed))
            let fewer = apps(without.document(seed: seed))
            for (phone, systems) in fewer where all[phone] != nil {
                let shared = systems.filter { all[phone]?[$0.key] != nil }
                for (system, keys) in shared { #expect(all[phone]?[system] == keys) }
            }
        }
    }

    @Test("Of several names one is picked, and stays so when another is left out")
    func picks() {
        let names = ["a", "b", "c", "d"]
        var found: Set<String> = []
        for seed in UInt64(1)...60 {
            let draw = SwarmDraw(seed: seed)["who"]
            guard let picked = draw.pick(names) else { continue }
            found.insert(picked)
            for other in names where other != picked {
                #expect(draw.pick(names.filter { $0 != other }) == picked)
            }
        }
        #expect(found == Set(names))
        #expect(SwarmDraw(seed: 1).pick([]) == nil)
    }

    @Test("A system with a longer storm of its own moves nothing in the storm of the others")
    func stormsAreKeyed() {
        let without = SwarmWorld(.shipped, only: ["calls", "intercom", "replica", "session"])
        var compared = 0
        for seed in UInt64(1)...60 {
            let (all, fewer) = (world.document(seed: seed), without.document(seed: seed))
            // Where a phone is left without an app it gets another one, which is another world.
            guard all.withoutApp("coach")[key: "phones"] == fewer[key: "phones"] else { continue }
            let acts = storm(all)
            for act in storm(fewer) where act.isOfUser && !act.isToAnyApp {
                #expect(acts.contains(act), "seed \(seed): \(act)")
                compared += 1
            }
        }
        #expect(compared > 50)
    }

    @Test(
        "Users act in most worlds, in apps that they have, and now and then several times in a row"
    )
    func usersAct() throws {
        let swarm = SwarmRun(
            world,
            loader: ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped, voices: []))
        )
        var (drawn, sound, repeated) = (0, 0, 0)
        var words: Set<String> = []
        for seed in UInt64(1)...60 {
            let acts = storm(world.document(seed: seed)).filter(\.isOfUser)
            let accepted = storm(try swarm.document(seed: seed)).filter(\.isOfUser)
            drawn += acts.count
            sound += accepted.count
            words.formUnion(accepted.compactMap { $0[path: DocumentNode.does]?.text })
            let values = accepted.compactMap { $0[key: "do"]?.yaml() }
            repeated += Set(values).count < values.count ? 1 : 0
        }
        #expect(sound >= 60 * 4, "\(sound) acts in 60 worlds")
        #expect(sound * 10 >= drawn * 8, "\(sound) of \(drawn) drawn acts load")
        #expect(repeated >= 15, "\(repeated) worlds tell the same twice")
        #expect(words.count >= 35, "\(words.sorted())")
    }

    @Test("What is begun in the storm and has no end of its own ends in the quiet phase")
    func endings() {
        let pairs = [
            ("alarm-rings", "stop-alarm"), ("phone-call-rings", "decline-phone-call"),
            ("phone-call-begins", "phone-call-ends"), ("disk", "disk"),
            ("secure_storage", "secure_storage"), ("log-out-of-calls", "sign-in-to-calls"),
            ("refuse-microphone", "allow-microphone"), ("leave-group", "join-group"),
        ]
        var seen: Set<String> = []
        for seed in UInt64(1)...150 {
            let document = world.document(seed: seed)
            let quiet = (document[key: "timeline"]?.elements ?? []).filter(document.isQuiet)
            for (begin, end) in pairs {
                for act in storm(document) where act.words.contains(begin) {
                    guard let of = act[key: "do"]?.entries.first?.value[key: "of"] else { continue }
                    seen.insert(begin)
                    #expect(
                        quiet.contains { entry in
                            let body = entry[key: "do"]?.entries.first?.value
                            return entry.words.contains(end) && body?[key: "of"] == of
                        },
                        "seed \(seed): \(begin) of \(of)"
                    )
                }
            }
        }
        #expect(seen.count == pairs.count, "\(seen.sorted())")
    }

    @Test(
        "A gate on what settles counts what began in the storm and goes on for longer than its bound (HN-03)"
    )
    func settles() throws {
        let phases = SwarmPhases(
            stormSeconds: 60,
            quietSeconds: 210,
            openSeconds: 215,
            endSeconds: 330
        )
        let gate = phases.settles("replica.difference.time", within: 70)
        #expect(gate[key: "lasts_until"] == "280s")
        #expect(
            phases.settles("replica.difference.time", within: 70, isOnceOpen: true)[
                key: "lasts_until"
            ] == "285s"
        )
        let document: DocumentNode = [
            "version": "2", "scenario": "settles", "duration": "330s",
            "phones": [
                [
                    "name": "ann-phone", "radios": ["wifi": "wifi-internet"],
                    "apps": ["replica": ["user": "ann"]],
                ]
            ],
            "expect": [gate],
        ]
        let loader = ScenarioLoader(
            vocabulary: ScenarioVocabulary(systems: .shipped, voices: [])
        )
        let scenario = try loader.load(text: document.yaml(), file: "settles.yaml")
        let found = scenario.points[0].expectations.gates[0]
        #expect(found.scope == GateScope(window: .lasting(until: 280_000_000_000)))
        #expect(found.limit == 70_000_000_000)
        var both = document
        both[path: [.key("expect"), .index(0), .key("in")]] = ["from": "210s"]
        #expect(throws: InvalidScenario.self) {
            try loader.load(text: both.yaml(), file: "both.yaml")
        }
    }

    @Test("No link is drawn that carries no whole packet, and so is no path (HN-10)")
    func wholePackets() {
        var seen = 0
        for seed in UInt64(1)...150 {
            let text = world.document(seed: seed).yaml()
            for size in text.matches(of: #/(?:largest_packet|queue|drop_tail): ([0-9]+)B/#) {
                #expect(Int(size.1) ?? 0 >= 1_500, "seed \(seed): \(size.0)")
                seen += 1
            }
        }
        #expect(seen > 20)
    }

    @Test("No link is drawn whose round trips are longer than any that is promised (HN-10)")
    func latestPackets() {
        var (seen, late) = (0, 0)
        for seed in UInt64(1)...300 {
            for act in storm(world.document(seed: seed)) {
                guard let change = act[key: "do"]?[key: "change"] else { continue }
                #expect(change.lateness <= 2_000, "seed \(seed): \(change)")
                seen += 1
                late += change.lateness > 1_000 ? 1 : 0
            }
        }
        #expect(seen > 50 && late > 5)
        let jitter: DocumentNode = ["delay": "900ms", "jitter": ["half_normal": "400ms"]]
        #expect(jitter.lateness == 2_100)
        let quantiles: DocumentNode = ["jitter": ["quantiles": ["0s", "1800ms"]]]
        #expect(quantiles.lateness == 1_800)
    }

    /// The acts of the storm.
    private func storm(_ document: DocumentNode) -> [DocumentNode] {
        (document[key: "timeline"]?.elements ?? []).filter { !document.isQuiet($0) }
    }

    @Test("Magnitudes and times stay within their range")
    func withinRange() {
        for index in 0..<1_000 {
            let draw = SwarmDraw(seed: 3)["\(index)"]
            #expect((8...90).contains(draw.magnitude(in: 8...90)))
            #expect((1...1).contains(draw.magnitude(in: 1...1)))
            #expect(draw.magnitude(in: 1...Int64.max) >= 1)
        }
    }

    /// The apps' keys by phone and system.
    private func apps(_ document: DocumentNode) -> [String: [String: DocumentNode]] {
        var apps: [String: [String: DocumentNode]] = [:]
        for phone in document[key: "phones"]?.elements ?? [] {
            for app in phone[key: "apps"]?.entries ?? [] {
                // Who else has the app is a matter of the whole world.
                var keys = app.value
                keys[key: "contact"] = nil
                keys[key: "user"] = nil
                apps[phone[key: "name"]?.text ?? "", default: [:]][app.key] = keys
            }
        }
        return apps
    }
}

extension DocumentNode {
    /// Where an entry of the timeline says what a user does.
    fileprivate static let does: [Step] = [.key("do"), .key("user"), .key("does")]

    /// Whether a user does it.
    fileprivate var isOfUser: Bool { self[path: Self.does] != nil }

    /// Whether a user may do the like to any system's app.
    fileprivate var isToAnyApp: Bool {
        let words = [
            "open-app", "kill-app", "tap-notification", "allow-microphone", "refuse-microphone",
        ]
        return self[path: Self.does]?.text.map(words.contains) ?? false
    }

    /// The same without a system's app on any phone.
    fileprivate func withoutApp(_ system: String) -> DocumentNode {
        var document = self
        for index in (self[key: "phones"]?.elements ?? []).indices {
            let path: [Step] = [.key("phones"), .index(index), .key("apps"), .key(system)]
            document[path: path] = nil
        }
        return document
    }
}
