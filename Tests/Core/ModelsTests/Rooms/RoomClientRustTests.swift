@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

/// What the Rust SDK does otherwise, as measured and as its source says (`Reports/genuine.md`).
@Suite("The room object by the Rust SDK's policy")
struct RoomClientRustTests {
    private func kinds(_ bench: RoomClientBench) -> [AttemptKind] {
        bench.noted.compactMap {
            if case .attemptBegan(_, let kind) = $0 { kind } else { nil }
        }
    }

    /// A connected room object that draws its chance from this seed.
    private func connected(seed: UInt64) -> RoomClientBench {
        var bench = RoomClientBench(.rust, seed: seed)
        bench.connect()
        bench.run(for: .seconds(2))
        bench.forget()
        return bench
    }

    @Test(
        "A cold connect takes two round trips more: Nagle's algorithm and the publisher (K-02)"
    )
    func connect() throws {
        var bench = RoomClientBench(.rust)
        bench.connect()
        bench.run(for: .seconds(1))
        let cold = try #require(bench.time(of: .attemptEnded(nil)))
        #expect(cold == .milliseconds(9 * 40))
    }

    @Test("A resume whose media lived is told of 3 s after signalling is back (K-01b)")
    func settles() throws {
        var bench = RoomClientBench.connected(.rust)
        bench.hangUp()
        bench.run(for: .seconds(5))
        let began = try #require(bench.beginning(ofAttempt: 1))
        let ended = try #require(bench.time(of: .attemptEnded(nil)))
        #expect(ended - began == .milliseconds(4 * 40 + 3_000))
        #expect(bench.told.last == .reconnectCompleted(.quick))
    }

    @Test("A resume whose media broke is told of as soon as it is back (K-01b)")
    func provesItself() throws {
        var bench = RoomClientBench.connected(.rust)
        bench.cut = [.media]
        bench.run(for: .seconds(9))
        bench.cut = []
        bench.hangUp()
        bench.run(for: .seconds(5))
        let began = try #require(bench.beginning(ofAttempt: 1))
        let ended = try #require(bench.time(of: .attemptEnded(nil)))
        #expect(ended - began < .seconds(1))
        #expect(kinds(bench) == [.quick])
    }

    @Test("A leave that asks for a resume ends the socket, too: a second failure (RS-11)")
    func twoFailures() {
        var first: Set<AttemptKind> = []
        let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]
        for seed in seeds {
            var bench = connected(seed: seed)
            bench.say(.leave(LeaveRequest(.resume, .migration)))
            bench.run(for: .seconds(5))
            let before = kinds(bench)
            #expect(before.count == 1, "the attempt succeeds")
            first.formUnion(before)
            bench.forget()
            bench.hangUp()
            bench.run(for: .seconds(5))
            // What was escalated stays so until a full reconnect has succeeded.
            let expected: AttemptKind = before == [.quick] ? .full : .quick
            #expect(kinds(bench) == [expected])
        }
        #expect(first == [.quick, .full], "either failure may be noticed first")
    }

    @Test("In the dark a resume gives up after 5 s, a join after 5 s and a question of 3 s (RS-11)")
    func timeouts() throws {
        var bench = RoomClientBench.connected(.rust)
        bench.send(.command(.resume))
        bench.cut = [.signalling, .media]
        bench.run(for: .seconds(30))
        let start = try #require(bench.beginning(ofAttempt: 1))
        let expected: [Int: Duration] = [2: .seconds(5), 3: .seconds(13), 4: .seconds(21)]
        for (number, time) in expected {
            let begins = try #require(bench.beginning(ofAttempt: number))
            #expect(begins - start == time)
        }
        #expect(Array(kinds(bench).prefix(3)) == [.quick, .full, .full])
    }
}
