import Testing

@testable import PeerTransport

@Suite("Transit times (S-AUD-004)")
struct TransitWindowTests {
    private let rule = TransitWindow.Rule(
        windowFrames: 500,
        latePartsPerMillion: 0,
        lateGrowthPartsPerMillion: 0,
        ceilingBins: 600
    )

    /// A window with a second of frames that took 60 ms, and then one that took `milliseconds`.
    private func window(then milliseconds: Int64) -> TransitWindow {
        var window = TransitWindow(rule: rule)
        for index in 0..<50 as Range<Int64> {
            window.record(index: index, transitNanoseconds: 60_000_000, rule: rule)
        }
        window.record(index: 50, transitNanoseconds: milliseconds * 1_000_000, rule: rule)
        return window
    }

    @Test("A frame that is 10 ms faster than all others opens a route: what was learnt is void")
    func fasterRoute() {
        let window = window(then: 50)
        #expect(window.count == 1)
        #expect(window.fastestNanoseconds == 50_000_000)
        #expect(window.spreadNanoseconds == 1_000_000)
    }

    @Test("A frame that is 9 ms faster came by the same route")
    func sameRoute() {
        let window = window(then: 51)
        #expect(window.count == 51)
        #expect(window.spreadNanoseconds == 10_000_000)
    }

    @Test("After 5 s without a frame within the ceiling the route is a slower one (D-15)")
    func slowerRoute() {
        var window = window(then: 760)
        for index in 51..<300 as Range<Int64> {
            window.record(index: index, transitNanoseconds: 760_000_000, rule: rule)
        }
        #expect(window.fastestNanoseconds == 60_000_000)
        window.record(index: 300, transitNanoseconds: 760_000_000, rule: rule)
        #expect(window.count == 1)
        #expect(window.fastestNanoseconds == 760_000_000)
    }

    @Test("Frames just within the ceiling came by the same route, however many (D-15)")
    func routeAtCeiling() {
        var window = window(then: 660)
        for index in 51..<400 as Range<Int64> {
            window.record(index: index, transitNanoseconds: 660_000_000, rule: rule)
        }
        #expect(window.count == 400)
        #expect(window.fastestNanoseconds == 60_000_000)
    }

    @Test("What a jam of 8 s held up came by the same route (S-AUD-004)")
    func jammedRoute() {
        var window = window(then: 60)
        for index in 51..<450 as Range<Int64> {
            let transit: Int64 = 60_000_000 + (449 - index) * 20_000_000
            window.record(index: index, transitNanoseconds: transit, rule: rule)
        }
        #expect(window.count == 450)
    }

    @Test("A few late words before and after a long pause came by the same route")
    func fewSlowFrames() {
        var window = window(then: 760)
        for index in Array(51..<75) + Array(475..<499) as [Int64] {
            window.record(index: index, transitNanoseconds: 760_000_000, rule: rule)
        }
        #expect(window.fastestNanoseconds == 60_000_000)
    }
}
