@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Traces of opportunities")
struct DeliveryTraceTests {
    private func link(_ milliseconds: [Int32], limitBytes: Int = 1_000_000) -> Link {
        .with {
            $0.capacity = .opportunities(DeliveryTrace(name: "test", milliseconds: milliseconds))
            $0.queue = .dropTail(limitBytes: limitBytes)
        }
    }

    private func departure(_ link: inout Link, bytes: Int, at milliseconds: Int64) -> Int64? {
        link.send(bytes: bytes, at: .milliseconds(milliseconds)).arrival.map {
            $0.instant.nanoseconds / 1_000_000
        }
    }

    // MARK: Sending

    @Test("A trace that was checked out with CRLF is read as it was written")
    func foreignLineEnds() throws {
        let trace = try DeliveryTrace.parse("0\r\n5\r\n5\r\n9\r\n", name: "w")
        #expect(trace.milliseconds == [0, 5, 5, 9])
        #expect(throws: TraceParseError.self) { try DeliveryTrace.parse("0\r\r\n5\r\n", name: "w") }
        #expect(throws: TraceParseError.self) { try DeliveryTrace.parse("0\n\r\n5", name: "w") }
    }

    @Test("Small packets share one opportunity; the one that does not fit ends in the next")
    func sharing() {
        var link = link([10, 20, 30])
        let departures = (0..<4).map { _ in departure(&link, bytes: 500, at: 0) }
        #expect(departures == [10, 10, 10, 20], "three are 1,500 bytes, 4 bytes of the fourth fit")
        // 496 bytes of the second opportunity are taken; 1,008 are left.
        #expect(departure(&link, bytes: 1_008, at: 0) == 20)
        #expect(departure(&link, bytes: 1, at: 0) == 30)
    }

    @Test("A packet larger than an opportunity uses several and leaves with its last byte")
    func largePacket() {
        var link = link([10, 20, 20, 30])
        #expect(departure(&link, bytes: 1_504, at: 0) == 10)
        #expect(departure(&link, bytes: 3_009, at: 0) == 30)
        #expect(departure(&link, bytes: 1_503, at: 0) == 30)
        #expect(departure(&link, bytes: 1, at: 0) == 40, "the trace repeats after 30 ms")
    }

    @Test("An opportunity at the very instant of sending has passed")
    func strictlyLater() {
        var link = link([10, 20])
        #expect(departure(&link, bytes: 100, at: 9) == 10)
        #expect(departure(&link, bytes: 100, at: 10) == 20)
    }

    @Test("What nobody uses is wasted, and a rest shared only until its opportunity has passed")
    func waste() {
        var link = link([10, 20, 30])
        #expect(departure(&link, bytes: 100, at: 0) == 10)
        #expect(departure(&link, bytes: 1_450, at: 12) == 20)
        #expect(departure(&link, bytes: 100, at: 21) == 30)
    }

    @Test("A trace repeats with its last line as period, for ever")
    func repeats() {
        var link = link([0, 7, 10])
        let sent: [Int64] = [0, 7, 8, 10, 12, 17, 19, 20, 1_000_003, 1_000_007]
        let departures = sent.map { departure(&link, bytes: 1_504, at: $0) }
        // At 10 the first line, 0, of the second round offers one more, but for those before it.
        #expect(departures == [7, 10, 10, 17, 20, 20, 27, 30, 1_000_007, 1_000_010])
    }

    @Test("A queue of opportunities counts the bytes not yet sent")
    func limit() {
        var link = link([10, 20, 30], limitBytes: 3_008)
        #expect(departure(&link, bytes: 1_504, at: 0) == 10)
        #expect(departure(&link, bytes: 1_000, at: 0) == 20)
        #expect(departure(&link, bytes: 505, at: 0) == nil)
        #expect(departure(&link, bytes: 504, at: 0) == 20)
        #expect(departure(&link, bytes: 1_505, at: 10) == nil, "1,504 wait still")
        #expect(departure(&link, bytes: 1_504, at: 10) == 30)
    }

    @Test(
        "Packets leave when mahimahi's own loop lets them leave",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func reference(seed: UInt64) {
        var random = RandomStream(seed: seed, purpose: "trace", entity: "test")
        var milliseconds: [Int32] = []
        var last: Int32 = 0
        for _ in 0..<40 {
            last += random.bernoulli(.ppm(400_000)) ? 0 : Int32(random.uniform(below: 12))
            milliseconds.append(last)
        }
        milliseconds.append(last + 1)
        var now: Int64 = 0
        let packets = (0..<3_000).map { _ in
            now += random.exponential(meanNanoseconds: 4_500_000) / 1_000_000
            return (sentAt: now, bytes: 1 + Int(random.uniform(below: 1_504)))
        }
        var link = link(milliseconds, limitBytes: 1 << 30)
        let found = packets.map { departure(&link, bytes: $0.bytes, at: $0.sentAt) }
        #expect(found == Self.mahimahi(milliseconds, packets).map(Optional.init))
    }

    /// Opportunity by opportunity: each hands out its bytes to the packets that wait.
    private static func mahimahi(
        _ milliseconds: [Int32],
        _ packets: [(sentAt: Int64, bytes: Int)]
    ) -> [Int64] {
        var left = packets.map(\.bytes)
        var departures: [Int64] = []
        var (base, index) = (Int64(0), 0)
        while departures.count < packets.count {
            let instant = base + Int64(milliseconds[index])
            var bytes = 1_504
            while bytes > 0, departures.count < packets.count {
                let packet = departures.count
                guard packets[packet].sentAt < instant else { break }
                let taken = min(bytes, left[packet])
                bytes -= taken
                left[packet] -= taken
                if left[packet] == 0 {
                    departures.append(instant)
                }
            }
            index += 1
            if index == milliseconds.count {
                index = 0
                base += Int64(milliseconds[milliseconds.count - 1])
            }
        }
        return departures
    }

    // MARK: Reading

    private func problems(_ text: String) -> [TraceParseError.Problem] {
        do throws(TraceParseError) {
            _ = try DeliveryTrace.parse(text, name: "lte.down")
            return []
        } catch {
            return error.problems
        }
    }

    @Test("A trace is read line by line, with or without a last line feed")
    func parse() throws {
        let expected = DeliveryTrace(name: "lte.down", milliseconds: [0, 0, 12, 345])
        #expect(try DeliveryTrace.parse("0\n0\n12\n345\n", name: "lte.down") == expected)
        #expect(try DeliveryTrace.parse("0\n0\n12\n345", name: "lte.down") == expected)
    }

    @Test("Every bad line is reported with its number and what was found")
    func badLines() {
        #expect(
            problems("1\nx\n3\n2\n-4\n5.5\n\n+6\n7\n") == [
                .init(line: 2, kind: .notMilliseconds(found: "x")),
                .init(line: 4, kind: .falling(found: 2, previous: 3)),
                .init(line: 5, kind: .notMilliseconds(found: "-4")),
                .init(line: 6, kind: .notMilliseconds(found: "5.5")),
                .init(line: 7, kind: .notMilliseconds(found: "")),
                .init(line: 8, kind: .notMilliseconds(found: "+6")),
            ]
        )
        #expect(problems("2147483648").map(\.line) == [1])
        #expect(problems("1\r\r\n2\r\n").map(\.line) == [1])
    }

    @Test("A trace without opportunities or without a period is refused")
    func noPeriod() {
        #expect(problems("") == [.init(line: 1, kind: .noOpportunity)])
        #expect(problems("0\n0\n0\n") == [.init(line: 3, kind: .zeroPeriod)])
    }

    @Test("An error reads as file, line, what was found and what was expected")
    func description() {
        let error = TraceParseError(
            name: "lte.down",
            problems: [
                .init(line: 2, kind: .notMilliseconds(found: "x")),
                .init(line: 4, kind: .falling(found: 2, previous: 3)),
            ]
        )
        #expect(
            error.description == """
                lte.down:2: error: found 'x', expected a whole number of milliseconds from 0 to \
                2147483647
                lte.down:4: error: found 2 after 3, expected milliseconds that never fall
                """
        )
    }
}
