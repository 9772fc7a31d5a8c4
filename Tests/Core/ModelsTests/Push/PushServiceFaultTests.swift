import AppServer
@testable import KodamaBackend
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushService.Effect
private typealias Story = PushServiceStory

@Suite("What goes wrong at the push service (VP-07)")
struct PushServiceFaultTests {
    private let operation = OperationID(number: 9)

    @Test("A connection that was idle for half an hour swallows pushes and pings without a word")
    func idleDeath() throws {
        var story = try Story()
        try story.connect()
        let late = Duration.seconds(1_800)
        let request = PushService.Event.requested(
            Story.request(at: late),
            operation,
            on: Story.connection
        )
        try story.transcript.expect(request, at: late)
        try story.transcript.expect(.providerPinged(Story.connection), at: late)
        #expect(story.transcript.machine.deadline == nil)
        // The provider gives it up and opens another.
        let other = PushConnectionID(number: 2)
        try story.transcript.expect(.providerClosed(Story.connection), at: late)
        try story.transcript.expect(.providerOpened(other), at: late) { Effect.opened(other) }
        try story.expect(200, to: Story.request(at: late), on: other, at: late)
    }

    @Test("A connection that is pinged lives on (node-apn, issue 454)")
    func pinged() throws {
        var story = try Story()
        try story.connect()
        for minute: Int64 in 1...240 where minute % 10 == 0 {
            let ping = PushService.Event.providerPinged(Story.connection)
            try story.transcript.expect(ping, at: .seconds(60 * minute)) {
                Effect.ponged(Story.connection)
            }
        }
    }

    @Test("Idle connections live for half an hour to an hour, each for a time of its own")
    func lives() {
        var settings = Story.settings
        settings.connectionIdleLife = PushServiceSettings().connectionIdleLife
        let clock = WallClock(showing: Story.launch)
        var alive: [Int64: Int] = [:]
        for number: UInt32 in 1...200 {
            for second: Int64 in [1_799, 2_700, 3_601] {
                var service = PushService(settings: settings, clock: clock, seed: 3)
                let id = PushConnectionID(number: number)
                service.handle(.providerOpened(id), at: .zero)
                let now = Instant.zero.advanced(by: .seconds(second))
                let effects = service.handle(.providerPinged(id), at: now)
                alive[second, default: 0] += effects.count
            }
        }
        #expect(alive[1_799] == 200)
        #expect((80...120).contains(alive[2_700] ?? 0))
        #expect(alive[3_601] == 0)
    }

    @Test(
        "A service that refuses does so for a while, for whatever reason",
        arguments: PushReason.allCases
    )
    func refuses(reason: PushReason) throws {
        var story = try Story()
        try story.connect()
        let fault = PushServiceFault.refuse(reason, for: .seconds(10))
        try story.transcript.expect(.fault(fault), at: .zero)
        try story.expect(reason.statusCode, reason.rawValue, to: Story.request(), at: .seconds(9))
        try story.expect(200, to: Story.request(), at: .seconds(10))
    }

    @Test("A silent service answers nobody; what was open then stays dead when it speaks again")
    func silence() throws {
        var story = try Story()
        try story.connect()
        let other = PushConnectionID(number: 2)
        try story.transcript.expect(.fault(.goSilent(for: .seconds(10))), at: .zero)
        let request = PushService.Event.requested(Story.request(), operation, on: Story.connection)
        try story.transcript.expect(request, at: .seconds(1))
        try story.transcript.expect(.providerOpened(other), at: .seconds(9))
        try story.transcript.expect(.providerPinged(Story.connection), at: .seconds(11))
        try story.transcript.expect(.providerOpened(other), at: .seconds(11)) {
            Effect.opened(other)
        }
    }

    @Test(
        "A slow service answers and delivers later, and not at all on a connection closed meanwhile"
    )
    func slowness() throws {
        var story = try Story()
        try story.connect()
        let fault = PushServiceFault.slow(by: .seconds(4), for: .seconds(10))
        try story.transcript.expect(.fault(fault), at: .zero)
        let request = PushService.Event.requested(Story.request(), operation, on: Story.connection)
        try story.transcript.expect(request, at: .seconds(1))
        var closed = story
        try story.transcript.expectWake(at: .seconds(5)) {
            Effect.answer(PushResponse(statusCode: 200), operation, on: Story.connection)
        }
        let delivery = Effect.deliver(
            Story.notification(acceptedAt: .seconds(1)),
            to: Story.device
        )
        try story.transcript.expectWake(at: .milliseconds(5_100)) { delivery }
        try closed.transcript.expect(.providerClosed(Story.connection), at: .seconds(2))
        try closed.transcript.expectWake(at: .seconds(5))
        try closed.transcript.expectWake(at: .milliseconds(5_100)) { delivery }
    }

    @Test(
        "Closed connections are told so, and again if something comes on them; faults are cleared"
    )
    func closing() throws {
        var story = try Story()
        try story.connect()
        try story.transcript.expect(.fault(.closeConnections), at: .seconds(1)) {
            Effect.closed(Story.connection)
        }
        try story.transcript.expect(.providerPinged(Story.connection), at: .seconds(1)) {
            Effect.closed(Story.connection)
        }
        let refusal = PushServiceFault.refuse(.shutdown, for: .seconds(100))
        try story.transcript.expect(.fault(refusal), at: .seconds(2))
        try story.transcript.expect(.fault(.clear), at: .seconds(3))
        let other = PushConnectionID(number: 2)
        try story.transcript.expect(.providerOpened(other), at: .seconds(4)) {
            Effect.opened(other)
        }
        try story.expect(200, to: Story.request(), on: other, at: .seconds(4))
    }
}
