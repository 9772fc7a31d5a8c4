@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("A lite ICE agent that waits to be nominated")
struct RoomServerNominationTests {
    private func timeToConnect(_ delay: Duration, awaitsNomination: Bool) throws -> Duration {
        var configuration = RoomServerConfiguration()
        configuration.awaitsNomination = awaitsNomination
        var pair = RoomServerPair(delay: delay, serverConfiguration: configuration)
        pair.connect()
        let time = pair.time(until: .seconds(10)) { $0.callbacks.contains(.connected) }
        return try #require(time)
    }

    @Test(
        "What a connect takes longer: the checks that are out put the next one off (RS-04)",
        arguments: [
            (25, Duration.milliseconds(0), Duration.milliseconds(60)),
            (75, .milliseconds(840), .milliseconds(910)),
            (125, .milliseconds(2_440), .milliseconds(2_510)),
        ]
    )
    func connects(oneWay: Int, least: Duration, most: Duration) throws {
        let delay = Duration.milliseconds(oneWay)
        let plain = try timeToConnect(delay, awaitsNomination: false)
        let awaiting = try timeToConnect(delay, awaitsNomination: true)
        let longer = awaiting - plain
        #expect(longer >= least && longer <= most, "\(longer)")
    }

    @Test("After darkness voice flows again both ways (RS-11)", arguments: [3, 12, 21])
    func recovers(seconds: Int) throws {
        var configuration = RoomServerConfiguration()
        configuration.awaitsNomination = true
        var pair = RoomServerPair.connected(serverConfiguration: configuration)
        #expect(pair.isTwoWay)
        pair.isCut = [.signalling, .media]
        pair.run(for: .seconds(seconds))
        pair.isCut = []
        #expect(pair.time(until: .seconds(40), \.isTwoWay) != nil)
        pair.run(for: .seconds(60))
        #expect(pair.isTwoWay)
    }
}
