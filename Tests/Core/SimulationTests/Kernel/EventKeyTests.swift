@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Event keys and sources")
struct EventKeyTests {
    @Test("Time comes first, then class, then source, then the source's own counter")
    func order() {
        func key(_ nanoseconds: Int64, rank: Int, component: Int, number: Int) -> EventKey {
            var source = EventSource(rank: rank, component: component)
            for _ in 0..<number { _ = source.key(at: .zero) }
            return source.key(at: Instant(nanoseconds: nanoseconds))
        }
        let ordered = [
            key(0, rank: 15, component: 16_777_215, number: 9),
            key(1, rank: 0, component: 0, number: 0),
            key(1, rank: 0, component: 0, number: 1),
            key(1, rank: 0, component: 1, number: 0),
            key(1, rank: 0, component: 16_777_215, number: 5),
            key(1, rank: 1, component: 0, number: 0),
            key(1, rank: 15, component: 0, number: 0),
            key(2, rank: 0, component: 0, number: 0),
            key(.max - 1, rank: 0, component: 0, number: 0),
        ]
        for (position, left) in ordered.enumerated() {
            for (other, right) in ordered.enumerated() {
                #expect((left < right) == (position < other))
            }
        }
    }

    @Test("The comparison agrees with that of pairs for any words")
    func comparison() {
        var stream = RandomStream(seed: 1, purpose: "test", entity: "keys")
        let edges: [Int64] = [0, 1, .max - 1, .max]
        let words: [UInt64] = [0, 1, 1 << 63, .max]
        var disagreements = 0
        for _ in 0..<20_000 {
            let instants = (0..<2).map { _ in edges[Int(stream.uniform(below: 4))] }
            let ties = (0..<2).map { _ in words[Int(stream.uniform(below: 4))] }
            let left = EventKey(instant: Instant(nanoseconds: instants[0]), tieOrder: ties[0])
            let right = EventKey(instant: Instant(nanoseconds: instants[1]), tieOrder: ties[1])
            let expected = (instants[0], ties[0]) < (instants[1], ties[1])
            disagreements += (left < right) == expected ? 0 : 1
        }
        #expect(disagreements == 0)
    }

    @Test("A source knows its class, its component and how many events it numbered")
    func source() {
        var source = EventSource(rank: 5, component: 1_234)
        for _ in 0..<3 { _ = source.key(at: .zero) }
        #expect(source.rank == 5)
        #expect(source.component == 1_234)
        #expect(source.count == 3)
    }

    @Test("Classes and components outside their fields trap")
    func outside() async {
        await #expect(processExitsWith: .failure) { _ = EventSource(rank: 16, component: 0) }
        await #expect(processExitsWith: .failure) { _ = EventSource(component: 16_777_216) }
        await #expect(processExitsWith: .failure) { _ = EventSource(component: -1) }
    }
}
