import Testing

@testable import PeerTransport

@Suite("Transit times (S-AUD-004)")
struct TransitWindowTests {
    private let rule = TransitWindow.Rule(
        windowFrames: 500,
        latePartsPerMillion: 0,
        lateGrowthPartsPerMillion: 0
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
}
