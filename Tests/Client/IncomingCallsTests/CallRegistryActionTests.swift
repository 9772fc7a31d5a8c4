import IncomingCalls
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallStory
private typealias Effect = CallRegistry.Effect

@Suite("What users do to calls")
struct CallRegistryActionTests {
    private let uuid = CallStory.uuids[0]

    @Test(
        "An answer fetches the offer, answers it, and joins when the server consents (VP-05, VP-08)"
    )
    func answer() throws {
        _ = try Story.connected()
    }

    @Test("An answer before the app is ready is kept and performed when it is (VP-05)")
    func answerBeforeReady() throws {
        var story = try Story.ringingSignedOut()
        try story.expect(Story.action(1, .answer(uuid)), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
        }
        // The system's action is not kept open for ever.
        try story.expectWake(at: .seconds(6)) { Story.fulfill(1) }
        try story.expect(.audioActivated, at: .seconds(6)) { Effect.announce(.audioActivated) }
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(8)) {
            Effect.callAPI(Story.id(2), .offer(callId: "c-1"))
        }
        let offer = CallOffer(room: "call-x", hasVideo: false)
        try story.expect(Story.answered(2, .offer(offer)), at: .seconds(8)) {
            Effect.callAPI(Story.id(3), .answer(callId: "c-1"))
        }
        try story.expect(Story.answered(3, .answered(room: "call-x")), at: .seconds(8)) {
            Effect.media(uuid, .join(room: "call-x"))
            Story.stored(entered: ("c-1", 8_000))
            Effect.callAPI(Story.id(4), .status(callId: "c-1"))
        }
    }

    @Test("An answer that never gets ready fails after 30 s, on both sides (VP-05)")
    func neverReady() throws {
        var story = try Story.answering()
        // The action is fulfilled after five seconds, and the offer asked for again and again.
        story.pass(until: .seconds(31))
        try story.expectWake(at: .seconds(31)) {
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeLog(.ended(.failed))
            Story.stored([(0, "c-1", nil), (31, "c-1", .failed)])
            Effect.cancelAPI(Story.id(3))
            Effect.cancelAPI(Story.id(8))
            Effect.callAPI(Story.id(9), .end(callId: "c-1", reason: .failed))
            Effect.missedCallExpected(from: nil)
        }
    }

    @Test("An answer that no server can be told of ends when the server lets none ring (VP-05)")
    func neverIdentified() throws {
        var story = try Story.ringingSignedOut()
        try story.expect(Story.action(1, .answer(uuid)), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
        }
        try story.expectWake(at: .seconds(6)) { Story.fulfill(1) }
        var identified = story
        try story.expectWake(at: .seconds(25)) {
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .notReady))
            Effect.writeLog(.ended(.notReady))
            Story.stored([(0, "c-1", nil), (25, "c-1", .notReady)])
            Effect.missedCallExpected(from: nil)
        }
        #expect(!story.machine.hasFarewells)
        // Once it can be told, the answer has the time of any other.
        try identified.expect(.credentialsChanged(Story.credentials), at: .seconds(20)) {
            Effect.callAPI(Story.id(2), .offer(callId: "c-1"))
        }
        identified.pass(until: .seconds(50))
        #expect(identified.machine.descriptions.count == 1)
        identified.pass(until: .milliseconds(50_001))
        #expect(identified.machine.descriptions.isEmpty)
    }

    @Test("On a slow path the answer that comes late counts, and spares the next one (VP-05)")
    func slowPath() throws {
        var story = try Story.answering()
        try story.expectWake(at: .seconds(5))
        try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(5)) {
            Effect.callAPI(Story.id(4), .offer(callId: "c-1"))
        }
        try story.expectWake(at: .seconds(6)) { Story.fulfill(1) }
        let offer = CallOffer(room: "call-x", hasVideo: false)
        // A server that cannot answer the first may well answer the next.
        var overloaded = story
        try overloaded.expect(Story.answered(3, .refused(statusCode: 503)), at: .seconds(7))
        try overloaded.expect(Story.answered(4, .offer(offer)), at: .seconds(8)) {
            Effect.callAPI(Story.id(5), .answer(callId: "c-1"))
        }
        try story.expect(Story.answered(3, .offer(offer)), at: .seconds(7)) {
            Effect.cancelAPI(Story.id(4))
            Effect.callAPI(Story.id(5), .answer(callId: "c-1"))
        }
        try story.expect(Story.answered(4, .offer(offer)), at: .seconds(11))
        // The connection of one that is late may end; the next is tried all the same.
        try story.expectWake(at: .seconds(11))
        try story.expect(Story.answered(5, .failed), at: .milliseconds(11_100))
        try story.expectDrawnWake(within: .milliseconds(500), after: .milliseconds(11_100)) {
            Effect.callAPI(Story.id(6), .answer(callId: "c-1"))
        }
        try story.expect(Story.answered(6, .answered(room: "call-x")), at: .seconds(13)) {
            Effect.media(uuid, .join(room: "call-x"))
            Story.stored(entered: ("c-1", 13_000))
            Effect.callAPI(Story.id(7), .status(callId: "c-1"))
        }
    }

    @Test("Who answers in the moment of a cancel has missed a call, and learns of it (VP-05)")
    func answeredInVain() throws {
        var story = try Story.answering()
        try story.expect(Story.answered(3, .ended(.cancelled)), at: .seconds(2)) {
            Story.fail(1)
            Effect.system(.reportEnded(uuid, .remoteEnded))
            Effect.announce(.ended(uuid, callId: "c-1", .cancelled))
            Effect.writeLog(.ended(.cancelled))
            Story.stored([(0, "c-1", nil), (2, "c-1", .cancelled)])
            Effect.missedCallExpected(from: nil)
        }
    }

    @Test("Who answers too late learns that another device did (VP-05, D-03)")
    func answeredElsewhere() throws {
        var story = try Story.answering()
        try story.expect(Story.answered(3, .ended(.answeredElsewhere)), at: .seconds(2)) {
            Story.fail(1)
            Effect.system(.reportEnded(uuid, .answeredElsewhere))
            Effect.announce(.ended(uuid, callId: "c-1", .answeredElsewhere))
            Effect.writeLog(.ended(.answeredElsewhere))
            Story.stored([(0, "c-1", nil), (2, "c-1", .answeredElsewhere)])
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("An end that the system refuses is carried out, if it is among the last eight requests")
    func refusedEnd() throws {
        for later in [7, 8] {
            var story = try Story.connected()
            try story.expect(.actionChosen(.end(uuid)), at: .seconds(3)) {
                Effect.system(.request(Story.id(6), .end(uuid)))
            }
            for number in 0..<UInt32(later) {
                let mute = SystemCallAction.setMuted(uuid, isMuted: number.isMultiple(of: 2))
                try story.expect(.actionChosen(mute), at: .seconds(3)) {
                    Effect.system(.request(Story.id(7 + number), mute))
                }
            }
            let refused = CallRegistry.Event.requestFinished(Story.id(6), isAccepted: false)
            let instant = Instant.zero.advanced(by: .seconds(4))
            var registry = story.machine
            registry.handle(refused, at: instant)
            #expect(registry.descriptions.isEmpty == (later == 7))
        }
    }

    @Test("What ends elsewhere while it rings stops ringing, with its reason (D-03)")
    func endsElsewhere() throws {
        let cases: [(CallEndReason, SystemEndReason, Bool)] = [
            (.answeredElsewhere, .answeredElsewhere, false),
            (.declinedElsewhere, .declinedElsewhere, false),
            (.cancelled, .remoteEnded, true), (.unanswered, .unanswered, true),
        ]
        for (reason, system, isMissed) in cases {
            var story = try Story.ringing()
            try story.expect(Story.answered(2, .status(.ringing())), at: .seconds(1))
            try story.expectWake(at: .seconds(3)) {
                Effect.callAPI(Story.id(3), .status(callId: "c-1"))
            }
            try story.expect(Story.answered(3, .status(.ended(reason))), at: .seconds(5)) {
                Effect.system(.reportEnded(uuid, system))
                Effect.announce(.ended(uuid, callId: "c-1", reason))
                Effect.writeLog(.ended(reason))
                Story.stored([(0, "c-1", nil), (5, "c-1", reason)])
                isMissed ? [Effect.missedCallExpected(from: nil)] : []
            }
        }
    }

    @Test(
        "A decline reaches the server even if the app was not ready and the network fails (VP-05)"
    )
    func decline() throws {
        var story = try Story.ringingSignedOut()
        try story.expect(Story.action(1, .end(uuid)), at: .seconds(2)) {
            Story.fulfill(1)
            Effect.announce(.ended(uuid, callId: "c-1", .declined))
            Effect.writeLog(.ended(.declined))
            Story.stored([(0, "c-1", nil), (2, "c-1", .declined)])
        }
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(3)) {
            Effect.callAPI(Story.id(2), .end(callId: "c-1", reason: .declined))
        }
        try story.expect(Story.answered(2, .failed), at: .seconds(4))
        try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(4)) {
            Effect.callAPI(Story.id(3), .end(callId: "c-1", reason: .declined))
        }
        try story.expect(Story.answered(3, .accepted), at: .seconds(5))
        #expect(story.machine.deadline == nil)
    }

    @Test("A hang-up and a remote hang-up each end both sides (VP-05)")
    func hangUp() throws {
        var story = try Story.connected()
        try story.expect(Story.action(2, .end(uuid)), at: .seconds(9)) {
            Story.fulfill(2)
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored(left: (9, "c-1", .hungUp))
            Effect.cancelAPI(Story.id(5))
            Effect.callAPI(Story.id(6), .end(callId: "c-1", reason: .hungUp))
        }
        try story.expect(Story.answered(6, .accepted), at: .seconds(10)) {
            Story.stored([(10, "c-1", .hungUp)])
        }
        var remote = try Story.connected()
        try remote.expect(Story.answered(5, .status(.answered)), at: .seconds(3))
        try remote.expect(.mediaPeerLeft(uuid), at: .seconds(4)) {
            Effect.callAPI(Story.id(6), .status(callId: "c-1"))
        }
        // Its end may be on its way still: the server is asked again, and soon.
        try remote.expect(Story.answered(6, .status(.answered)), at: .seconds(4))
        try remote.expectWake(at: .seconds(5)) {
            Effect.callAPI(Story.id(7), .status(callId: "c-1"))
        }
        try remote.expect(Story.answered(7, .status(.ended(.hungUp))), at: .seconds(6)) {
            Effect.system(.reportEnded(uuid, .remoteEnded))
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored([(0, "c-1", nil), (6, "c-1", .hungUp)])
        }
    }

    @Test("The server is asked often while the other side is away, and no longer (VP-05)")
    func watchesClosely() throws {
        var story = try Story.connected()
        try story.expect(Story.answered(5, .status(.answered)), at: .seconds(2))
        // Who hung up before they had joined leaves nobody who could leave: that is asked at once.
        var returning = story
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(6)) {
            Effect.callAPI(Story.id(6), .status(callId: "c-1"))
        }
        // Who was there may change their path first.
        try returning.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(3))
        try returning.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(4))
        try returning.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(6))
        try returning.expect(.mediaPeerSeen(uuid, isPresent: false), at: .seconds(7)) {
            Effect.callAPI(Story.id(6), .status(callId: "c-1"))
        }
        try story.expect(Story.answered(6, .status(.answered)), at: .seconds(6))
        try story.expect(.mediaPeerSeen(uuid, isPresent: false), at: .milliseconds(6_500))
        try story.expectWake(at: .seconds(7)) {
            Effect.callAPI(Story.id(7), .status(callId: "c-1"))
        }
        try story.expect(Story.answered(7, .status(.answered)), at: .seconds(7))
        // It is there: from the next answer on the pace is a conversation's.
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .milliseconds(7_500))
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .milliseconds(7_800))
        try story.expectWake(at: .seconds(8)) {
            Effect.callAPI(Story.id(8), .status(callId: "c-1"))
        }
        try story.expect(Story.answered(8, .status(.answered)), at: .seconds(8))
        #expect(story.machine.deadline?.instant == Instant(nanoseconds: 18_000_000_000))
        // One who comes back after leaving is treated alike.
        try story.expect(.mediaPeerLeft(uuid), at: .seconds(9)) {
            Effect.callAPI(Story.id(9), .status(callId: "c-1"))
        }
        try story.expect(.mediaPeerSeen(uuid, isPresent: true), at: .seconds(9))
        try story.expect(Story.answered(9, .status(.answered)), at: .seconds(9))
        #expect(story.machine.deadline?.instant == Instant(nanoseconds: 19_000_000_000))
    }

    @Test("Mute and hold reach the media and the app with their fields (VP-05, VP-08)")
    func muteAndHold() throws {
        var story = try Story.connected()
        try story.expect(Story.action(2, .setMuted(uuid, isMuted: true)), at: .seconds(3)) {
            Story.fulfill(2)
            Effect.media(uuid, .setMuted(true))
            Effect.announce(.muted(uuid, isMuted: true))
        }
        // A phone call interrupts: the system holds this one and takes the audio.
        try story.expect(Story.action(3, .setHeld(uuid, isHeld: true)), at: .seconds(4)) {
            Effect.media(uuid, .setHeld(true))
            Story.fulfill(3)
            Effect.announce(.held(uuid, isHeld: true))
        }
        try story.expect(.audioDeactivated, at: .seconds(4)) {
            Effect.announce(.audioDeactivated)
        }
        #expect(!story.machine.isAudioActive)
        try story.expect(Story.action(4, .setHeld(uuid, isHeld: false)), at: .seconds(9)) {
            Effect.media(uuid, .setHeld(false))
            Story.fulfill(4)
            Effect.announce(.held(uuid, isHeld: false))
        }
        try story.expect(.audioActivated, at: .seconds(9)) { Effect.announce(.audioActivated) }
    }

    @Test("A mute before the media are joined is kept for them (VP-05)")
    func earlyMute() throws {
        var story = try Story.answering()
        try story.expect(Story.action(2, .setMuted(uuid, isMuted: true)), at: .seconds(1)) {
            Story.fulfill(2)
            Effect.announce(.muted(uuid, isMuted: true))
        }
        let offer = CallOffer(room: "call-x", hasVideo: false)
        try story.expect(Story.answered(3, .offer(offer)), at: .seconds(2)) {
            Effect.callAPI(Story.id(4), .answer(callId: "c-1"))
        }
        try story.expect(Story.answered(4, .answered(room: "call-x")), at: .seconds(2)) {
            Story.fulfill(1)
            Effect.media(uuid, .join(room: "call-x"))
            Effect.media(uuid, .setMuted(true))
            Story.stored(entered: ("c-1", 2_000))
            Effect.callAPI(Story.id(5), .status(callId: "c-1"))
        }
    }

    @Test("A second call is answered while the first is held, and both end by themselves (VP-05)")
    func secondCall() throws {
        let second = Story.uuids[1]
        var story = try Story.connected()
        try story.expect(Story.answered(5, .status(.answered)), at: .seconds(2))
        try story.expect(Story.push(2, Story.payload("c-2")), at: .seconds(3)) {
            Story.report(6, second)
            Story.stored([(3, "c-2", nil)], entered: ("c-1", 1_200))
            Effect.callAPI(Story.id(7), .status(callId: "c-2"))
            // Who calls anew may be in the first call no more.
            Effect.callAPI(Story.id(8), .status(callId: "c-1"))
        }
        try story.expect(Story.answered(8, .status(.answered)), at: .seconds(3))
        try story.expect(.reportFinished(Story.id(6), nil), at: .seconds(3)) { Story.complete(2) }
        try story.expect(Story.action(2, .setHeld(uuid, isHeld: true)), at: .seconds(4)) {
            Effect.media(uuid, .setHeld(true))
            Story.fulfill(2)
            Effect.announce(.held(uuid, isHeld: true))
        }
        try story.expect(Story.action(3, .answer(second)), at: .seconds(4)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(second, "c-2")))
            Effect.cancelAPI(Story.id(7))
            Effect.callAPI(Story.id(9), .offer(callId: "c-2"))
        }
        try story.expect(Story.answered(9, .ended(.cancelled)), at: .seconds(4)) {
            Story.fail(3)
            Effect.system(.reportEnded(second, .remoteEnded))
            Effect.announce(.ended(second, callId: "c-2", .cancelled))
            Effect.writeLog(.ended(.cancelled))
            Story.stored([(4, "c-2", .cancelled)], entered: ("c-1", 1_200))
            Effect.missedCallExpected(from: nil)
        }
        #expect(story.machine.descriptions.map(\.callId) == ["c-1"])
    }

    @Test("A reset ends everything without another word to the system (VP-08)")
    func reset() throws {
        var story = try Story.connected()
        try story.expect(.providerReset, at: .seconds(5)) {
            Effect.announce(.reset)
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeLog(.ended(.failed))
            Story.stored(left: (5, "c-1", .failed))
            Effect.cancelAPI(Story.id(5))
            Effect.callAPI(Story.id(6), .end(callId: "c-1", reason: .failed))
        }
        #expect(!story.machine.isAudioActive)
    }

    @Test("A reset completes the pushes whose reports are open, once (VP-08)")
    func resetWhileReporting() throws {
        var story = Transcript(Story.registry())
        try story.expect(Story.push(1, .string("call")), at: .zero) {
            Story.report(1, uuid, .unusable)
            Effect.writeLog(.refused(.notAnObject))
        }
        try story.expect(.providerReset, at: .seconds(1)) {
            Effect.announce(.reset)
            Story.complete(1)
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(2))
        #expect(story.machine.deadline == nil)
    }

    @Test("An answer that the system stops waiting for ends the call")
    func actionTimedOut() throws {
        var story = try Story.answering()
        try story.expect(.actionTimedOut(ActionID(number: 1)), at: .seconds(2)) {
            Effect.writeLog(.actionTimedOut)
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeLog(.ended(.failed))
            Story.stored([(0, "c-1", nil), (2, "c-1", .failed)])
            Effect.cancelAPI(Story.id(3))
            Effect.callAPI(Story.id(4), .end(callId: "c-1", reason: .failed))
            Effect.missedCallExpected(from: nil)
        }
    }

    @Test("An action for a call that is over fails, except its end")
    func unknownCall() throws {
        var story = Transcript(Story.registry())
        try story.expect(Story.action(1, .answer(uuid)), at: .zero) { Story.fail(1) }
        try story.expect(Story.action(2, .setMuted(uuid, isMuted: true)), at: .zero) {
            Story.fail(2)
        }
        try story.expect(Story.action(3, .setHeld(uuid, isHeld: true)), at: .zero) {
            Story.fail(3)
        }
        try story.expect(Story.action(4, .start(uuid, handle: "u", hasVideo: false)), at: .zero) {
            Story.fail(4)
        }
        try story.expect(Story.action(5, .end(uuid)), at: .zero) { Story.fulfill(5) }
    }

    @Test("Who logs out rings no more, and has the server told of a conversation's end (RS-12)")
    func signedOut() throws {
        var story = try Story.ringing()
        try story.expect(.signedOut, at: .seconds(1)) {
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .signedOut))
            Effect.writeLog(.ended(.signedOut))
            Story.stored([(0, "c-1", nil), (1, "c-1", .signedOut)])
            Effect.cancelAPI(Story.id(2))
        }
        story = try Story.connected()
        try story.expect(.signedOut, at: .seconds(3)) {
            Effect.system(.reportEnded(uuid, .remoteEnded))
            Effect.media(uuid, .leave)
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeLog(.ended(.hungUp))
            Story.stored(left: (3, "c-1", .hungUp))
            Effect.cancelAPI(Story.id(5))
            Effect.callAPI(Story.id(6), .end(callId: "c-1", reason: .hungUp))
        }
        // The farewell goes on in the former user's name.
        try story.expect(.credentialsChanged(nil), at: .seconds(3))
        #expect(story.machine.deadline != nil)
        try story.expect(Story.answered(6, .accepted), at: .seconds(4)) {
            Story.stored([(4, "c-1", .hungUp)])
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A push for nobody is reported without a name and ends at once (RS-12, D-01)")
    func pushWhileSignedOut() throws {
        var story = Transcript(Story.registry())
        try story.expect(.signedOut, at: .zero)
        try story.expect(Story.push(1, Story.payload()), at: .seconds(1)) {
            Story.report(1, uuid, .unusable)
            Effect.writeLog(.signedOut)
        }
        try story.expect(.reportFinished(Story.id(1), nil), at: .seconds(1)) {
            Effect.system(.reportEnded(uuid, .failed))
            Story.complete(1)
        }
        try story.expect(.credentialsChanged(Story.credentials), at: .seconds(2))
        try story.expect(Story.push(2, Story.payload("c-2")), at: .seconds(3)) {
            Story.report(2, CallStory.uuids[1])
            Story.stored([(3, "c-2", nil)])
            Effect.callAPI(Story.id(3), .status(callId: "c-2"))
        }
    }

    @Test("A login that is refused stops all signalling until there is another (RS-12)")
    func refusedLogin() throws {
        var story = try Story.ringing()
        try story.expect(Story.answered(2, .refused(statusCode: 401)), at: .seconds(1)) {
            Effect.signInRequired
        }
        #expect(story.machine.deadline?.reason.description == "ring timeout")
        let other = CallCredentials(bearer: "new session", deviceID: "phone-1")
        try story.expect(.credentialsChanged(other), at: .seconds(2)) {
            Effect.callAPI(Story.id(3), .status(callId: "c-1"))
        }
    }
}
