@testable import KodamaEvidence
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("The narrator of sessions tells what the meter measures, and only what is so (HN-06)")
struct SessionNarratorTests {
    typealias Media = SessionScene.Media

    /// What is told of a phone's session; ears are 60 ms late.
    private func told(_ scene: SessionScene, until milliseconds: Int64 = 40_000) -> [String] {
        Told.lines(scene.trace(until: milliseconds))
    }

    @Test(
        "Voice is told alike with frames and without, with the parts that are measured",
        arguments: Media.allCases
    )
    func bothKinds(media: Media) {
        var scene = SessionScene(media)
        scene.attempt(.connect, 500..<800)
        scene.talk(1_000..<20_000, 27_000..<200_000)
        scene.outage(20_000..<25_000)
        scene.add(LossDetected(room: 1, cause: TraceWord(.signalClosed)), at: 24_000)
        scene.attempt(.quick, 25_100..<25_600, signalled: 25_250, connected: 25_500)
        #expect(
            told(scene) == [
                "The system launches the app.",
                "1.06 s after the app was launched: user and agent hear each other.",
                "The path to the servers is lost: "
                    + "its network carries nothing in at least one direction.",
                "No voice passes any more.",
                "4 s after the path was lost: the app notices: its signal connection was closed.",
                "5 s after the path was lost: the path is back.",
                "100 ms after the path was back: attempt 1 to resume the connection begins.",
                "600 ms after the path was back: attempt 1 to resume the connection succeeds.",
                "2.06 s after the path was back: user and agent hear each other again, "
                    + "7 s after the voice stopped; since the path was back: "
                    + "1.56 s until the first voice was heard, "
                    + "250 ms until media was connected, 150 ms for signalling, "
                    + "100 ms with no attempt under way.",
                "The run ends.",
            ]
        )
    }

    @Test("One side that falls silent is told alone", arguments: Media.allCases)
    func oneSide(media: Media) {
        var scene = SessionScene(media)
        scene.hear(.fromPhone, [1_000..<200_000])
        scene.hear(.toPhone, [1_000..<20_000, 30_000..<200_000])
        #expect(
            told(scene).dropFirst(2) == [
                "The agent is heard no more.",
                "10 s after the voice stopped: user and agent hear each other again; "
                    + "that time: 10 s with no attempt under way.",
                "The run ends.",
            ]
        )
    }

    @Test("A side that is heard again alone is told, and which is missing at the end")
    func oneSideBack() {
        var scene = SessionScene()
        scene.hear(.fromPhone, [1_000..<20_000])
        scene.hear(.toPhone, [1_000..<20_000, 25_000..<200_000])
        #expect(
            told(scene).dropFirst(2) == [
                "No voice passes any more.",
                "The agent is heard again, but the user is not.",
                "The run ends.",
                "19.9 s after the voice stopped: the user is still not heard.",
            ]
        )
    }

    @Test("Voice that is wanted and missing at the end is not back", arguments: Media.allCases)
    func missing(media: Media) {
        var scene = SessionScene(media)
        scene.talk(1_000..<20_000)
        #expect(told(scene).last == "19.9 s after it stopped: the voice is still not back.")
        let never = "40 s after the app was launched: user and agent have not heard each other."
        #expect(told(SessionScene(media)).last == never)
    }

    @Test(
        "Voice that nobody wants any more is not missing: hung up, logged out, left, killed",
        arguments: [UserAct.disconnect, .logOut, .leaveApp, .killApp, .phoneCallBegins]
    )
    func unwanted(act: UserAct) {
        for media in Media.allCases {
            var scene = SessionScene(media)
            scene.talk(1_000..<20_000)
            scene.act(act, at: 20_000)
            #expect(told(scene).last == "The run ends.")
        }
    }

    @Test("A conversation that was taken over is not missing, even when the user looks again")
    func takenOver() {
        var scene = SessionScene()
        scene.talk(1_000..<20_000)
        scene.add(FaultBegan(fault: .joinElsewhere, parameter: 0), at: 20_000)
        scene.add(RoomDisconnected(room: 1, error: TraceWord(.duplicateIdentity)), at: 20_020)
        scene.act(.leaveApp, at: 25_000)
        scene.act(.openApp, at: 30_000)
        let told = told(scene)
        #expect(told.last == "The run ends.")
        #expect(told.contains("The room object gives up: somebody else joined with its identity."))
    }

    @Test("Time that the user did not want to be heard is no part of what a return took")
    func wishes() {
        var scene = SessionScene()
        scene.talk(1_000..<20_000, 62_000..<200_000)
        scene.act(.logOut, at: 20_000)
        scene.act(.signIn, at: 60_000)
        let back = "user and agent hear each other again, 42 s after the voice stopped"
        #expect(
            told(scene, until: 80_000).suffix(2) == [
                "2.06 s after the user signed in: \(back); "
                    + "since the user signed in: 2.06 s with no attempt under way.",
                "The run ends.",
            ]
        )
        scene = SessionScene()
        scene.talk(1_000..<20_000, 62_000..<200_000)
        scene.act(.killApp, at: 20_000)
        scene.add(AppTerminated(), at: 20_000)
        scene.act(.openApp, at: 60_000)
        scene.add(AppLaunched(), at: 60_000)
        #expect(
            told(scene, until: 80_000).suffix(2) == [
                "2.06 s after the app was launched: \(back); "
                    + "since the app was launched: 2.06 s with no attempt under way.",
                "The run ends.",
            ]
        )
    }

    @Test("Who mutes loses no voice", arguments: Media.allCases)
    func muted(media: Media) {
        var scene = SessionScene(media)
        scene.hear(.fromPhone, [1_000..<20_000, 30_000..<200_000])
        scene.hear(.toPhone, [1_000..<200_000])
        scene.act(.mute, at: 20_000)
        scene.act(.unmute, at: 30_000)
        #expect(
            told(scene) == [
                "The system launches the app.",
                "1.06 s after the app was launched: user and agent hear each other.",
                "The user mutes the microphone.",
                "The user unmutes the microphone.",
                "The run ends.",
            ]
        )
    }

    @Test("What a sign-in asks of the app's server is not taken for a token")
    func signIn() throws {
        let told = try Told.lines(
            "phone",
            """
            0 phone app.launched -
            1000 phone token.requested - operation=7
            1200 phone token.answered - operation=7 outcome=200
            1200 phone status.shown - stage=signed-out
            10000 phone user.acted - action=sign-in
            10000 phone token.requested - operation=11
            10200 phone token.answered - operation=11 outcome=401
            10200 phone token.requested - operation=15
            15200 phone token.answered - operation=15 outcome=timed-out
            20000 phone user.acted - action=sign-in
            20000 phone token.requested - operation=19
            20200 phone token.answered - operation=19 outcome=200
            20200 phone status.shown - stage=fetching-token
            20200 phone token.requested - operation=4
            20300 phone token.answered - operation=4 outcome=500
            21000 phone token.requested - operation=8
            21050 phone token.answered - operation=8 outcome=timed-out
            """
        )
        #expect(
            told.dropFirst() == [
                "The app asks the user to sign in.",
                "The user signs in.",
                "200 ms after the user signed in: the sign-in fails: HTTP 401.",
                "5.2 s after the user signed in: "
                    + "the app stops waiting for what a sign-in needs after 5 s.",
                "The user signs in.",
                "300 ms after the user signed in: the app gets no token: HTTP 500.",
                "1.05 s after the user signed in: the app stops waiting for its token after 50 ms.",
            ]
        )
    }

    @Test("Who asks again after a failure is heard so long after that, not after the launch")
    func asksAgain() {
        var scene = SessionScene()
        scene.show(.deviceIdentityFailed, at: 1_000)
        scene.act(.connect, at: 10_000)
        scene.talk(11_000..<200_000)
        #expect(
            told(scene).contains(
                "1.06 s after the user asked for the conversation: user and agent hear each other."
            )
        )
        // Who only taps once more while it goes on changes nothing.
        scene = SessionScene()
        scene.show(.connecting, at: 1_000)
        scene.act(.connect, at: 10_000)
        scene.talk(11_000..<200_000)
        let heard = "user and agent hear each other."
        #expect(told(scene).contains("11.1 s after the app was launched: \(heard)"))
    }

    @Test("What an app cannot get while its user has not signed in is not laid to its launch")
    func waitsForSignIn() throws {
        let told = try Told.lines(
            "phone",
            """
            0 phone app.launched -
            1200 phone status.shown - stage=signed-out
            241000 phone token.requested - operation=7
            253000 phone token.answered - operation=7 outcome=timed-out
            """
        )
        #expect(told.last == "The app stops waiting for what a sign-in needs after 12 s.")
    }

    @Test("Who logs out leaves the room, and asks for no new token; who is let go asks for one")
    func leaving() {
        var scene = SessionScene()
        scene.talk(1_000..<20_000)
        scene.act(.phoneCallBegins, at: 20_000)
        scene.act(.logOut, at: 30_000)
        scene.add(RoomLeft(room: 1, manner: TraceWord(.disconnect)), at: 30_000)
        scene.show(.signedOut, at: 30_000)
        scene.add(TokenRequested(operation: 23), at: 30_000)
        #expect(told(scene).contains("9.94 s after the voice stopped: the app leaves its room."))
        scene = SessionScene()
        scene.show(.connected, at: 900)
        scene.talk(1_000..<20_000)
        scene.add(RoomLeft(room: 1, manner: TraceWord(.letGo)), at: 26_060)
        scene.add(TokenRequested(operation: 23), at: 26_060)
        #expect(
            told(scene).contains(
                "6 s after the voice stopped: "
                    + "the app lets go of its room object and asks for a new token."
            )
        )
    }

    @Test("A fault of the room server ends as it began, and evicts only who is there")
    func serverFaults() throws {
        let told = try Told.lines(
            "phone,rooms",
            """
            1000 rooms fault.began - fault=server-full parameter=0
            51000 rooms fault.ended - fault=server-cleared
            60000 rooms fault.ended - fault=server-cleared
            61000 rooms fault.began phone fault=join-elsewhere parameter=0
            62000 rooms participant.joined phone participant=1
            63000 rooms fault.began phone fault=join-elsewhere parameter=0
            64000 rooms fault.began - fault=server-leave parameter=0
            """
        )
        #expect(
            told == [
                "The room server refuses joins.",
                "50 s after it began: the room server lets people join again.",
                "Another device joins with the identity of phone, to no effect: "
                    + "it is in no room.",
                "Another device joins with the identity of phone.",
                "The room server tells the phone to leave.",
            ]
        )
    }
}
