import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("Two users call each other at once (VP-05, VP-09)")
struct CallGlareTests {
    /// One of the two phones, with its outgoing call placed.
    private struct Phone {
        var registry: CallRegistry
        var effects: [Effect] = []

        init(seed: UInt64, calling contact: String, _ configuration: CallsConfiguration) {
            registry = CallRegistry(
                configuration: configuration,
                restoring: nil,
                clock: WallClock(showing: Story.launch),
                seed: seed
            )
            give(.credentialsChanged(Story.credentials))
            give(.callRequested(contactId: contact, name: contact, hasVideo: false))
            let uuid = registry.descriptions[0].uuid
            let start = SystemCallAction.start(uuid, handle: contact, hasVideo: false)
            give(Story.action(1, start))
        }

        var callId: String { registry.descriptions[0].callId }

        mutating func give(_ event: CallRegistry.Event) {
            effects += registry.handle(event, at: .zero)
        }

        /// The ends that the server is told.
        var told: [CallEndReason] {
            effects.compactMap { effect in
                guard case .callAPI(_, .end(_, let reason)) = effect else { return nil }
                return reason
            }
        }
    }

    private func meet(_ seed: UInt64, _ configuration: CallsConfiguration) -> [Phone] {
        var mika = Phone(seed: seed, calling: "taro", configuration)
        var taro = Phone(seed: seed &+ 1_000, calling: "mika", configuration)
        let (fromMika, fromTaro) = (mika.callId, taro.callId)
        mika.give(Story.push(1, Story.payload(fromTaro, from: "taro")))
        taro.give(Story.push(1, Story.payload(fromMika, from: "mika")))
        return [mika, taro]
    }

    @Test("One and the same call is left at both, which one of them has made", arguments: 0..<50)
    func oneIsLeft(seed: UInt64) {
        let phones = meet(seed, CallsConfiguration())
        let left = phones.map { $0.registry.descriptions.map(\.callId) }
        #expect(left[0].count == 1 && left[0] == left[1])
        #expect(phones.flatMap { $0.registry.descriptions.map(\.direction) }.contains(.incoming))
        #expect(phones.map(\.told) == [[.crossed], [.crossed]])
    }

    @Test("So it is if one's clock is ahead, and its server is asked about the other's call first")
    func oneIsDoubted() throws {
        // Both less and greater than the identity of any call that is made here.
        for (callId, isOwnLeft) in [("0", true), ("z", false)] {
            var phone = Phone(seed: 3, calling: "taro", CallsConfiguration())
            let own = phone.callId
            let over = Story.launch.secondsSince1970 - 10
            phone.give(Story.push(1, Story.payload(callId, from: "taro", expiresAt: over)))
            #expect(phone.registry.descriptions.map(\.callId) == [own])
            let asked = phone.effects.compactMap { effect -> OperationID? in
                guard case .callAPI(let operation, .status) = effect else { return nil }
                return operation
            }
            phone.give(.apiAnswered(try #require(asked.last), .status(.ringing())))
            #expect(phone.registry.descriptions.map(\.callId) == [isOwnLeft ? own : callId])
            #expect(phone.told == [.crossed])
        }
    }

    @Test("Each reports the push that it got, whichever call gives way (D-01)")
    func reported() {
        for phone in meet(7, CallsConfiguration()) {
            let reports = phone.effects.count { effect in
                if case .system(.reportIncoming) = effect { true } else { false }
            }
            #expect(reports == 1)
        }
    }

    @Test("Without the rule each keeps its own call and rings for the other's")
    func unresolved() {
        var configuration = CallsConfiguration()
        configuration.resolvesGlare = false
        for phone in meet(7, configuration) { #expect(phone.registry.descriptions.count == 2) }
    }

    private let dialled = CallRegistry.Event.callRequested(
        contactId: "u-7",
        name: "花子",
        hasVideo: false
    )

    /// The user has called somebody whose call rings here, and the system asks for its answer.
    private func callsBack() throws -> Transcript<CallRegistry> {
        var story = try Story.ringing()
        let answer = SystemCallAction.answer(Story.uuids[0])
        try story.expect(dialled, at: .seconds(1)) {
            Effect.system(.request(Story.id(3), answer))
        }
        try story.expect(.requestFinished(Story.id(3), isAccepted: true), at: .seconds(1))
        try story.expect(Story.action(1, answer), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(Story.uuids[0])))
            Effect.cancelAPI(Story.id(2))
            Effect.callAPI(Story.id(4), .offer(callId: "c-1"))
        }
        return story
    }

    @Test("Who calls somebody whose call rings here answers it (VP-05, VP-09)")
    func callsWhoRings() throws {
        let story = try callsBack()
        #expect(story.machine.descriptions.map(\.callId) == ["c-1"])
    }

    @Test("Who calls somebody that gives up in that moment calls them after all (VP-05, VP-09)")
    func callsWhoGaveUp() throws {
        var story = try callsBack()
        let uuid = Story.uuids[0]
        let start = SystemCallAction.start(Story.uuids[1], handle: "u-7", hasVideo: false)
        try story.expect(Story.answered(4, .ended(.cancelled)), at: .seconds(2)) {
            Story.fail(1)
            Effect.system(.reportEnded(uuid, .remoteEnded))
            Effect.announce(.ended(uuid, callId: "c-1", .cancelled))
            Effect.writeLog(.ended(.cancelled))
            Story.stored([(2, "c-1", .cancelled)])
            Effect.missedCallExpected(from: nil)
            Effect.system(.request(Story.id(5), start))
        }
    }

    @Test("Nobody is called who has been answered on another device, or whom the user hangs up on")
    func callsNobody() throws {
        var story = try callsBack()
        var hungUp = story
        let elsewhere = CallAnswer.ended(.answeredElsewhere)
        try story.expect(Story.answered(4, elsewhere), at: .seconds(2)) {
            Story.fail(1)
            Effect.system(.reportEnded(Story.uuids[0], .answeredElsewhere))
            Effect.announce(.ended(Story.uuids[0], callId: "c-1", .answeredElsewhere))
            Effect.writeLog(.ended(.answeredElsewhere))
            Story.stored([(2, "c-1", .answeredElsewhere)])
        }
        try hungUp.expect(Story.action(2, .end(Story.uuids[0])), at: .seconds(2)) {
            Story.fulfill(2)
            Story.fail(1)
            Effect.announce(.ended(Story.uuids[0], callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored([(2, "c-1", .hungUp)])
            Effect.cancelAPI(Story.id(4))
            Effect.callAPI(Story.id(5), .end(callId: "c-1", reason: .hungUp))
        }
    }

    @Test("Whoever is called already is not called once more")
    func twice() {
        var phone = Phone(seed: 3, calling: "taro", CallsConfiguration())
        phone.give(.callRequested(contactId: "taro", name: "taro", hasVideo: false))
        #expect(phone.registry.descriptions.count == 1)
    }
}
