import AppServer
@testable import KodamaBackend
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushService.Effect
private typealias Story = PushServiceStory

@Suite("The push service's laws")
struct PushServiceLawTests {
    @Test("The service keeps the laws of its contract", arguments: 0..<8 as Range<UInt64>)
    func laws(block: UInt64) throws {
        var deliveries = 0
        var discards = 0
        for seed in block * 5..<block * 5 + 5 {
            var settings = PushServiceSettings()
            settings.absenceNoticed = .milliseconds(1) ... .seconds(30)
            settings.connectionIdleLife = .seconds(10) ... .seconds(60)
            settings.duplicates = Probability(partsPerMillion: 200_000)
            settings.stragglers = Probability(partsPerMillion: 200_000)
            settings.olderKept = Probability(partsPerMillion: 500_000)
            try checkLaws(
                seed: seed,
                steps: 400,
                make: { Self.service(settings, seed: seed) },
                frame: { effect in
                    switch effect {
                    case .deliver: deliveries += 1
                    case .discarded: discards += 1
                    default: break
                    }
                    return nil
                },
                event: { random, now in Self.event(&random, at: now, seed: seed) }
            )
        }
        #expect(deliveries > 100, "stories without pushes prove little")
        #expect(discards > 40, "stories in which all goes well prove little")
    }

    /// A service that knows three devices with two topics each, two of them online, and four connections.
    private static func service(_ settings: PushServiceSettings, seed: UInt64) -> PushService {
        let clock = WallClock(showing: Story.launch)
        var service = PushService(settings: settings, clock: clock, seed: seed)
        for number: UInt32 in 0..<3 {
            let device = PushDeviceID(number: number)
            if number > 0 { service.handle(.deviceConnected(device), at: .zero) }
            for topic in topics {
                let request = PushService.Event.tokenRequested(device, topic: topic)
                service.handle(request, at: .zero)
            }
        }
        for number: UInt32 in 0..<4 {
            let id = PushConnectionID(number: number)
            service.handle(.providerOpened(id), at: .zero)
        }
        return service
    }

    private static let topics = ["app.kodama", "app.kodama.voip"]

    private static func event(
        _ random: inout LawRandom,
        at now: Instant,
        seed: UInt64
    ) -> PushService.Event {
        let device = PushDeviceID(number: UInt32(random.below(3)))
        let topic = random.chance(percent: 2) ? "" : topics[random.below(2)]
        let connection = PushConnectionID(number: UInt32(random.below(4)))
        switch random.below(40) {
        case 0: return .fault(fault(&random))
        case 1 where random.chance(percent: 30): return .appRemoved(device, topic: topic)
        case 2 where random.chance(percent: 30): return .tokenInvalidated(device, topic: topic)
        case 3, 4: return .tokenRequested(device, topic: topic)
        case 5, 6: return .providerClosed(connection)
        case 7...10: return .providerOpened(connection)
        case 11, 12: return .providerPinged(connection)
        case 13...15: return .deviceConnected(device)
        case 16, 17: return .deviceDisconnected(device)
        case 18...20: return .acknowledged(device, Story.id(UInt64(random.below(40))))
        default:
            let operation = OperationID(number: UInt32(random.below(100)))
            let request = request(&random, of: device, topic, at: now, seed: seed)
            return .requested(request, operation, on: connection)
        }
    }

    private static func request(
        _ random: inout LawRandom,
        of device: PushDeviceID,
        _ topic: String,
        at now: Instant,
        seed: UInt64
    ) -> PushRequest {
        let tokens = Story.token(of: device, for: topic, number: 1 + random.below(2), seed: seed)
        let expirations = ["0", "1", nil, "\(Story.launch.secondsSince1970 + 60)"]
        return Story.request(
            UInt64(random.below(40)),
            to: tokens,
            tokenAge: random.chance(percent: 2) ? nil : .zero,
            at: .seconds(now.nanoseconds / 1_000_000_000 / 1_800 * 1_800),
            replacing: [
                "apns-topic": topic,
                "apns-push-type": topic.hasSuffix("voip") ? "voip" : "alert",
                "apns-expiration": expirations[random.below(4)],
                "apns-id": random.chance(percent: 10) ? nil : Story.id(7).text,
            ]
        )
    }

    private static func fault(_ random: inout LawRandom) -> PushServiceFault {
        switch random.below(6) {
        case 0:
            let reason = PushReason.allCases[random.below(PushReason.allCases.count)]
            return .refuse(reason, for: .seconds(random.below(20)))
        case 1: return .goSilent(for: .milliseconds(random.below(3_000)))
        case 2: return .slow(by: .milliseconds(random.below(8_000)), for: .seconds(20))
        case 3: return .closeConnections
        default: return .clear
        }
    }

    @Test("What nobody fetches or confirms takes a bounded amount of memory")
    func bounds() {
        var service = PushService(
            settings: Story.settings,
            clock: WallClock(showing: Story.launch),
            seed: Story.seed
        )
        var counts: [String: Int] = [:]
        func send(_ event: PushService.Event, at time: Duration) {
            for effect in service.handle(event, at: Instant.zero.advanced(by: time)) {
                counts[Self.name(effect), default: 0] += 1
            }
        }
        // Devices beyond the limit are not heard, and connections beyond it end the oldest.
        for number: UInt32 in 0..<1_100 {
            let device = PushDeviceID(number: number)
            send(.deviceConnected(device), at: .zero)
            send(.tokenRequested(device, topic: Story.voip), at: .zero)
        }
        #expect(counts["issueToken"] == 1_024)
        for number: UInt32 in 1...80 {
            send(.providerOpened(PushConnectionID(number: number)), at: .zero)
        }
        #expect(counts["closed"] == 80 - 64)
        // A device that confirms nothing: the oldest goes.
        let connection = PushConnectionID(number: 80)
        for number: UInt64 in 1...50 {
            let request = Story.request(number, to: Story.token(of: PushDeviceID(number: 7)))
            send(.requested(request, OperationID(number: 1), on: connection), at: .zero)
        }
        send(.deviceConnected(PushDeviceID(number: 7)), at: .seconds(1))
        #expect(counts["discarded"] == 49, "all but one of an app's are superseded")
        // Nothing is accepted beyond what can be on its way.
        counts = [:]
        for number: UInt64 in 0..<6_000 {
            let device = PushDeviceID(number: UInt32(number % 1_000))
            let request = Story.request(number, to: Story.token(of: device), at: .seconds(2))
            send(.requested(request, OperationID(number: 1), on: connection), at: .seconds(2))
        }
        #expect(counts["200"] == 4_095)
        #expect(counts["503"] == 6_000 - 4_095)
    }

    private static func name(_ effect: Effect) -> String {
        switch effect {
        case .answer(let response, _, _): "\(response.statusCode)"
        case .issueToken: "issueToken"
        case .closed: "closed"
        case .discarded: "discarded"
        default: "other"
        }
    }
}
