import KodamaLanguage
import KodamaShipped
import KodamaSwarm
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
