import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session follows the network path (D-19)")
struct RealtimeSessionPathTests {
    @Test("No path is said at once, and the room is kept for when the path comes back")
    func pathLost() throws {
        var story = try Story.connected()
        try story.expect(.pathChanged(.unsatisfied), at: .seconds(2)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.statistics(1, consents: 3), at: .seconds(3))
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(4))
        try story.expect(Story.statistics(1, consents: 4), at: .seconds(5)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
    }

    @Test("Packets that come in after a notice of no path refute it (D-19)")
    func refuted() throws {
        var story = try Story.connected()
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(2))
        try story.expect(.pathChanged(.unsatisfied), at: .milliseconds(2_500)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        // What was under way when the notice came may have come in before it.
        try story.expect(Story.statistics(1, consents: 2), at: .seconds(3))
        try story.expect(Story.statistics(1, consents: 3), at: .seconds(4)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expectWake(at: .seconds(6)) { Story.status(.connected) }
    }

    @Test("A room that shows no life soon after the path came back is replaced")
    func pathBackButDead() throws {
        var story = try Story.connected()
        try story.expect(.pathChanged(.unsatisfied), at: .seconds(2)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(4))
        try story.expectWake(at: .seconds(6)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test(
        "On a long path a room has the round trips that a sign of life takes once it is back (K-19)"
    )
    func longPathBack() throws {
        for (roundTrip, end) in [
            (Duration.milliseconds(400), Duration.seconds(6)), (.seconds(1), .seconds(8)),
        ] {
            var story = try Story.connected()
            let statistics = Story.statistics(1, consents: 1, roundTrip: roundTrip)
            try story.expect(statistics, at: .milliseconds(1_500))
            try story.expect(.pathChanged(.unsatisfied), at: .seconds(2)) {
                Effect.handOverOffline
                Story.status(.reconnecting)
            }
            try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(4))
            try story.expectWake(at: end) {
                Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
                Story.order(1, .stopRenderer)
                Story.order(1, .release)
                Story.connect(2, operation: 4)
            }
        }
    }

    @Test("A change of the interface leaves media that goes on alone")
    func mediaSurvives() throws {
        var story = try Story.connected()
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(2))
        try story.expect(Story.statistics(1, consents: 2), at: .seconds(3))
        try story.expectWake(at: .seconds(4))
    }

    @Test(
        "Who waits for somebody on a new interface or address joins anew, to be told of their voice (VP-05)",
        arguments: [NetworkInterface.wifi, .cellular]
    )
    func awaitsPerson(interface: NetworkInterface) throws {
        var configuration = Story.configuration
        configuration.partner = .person
        var story = try Story.connected(configuration)
        try story.expect(.pathChanged(.satisfied(interface)), at: .seconds(2))
        story = try Story.connected(configuration)
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .seconds(2)) {
            Story.order(1, .stopRenderer)
        }
        try story.expect(.pathChanged(.satisfied(interface)), at: .seconds(2)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.connect(2, operation: 4)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "A connect that goes on has its grace once the address has changed, on any interface (K-19)"
    )
    func addressChangedWhileConnecting() throws {
        var story = try Story.lost()
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(11))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .seconds(13)))
    }

    /// Room object 1, which was rendered and not taken for lost, gives way to another one.
    private var replacedWhileHeard: [Effect] {
        [
            .writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue)),
            Story.order(1, .stopRenderer), Story.order(1, .release),
        ] + Story.connect(2, operation: 4) + [.handOverOffline, Story.status(.reconnecting)]
    }

    @Test(
        "Who hears nobody on a new interface joins anew: they may have, too (VP-05)",
        arguments: [true, false]
    )
    func missesPerson(wasHeard: Bool) throws {
        // Heard until 2 s, or never since the room was joined at 1 s; checks go on along a pair in reserve.
        let lastHeard: Int64 = wasHeard ? 2 : 1
        var story = try missing(wasHeard: wasHeard, audible: 1, until: lastHeard + 2)
        let statistics = Story.statistics(1, consents: 9, received: 50, audible: 1)
        try story.expect(statistics, at: .seconds(lastHeard + 3)) {
            replacedWhileHeard
        }
    }

    @Test(
        "Somebody who is muted, or whose tracks nobody counts, is not missed",
        arguments: [0, nil]
    )
    func missesNobody(audible: Int?) throws {
        _ = try missing(wasHeard: true, audible: audible, until: 12)
    }

    /// A call whose interface changed just before 2 s, and from then on to `second` no voice came in.
    private func missing(
        wasHeard: Bool,
        audible: Int?,
        until second: Int64
    ) throws -> Transcript<RealtimeSession> {
        var configuration = Story.configuration
        configuration.partner = .person
        var story = try Story.connected(configuration)
        if !wasHeard {
            let none = Story.statistics(1, consents: 1, received: 50, audible: audible)
            try story.expect(none, at: .seconds(1))
        }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(1_900))
        for instant in 2...second {
            let statistics = Story.statistics(1, consents: instant, received: 50, audible: audible)
            try story.expect(statistics, at: .seconds(instant))
        }
        return story
    }

    @Test("A publication that a change of interface leaves unanswered goes elsewhere (VP-05)")
    func publicationUnanswered() throws {
        var story = try Story.connected(opensMicrophone: false)
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(1_100))
        try story.expect(Story.statistics(1, consents: 1), at: .milliseconds(1_999))
        var answered = story
        try answered.expect(Story.microphoneFinished(1, 3), at: .milliseconds(1_999))
        try answered.expect(Story.statistics(1, consents: 2), at: .seconds(3))
        try story.expect(Story.statistics(1, consents: 2), at: .seconds(3)) {
            replacedWhileHeard
        }
    }

    @Test("A room whose interface changed while it connected is replaced (VP-05)")
    func changedWhileConnecting() throws {
        var story = Story.begin()
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .zero)
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .milliseconds(300)) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(500))
        try story.expect(Story.connectFinished(1, 2), at: .milliseconds(700)) {
            Effect.writeLog(.connected(RoomID(number: 1)))
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.connect(2, operation: 3)
        }
        // The second was opened by the interface that there is.
        try story.expect(Story.connectFinished(2, 3), at: .milliseconds(1_100)) {
            Effect.writeLog(.connected(RoomID(number: 2)))
            Story.microphone(2, 4, true)
            Story.status(.connected)
        }
    }

    @Test("Who waits for the agent on a new interface joins anew, to be told of its voice (K-02)")
    func awaitsAgent() throws {
        var story = Story.begin()
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .zero)
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(Story.answered(1, Story.credentials()), at: .milliseconds(300)) {
            Story.connect(1, operation: 2)
            Story.status(.connecting)
        }
        try story.expect(Story.connectFinished(1, 2), at: .milliseconds(700)) {
            Effect.writeLog(.connected(RoomID(number: 1)))
            Story.microphone(1, 3, true)
            Story.status(.connected)
        }
        try story.expect(Story.microphoneFinished(1, 3), at: .milliseconds(750))
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(900)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.connect(2, operation: 4)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("Media that does not survive a change of the interface is noticed and replaced sooner")
    func mediaDies() throws {
        var story = try Story.connected()
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(2))
        try story.expectWake(at: .seconds(4)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .seconds(6)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test("A path-up notice ends a wait at once, and begins the fast phase anew")
    func pathUpEndsWait() throws {
        var story = try Story.lost()
        // Two attempts fail, 200 and 400 ms after the failures before them; 800 ms would follow.
        for (room, begins) in [(2, 10_200), (3, 10_700)] as [(UInt32, Int64)] {
            try story.expectWake(at: .milliseconds(begins)) {
                Story.connect(room, operation: room + 2)
            }
            try fail(room, &story, at: begins + 100)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .milliseconds(11_000)) {
            Story.connect(4, operation: 6)
        }
        try fail(4, &story, at: 11_100)
        try story.expectWake(at: .milliseconds(11_499))
        try story.expectWake(at: .milliseconds(11_500)) { Story.connect(5, operation: 7) }
    }

    private func fail(
        _ room: UInt32,
        _ story: inout Transcript<RealtimeSession>,
        at milliseconds: Int64
    ) throws {
        let finished = Story.connectFinished(room, room + 2, .network)
        try story.expect(finished, at: .milliseconds(milliseconds)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
            Story.order(room, .release)
        }
    }

    @Test("A path that flaps starts an attempt every pathGrace at most")
    func flapping() throws {
        var story = try Story.lost()
        var now = Duration.milliseconds(10_050)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: now) {
            Story.connect(2, operation: 4)
        }
        try story.expect(Story.connectFinished(2, 4, .network), at: now) {
            Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
            Story.order(2, .release)
        }
        try story.expectWake(at: now + .milliseconds(400)) { Story.connect(3, operation: 5) }
        try story.expect(Story.connectFinished(3, 5, .network), at: now + .milliseconds(400)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.network.rawValue))
            Story.order(3, .release)
        }
        for _ in 0..<7 {
            now += .milliseconds(50)
            try story.expect(.pathChanged(.unsatisfied), at: now + .milliseconds(400))
            try story.expect(.pathChanged(.satisfied(.wifi)), at: now + .milliseconds(425))
        }
        #expect(
            story.machine.deadline?.instant == Instant.zero.advanced(by: .milliseconds(11_250))
        )
    }

    @Test("A connect begun on a path that is gone is cut short")
    func cutsShort() throws {
        var story = try Story.lost()
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(11))
        try story.expectWake(at: .milliseconds(12_999))
        try story.expectWake(at: .seconds(13)) {
            Effect.writeLog(.failed(.connecting, code: RoomError.timedOut.rawValue))
            Story.order(2, .release)
        }
    }

    @Test("A token asked for by the interface that is gone has two seconds more (D-19)")
    func cutsTokenShort() throws {
        var story = Story.begin()
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .zero)
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(500))
        let end = Instant.zero.advanced(by: .milliseconds(2_500))
        #expect(story.machine.deadline?.instant == end)
    }

    @Test("The first notice after launch cuts nothing short")
    func firstNotice() throws {
        var story = Story.begin()
        try story.expect(.connectRequested(Story.identity), at: .zero) {
            Story.fetch(1)
            Story.status(.fetchingToken)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .milliseconds(100))
        #expect(story.machine.deadline?.instant == Instant.zero.advanced(by: .seconds(5)))
    }

    @Test("As specified, path notices move nothing (D-07)")
    func deaf() throws {
        var story = try Story.connected(.asSpecified)
        try story.expect(.pathChanged(.unsatisfied), at: .seconds(2))
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .seconds(3))
        #expect(story.machine.deadline == nil)
    }
}
