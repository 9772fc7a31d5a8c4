import AppServer
@testable import KodamaBackend
import SansIO
import SansIOTesting
import Testing

private typealias Story = PushServiceStory

@Suite("The app server's push provider and the push service, face to face (VP-07)")
struct PushServicePairTests {
    @Test("A push is accepted and delivered once, and a day's silence does not kill the connection")
    func day() {
        var pair = PushServicePair(Story.settings)
        pair.order("c-1")
        pair.run(until: .seconds(10))
        pair.run(until: .seconds(86_400))
        pair.order("c-2")
        pair.run(until: .seconds(86_410))
        #expect(pair.outcomes == ["c-1 accepted", "c-2 accepted"])
        #expect(pair.deliveries == ["c-1 at 130 ms", "c-2 at 86400110 ms"])
        #expect(pair.connections == 1)
        #expect(pair.tokensMinted == 2)
    }

    @Test("A silent service costs five seconds: the same push arrives by another connection")
    func silence() {
        var pair = PushServicePair(Story.settings)
        pair.order("c-1")
        pair.run(until: .seconds(10))
        pair.suffer(.goSilent(for: .seconds(3)))
        pair.order("c-2")
        pair.run(until: .seconds(60))
        #expect(pair.outcomes == ["c-1 accepted", "c-2 accepted"])
        #expect(pair.deliveries.count == 2)
        #expect(pair.deliveries.last == "c-2 at 15380 ms")
        #expect(pair.connections == 2)
    }

    @Test(
        "An answer later than five seconds makes one push two deliveries, of one identity and one call"
    )
    func lateAnswer() {
        var pair = PushServicePair(Story.settings)
        pair.suffer(.slow(by: .seconds(7), for: .seconds(1)))
        pair.order("c-1")
        pair.run(until: .seconds(60))
        #expect(pair.outcomes == ["c-1 accepted"])
        #expect(pair.deliveries.count == 2)
        #expect(pair.identities.count == 1)
    }

    @Test(
        "What the service refuses for a while arrives when it accepts again",
        arguments: [.shutdown, .serviceUnavailable, .internalServerError, .tooManyRequests]
            as [PushReason]
    )
    func refusals(reason: PushReason) {
        var pair = PushServicePair(Story.settings)
        pair.suffer(.refuse(reason, for: .seconds(5)))
        pair.order("c-1")
        pair.run(until: .seconds(60))
        #expect(pair.outcomes == ["c-1 accepted"])
        #expect(pair.deliveries.count == 1)
    }

    @Test("A replaced token's 410 names the time of its death, and is given up")
    func dead() {
        var pair = PushServicePair(Story.settings)
        pair.run(until: .seconds(3))
        pair.invalidate()
        pair.order("c-1")
        pair.run(until: .seconds(60))
        #expect(pair.outcomes == ["forgotten at 3 s", "c-1 unregistered"])
        #expect(pair.deliveries.isEmpty)
    }

    @Test(
        "In a day of faults each push ends, and none that was accepted is lost",
        arguments: 0..<10 as Range<UInt64>
    )
    func faults(seed: UInt64) {
        var settings = PushServiceSettings()
        settings.stragglers = .zero
        var pair = PushServicePair(settings, seed: seed)
        var random = LawRandom(seed: seed)
        for number in 0..<200 {
            pair.order("c-\(number)")
            pair.run(until: pair.time + .seconds(random.below(900)))
            guard random.chance(percent: 30) else { continue }
            switch random.below(4) {
            case 0: pair.suffer(.goSilent(for: .seconds(random.below(20))))
            case 1: pair.suffer(.slow(by: .seconds(random.below(8)), for: .seconds(60)))
            case 2: pair.suffer(.refuse(.shutdown, for: .seconds(random.below(20))))
            default: pair.suffer(.closeConnections)
            }
        }
        pair.run(until: pair.time + .seconds(120))
        #expect(pair.outcomes.count == 200)
        let delivered = Set(pair.deliveries.map { $0.split(separator: " ")[0] })
        for outcome in pair.outcomes where outcome.hasSuffix("accepted") {
            #expect(delivered.contains(outcome.split(separator: " ")[0]), "\(outcome)")
        }
        #expect(pair.tokensMinted < 200 * 900 / 1_200)
    }
}
