import SansIO
import SansIOTesting
import Testing

@testable import PingClient

@Suite("The client machine of ping")
struct PingRequesterTests {
    @Test("What is not answered is asked for again, and its answer shown once")
    func asksAgain() throws {
        var machine = PingRequester(.init(), seed: 1)
        #expect(machine.handle(.launched, at: .zero) == [.send(number: 1)])
        let due = try #require(machine.deadline?.instant)
        #expect(machine.wake(at: due) == [.send(number: 1)])
        let shown = machine.handle(.answered(number: 1), at: due)
        #expect(shown == [.show(number: 1, asked: .zero, attempts: 2)])
        #expect(machine.handle(.answered(number: 1), at: due) == [])
    }

    @Test("After the last attempt the user is told that it failed")
    func givesUp() throws {
        var configuration = PingRequester.Configuration()
        configuration.attemptsMax = 3
        configuration.interval = .seconds(60)
        var machine = PingRequester(configuration, seed: 1)
        var effects = machine.handle(.launched, at: .zero)
        while let due = machine.deadline?.instant, due < Instant.zero.advanced(by: .seconds(60)) {
            effects += machine.wake(at: due)
        }
        let sent = [PingRequester.Effect](repeating: .send(number: 1), count: 3)
        #expect(effects == sent + [.fail(number: 1, attempts: 3)])
    }

    @Test("The machine keeps the laws of machines", arguments: 1...20 as ClosedRange<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(seed: seed, steps: 500) {
            PingRequester(.init(), seed: seed)
        } event: { random, _ in
            switch random.below(10) {
            case 0: .launched
            case 1: .wanted(count: Int(random.below(100)))
            default: .answered(number: Int64(random.below(500)))
            }
        }
    }
}
