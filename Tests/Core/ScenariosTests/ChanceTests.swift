@testable import KodamaLanguage
@testable import KodamaSimulation
import SansIO
import Testing

@Suite("What goes wrong by chance")
struct ChanceTests {
    /// The longest time that an act says it lasts, by the labels of its values.
    private func length(of act: Any) -> Duration {
        let labels: Set<String?> = ["for", "lasting", "downtime"]
        return Mirror(reflecting: act).children.reduce(Duration.zero) { longest, child in
            let own = labels.contains(child.label) ? lengths(in: child.value) : []
            return max(longest, own.max() ?? .zero, length(of: child.value))
        }
    }

    private func lengths(in value: Any) -> [Duration] {
        if let duration = value as? Duration { return [duration] }
        return Mirror(reflecting: value).children.flatMap { lengths(in: $0.value) }
    }

    @Test("All that a fault does is over when the fault is: the next pause begins then (HN-10)")
    func over() throws {
        var lasting: [String] = []
        let plan = try Fixture.loadSession().plan
        for chance in Vocabularies.shipped.chances {
            var random = RandomStream(seed: 1, purpose: "test", entity: chance.name)
            for _ in 0..<20 {
                let begin = Instant(nanoseconds: 5)
                let drawn = chance.draw(at: begin, of: plan.phones[0], app: nil, from: &random)
                for act in drawn.acts {
                    let length = length(of: act.act)
                    if length > .zero { lasting.append(chance.name) }
                    let over = begin.advanced(by: act.delay).advanced(by: length)
                    #expect(over <= drawn.end, "\(chance.name)")
                }
            }
        }
        // The test reads how long acts last; it would show nothing if it found none.
        for name in ["black-hole", "silent-api", "silent-push", "ghost"] {
            #expect(lasting.contains(name), "\(name)")
        }
    }
}
