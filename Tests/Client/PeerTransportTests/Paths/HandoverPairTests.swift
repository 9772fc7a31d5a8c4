import PeerTransport
import SansIO
import SansIOTesting
import Testing

@Suite("Two phones between radio and Internet (S-HO-001…004)")
struct HandoverPairTests {
    /// A radio that is good, loses `poor` percent from `warned` on, and ends at `cut`.
    private static func dying(
        warned: Int64,
        poor: Int = 10,
        cut: Int64,
        again: Int64 = .max
    ) -> (Int64, Int) -> Int {
        { milliseconds, _ in
            if milliseconds < warned || milliseconds >= again { return 0 }
            return milliseconds < cut ? poor : 100
        }
    }

    @Test(
        "With a second of warning, leaving the radio costs 40 ms at most (K-13)",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func warned(seed: UInt64) throws {
        let pair = PathPair(seed: seed)
        pair.bringLocalUp()
        // 2 s until the Internet is up, the time until loss is seen, and a second of warning.
        pair.local.lossPercent = Self.dying(warned: 20_000, cut: 25_000 + Int64(seed) * 7)
        pair.run(to: 40_000)
        for phone in 0...1 {
            let both = try #require(pair.first(.handoverToInternet, phone: phone))
            #expect(both < 24_000 && pair.phase[phone] == .localCandidate)
            #expect(pair.longestSilence(of: phone, from: both + 100) <= 40)
        }
        #expect(pair.longestSilence(of: 0, to: 20_000) == 0)
    }

    @Test(
        "Cut hard with the Internet standing by, talk goes on as K-13 wants",
        arguments: [[0, 1], [1]]
    )
    func hardCut(talkers: [Int]) {
        var silences: [Int64] = []
        for seed in 1...12 as ClosedRange<UInt64> {
            let pair = PathPair(seed: seed)
            pair.talkers = talkers
            pair.bringLocalUp()
            pair.local.jitterMilliseconds = 15
            pair.internet.jitterMilliseconds = 30
            // A bad moment brings the Internet up; it then stands by.
            let cut = 30_000 + Int64(seed) * 3
            pair.local.lossPercent = { milliseconds, _ in
                (20_000..<21_000).contains(milliseconds) ? 15 : milliseconds < cut ? 0 : 100
            }
            pair.run(to: cut)
            #expect(pair.phase == [.localConnected, .localConnected])
            pair.run(to: cut + 5_000)
            for talker in talkers {
                silences.append(
                    pair.silences(of: 1 - talker, from: cut - 100).reduce(0, +)
                )
            }
        }
        silences.sort()
        #expect(silences[silences.count / 2] <= 200, "the median of \(silences)")
        #expect(silences[silences.count * 95 / 100] <= 300 + 52, "p95 of \(silences)")
        // What was sent before anybody can have seen the cut is lost: a figure below is no figure.
        #expect(silences[0] >= 60, "\(silences)")
    }

    @Test("Cut hard with a cold Internet, talk is back when the Internet is")
    func coldCut() throws {
        let pair = PathPair()
        pair.bringLocalUp()
        pair.local.lossPercent = Self.dying(warned: 20_000, cut: 20_000)
        pair.run(to: 40_000)
        for phone in 0...1 {
            #expect(pair.longestSilence(of: phone) <= 2_000 + 300 + 120)
            #expect(try #require(pair.first(.internetConnecting, phone: phone)) <= 20_500)
        }
    }

    @Test(
        "When the loss notice comes, 5 to 30 s late or never, nothing waits for it (D-09)",
        arguments: [5_000, 12_000, 30_000, .max] as [Int64]
    )
    func lateNotice(delay: Int64) {
        func run(noticeAt notice: Int64) -> PathPair {
            let pair = PathPair()
            pair.bringLocalUp()
            pair.local.lossPercent = Self.dying(warned: 20_000, cut: 24_000)
            pair.run(to: min(notice, 60_000))
            if notice < 60_000 {
                pair.loseLocal()
                pair.run(to: 60_000)
            }
            return pair
        }
        let never = run(noticeAt: .max)
        let late = run(noticeAt: delay == .max ? .max : 24_000 + delay)
        #expect(never.phase == [.localCandidate, .localCandidate])
        #expect(late.phases.starts(with: never.phases))
        #expect(late.silences(of: 0) == never.silences(of: 0))
        #expect(delay == .max || late.phase == [.internetConnected, .internetConnected])
    }

    @Test(
        "Returning to the radio loses nothing and plays nothing late (K-13, A-F-012)",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func returns(seed: UInt64) throws {
        let pair = PathPair(seed: seed)
        pair.bringLocalUp()
        pair.local.jitterMilliseconds = 10
        pair.internet.jitterMilliseconds = 30
        pair.local.lossPercent = Self.dying(warned: 20_000, cut: 24_000, again: 60_000)
        pair.run(to: 120_000)
        for phone in 0...1 {
            let probing = try #require(pair.first(.localProbing, phone: phone))
            let both = try #require(pair.first(.handoverToLocal, phone: phone))
            let local = try #require(pair.first(.localConnected, phone: phone, after: both))
            #expect((5_000...10_000).contains(both - probing), "S-HO-002: 5 to 10 s of probing")
            #expect((500...1_500).contains(local - both), "S-HO-002: 0.5 to 1.5 s of both")
            #expect(pair.longestSilence(of: phone, from: 30_000) == 0)
            #expect(pair.copies(of: phone, from: both, to: local) > 20)
        }
        let standby = try #require(pair.first(.localConnected, after: 60_000)) + 30_000
        #expect(pair.phase == [.localConnected, .localConnected])
        let bytes = pair.bytesByInternet
        pair.run(to: standby + 5_000)
        let after = pair.bytesByInternet
        pair.run(to: standby + 60_000)
        #expect(pair.bytesByInternet == after, "the Internet is released")
        #expect(after - bytes < 30_000, "as backup it carries pings and notices alone")
    }

    @Test(
        "The Internet fails during the handover to it: the radio carries on, and it is asked again"
    )
    func internetFails() throws {
        let pair = PathPair()
        pair.bringLocalUp()
        pair.local.lossPercent = { milliseconds, _ in milliseconds < 20_000 ? 0 : 8 }
        pair.hasInternet = { !(24_000..<50_000).contains($0) }
        pair.run(to: 40_000)
        let both = try #require(pair.first(.handoverToInternet))
        let lost = try #require(pair.phases.first { $0.cause == .internetLost })
        #expect(both < lost.milliseconds && lost.milliseconds < 24_100)
        #expect(lost.phase == .internetConnecting)
        #expect(pair.sendingPaths == [.local, .local])
        #expect(pair.isInternetUnavailable == [true, true], "the cards can show it (A-F-009)")
        #expect(pair.longestSilence(of: 0, from: 24_000) <= 80, "a radio that loses 8 % is kept")
        let requests = pair.requests
        pair.run(to: 80_000)
        #expect(pair.requests - requests <= 12)
        let again = try #require(pair.first(.handoverToInternet, after: 50_000))
        #expect(again <= 50_000 + 32_000 + 3_000)
        #expect(pair.isInternetUnavailable == [false, false])
    }

    @Test("The Internet fails during the return to the radio: the pair is on the radio at once")
    func internetFailsOnReturn() throws {
        let pair = PathPair()
        pair.bringLocalUp()
        pair.local.lossPercent = Self.dying(warned: 20_000, cut: 24_000, again: 40_000)
        pair.run(to: 50_000)
        let both = try #require(pair.first(.handoverToLocal))
        let failing = PathPair()
        failing.bringLocalUp()
        failing.local.lossPercent = pair.local.lossPercent
        failing.hasInternet = { $0 < both + 300 }
        failing.run(to: both + 10_000)
        #expect(failing.phase == [.localConnected, .localConnected])
        #expect(failing.longestSilence(of: 0, from: 30_000) == 0)
        let back = try #require(failing.first(.localConnected, after: both))
        #expect(back - both <= 320)
    }

    @Test("Neither radio nor Internet: it is said, and asked for ever less often (A-F-009)")
    func nothing() {
        let pair = PathPair()
        pair.bringLocalUp()
        pair.local.lossPercent = Self.dying(warned: 20_000, cut: 20_000, again: 400_000)
        pair.hasInternet = { _ in false }
        pair.run(to: 320_000)
        #expect(pair.phase == [.internetConnecting, .internetConnecting])
        #expect(pair.isInternetUnavailable == [true, true])
        #expect(
            (8...26).contains(pair.requests),
            "\(pair.requests) requests of two phones in 5 min"
        )
        pair.run(to: 410_000)
        #expect(pair.phase == [.localConnected, .localConnected])
    }

    @Test("One way alone is lossy: who hears it tells who sends")
    func oneWay() throws {
        let pair = PathPair()
        pair.bringLocalUp()
        pair.local.lossPercent = { milliseconds, sender in
            milliseconds >= 20_000 && sender == 1 ? 12 : 0
        }
        pair.run(to: 24_000)
        let first = try #require(pair.phases.first { $0.milliseconds > 20_000 })
        #expect(first.phone == 0 && first.cause == .quality)
        #expect(pair.phase == [.handoverToInternet, .handoverToInternet])
        #expect(pair.phases.contains { $0.phone == 1 && $0.cause == .notice })
    }

    @Test("A cut while nobody talks is acted on within three keepalive periods")
    func silentCut() throws {
        for offset in stride(from: 0 as Int64, to: 1_000, by: 130) {
            let pair = PathPair()
            pair.talkers = []
            pair.bringLocalUp()
            pair.local.lossPercent = Self.dying(warned: 20_000 + offset, cut: 20_000 + offset)
            pair.run(to: 30_000)
            for phone in 0...1 {
                let noticed = try #require(pair.first(.internetConnecting, phone: phone))
                #expect(noticed - 20_000 - offset <= 3_000)
            }
        }
    }

    @Test(
        "Without radio the Internet is brought up after 4 s, and the radio is returned to when found"
    )
    func coldStart() throws {
        let pair = PathPair()
        pair.run(to: 14_000)
        #expect(pair.phases.first?.milliseconds == 4_000)
        #expect(pair.phase == [.internetConnected, .internetConnected])
        pair.bringLocalUp()
        pair.run(to: 30_000)
        #expect(pair.phase == [.localConnected, .localConnected])
    }

    @Test(
        "A radio that comes up beside a flickering Internet is returned to as beside a good one",
        arguments: [(2_500, 450), (3_000, 450), (5_000, 500)] as [(Int64, Int64)]
    )
    func flickeringInternet(period: Int64, outage: Int64) throws {
        let pair = PathPair()
        pair.internet.lossPercent = { milliseconds, _ in
            milliseconds > 8_000 && milliseconds % period < outage ? 100 : 0
        }
        pair.run(to: 20_000)
        #expect(pair.phase == [.internetConnected, .internetConnected])
        pair.bringLocalUp()
        pair.run(to: 60_000)
        #expect(pair.phase == [.localConnected, .localConnected])
        for phone in 0...1 {
            let back = try #require(pair.first(.localConnected, phone: phone))
            #expect(back <= 30_000, "back on the radio after \(back - 20_000) ms")
            #expect(pair.longestSilence(of: phone, from: 20_500) == 0)
        }
    }

    @Test("A radio that comes and goes every 3 s is left, and not returned to")
    func flapping() {
        let pair = PathPair()
        pair.bringLocalUp()
        pair.local.lossPercent = { milliseconds, _ in milliseconds / 3_000 % 2 == 0 ? 0 : 100 }
        pair.run(to: 300_000)
        #expect(pair.switches == 1)
        #expect(pair.longestSilence(of: 0, from: 6_000) == 0)
        #expect(pair.longestSilence(of: 1, from: 6_000) == 0)
    }

    @Test(
        "Walking at the edge of reach: at most one change in 10 s, silent 1 % of the time at most",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func edge(seed: UInt64) {
        let pair = PathPair(seed: seed)
        pair.bringLocalUp()
        var random = LawRandom(seed: seed &* 77)
        // A walk over steps of loss, one step a second at most, both ways alike.
        let steps = [0, 0, 0, 1, 4, 9, 20, 45, 100, 100, 100]
        var index = 0
        let losses = (0..<300).map { _ in
            index = min(max(index + random.below(3) - 1, 0), steps.count - 1)
            return steps[index]
        }
        pair.local.lossPercent = { milliseconds, _ in losses[min(Int(milliseconds / 1_000), 299)] }
        pair.run(to: 300_000)
        #expect(pair.switches <= 15, "\(pair.switches) changes in 5 min")
        let returns = pair.phases.filter { $0.phone == 0 && $0.phase == .handoverToLocal }
        for (one, next) in zip(returns, returns.dropFirst()) {
            #expect(next.milliseconds - one.milliseconds >= 10_000)
        }
        for phone in 0...1 {
            let start = pair.first(.handoverToInternet, phone: phone) ?? 300_000
            let silent = pair.silences(of: phone, from: start).reduce(0, +)
            #expect(silent * 100 <= 300_000, "\(silent) ms silent")
        }
    }
}
