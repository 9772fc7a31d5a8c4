import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session connects and is ended")
struct RealtimeSessionConnectTests {
    @Test("A request fetches a token, connects a room object and opens the microphone (RS-04)")
    func connects() throws {
        _ = try Story.connected()
    }

    @Test("A second request while connecting or connected does nothing (RS-04)")
    func secondRequest() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(.connectRequested(Story.identity), at: .zero)
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(.connectRequested(Story.identity), at: .zero)
        var connected = try Story.connected()
        try connected.expect(.connectRequested(Story.identity), at: .seconds(2))
    }

    @Test(
        "A token that cannot be fetched is named with its cause and fetched again (RS-02)",
        arguments: [
            (APIAnswer.refused(statusCode: 500), Int64(500), "HTTP 500"),
            (.refused(statusCode: 400), 400, "HTTP 400"),
            (.refused(statusCode: 401), 401, "HTTP 401"),
            (.refused(statusCode: 413), 413, "HTTP 413"),
            (.refused(statusCode: 429), 429, "HTTP 429"),
            (.refused(statusCode: 503), 503, "HTTP 503"),
            (.failed(.connectionLost), -1005, "通信が途切れました"),
            (.session(token: "?", timeToLive: .seconds(1)), -1016, "応答の形式が正しくありません"),
            (.failed(.offline), -1009, "インターネットに接続されていません"),
            (.failed(.timedOut), -1001, "サーバーが応答しません"),
            (.malformed, -1016, "応答の形式が正しくありません"),
            (.challenge("?"), -1016, "応答の形式が正しくありません"),
        ]
    )
    func tokenFails(answer: APIAnswer, code: Int64, cause: String) throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, answer), at: .seconds(1)) {
            Effect.writeLog(.failed(.tokenFailed, code: code))
            Story.status(.tokenFailed, cause)
        }
        try story.expectWake(at: .milliseconds(1_399))
        try story.expectWake(at: .milliseconds(1_400)) {
            Story.fetch(2)
            Story.status(.fetchingToken)
        }
    }

    @Test("A token that the server gives later is fetched then (RS-02)")
    func busy() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, .busy(RetryAfter(.seconds(7)))), at: .seconds(1)) {
            Effect.writeLog(.failed(.tokenFailed, code: 429))
            Story.status(.tokenFailed, "HTTP 429")
        }
        // A path that returns makes it no sooner, the user does.
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(3))
        var asking = story
        try asking.expect(.connectRequested(Story.identity), at: .seconds(4)) {
            Story.fetch(2)
            Story.status(.fetchingToken)
        }
        try story.expectWake(at: .milliseconds(7_999))
        try story.expectWake(at: .seconds(8)) {
            Story.fetch(2)
            Story.status(.fetchingToken)
        }
    }

    @Test("A token request that stays unanswered is cancelled; its late answer is not used (RS-02)")
    func tokenTimesOut() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expectWake(at: .seconds(5)) {
            Effect.cancelAPI(OperationID(number: 1))
            Effect.writeLog(.failed(.tokenFailed, code: -1001))
            Story.status(.tokenFailed, "サーバーが応答しません")
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .milliseconds(5_100))
        try story.expectWake(at: .milliseconds(5_400)) {
            Story.fetch(2)
            Story.status(.fetchingToken)
        }
    }

    @Test("A refused login goes back to the login; without one the token is fetched again (RS-12)")
    func loginRefused() throws {
        var story = Story.begin()
        let identity = SessionIdentity(deviceID: "device", bearer: "login")
        try story.expect(.connectRequested(identity), at: .zero) {
            Story.fetch(1, bearer: "login")
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, .refused(statusCode: 401)), at: .seconds(1)) {
            Effect.writeLog(.failed(.tokenFailed, code: 401))
            Effect.signInRequired
            Story.status(.signedOut)
        }
        #expect(story.machine.deadline == nil)
        #expect(!story.machine.isActive)
    }

    @Test(
        "A device that belongs to another user connects no more until the app has another identity (RS-03)"
    )
    func foreignDevice() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, .foreignDevice), at: .seconds(1)) {
            Effect.writeLog(.failed(.tokenFailed, code: 403))
            Effect.deviceIdentityRefused
            Story.status(.preparingDevice)
        }
        #expect(story.machine.deadline == nil)
        #expect(!story.machine.isActive)
    }

    @Test("A disconnect stops the renderer, leaves the room, and nothing revives it (RS-05)")
    func disconnects() throws {
        var story = try Story.connected()
        try story.expect(.disconnectRequested, at: .seconds(3)) {
            Story.order(1, .stopRenderer)
            Story.order(1, .disconnect(OperationID(number: 4)))
            Effect.writeLog(.disconnected(RoomID(number: 1), nil))
            Story.status(.disconnected)
        }
        let revivers: [RealtimeSession.Event] = [
            Story.says(1, .disconnectFinished(OperationID(number: 4))),
            Story.says(1, .disconnected(.network)), Story.says(1, .connected),
            Story.says(1, .reconnectCompleted(.full)), Story.says(1, .remoteAudioSubscribed),
            Story.connectFinished(1, 2), Story.answered(1, Story.credentials()),
            .pathChanged(.unsatisfied), .pathChanged(.satisfied(.cellular)),
            .scenePhaseChanged(.background), .scenePhaseChanged(.active),
            .muteChanged(isMuted: true), .audioAccessChanged(.taken),
            .audioAccessChanged(.available),
        ]
        for event in revivers {
            try story.expect(event, at: .seconds(4))
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("A disconnect while a token is fetched cancels it; the answer connects nothing (RS-05)")
    func disconnectsWhileFetching() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(.disconnectRequested, at: .seconds(1)) {
            Effect.cancelAPI(OperationID(number: 1))
            Story.status(.disconnected)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .seconds(2))
    }

    @Test("A disconnect while connecting ends the attempt; its success is not believed (RS-05)")
    func disconnectsWhileConnecting() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(.disconnectRequested, at: .seconds(1)) {
            Story.order(1, .disconnect(OperationID(number: 3)))
            Effect.writeLog(.disconnected(RoomID(number: 1), nil))
            Story.status(.disconnected)
        }
        try story.expect(Story.connectFinished(1, 2), at: .seconds(2))
        try story.expect(.connectRequested(Story.identity), at: .seconds(3)) {
            Story.fetch(4)
            Story.status(.fetchingToken)
        }
    }

    @Test("The renderer runs while any remote track is subscribed (RS-05)")
    func renderer() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(2)) {
            Story.order(1, .stopRenderer)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .seconds(2)) {
            Story.order(1, .startRenderer)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .seconds(3))
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(3))
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(4)) {
            Story.order(1, .stopRenderer)
        }
    }

    @Test("A remote track that comes before the connect is answered is heard as well (RS-04)")
    func earlyTrack() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .seconds(1))
        try story.expect(Story.connectFinished(1, 2), at: .seconds(1)) {
            Effect.writeLog(.connected(RoomID(number: 1)))
            Story.order(1, .startRenderer)
            Story.microphone(1, 3, true)
            Story.status(.connected)
        }
    }

    @Test("The first connect of a conversation has the time that a slow radio needs (RS-04)")
    func slowRadio() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .zero) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expectWake(at: .milliseconds(19_999))
        try story.expectWake(at: .seconds(20)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
        }
    }
}
