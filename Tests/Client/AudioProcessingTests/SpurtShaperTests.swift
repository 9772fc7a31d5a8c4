import AudioProcessing
import Testing

/// The edges of talk spurts, by what is played (D-14).
struct SpurtShaperTests {
    /// Coloured room noise of one pole: neighbouring samples are alike, as in any room.
    private struct Room {
        var state: UInt32 = 7
        var last = 0.0
        let amplitude: Double

        mutating func frame() -> [Int16] {
            (0..<960).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                last = 0.9 * last + amplitude * (Double(state >> 8) / 8_388_608 - 1)
                return Int16(last)
            }
        }
    }

    /// Plays spurts of `spurt` frames of noise between pauses, and gives what sounds.
    private func sound(
        _ shaper: inout SpurtShaper,
        room: inout Room,
        spurts: Int,
        spurt: Int = 50,
        pause: Int = 40
    ) -> [Int16] {
        var all: [Int16] = []
        for frame in 0..<spurts * (spurt + pause) {
            var block = room.frame()
            let isSpurt = frame % (spurt + pause) < spurt
            block.withUnsafeMutableBufferPointer {
                isSpurt ? shaper.play($0, isHeard: true) : shaper.pause($0)
            }
            all += block
        }
        return all
    }

    private func steps(_ sound: some Collection<Int16>) -> [Int] {
        zip(sound, sound.dropFirst()).map { abs(Int($1) - Int($0)) }
    }

    private func level(_ sound: some Collection<Int16>) -> Double {
        let energy = sound.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (energy / Double(sound.count)).squareRoot()
    }

    @Test("No edge of a spurt steps further than the noise itself does", arguments: [false, true])
    func edges(makesNoise: Bool) throws {
        var (shaper, room) = (SpurtShaper(makesNoise: makesNoise), Room(amplitude: 600))
        let sound = sound(&shaper, room: &room, spurts: 20)
        let plain = steps((0..<50).flatMap { _ in room.frame() }).sorted()
        let usual = plain[plain.count * 999 / 1000]
        for edge in stride(from: 50 * 960, to: sound.count - 960, by: 40 * 960)
        where edge / 960 % 90 == 50 || edge / 960 % 90 == 0 {
            let around = sound[edge - 480..<edge + 960]
            #expect(try #require(steps(around).max()) <= usual * 5 / 4, "at \(edge)")
        }
        #expect(usual > 100, "a quiet room has no edge")
    }

    @Test("The noise in a pause has the level and the colour of the room, within 1.5 dB")
    func level() {
        var (shaper, room) = (SpurtShaper(), Room(amplitude: 600))
        let sound = sound(&shaper, room: &room, spurts: 20)
        let plain = (0..<50).flatMap { _ in room.frame() }
        var pauses: [Int16] = []
        for spurt in 0..<20 {
            let start = (spurt * 90 + 52) * 960
            pauses += sound[start..<start + 36 * 960]
        }
        let ratio = level(pauses) / level(plain)
        #expect((0.84...1.19).contains(ratio), "\(ratio)")
        let differences = zip(pauses, pauses.dropFirst()).map { Int16(clamping: Int($1) - Int($0)) }
        let usual = zip(plain, plain.dropFirst()).map { Int16(clamping: Int($1) - Int($0)) }
        let colour = level(differences) / level(usual)
        #expect((0.84...1.19).contains(colour), "\(colour)")
    }

    @Test("Loud speech between does not raise the noise")
    func speechIsNoNoise() {
        var (shaper, room) = (SpurtShaper(), Room(amplitude: 60))
        var all: [Int16] = []
        for frame in 0..<400 {
            var block = room.frame()
            if frame % 100 >= 10, frame % 100 < 80 {
                for index in block.indices {
                    block[index] += Int16(12_000 * (index % 400 < 200 ? 1 : -1))
                }
            }
            block.withUnsafeMutableBufferPointer {
                frame % 100 < 90 ? shaper.play($0, isHeard: true) : shaper.pause($0)
            }
            if frame % 100 > 91 { all += block }
        }
        let ratio = level(all) / level((0..<50).flatMap { _ in room.frame() })
        #expect((0.7...1.4).contains(ratio), "\(ratio)")
    }

    @Test("A talker who leaves in the midst of a word fades within 20 ms, the noise too")
    func leaving() {
        var (shaper, room) = (SpurtShaper(), Room(amplitude: 600))
        _ = sound(&shaper, room: &room, spurts: 1, pause: 0)
        var rest = [Int16](repeating: 99, count: 4_800)
        rest.withUnsafeMutableBufferPointer { shaper.pause($0, isLeaving: true) }
        #expect(level(rest[..<240]) > 100)
        #expect(rest[1_920...].allSatisfy { $0 == 0 })
    }

    @Test("Comfort noise fades in a long pause and is silence after 30 s")
    func longPause() {
        var (shaper, room) = (SpurtShaper(), Room(amplitude: 600))
        _ = sound(&shaper, room: &room, spurts: 1, pause: 0)
        var levels: [Double] = []
        for _ in 0..<30 {
            var second = [Int16](repeating: 99, count: 48_000)
            second.withUnsafeMutableBufferPointer { shaper.pause($0) }
            levels.append(level(second))
        }
        #expect(levels[1] > levels[0] * 0.8)
        #expect(levels[5] < levels[1] / 4)
        #expect(levels[29] == 0)
    }

    @Test("Pauses sound the same in whatever pieces they are made", arguments: [1, 7, 480, 4_000])
    func pieces(size: Int) {
        /// Two pauses, the first longer than the noise lasts.
        func pauses(_ size: Int) -> [Int16] {
            var (shaper, room) = (SpurtShaper(), Room(amplitude: 600))
            var all: [Int16] = []
            for isLeaving in [true, false] {
                _ = sound(&shaper, room: &room, spurts: 1, pause: 0)
                var rest = [Int16](repeating: 99, count: 9_600)
                rest.withUnsafeMutableBufferPointer { rest in
                    for start in stride(from: 0, to: rest.count, by: size) {
                        let end = min(start + size, rest.count)
                        let piece = UnsafeMutableBufferPointer(rebasing: rest[start..<end])
                        shaper.pause(piece, isLeaving: isLeaving)
                    }
                }
                all += rest
            }
            return all
        }
        #expect(pauses(size) == pauses(9_600))
    }

    @Test("Sound amid a spurt passes unchanged")
    func passesUnchanged() {
        var (shaper, room) = (SpurtShaper(), Room(amplitude: 600))
        _ = sound(&shaper, room: &room, spurts: 1, pause: 0)
        let frame = room.frame()
        var block = frame
        block.withUnsafeMutableBufferPointer { shaper.play($0, isHeard: true) }
        #expect(block == frame)
    }
}
