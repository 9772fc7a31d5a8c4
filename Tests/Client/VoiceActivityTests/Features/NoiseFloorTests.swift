import SansIOTesting
import Testing

@testable import VoiceActivity

@Suite("Noise floor")
struct NoiseFloorTests {
    @Test("What is steady lies on the floor, and what comes for less than 2 s rises above it")
    func pulse() {
        var floor = Floor()
        for _ in 0..<300 { #expect(floor.follow(1000) == 0) }
        for _ in 0..<190 { #expect(floor.follow(3000) == 2000) }
        for _ in 0..<20 { #expect(floor.follow(1000) == 0) }
    }

    @Test("A step up by 25 dB is floor after 4 s at most, a step down at once")
    func steps() {
        var floor = Floor()
        for _ in 0..<500 { _ = floor.follow(1000) }
        for _ in 0..<400 { _ = floor.follow(3126) }
        #expect(floor.follow(3126) < 5)
        for _ in 0..<30 { _ = floor.follow(1000) }
        #expect(abs(floor.follow(1000)) < 5)
    }

    @Test("The floor of a shorter while follows a step within 0.8 s")
    func shortWhile() {
        var floor = Floor(hopsMax: 40)
        for _ in 0..<500 { _ = floor.follow(1000) }
        for _ in 0..<39 { #expect(floor.follow(3000) == 2000) }
        for _ in 0..<41 { _ = floor.follow(3000) }
        #expect(floor.follow(3000) < 5)
    }

    @Test("A silent beginning is forgotten within 1.5 s")
    func badBeginning() {
        var floor = Floor()
        for _ in 0..<15 { #expect(floor.follow(0) == 0) }
        for _ in 0..<135 { _ = floor.follow(2000) }
        #expect(floor.follow(2000) < 5)
    }

    @Test("Each band has a floor of its own")
    func bands() {
        var floor = NoiseFloor(hopsMax: 200)
        let powers = (0..<32).map { Int16(100 * $0) }
        var rises = [Int16](repeating: -1, count: 32)
        for _ in 0..<10 { floor.follow(powers, rises: &rises) }
        #expect(rises == [Int16](repeating: 0, count: 32))
        floor.follow(powers.map { $0 + ($0 == 700 ? 50 : 0) }, rises: &rises)
        #expect(rises == (0..<32).map { $0 == 7 ? 50 : 0 })
    }
}

/// A floor that hears the same power in all bands.
private struct Floor {
    private var floor: NoiseFloor

    init(hopsMax: Int = 200) {
        floor = NoiseFloor(hopsMax: hopsMax)
    }

    mutating func follow(_ power: Int16) -> Int16 {
        var rises = [Int16](repeating: 0, count: 32)
        floor.follow([Int16](repeating: power, count: 32), rises: &rises)
        #expect(rises.allSatisfy { $0 == rises[0] })
        return rises[0]
    }
}
