@testable import KodamaIntercom
import Testing

@Suite("A table of pairs")
struct PairTableTests {
    @Test("Pairs near and far are numbered as they come, and each device knows its partners")
    func numbers() {
        var table = PairTable(startingWith: 0)
        var known: [[Int]: Int] = [:]
        var state: UInt64 = 1
        func drawn() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Around the end of the square, within it and far beyond.
            return [3, 1_022, 70_000][Int(state >> 33) % 3] + Int(state >> 40) % 5
        }
        for _ in 0..<300 {
            let (origin, listener) = (drawn(), drawn())
            #expect(table.existing(origin, listener) == known[[origin, listener]])
            let number = table.number(origin, listener)
            #expect(number == known[[origin, listener]] ?? known.count)
            known[[origin, listener]] = number
        }
        #expect(table.values.count == known.count && known.count > 100)
        for device in Set(known.keys.joined()) {
            let pairs = known.keys.filter { $0.contains(device) }
            let others = Set(pairs.map { $0[0] == device ? $0[1] : $0[0] })
            #expect(table.partners(of: device) == others.sorted())
            #expect(Set(table.numbers(with: device)) == Set(pairs.compactMap { known[$0] }))
            #expect(table.numbers(with: device).count == pairs.count)
        }
    }

    @Test("Two devices of a hundred thousand take no square of them")
    func far() {
        // 68 GB before.
        var table = PairTable(startingWith: "")
        for _ in 0..<2 {
            #expect(table.number(99_998, 99_999) == 0)
            #expect(table.number(99_999, 99_998) == 1)
        }
        #expect(table.existing(0, 1) == nil && table.existing(99_998, 99_998) == nil)
        #expect(table.numbers(with: 99_999) == [1, 0])
    }
}
