import AppServer
@testable import KodamaBackend
@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushService.Effect
private typealias Story = PushServiceStory

@Suite("The push service's answers (VP-07)")
struct PushServiceRequestTests {
    @Test(
        "A push as the app's own server sends it is accepted, and delivered after the service's latency"
    )
    func accepted() throws {
        var story = try Story()
        try story.connect()
        try story.expect(200, to: Story.request())
        #expect(story.transcript.machine.deadline?.reason.description == "push delivery")
        try story.transcript.expectWake(at: .milliseconds(100)) {
            Effect.deliver(Story.notification(), to: Story.device)
        }
        #expect(story.transcript.machine.deadline == nil)
    }

    @Test("Accepted is not delivered: a device that was never there answers 200 all the same")
    func acceptedOnly() throws {
        var story = try Story()
        try story.connect()
        try story.transcript.expect(.deviceDisconnected(Story.device), at: .seconds(1))
        try story.expect(200, to: Story.request(at: .seconds(2)), at: .seconds(2))
        try story.transcript.expectWake(at: .milliseconds(2_100))
    }

    @Test(
        "Each malformed header has its status and its reason",
        arguments: [
            (":method", "GET", PushReason.methodNotAllowed), (":path", "/2/device/ab", .badPath),
            (":path", "/3/device/", .missingDeviceToken),
            (":path", "/3/device/00", .badDeviceToken),
            ("apns-id", "1", .badMessageId), ("apns-topic", nil, .missingTopic),
            ("apns-topic", "", .missingTopic), ("apns-topic", "app kodama.voip", .badTopic),
            ("apns-topic", "another.voip", .deviceTokenNotForTopic),
            ("apns-push-type", nil, .invalidPushType),
            ("apns-push-type", "alert", .invalidPushType),
            ("apns-push-type", "call", .invalidPushType), ("apns-priority", "7", .badPriority),
            ("apns-expiration", "soon", .badExpirationDate),
            ("apns-expiration", "-1", .badExpirationDate),
            ("apns-collapse-id", String(repeating: "c", count: 65), .badCollapseId),
        ] as [(String, String?, PushReason)]
    )
    func malformed(name: String, value: String?, reason: PushReason) throws {
        var story = try Story()
        try story.connect()
        let request = Story.request(replacing: [name: value])
        try story.expect(reason.statusCode, reason.rawValue, to: request)
        #expect(story.transcript.machine.deadline == nil, "nothing is on its way")
    }

    @Test("A header field that comes twice is refused")
    func duplicateHeaders() throws {
        var story = try Story()
        try story.connect()
        var request = Story.request()
        request.fields.append(HTTPField("apns-priority", "10"))
        try story.expect(400, "DuplicateHeaders", to: request)
    }

    @Test(
        "A payload has at least one byte, and a VoIP push at most 5,120 (node-apn, issue 31)",
        arguments: [(0, 400, "PayloadEmpty"), (5_120, 200, nil), (5_121, 413, "PayloadTooLarge")]
            as [(Int, Int, String?)]
    )
    func payload(bytes: Int, status: Int, reason: String?) throws {
        var story = try Story()
        try story.connect()
        let request = Story.request(body: String(repeating: "x", count: bytes))
        try story.expect(status, reason, to: request)
    }

    @Test(
        "An alert has at most 4,096 bytes, and a background push may not be immediate",
        arguments: [
            ("alert", "10", 4_096, nil), ("alert", "10", 4_097, .payloadTooLarge),
            ("background", "5", 2, nil), ("background", "10", 2, .badPriority),
            ("background", nil, 2, .badPriority), ("voip", "10", 2, .invalidPushType),
        ] as [(String, String?, Int, PushReason?)]
    )
    func kinds(kind: String, priority: String?, bytes: Int, reason: PushReason?) throws {
        var story = try Story()
        try story.connect(for: "app.kodama")
        let request = Story.request(
            to: Story.token(for: "app.kodama"),
            body: String(repeating: "x", count: bytes),
            replacing: [
                "apns-topic": "app.kodama", "apns-push-type": kind, "apns-priority": priority,
            ]
        )
        try story.expect(reason?.statusCode ?? 200, reason?.rawValue, to: request)
    }

    @Test("A notification without an identity gets one from the service, a version 4 UUID")
    func madeID() throws {
        var story = try Story()
        try story.connect()
        try story.expect(200, to: Story.request(replacing: ["apns-id": nil]))
        var service = story.transcript.machine
        let effects = service.wake(at: Instant.zero.advanced(by: .milliseconds(100)))
        guard case .deliver(let notification, _)? = effects.first else {
            Issue.record("nothing was delivered")
            return
        }
        #expect(notification.id.high >> 12 & 0xF == 4)
        #expect(notification.id.low >> 62 == 0b10)
    }

    @Test("One device gets so many requests a minute, and another is not kept from its own")
    func tooManyRequests() throws {
        var settings = Story.settings
        settings.requestsPerDeviceMax = 2
        var story = try Story(settings)
        let other = PushDeviceID(number: 8)
        try story.connect()
        try story.connect(other)
        for number: UInt64 in 1...2 { try story.expect(200, to: Story.request(number)) }
        try story.expect(429, "TooManyRequests", to: Story.request(3))
        try story.expect(200, to: Story.request(4, to: Story.token(of: other)))
        try story.transcript.expectWake(at: .milliseconds(100)) {
            Effect.deliver(Story.notification(1), to: Story.device)
            Effect.deliver(Story.notification(2), to: Story.device)
            Effect.deliver(Story.notification(4), to: other)
        }
        try story.expect(200, to: Story.request(5), at: .seconds(60))
    }
}

@Suite("Provider tokens at the push service (VP-07)")
struct PushServiceProviderTokenTests {
    @Test(
        "A provider token is missing, an hour old, from the future, or good",
        arguments: [
            (nil, "MissingProviderToken"), (.seconds(3_600), "ExpiredProviderToken"),
            (.seconds(3_599), nil), (.seconds(-60), nil), (.seconds(-61), "ExpiredProviderToken"),
        ] as [(Duration?, String?)]
    )
    func ages(age: Duration?, reason: String?) throws {
        var story = try Story()
        try story.connect()
        try story.expect(reason == nil ? 200 : 403, reason, to: Story.request(tokenAge: age))
    }

    @Test("A sixth token within 20 minutes is refused, and makes its connection unusable meanwhile")
    func updates() throws {
        var story = try Story()
        let other = PushConnectionID(number: 2)
        try story.connect()
        try story.transcript.expect(.providerOpened(other), at: .zero) { Effect.opened(other) }
        for second: Int64 in 0..<5 {
            let request = Story.request(tokenAge: .seconds(second))
            try story.expect(200, to: request)
        }
        let reason = "TooManyProviderTokenUpdates"
        try story.expect(429, reason, to: Story.request(tokenAge: .seconds(5)))
        // Not even a token that was good before (Apple developer forum, thread 675879) …
        try story.expect(429, reason, to: Story.request(tokenAge: .zero))
        // … which another connection takes; the new one is too many there too: a team is counted as one.
        try story.expect(200, to: Story.request(tokenAge: .zero), on: other)
        try story.expect(429, reason, to: Story.request(tokenAge: .seconds(5)), on: other)
        let delivered = (0..<6).map { _ in Effect.deliver(Story.notification(), to: Story.device) }
        try story.transcript.expectWake(at: .milliseconds(100)) { delivered }
        let fresh = Story.request(at: .seconds(1_200))
        try story.expect(200, to: fresh, at: .seconds(1_200))
    }

    @Test("A token renewed every 20 minutes is never refused for it, all day long")
    func renewals() throws {
        var story = try Story()
        try story.connect()
        for step in 0..<72 {
            let time = Duration.seconds(1_200 * step)
            var service = story.transcript.machine
            let effects = service.handle(
                .requested(Story.request(at: time), OperationID(number: 1), on: Story.connection),
                at: Instant.zero.advanced(by: time)
            )
            #expect(
                effects.contains { effect in
                    effect
                        == .answer(
                            PushResponse(statusCode: 200),
                            OperationID(number: 1),
                            on: Story.connection
                        )
                }
            )
            story.transcript = Transcript(service)
        }
    }
}

@Suite("Device tokens at the push service (VP-07)")
struct PushServiceDeviceTokenTests {
    @Test("A device has one token a topic, the same however often it asks; another has another")
    func distinct() throws {
        var story = try Story()
        try story.connect()
        try story.connect(PushDeviceID(number: 8))
        let again = PushService.Event.tokenRequested(Story.device, topic: Story.voip)
        try story.transcript.expect(again, at: .seconds(1)) {
            Effect.issueToken(Story.device, topic: Story.voip, Story.token())
        }
        let tokens = [
            Story.token(), Story.token(for: "app.kodama"), Story.token(number: 2),
            Story.token(of: PushDeviceID(number: 8)),
        ]
        #expect(Set(tokens).count == 4)
        #expect(tokens.allSatisfy { $0.count == 32 })
    }

    @Test("A token asked for while offline comes with the next connection")
    func owed() throws {
        var story = try Story()
        let request = PushService.Event.tokenRequested(Story.device, topic: Story.voip)
        try story.transcript.expect(request, at: .zero)
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(1)) {
            Effect.issueToken(Story.device, topic: Story.voip, Story.token())
        }
        try story.transcript.expect(.deviceConnected(Story.device), at: .seconds(2))
    }

    @Test("A replaced token is answered with 410 and its time, and the device learns the new one")
    func replaced() throws {
        var story = try Story()
        try story.connect()
        let event = PushService.Event.tokenInvalidated(Story.device, topic: Story.voip)
        try story.transcript.expect(event, at: .seconds(9)) {
            Effect.issueToken(Story.device, topic: Story.voip, Story.token(number: 2))
        }
        let death = Story.launch.advanced(by: .seconds(9))
        let late = Duration.seconds(10)
        try story.expect(
            410,
            "ExpiredToken",
            timestamp: death,
            to: Story.request(at: late),
            at: late
        )
        let fresh = Story.request(to: Story.token(number: 2), at: late)
        try story.expect(200, to: fresh, at: late)
    }

    @Test(
        "A removed app's pushes are accepted and lost until the service knows, then answered with 410"
    )
    func removed() throws {
        var settings = Story.settings
        settings.removalNoticed = .seconds(60) ... .seconds(60)
        var story = try Story(settings)
        try story.connect()
        let event = PushService.Event.appRemoved(Story.device, topic: Story.voip)
        try story.transcript.expect(event, at: .zero)
        try story.expect(
            200,
            to: Story.request(),
            also: [.discarded(Story.id(1), Story.device, .appRemoved)]
        )
        let confirmed = Duration.seconds(60)
        try story.expect(
            410,
            "Unregistered",
            timestamp: Story.launch.advanced(by: confirmed),
            to: Story.request(at: confirmed),
            at: confirmed
        )
        // Installed again, the app has another token; the old one stays dead.
        let request = PushService.Event.tokenRequested(Story.device, topic: Story.voip)
        try story.transcript.expect(request, at: .seconds(61)) {
            Effect.issueToken(Story.device, topic: Story.voip, Story.token(number: 2))
        }
        let late = Duration.seconds(62)
        let fresh = Story.request(2, to: Story.token(number: 2), at: late)
        try story.expect(200, to: fresh, at: late)
    }

    @Test("A push on its way to an app that is removed meanwhile is given up")
    func removedMeanwhile() throws {
        var story = try Story()
        try story.connect()
        try story.expect(200, to: Story.request())
        let event = PushService.Event.appRemoved(Story.device, topic: Story.voip)
        try story.transcript.expect(event, at: .milliseconds(50))
        try story.transcript.expectWake(at: .milliseconds(100)) {
            Effect.discarded(Story.id(1), Story.device, .appRemoved)
        }
    }
}
