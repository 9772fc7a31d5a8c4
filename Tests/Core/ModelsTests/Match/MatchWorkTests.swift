@testable import KodamaIntercom
@testable import KodamaNetwork
@testable import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

@Suite("The work of a match service, counted in what it looks at")
struct MatchWorkTests {
    /// What the service has looked at, and how many connections stood, when all look for others for 40 s, a
    /// third of them falls silent in the middle, and all leave.
    private func work(of count: Int, together: Int) -> (work: Int, connected: Int) {
        let random = RandomStream(seed: 1, purpose: "match", entity: "service")
        var service = MatchService(configuration: MatchConfiguration(), random: random)
        var connected = 0
        for beat in 0..<20 {
            for player in 0..<count where beat < 10 || player % 3 != 0 {
                let spread = Int64(player) * 2_000_000_000 / Int64(count)
                let now = Instant(nanoseconds: Int64(beat) * 2_000_000_000 + spread)
                while let due = service.deadline?.instant, due <= now {
                    _ = service.wake(at: due)
                }
                let group = UInt64(player / together)
                let message = MatchMessage.seeking(
                    player: UInt64(player),
                    session: UInt64(7 * player % count),
                    info: (0..<8).map { UInt8(truncatingIfNeeded: group >> (8 * $0)) },
                    request: 1,
                    closed: []
                )
                let socket = MatchTable.socket(player)
                _ = service.handle(.received(message, from: socket), at: now)
            }
            connected = max(connected, service.connectedCount)
        }
        let end = Instant(nanoseconds: 40_000_000_000)
        for player in 0..<count {
            let leaving = MatchMessage.leaving(player: UInt64(player))
            _ = service.handle(.received(leaving, from: MatchTable.socket(player)), at: end)
        }
        return (service.work, connected)
    }

    @Test(
        "Twice the players are twice the work and a little more, in groups of two and in one crowd (HN-01)"
    )
    func growth() {
        for (isCrowd, connected) in [(false, 500), (true, 120)] {
            let half = work(of: 500, together: isCrowd ? 500 : 2)
            let whole = work(of: 1_000, together: isCrowd ? 1_000 : 2)
            #expect(whole.connected == connected)
            #expect(half.work > 500)
            // n log n: 2 · log₂ 1,000 ÷ log₂ 500 is 2.2.
            #expect(whole.work * 10 <= half.work * 23, "\(half.work), then \(whole.work)")
        }
    }
}
