import AppServer
@testable import KodamaBackend
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushService.Effect
private typealias Story = PushServiceStory

@Suite("Store and forward (VP-07)")
struct PushServiceStorageTests {
    /// A service whose device has been offline for longer than that stays unnoticed, at 1,000 s.
    private func offline(
        _ settings: PushServiceSettings = Story.settings
    ) throws -> PushServiceStory {
        var story = try Story(settings)
        try story.connect()
        try story.transcript.expect(.deviceDisconnected(Story.device), at: .seconds(1))
        try story.transcript.expectWake(at: .seconds(601))
        return story
    }

    private func push(
        _ number: UInt64,
        at time: Duration,
        keptFor seconds: Int64? = 45,
        in story: inout PushServiceStory,
        discarding: [Effect] = []
    ) throws {
        let expiration = seconds.map { seconds in
            let end = Story.launch.advanced(by: time).advanced(by: .seconds(seconds))
            return "\(seconds == 0 ? 0 : end.secondsSince1970)"
        }
        let request = Story.request(number, at: time, replacing: ["apns-expiration": expiration])
        try story.expect(200, to: request, at: time)
        try story.transcript.expectWake(at: time + .milliseconds(100)) { discarding }
    }

    private func discarded(_ number: UInt64, _ reason: PushDiscardReason) -> Effect {
        .discarded(Story.id(number), Story.device, reason)
    }

    @Test("A push for a device that is offline waits for it, as long as it is worth something")
    func stored() throws {
        var story = try offline()
        try push(1, at: .seconds(1_000), in: &story)
        var late = story
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(1_044)) {
            Effect.deliver(Story.notification(1, acceptedAt: .seconds(1_000)), to: Story.device)
        }
        try late.transcript.expect(.deviceConnected(Story.device), at: .seconds(1_045)) {
            discarded(1, .expired)
        }
    }

    @Test("One push is kept for an app, and the newest it is")
    func newest() throws {
        var story = try offline()
        try push(1, at: .seconds(1_000), in: &story)
        try push(2, at: .seconds(1_010), in: &story, discarding: [discarded(1, .superseded)])
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(1_020)) {
            Effect.deliver(Story.notification(2, acceptedAt: .seconds(1_010)), to: Story.device)
        }
    }

    @Test("That the newest is kept is not always so (Apple, \"Sending notification requests\")")
    func oldest() throws {
        var settings = Story.settings
        settings.olderKept = .one
        var story = try offline(settings)
        try push(1, at: .seconds(1_000), in: &story)
        try push(2, at: .seconds(1_010), in: &story, discarding: [discarded(2, .superseded)])
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(1_020)) {
            Effect.deliver(Story.notification(1, acceptedAt: .seconds(1_000)), to: Story.device)
        }
    }

    @Test("An app is kept one push, whatever its topics; another app on the device has its own")
    func perApp() throws {
        var story = try Story()
        try story.connect()
        for topic in ["app.kodama", "another.app"] {
            try story.transcript.expect(.tokenRequested(Story.device, topic: topic), at: .zero) {
                Effect.issueToken(Story.device, topic: topic, Story.token(for: topic))
            }
        }
        try story.transcript.expect(.deviceDisconnected(Story.device), at: .seconds(1))
        try story.transcript.expectWake(at: .seconds(601))
        try push(1, at: .seconds(1_000), in: &story)
        for (number, topic, gone) in [(2, "another.app", nil), (3, "app.kodama", 1)]
            as [(UInt64, String, UInt64?)]
        {
            let request = Story.request(
                number,
                to: Story.token(for: topic),
                at: .seconds(1_001),
                replacing: ["apns-topic": topic, "apns-push-type": "alert"]
            )
            let time = Duration.seconds(1_001 + Int64(number))
            try story.expect(200, to: request, at: time)
            try story.transcript.expectWake(at: time + .milliseconds(100)) {
                gone.map { [discarded($0, .superseded)] } ?? []
            }
        }
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(1_010)) {
            Effect.deliver(
                Story.notification(
                    2,
                    topic: "another.app",
                    kind: .alert,
                    acceptedAt: .seconds(1_003)
                ),
                to: Story.device
            )
            Effect.deliver(
                Story.notification(
                    3,
                    topic: "app.kodama",
                    kind: .alert,
                    acceptedAt: .seconds(1_004)
                ),
                to: Story.device
            )
        }
    }

    @Test("With an expiration of 0 nothing is stored")
    func notStored() throws {
        var story = try offline()
        let time = Duration.seconds(1_000)
        try push(1, at: time, keptFor: 0, in: &story, discarding: [discarded(1, .notStored)])
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(1_001))
    }

    @Test(
        "Without an expiration a push is kept for 30 days and no longer",
        arguments: [true, false]
    )
    func longest(isInTime: Bool) throws {
        var story = try offline()
        try push(1, at: .seconds(1_000), keptFor: nil, in: &story)
        let end = Duration.seconds(1_000 + 30 * 86_400)
        let time = isInTime ? end - .seconds(1) : end
        let notification = Story.notification(1, acceptedAt: .seconds(1_000))
        let delivery = Effect.deliver(notification, to: Story.device)
        try story.transcript.expect(.deviceConnected(Story.device), at: time) {
            isInTime ? delivery : discarded(1, .expired)
        }
    }

    @Test(
        "An expiration of 0 is no guarantee: 25 s of flight mode, and the push comes when they are over"
    )
    func ghost() throws {
        // Apple developer forum, thread 795610: pushes came 20 to 30 s late and rang for a call that was over.
        var story = try Story()
        try story.connect()
        try story.transcript.expect(.deviceDisconnected(Story.device), at: .seconds(10))
        try push(1, at: .seconds(12), keptFor: 0, in: &story)
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(35)) {
            Effect.deliver(Story.notification(1, acceptedAt: .seconds(12)), to: Story.device)
        }
    }

    @Test("When the absence is noticed, what was to be tried once is given up, and one push stays")
    func noticed() throws {
        var story = try Story()
        try story.connect()
        try story.transcript.expect(.deviceDisconnected(Story.device), at: .seconds(1))
        try push(1, at: .seconds(2), keptFor: 0, in: &story)
        try push(2, at: .seconds(3), keptFor: 45, in: &story)
        try push(3, at: .seconds(4), keptFor: 9_999, in: &story)
        try push(4, at: .seconds(5), keptFor: 9_999, in: &story)
        #expect(story.transcript.machine.deadline?.reason.description == "push absence")
        try story.transcript.expectWake(at: .seconds(601)) {
            discarded(2, .expired)
            discarded(1, .notStored)
            discarded(3, .superseded)
        }
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(700)) {
            Effect.deliver(Story.notification(4, acceptedAt: .seconds(5)), to: Story.device)
        }
    }

    @Test("What was not confirmed comes again by the next connection, until it is confirmed")
    func unconfirmed() throws {
        var story = try Story()
        try story.connect()
        try story.expect(200, to: Story.request())
        let delivery = Effect.deliver(Story.notification(), to: Story.device)
        try story.transcript.expectWake(at: .milliseconds(100)) { delivery }
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(5)) { delivery }
        try story.transcript.expect(.acknowledged(Story.device, Story.id(1)), at: .seconds(6))
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(7))
    }

    @Test(
        "A push that its time has run out on before it comes is tried once, if the device is there"
    )
    func alreadyOver() throws {
        let past = "\(Story.launch.secondsSince1970 - 1)"
        var story = try Story()
        try story.connect()
        try story.expect(200, to: Story.request(replacing: ["apns-expiration": past]))
        try story.transcript.expectWake(at: .milliseconds(100)) {
            Effect.deliver(Story.notification(), to: Story.device)
        }
        var away = try offline()
        let request = Story.request(at: .seconds(1_000), replacing: ["apns-expiration": past])
        try away.expect(200, to: request, at: .seconds(1_000))
        try away.transcript.expectWake(at: .milliseconds(1_000_100)) { discarded(1, .notStored) }
    }
}
