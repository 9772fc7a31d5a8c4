@testable import KodamaNetwork
@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Streams over a link (RS-11)")
struct StreamConnectionTests {
    @Test(
        "An answer takes three round trips, and one more if the name must be looked up",
        arguments: [(false, 300), (true, 400)] as [(Bool, Int64)]
    )
    func roundTrips(looksUp: Bool, milliseconds: Int64) {
        var bench = StreamBench(.delayed(.milliseconds(50)), looksUp: looksUp)
        bench.echoes = true
        bench.tell(client: true, .open)
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .seconds(2))
        #expect(bench.milliseconds(client: true, .opened) == milliseconds - 100)
        #expect(bench.milliseconds(client: false, .opened) == milliseconds - 50)
        #expect(bench.milliseconds(client: true, .delivered(.ping(1))) == milliseconds)
    }

    @Test(
        "With Nagle's algorithm the first message waits a round trip, and no other does (RFC 9293)"
    )
    func delayedFirstMessage() {
        var bench = StreamBench(.delayed(.milliseconds(50)), delaysFirstMessage: true)
        bench.echoes = true
        bench.tell(client: true, .open)
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .milliseconds(600))
        #expect(bench.milliseconds(client: true, .opened) == 200)
        #expect(bench.milliseconds(client: false, .opened) == 250)
        #expect(bench.milliseconds(client: true, .delivered(.ping(1))) == 400)
        bench.tell(client: true, .send(.ping(2)))
        bench.tell(client: true, .send(.ping(3)))
        bench.run(until: .seconds(2))
        #expect(bench.milliseconds(client: true, .delivered(.ping(2))) == 700)
        #expect(bench.milliseconds(client: true, .delivered(.ping(3))) == 700)
    }

    @Test("What waits for a handshake's end comes through when that end is lost")
    func delayedFirstMessageAfterLoss() throws {
        var bench = StreamBench(.delayed(.milliseconds(50)), delaysFirstMessage: true)
        bench.tell(client: true, .open)
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .milliseconds(190))
        bench.up.disrupt(.stopped, until: Instant(nanoseconds: 205_000_000))
        bench.run(until: .seconds(5))
        let arrival = try #require(bench.milliseconds(client: false, .delivered(.ping(1))))
        #expect(arrival > 350)
    }

    @Test("Every message arrives once and in order, whatever the link does", arguments: 0..<40)
    func exactlyOnce(seed: UInt64) {
        let direction = LinkDirection.delayed(.milliseconds(40)) {
            $0.loss = .independent(Probability(partsPerMillion: Int32(seed % 4) * 80_000))
            $0.jitter = .uniform(most: .milliseconds(30))
            $0.allowsReordering = seed % 2 == 0
            $0.duplication = Probability(partsPerMillion: 50_000)
            $0.capacity = .rate(DataRate(bitsPerSecond: 2_000_000))
        }
        var bench = StreamBench(direction, looksUp: seed % 3 == 0, seed: seed)
        bench.echoes = true
        bench.tell(client: true, .open)
        let numbers = Array(UInt32(1)...60)
        for number in numbers {
            bench.tell(client: true, .send(.ping(number, byteCount: Int(number) * 173)))
            bench.run(until: .milliseconds(Int64(number) * 150))
        }
        bench.run(until: .seconds(600))
        #expect(bench.received(client: false) == numbers)
        #expect(bench.received(client: true) == numbers)
        bench.tell(client: true, .close)
        bench.run(until: .seconds(900))
        #expect(bench.closure(client: true) == [.finished])
        #expect(bench.closure(client: false) == [.finished])
    }

    @Test("A process that ends resets the other side, and whoever asks it afterwards (RFC 9293)")
    func abort() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.tell(client: false, .abort)
        bench.run(until: .seconds(2))
        #expect(bench.milliseconds(client: true, .closed(.reset)) == 1_050)
        #expect(bench.closure(client: false) == [.finished])
        let synchronize = StreamSegment(.synchronize, sequence: 1, acknowledgement: 0)
        let reset = StreamSegment(.reset, sequence: 0, acknowledgement: 2)
        #expect(
            StreamConnection.stray(synchronize, isListening: false)
                == .answered(reset, wireBytes: 40)
        )
    }

    @Test("A lost SYN is repeated each second five times, then rarely; opening fails after 75 s")
    func synchronizeRetries() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.up.isUp = false
        bench.tell(client: true, .open)
        bench.run(until: .seconds(100))
        // Linux since 6.5 (`tcp_syn_linear_timeouts`) and XNU (`tcp_syn_backoff`) alike.
        let seconds = bench.clientSent.map { $0.time.milliseconds / 1_000 }
        #expect(seconds == [0, 1, 2, 3, 4, 5, 7, 11, 19, 35, 67])
        #expect(bench.clientSent.allSatisfy { $0.kind == .synchronize && $0.bytes == 60 })
        #expect(bench.closure(client: true) == [.failed])
        #expect(bench.milliseconds(client: true, .closed(.failed)) == 75_000)
    }

    @Test("After an outage data come back at the next doubling of the time-out, after a probe")
    func outage() throws {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.up.disrupt(.stopped, until: Instant(nanoseconds: 6_000_000_000))
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .seconds(30))
        // Samples of 100 ms: a time-out of 300 ms, before which a probe for a lone segment would not come.
        let times = bench.clientSent.filter { $0.kind == .data(.ping(1)) }.map(\.time.milliseconds)
        #expect(times == [1_000, 1_300, 1_600, 2_200, 3_400, 5_800, 10_600])
        #expect(bench.milliseconds(client: false, .delivered(.ping(1))) == 10_650)
    }

    @Test("A hole within many segments is filled a round trip later, without the timer")
    func fastRetransmit() throws {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        // The first of eight segments meets the end of an outage.
        bench.up.disrupt(.stopped, until: Instant(nanoseconds: 1_000_000_001))
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .milliseconds(1_001))
        let long = StreamMessage.ping(2, byteCount: 7 * 1_400 - 30)
        bench.tell(client: true, .send(long))
        bench.run(until: .seconds(3))
        #expect(bench.milliseconds(client: false, .delivered(.ping(1))) == 1_151)
        #expect(bench.milliseconds(client: false, .delivered(long)) == 1_151)
    }

    @Test("Holes are all filled at once when those after them are reported (RFC 2018, RFC 8985)")
    func selective() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        // Two segments meet the end of an outage each.
        bench.up.disrupt(.stopped, until: Instant(nanoseconds: 1_000_000_001))
        bench.tell(client: true, .send(.ping(1)))
        bench.tell(client: true, .send(.ping(2)))
        bench.run(until: .milliseconds(1_001))
        bench.tell(client: true, .send(.ping(3)))
        bench.run(until: .seconds(3))
        // The third is reported after 101 ms; a quarter of the round trip may have been reordering.
        #expect(bench.milliseconds(client: false, .delivered(.ping(1))) == 1_175)
        #expect(bench.milliseconds(client: false, .delivered(.ping(2))) == 1_175)
    }

    @Test("A lost tail is probed after two round trips, before the timer runs out (RFC 8985)")
    func tail() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.up.disrupt(.stopped, until: Instant(nanoseconds: 1_000_000_001))
        bench.tell(client: true, .send(.ping(1)))
        bench.tell(client: true, .send(.ping(2)))
        bench.run(until: .seconds(3))
        // The probe leaves at 1,200, says that the last one has come, and the first one follows.
        #expect(bench.milliseconds(client: false, .delivered(.ping(2))) == 1_350)
    }

    @Test("A message is cut into segments of at most 1,400 bytes, ten of which leave at once")
    func initialWindow() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .milliseconds(150))
        let message = StreamMessage.ping(1, byteCount: 40_000)
        bench.tell(client: true, .send(message))
        bench.run(until: .milliseconds(199))
        let data = bench.clientSent.filter { if case .data = $0.kind { true } else { false } }
        #expect(data.isEmpty, "the handshake takes 200 ms")
        bench.run(until: .milliseconds(299))
        let first = bench.clientSent.filter { if case .data = $0.kind { true } else { false } }
        // What was acknowledged before used a tenth of the window, which earned no more.
        #expect(first.count == 10)
        #expect(first.dropFirst().allSatisfy { $0.bytes == 1_452 })
        bench.run(until: .seconds(2))
        let all = bench.clientSent.filter { if case .data = $0.kind { true } else { false } }
        #expect(all.count == 1 + 29)
        // Finished, the message, three records, thirty headers.
        let bytes = 74 + 40_000 + 3 * 22 + 30 * 52
        #expect(all.map(\.bytes).reduce(0, +) == bytes)
        #expect(bench.milliseconds(client: false, .delivered(message)) == 350)
    }

    @Test("A window that is not used does not grow, and a pause takes back what was earned")
    func windowUse() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        func flight(after pause: Duration) -> Int {
            bench.run(until: Instant.zero.duration(to: bench.now) + pause)
            bench.tell(client: true, .send(.ping(99, byteCount: 80_000)))
            return bench.clientSent.count { $0.time == bench.now }
        }
        bench.tell(client: true, .open)
        for number in 1...30 as ClosedRange<Int64> {
            bench.run(until: .milliseconds(1_000 + number * 150))
            bench.tell(client: true, .send(.ping(UInt32(number))))
        }
        #expect(flight(after: .milliseconds(150)) == 10)
        #expect(flight(after: .milliseconds(500)) == 58)
        #expect(flight(after: .seconds(10)) == 10)
    }

    @Test("With round trips of 200 ms the time-out is 600 ms at first and falls slowly")
    func timeout() {
        var timer = RetransmissionTimer()
        let timeouts = (0..<5).map { _ in
            timer.measure(roundTrip: 200_000_000)
            return timer.timeout / 1_000_000
        }
        #expect(timeouts == [600, 600, 556, 517, 487])
    }

    @Test("A loss takes three tenths of the window (RFC 9438)")
    func lossOfWindow() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.up.disrupt(.stopped, until: Instant(nanoseconds: 1_000_000_001))
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .milliseconds(1_001))
        bench.tell(client: true, .send(.ping(2, byteCount: 30_000)))
        bench.run(until: .milliseconds(1_199))
        // Ten segments, of which nine arrive; each of those beyond three lets another one go.
        #expect(bench.client.window == 7)
        #expect(bench.milliseconds(client: false, .delivered(.ping(1))) == 1_151)
    }

    @Test("An idle connection sends nothing, and notices a dead path only when it speaks")
    func idle() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.up.isUp = false
        bench.down.isUp = false
        let sent = bench.clientSent.count
        bench.run(until: .seconds(3_600))
        #expect(bench.clientSent.count == sent)
        #expect(bench.closure(client: true) == [])
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .seconds(7_200))
        #expect(bench.closure(client: true) == [.failed])
    }

    @Test("What was sent before the close arrives before it")
    func farewell() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.tell(client: true, .send(.ping(1, byteCount: 5_000)))
        bench.tell(client: true, .close)
        bench.tell(client: true, .send(.ping(2)))
        bench.run(until: .seconds(2))
        #expect(bench.received(client: false) == [1])
        #expect(bench.closure(client: false) == [.finished])
        #expect(bench.closure(client: true) == [.finished])
    }

    @Test("A host that forgot the connection answers with a reset")
    func forgotten() {
        var bench = StreamBench(.delayed(.milliseconds(50)))
        bench.tell(client: true, .open)
        bench.run(until: .seconds(1))
        bench.tell(client: false, .fail)
        bench.tell(client: true, .send(.ping(1)))
        bench.run(until: .seconds(2))
        #expect(bench.closure(client: true) == [.reset])
        #expect(bench.milliseconds(client: true, .closed(.reset)) == 1_100)
    }

    @Test("A stray segment opens a connection, is answered or is dropped")
    func strays() {
        func stray(_ kind: StreamSegment.Kind) -> StraySegment {
            StreamConnection.stray(StreamSegment(kind, sequence: 7, acknowledgement: 1))
        }
        #expect(stray(.synchronize) == .opensConnection)
        #expect(stray(.reset) == .dropped)
        #expect(stray(.lookupAnswer) == .dropped)
        let reset = StreamSegment(.reset, sequence: 0, acknowledgement: 8)
        for kind in [.data(nil), .acknowledge, .finish, .clientHello] as [StreamSegment.Kind] {
            #expect(stray(kind) == .answered(reset, wireBytes: 40))
        }
        let answer = StreamSegment(.lookupAnswer, sequence: 0, acknowledgement: 0)
        #expect(stray(.lookup) == .answered(answer, wireBytes: 90))
    }
}

extension Instant {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
