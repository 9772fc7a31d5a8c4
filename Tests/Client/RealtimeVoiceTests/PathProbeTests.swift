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

    /// Sends the probe that is due and has it answered.
    private func answer(_ probe: inout PathProbe, at second: Int64) throws -> PathProbe.Finding {
        let next = probe.next(at: at(second))
        let question = try #require(next)
        return probe.answered(question.operation, at: at(second))
    }

    @Test("Probes lost with the path say nothing of the room server, once it is back (K-19, K-20)")
    func pathReturns() throws {
        var probe = lost()
        let other = try answer(&probe, at: 13)
        #expect(other == .pathReturned(lostUntil: at(12)))
        var unlucky = probe
        let server = try answer(&probe, at: 14)
        #expect(server == .nothing)
        // One more is lost, by chance.
        _ = unlucky.next(at: at(14))
        _ = try answer(&unlucky, at: 15)
        #expect(!unlucky.isServerAway)
    }

    @Test(
        "A probe lost on a path that was left says nothing of the room server (K-19, K-20)",
        arguments: [true, false]
    )
    func pathChanges(isLeft: Bool) throws {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        _ = probe.next(at: at(10))
        let other = try answer(&probe, at: 11)
        #expect(other == .nothing)
        if isLeft { probe.pathChanged(at: at(12)) }
        let server = try answer(&probe, at: 12)
        #expect(server == (isLeft ? .nothing : .serverReturned(lostUntil: at(10))))
    }

    @Test("Probes without an answer say that the path is dark, until nobody probes any more (D-08)")
    func dark() {
        var probe = lost()
        #expect(probe.isUnanswered)
        probe.settle(isWanted: false, at: at(14))
        #expect(!probe.isUnanswered)
    }
}
