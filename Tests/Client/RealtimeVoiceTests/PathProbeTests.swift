import SansIO
import Testing

@testable import RealtimeVoice

@Suite("The probes of a path")
struct PathProbeTests {
    /// A probe of a room server that answers at first, and no more once the path is lost at 10 s.
    private func lost() -> PathProbe {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        for second in 10..<13 as Range<Int64> { _ = probe.next(at: at(second)) }
        return probe
    }

    private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test("Probes without an answer say that the path is dark, until nobody probes any more (D-08)")
    func dark() {
        var probe = lost()
        #expect(probe.isUnanswered)
        probe.settle(isWanted: false, at: at(14))
        #expect(!probe.isUnanswered)
    }
}
