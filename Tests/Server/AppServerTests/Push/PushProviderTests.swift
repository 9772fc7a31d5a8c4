import AppServer
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushProvider.Effect

@Suite("The push provider (VP-07)")
struct PushProviderTests {
    private let launch = WallTime(secondsSince1970: 1_800_000_000)
    private let ids: [UniqueID] = {
        var generator = SeededGenerator(seed: 1)
        return (0..<4).map { _ in UniqueID(from: &generator) }
    }()

    private func connection(_ number: UInt32) -> PushConnectionID {
        PushConnectionID(number: number)
    }
    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }
    private func token(_ number: UInt32) -> ProviderTokenID { ProviderTokenID(number: number) }

    private func order(_ callId: String = "c-1", for seconds: Int64 = 45) -> PushOrder {
        PushOrder(
            callId: callId,
            deviceToken: "ab",
            topic: "app.voip",
            expiresAt: launch.advanced(by: .seconds(seconds)),
            payload: "{}"
        )
    }

    private func send(
        _ operation: UInt32,
        on number: UInt32 = 1,
        _ order: PushOrder,
        _ push: Int = 0,
        token: UInt32 = 1
    ) -> Effect {
        .send(id(operation), on: connection(number), order, id: ids[push], self.token(token))
    }

    private func finished(_ outcome: PushOutcome, _ callId: String = "c-1") -> Effect {
        .finished(callId: callId, deviceToken: "ab", outcome)
    }

    /// A provider that sent push `c-1` as operation 1 on connection 1 at the start of time.
    private func sent(
        for seconds: Int64 = 45
    ) throws(TranscriptMismatch) -> Transcript<PushProvider> {
        var story = Transcript(PushProvider(clock: WallClock(showing: launch), seed: 1))
        let order = order(for: seconds)
        try story.expect(.commanded(.send(order)), at: .zero) {
            Effect.openConnection(connection(1))
        }
        try story.expect(.connectionOpened(connection(1)), at: .zero) {
            Effect.mintToken(token(1), issuedAt: launch)
            send(1, order)
        }
        return story
    }

    @Test("A push opens a connection, mints a token and is sent; the next needs neither")
    func first() throws {
        var story = try sent()
        try story.expect(.answered(id(1), PushResponse(statusCode: 200)), at: .seconds(1)) {
            finished(.accepted)
        }
        let next = order("c-2")
        try story.expect(.commanded(.send(next)), at: .seconds(2)) { send(2, next, 1) }
    }

    @Test("The headers are those of a VoIP push that is worth nothing after its call")
    func headers() {
        let headers = order().headers(id: UniqueID(high: 1, low: 2))
        #expect(
            headers.map { "\($0.name) \($0.value)" } == [
                ":method POST", ":path /3/device/ab",
                "apns-id 00000000-0000-0001-0000-000000000002", "apns-topic app.voip",
                "apns-push-type voip", "apns-priority 10", "apns-expiration 1800000045",
                "apns-collapse-id c-1",
            ]
        )
    }

    @Test("A token is renewed after 50 minutes, and a refused one only after 20")
    func tokens() throws {
        var story = try sent(for: 9_999)
        let expired = PushResponse(statusCode: 403, reason: "ExpiredProviderToken")
        try story.expect(.answered(id(1), expired), at: .seconds(1)) {
            finished(.refused(expired))
        }
        try story.expect(.connectionClosed(connection(1)), at: .seconds(2))
        let second = order("c-2", for: 9_999)
        try story.expect(.commanded(.send(second)), at: .seconds(1_300)) {
            Effect.openConnection(connection(2))
        }
        try story.expect(.connectionOpened(connection(2)), at: .seconds(1_300)) {
            send(2, on: 2, second, 1)
        }
        try story.expect(.answered(id(2), expired), at: .seconds(1_301)) {
            Effect.mintToken(token(2), issuedAt: launch.advanced(by: .seconds(1_301)))
            send(3, on: 2, second, 1, token: 2)
        }
        // Once is enough: what a fresh token does not cure, no token does.
        try story.expect(.answered(id(3), expired), at: .seconds(1_302)) {
            finished(.refused(expired), "c-2")
        }
        try story.expect(.connectionClosed(connection(2)), at: .seconds(1_303))
        let third = order("c-3", for: 9_999)
        try story.expect(.commanded(.send(third)), at: .seconds(4_301)) {
            Effect.openConnection(connection(3))
        }
        try story.expect(.connectionOpened(connection(3)), at: .seconds(4_301)) {
            Effect.mintToken(token(3), issuedAt: launch.advanced(by: .seconds(4_301)))
            send(4, on: 3, third, 2, token: 3)
        }
    }

    @Test("A dead device token is reported with its time; without one, the push's own counts")
    func dead() throws {
        let death = launch.advanced(by: .seconds(-60))
        for timestamp in [death, nil] {
            var story = try sent()
            let response = PushResponse(
                statusCode: 410,
                reason: "Unregistered",
                timestamp: timestamp
            )
            try story.expect(.answered(id(1), response), at: .seconds(1)) {
                Effect.forgetDevice(token: "ab", deadSince: timestamp ?? launch)
                finished(.unregistered)
            }
        }
    }

    @Test("An overloaded or ending service is tried again on another connection, the same push")
    func retryElsewhere() throws {
        var story = try sent()
        let response = PushResponse(statusCode: 503, reason: "Shutdown")
        try story.expect(.answered(id(1), response), at: .seconds(1)) {
            Effect.closeConnection(connection(1))
        }
        try story.expectWake(at: .milliseconds(1_250)) { Effect.openConnection(connection(2)) }
        try story.expect(.connectionOpened(connection(2)), at: .seconds(2)) {
            send(2, on: 2, order())
        }
    }

    @Test("Too many pushes for one device wait on the same connection, longer each time")
    func backOff() throws {
        var story = try sent()
        let response = PushResponse(statusCode: 429, reason: "TooManyRequests")
        try story.expect(.answered(id(1), response), at: .seconds(1))
        try story.expectWake(at: .milliseconds(1_250)) { send(2, order()) }
        try story.expect(.answered(id(2), response), at: .seconds(2))
        try story.expectWake(at: .seconds(3)) { send(3, order()) }
    }

    @Test("A retired connection stays open for the answers that it owes")
    func retired() throws {
        var story = try sent()
        let next = order("c-2")
        try story.expect(.commanded(.send(next)), at: .zero) { send(2, next, 1) }
        let response = PushResponse(statusCode: 500, reason: "InternalServerError")
        try story.expect(.answered(id(1), response), at: .seconds(1))
        try story.expect(.answered(id(2), PushResponse(statusCode: 200)), at: .seconds(1)) {
            finished(.accepted, "c-2")
            Effect.closeConnection(connection(1))
        }
    }

    @Test("An idle connection is pinged, and left when it does not answer")
    func idle() throws {
        var story = try sent()
        try story.expect(.answered(id(1), PushResponse(statusCode: 200)), at: .zero) {
            finished(.accepted)
        }
        try story.expectWake(at: .seconds(60)) { Effect.ping(connection(1)) }
        try story.expect(.pingAnswered(connection(1)), at: .seconds(61))
        try story.expectWake(at: .seconds(121)) { Effect.ping(connection(1)) }
        try story.expectWake(at: .seconds(126)) { Effect.closeConnection(connection(1)) }
        #expect(story.machine.deadline == nil)
    }

    @Test("A service that could be reached again is waited for no longer than before it went")
    func reachedAgain() throws {
        var story = Transcript(PushProvider(clock: WallClock(showing: launch), seed: 1))
        try story.expect(.commanded(.send(order())), at: .zero) {
            Effect.openConnection(connection(1))
        }
        try story.expect(.connectionClosed(connection(1)), at: .zero)
        try story.expectWake(at: .milliseconds(250)) { Effect.openConnection(connection(2)) }
        try story.expect(.connectionOpened(connection(2)), at: .milliseconds(300)) {
            Effect.mintToken(token(1), issuedAt: launch.advanced(by: .milliseconds(300)))
            send(1, on: 2, order())
        }
        try story.expect(.answered(id(1), PushResponse(statusCode: 200)), at: .seconds(1)) {
            finished(.accepted)
        }
        try story.expect(.connectionClosed(connection(2)), at: .seconds(2))
        let next = order("c-2")
        try story.expect(.commanded(.send(next)), at: .seconds(3)) {
            Effect.openConnection(connection(3))
        }
        try story.expect(.connectionClosed(connection(3)), at: .seconds(3))
        try story.expectWake(at: .milliseconds(3_250)) { Effect.openConnection(connection(4)) }
    }

    @Test("A push without an answer is sent again on another connection, under the same identity")
    func vanished() throws {
        var story = try sent()
        try story.expectWake(at: .seconds(5)) { Effect.closeConnection(connection(1)) }
        try story.expectWake(at: .milliseconds(5_250)) { Effect.openConnection(connection(2)) }
        try story.expect(.connectionOpened(connection(2)), at: .milliseconds(5_300)) {
            send(2, on: 2, order())
        }
        // What the dead connection may still say is not listened to.
        try story.expect(.answered(id(1), PushResponse(statusCode: 200)), at: .seconds(6))
        try story.expect(.answered(id(2), PushResponse(statusCode: 200)), at: .seconds(6)) {
            finished(.accepted)
        }
    }

    @Test("A push whose device has been heard of has not failed, however it is answered")
    func heardOf() throws {
        for status in [403, 410] {
            var story = try sent()
            let withdraw = PushProvider.Event.commanded(
                .withdraw(callId: "c-1", deviceToken: "ab")
            )
            try story.expect(withdraw, at: .seconds(1))
            let response = PushResponse(statusCode: status)
            try story.expect(.answered(id(1), response), at: .seconds(2)) {
                status == 410 ? [Effect.forgetDevice(token: "ab", deadSince: launch)] : []
                finished(.withdrawn)
            }
        }
    }

    @Test("A push whose device has been heard of is not sent again, nor one whose call is over")
    func notAgain() throws {
        var heard = try sent()
        let withdraw = PushProvider.Event.commanded(.withdraw(callId: "c-1", deviceToken: "ab"))
        try heard.expect(withdraw, at: .seconds(1))
        try heard.expectWake(at: .seconds(5)) {
            Effect.closeConnection(connection(1))
            finished(.withdrawn)
        }
        var over = try sent(for: 5)
        try over.expectWake(at: .seconds(5)) {
            Effect.closeConnection(connection(1))
            finished(.expired)
        }
        #expect(over.machine.deadline == nil)
    }

    @Test("A push that is wanted again while it is under way is sent again if it is lost (VP-07)")
    func wantedAgain() throws {
        var story = try sent()
        let withdraw = PushProvider.Event.commanded(.withdraw(callId: "c-1", deviceToken: "ab"))
        try story.expect(withdraw, at: .seconds(1))
        // Its user has signed in again, say, and the call rings still.
        try story.expect(.commanded(.send(order())), at: .seconds(2))
        try story.expectWake(at: .seconds(5)) { Effect.closeConnection(connection(1)) }
        try story.expectWake(at: .milliseconds(5_250)) { Effect.openConnection(connection(2)) }
        try story.expect(.connectionOpened(connection(2)), at: .milliseconds(5_300)) {
            send(2, on: 2, order())
        }
    }

    @Test("Whoever calls without end takes no other caller's place (VP-07)")
    func callers() throws {
        func push(_ number: Int, of caller: String) -> PushCommand {
            let expiry = launch.advanced(by: .seconds(45))
            let order = PushOrder(
                callId: "\(caller.utf8.count)-\(number)",
                caller: caller,
                deviceToken: "ab",
                topic: "app.voip",
                expiresAt: expiry,
                payload: "{}"
            )
            return .send(order)
        }
        var provider = PushProvider(clock: WallClock(showing: launch), seed: 1)
        // The connection is not open yet, so that all of them wait; the names differ in their bytes alone.
        let names = ["re\u{301}mi", "r\u{E9}mi"]
        for name in names {
            let refused = (0..<400).map { number in
                provider.handle(.commanded(push(number, of: name)), at: .zero).contains { effect in
                    if case .finished(_, _, .overloaded) = effect { true } else { false }
                }
            }
            #expect(refused.firstIndex(of: true) == 64 && refused.count { $0 } == 336)
        }
    }

    @Test("A service that cannot be reached is tried again, less and less often")
    func unreachable() throws {
        var story = Transcript(PushProvider(clock: WallClock(showing: launch), seed: 1))
        try story.expect(.commanded(.send(order())), at: .zero) {
            Effect.openConnection(connection(1))
        }
        try story.expectWake(at: .seconds(5)) { Effect.closeConnection(connection(1)) }
        try story.expectWake(at: .milliseconds(5_250)) { Effect.openConnection(connection(2)) }
        try story.expect(.connectionClosed(connection(2)), at: .seconds(6))
        try story.expectWake(at: .seconds(7)) { Effect.openConnection(connection(3)) }
    }

    @Test("Each status and reason has its reaction")
    func reactions() throws {
        let cases: [(Int, String?, [Effect])] = [
            (200, nil, [finished(.accepted)]),
            (400, "IdleTimeout", [.closeConnection(connection(1))]),
            (429, "TooManyProviderTokenUpdates", [.closeConnection(connection(1))]),
            (429, "TooManyRequests", []),
            (500, "InternalServerError", [.closeConnection(connection(1))]),
            (503, "ServiceUnavailable", [.closeConnection(connection(1))]),
        ]
        for (status, reason, effects) in cases {
            var story = try sent()
            let response = PushResponse(statusCode: status, reason: reason)
            try story.expect(.answered(id(1), response), at: .seconds(1)) { effects }
        }
        for (status, reason) in [
            (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"), (400, "BadTopic"),
            (400, "PayloadEmpty"), (403, "BadCertificateEnvironment"), (404, "BadPath"),
            (405, "MethodNotAllowed"), (413, "PayloadTooLarge"), (418, "Teapot"),
        ] {
            var story = try sent()
            let response = PushResponse(statusCode: status, reason: reason)
            try story.expect(.answered(id(1), response), at: .seconds(1)) {
                finished(.refused(response))
            }
            #expect(story.machine.deadline?.reason.description == "push ping")
        }
    }

    @Test("A body is read with its reason and its time in milliseconds, and a strange one is none")
    func bodies() {
        let body = #"{"reason":"Unregistered","timestamp":1800000000123}"#
        let response = PushResponse(statusCode: 410, body: body)
        #expect(response.reason == "Unregistered")
        #expect(response.timestamp == launch.advanced(by: .milliseconds(123)))
        #expect(PushResponse(statusCode: 200, body: "") == PushResponse(statusCode: 200))
        #expect(PushResponse(statusCode: 410, body: "<html>").timestamp == nil)
    }

    @Test("A provider keeps the laws of its contract", arguments: 0..<5 as Range<UInt64>)
    func laws(decade: UInt64) throws {
        var sends = 0
        for seed in decade * 10..<decade * 10 + 10 {
            var operation: UInt32 = 0
            var latest: UInt32 = 1
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { PushProvider(clock: WallClock(showing: launch), seed: seed) },
                frame: { effect in
                    switch effect {
                    case .send(let sent, _, _, _, _):
                        operation = sent.number
                        sends += 1
                    case .openConnection(let opened): latest = opened.number
                    default: break
                    }
                    return nil
                }
            ) { random, now in
                let reasons: [(Int, String?)] = [
                    (200, nil), (410, nil), (403, "ExpiredProviderToken"), (503, "Shutdown"),
                    (429, "TooManyRequests"), (400, "BadTopic"),
                ]
                let (status, reason) = reasons[random.below(reasons.count)]
                let call = "c-\(random.below(12))"
                let sent = OperationID(
                    number: operation - UInt32(min(random.below(3), Int(operation)))
                )
                switch random.below(10) {
                case 0, 1, 2:
                    let seconds = now.nanoseconds / 1_000_000_000 + Int64(random.below(60))
                    return .commanded(.send(order(call, for: seconds)))
                case 3: return .commanded(.withdraw(callId: call, deviceToken: "ab"))
                case 4, 5: return .connectionOpened(connection(latest))
                case 6: return .connectionClosed(connection(latest))
                case 7: return .pingAnswered(connection(latest))
                case 8 where random.chance(percent: 10): return .clockChanged(launch)
                default:
                    return .answered(sent, PushResponse(statusCode: status, reason: reason))
                }
            }
        }
        #expect(sends > 100, "stories without pushes prove little")
    }
}
