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

    @Test("A path that was slow before an outage is slow until a probe says otherwise (K-19)")
    func knownToBeSlow() throws {
        var probe = lost()
        for start in [20, 60] as [Int64] {
            probe.settle(isWanted: false, at: at(start))
            probe.settle(isWanted: true, known: .seconds(2), at: at(start + 20))
            #expect(probe.roundTrip == .seconds(2))
            _ = try answer(&probe, at: start + 21)
            #expect(probe.roundTrip == .zero)
        }
        probe.settle(isWanted: false, at: at(100))
        probe.settle(isWanted: true, at: at(120))
        #expect(probe.roundTrip == nil)
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
        "Probes lost on a path that was left say nothing of the room server (K-19, K-20)",
        arguments: [true, false]
    )
    func pathChanges(isLeft: Bool) throws {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        for second in [10, 12] as [Int64] {
            _ = probe.next(at: at(second))
            let other = try answer(&probe, at: second + 1)
            #expect(other == .nothing)
        }
        #expect(probe.isServerAway)
        if isLeft { probe.pathChanged(at: at(14)) }
        let server = try answer(&probe, at: 14)
        #expect(server == (isLeft ? .nothing : .serverReturned(lostUntil: at(12))))
    }

    @Test("Probes without an answer say that the path is dark, until nobody probes any more (D-08)")
    func dark() {
        var probe = lost()
        #expect(probe.isUnanswered)
        probe.settle(isWanted: false, at: at(14))
        #expect(!probe.isUnanswered)
    }

    /// What each of a row of probes shows, lost or answered: the room server's first, then in turn.
    private func findings(_ answers: [Bool]) -> [PathProbe.Finding] {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        return answers.enumerated().map { index, isAnswered in
            let now = at(10 + Int64(index))
            guard let (operation, _) = probe.next(at: now), isAnswered else { return .nothing }
            return probe.answered(operation, at: now)
        }
    }

    @Test("One lost probe of the room server says nothing of it: it may be chance (K-19)")
    func chance() {
        #expect(findings([true, true, false, true, true]).last == .nothing)
        #expect(findings([false, true, true]).last == .nothing)
    }

    @Test("A server is not taken to be back that nobody could reach while the path was dead (K-19)")
    func deadPath() {
        let shown = findings([false, false, false, true, true, true, false, true, true])
        #expect(shown[3] == .pathReturned(lostUntil: at(12)))
        #expect(shown[4] == .nothing)
        #expect(shown[8] == .nothing)
        // Nor is one lost probe more than chance right after it.
        #expect(findings([false, false, false, true, false, true, true]).last == .nothing)
    }

    /// Both hosts answer, but for single losses of the room server's probes.
    private let lossy = [true, true, false, true, true, true, false, true, true]

    @Test("On a path that loses probes now and then two in a row are chance, five are not (K-10)")
    func lossyPath() {
        #expect(findings(lossy + [false, false, true]).last == .nothing)
        let lost = Array(repeating: false, count: 5)
        #expect(findings(lossy + lost + [true]).last == .pathReturned(lostUntil: at(23)))
        // Nor is a server away whose probes are lost twice among answers of the other host.
        #expect(findings(lossy + [true, false, true, false, true, true]).last == .nothing)
    }

    @Test("On a path that has carried no voice two lost probes are chance, and five are not (K-02)")
    func unknownPath() throws {
        var probe = lost()
        probe.isPathKnown = false
        let chance = try answer(&probe, at: 13)
        #expect(chance == .nothing)
        for second in 14..<19 as Range<Int64> { _ = probe.next(at: at(second)) }
        let back = try answer(&probe, at: 19)
        #expect(back == .pathReturned(lostUntil: at(18)))
    }

    @Test("A path that was lost once, and is lost again, is not a lossy one (K-19)")
    func lostTwice() {
        let shown = findings([
            true, true, false, false, false, false, true, true, false, false, true,
        ])
        #expect(shown[6] == .pathReturned(lostUntil: at(15)))
        #expect(shown[10] == .pathReturned(lostUntil: at(19)))
    }

    @Test("A server that twice left answers to the other host is back with its own (K-20)")
    func away() {
        #expect(
            findings([false, true, false, true, true]).last == .serverReturned(lostUntil: at(12))
        )
    }

    @Test("The other host is back if two of its probes were lost among the room server's (K-19)")
    func otherAway() {
        let shown = findings([true, false, true, false, true, true])
        #expect(shown.last == .otherReturned(lostUntil: at(13)))
        #expect(findings([true, true, true, false, true, true]).last == .nothing)
    }

    @Test("A server found away is back with its first answer, whatever was lost meanwhile (K-20)")
    func awayOnLossyPath() {
        let shown = findings([false, true, false, true, false, false, false, true, true])
        #expect(shown[7] == .pathReturned(lostUntil: at(16)))
        #expect(shown[8] == .serverReturned(lostUntil: at(16)))
    }

    @Test("A server is away if it does not answer while the other host does, twice at least (K-20)")
    func foundAway() {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        var isAway: [Bool] = []
        // The path is dead until 13 s, the server until 18 s.
        for second in 10..<20 as Range<Int64> {
            guard let (operation, host) = probe.next(at: at(second)) else { continue }
            if second >= 13, host == .other || second >= 18 {
                _ = probe.answered(operation, at: at(second))
            }
            isAway.append(probe.isServerAway)
        }
        let until17 = [false, false, false, false, false, false, false, true]
        #expect(isAway == until17 + [false, false])
    }

    @Test("After a minute each probe asks a server that is away, at a drawn time (K-19, K-20)")
    func awayForLong() throws {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        for second in [10, 12] as [Int64] {
            _ = probe.next(at: at(second))
            _ = try answer(&probe, at: second + 1)
        }
        probe.part(by: .seconds(7))
        // The next one would be due at 70.3 s, and 7 s are 1 s beyond two intervals.
        _ = probe.next(at: Instant(nanoseconds: 69_800_000_000))
        #expect(!probe.asksServerOnly)
        var hosts: [ProbeHost?] = []
        for second in [71, 72, 75, 78] as [Int64] {
            hosts.append(probe.next(at: at(second))?.host)
        }
        let expected: [ProbeHost?] = [nil, .roomServer, .roomServer, .roomServer]
        #expect(hosts == expected)
        #expect(probe.asksServerOnly)
        // What it has lost alone says nothing of the path.
        #expect(!probe.isUnanswered)
        let back = try answer(&probe, at: 81)
        #expect(back == .serverReturned(lostUntil: at(78)))
        #expect(!probe.asksServerOnly)
    }

    @Test("A server that answered before the path was lost is found away once it is back (K-20)")
    func awayAfterPath() throws {
        var probe = PathProbe(configuration: ProbeConfiguration())
        if let first = probe.acquaint(at: .zero) { _ = probe.answered(first, at: .zero) }
        probe.settle(isWanted: true, at: at(10))
        for second in 10..<12 as Range<Int64> { _ = try answer(&probe, at: second) }
        for second in 12..<15 as Range<Int64> { _ = probe.next(at: at(second)) }
        let other = try answer(&probe, at: 15)
        #expect(other == .pathReturned(lostUntil: at(14)))
        for second in [16, 18] as [Int64] {
            #expect(!probe.isServerAway)
            _ = probe.next(at: at(second))
            _ = try answer(&probe, at: second + 1)
        }
        #expect(probe.isServerAway)
    }

    /// A probe of a path on which nobody answers, and two connects were refused.
    private func refused() -> PathProbe {
        var probe = lost()
        for _ in 0..<2 { probe.connectFailed(isRefused: true) }
        return probe
    }

    @Test("A server that refuses while nobody answers is away, and back with its answer (K-20)")
    func refuses() throws {
        var probe = refused()
        #expect(probe.isServerAway)
        _ = probe.next(at: at(13))
        let server = try answer(&probe, at: 14)
        #expect(server == .serverReturned(lostUntil: at(13)))
        #expect(!probe.isServerAway)
    }

    @Test("Where the other host is back long before, the refusing server stays away (K-20)")
    func refusesLonger() throws {
        var probe = refused()
        let other = try answer(&probe, at: 13)
        #expect(other == .otherReturned(lostUntil: at(12)))
        _ = probe.next(at: at(14))
        let again = try answer(&probe, at: 15)
        #expect(again == .nothing)
        #expect(probe.isServerAway)
        let server = try answer(&probe, at: 16)
        #expect(server == .serverReturned(lostUntil: at(14)))
    }

    @Test("Where both hosts are back in a row it was the path, whatever refused (K-19)")
    func bothBack() throws {
        var probe = refused()
        var serverFirst = probe
        _ = try answer(&probe, at: 13)
        let server = try answer(&probe, at: 14)
        #expect(server == .pathReturned(lostUntil: at(12)))
        #expect(!probe.isServerAway)

        _ = serverFirst.next(at: at(13))
        _ = try answer(&serverFirst, at: 14)
        let other = try answer(&serverFirst, at: 15)
        #expect(other == .pathReturned(lostUntil: at(13)))
    }

    @Test("A single refusal says nothing, nor do two with a silent connect between (K-19)")
    func refusedOnce() throws {
        var probe = lost()
        for isRefused in [true, false, true] { probe.connectFailed(isRefused: isRefused) }
        #expect(!probe.isRefused)
        let other = try answer(&probe, at: 13)
        #expect(other == .pathReturned(lostUntil: at(12)))
    }

    @Test("Refusals end with the outage: the next conversation knows nothing of them (RS-06)")
    func refusedThenLeft() {
        var probe = refused()
        probe.settle(isWanted: false, at: at(14))
        #expect(!probe.isRefused)
        #expect(!probe.isServerAway)
    }

    @Test("A host whose first answer ends a refusal is known to answer from then on (K-20)")
    func refusedThenKnown() throws {
        var probe = refused()
        #expect(!probe.knowsOther)
        _ = try answer(&probe, at: 13)
        #expect(probe.knowsOther)
    }
}
