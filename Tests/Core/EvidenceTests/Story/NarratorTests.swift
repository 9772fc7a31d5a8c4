@testable import KodamaEvidence
@testable import KodamaSession
import Testing

@Suite("Narrators lay things to what led to them, and to nothing else (HN-06)")
struct NarratorTests {
    /// A session that is connected, and heard from 1.7 s on.
    private static let connected = [
        """
        0 phone app.launched -
        1000 phone attempt.began - room=1 number=1 kind=connect
        1500 phone attempt.ended - room=1 failure=none

        """,
        flow("from-phone", at: 1_600, heard: 1_640),
        flow("to-phone", at: 1_600, heard: 1_700),
    ].joined()

    /// One side's voice flows from an instant on; the first of it is heard at another.
    private static func flow(_ direction: String, at milliseconds: Int, heard: Int) -> String {
        "\(milliseconds) phone audio.flowing - direction=\(direction) "
            + "captured_ns=\(milliseconds - 20)000000 heard_ns=\(heard)000000\n"
    }

    /// Both sides' voice ends at an instant.
    private static func silence(_ milliseconds: Int) -> String {
        ["from-phone", "to-phone"].map {
            "\(milliseconds) phone audio.stopped - direction=\($0) "
                + "captured_ns=\(milliseconds - 20)000000\n"
        }.joined()
    }

    @Test("After a short outage the app is not told to act because it was launched")
    func shortOutage() throws {
        let told = try Told.lines(
            "phone",
            [
                Self.connected,
                """
                30000 phone loss.detected - room=1 cause=signal-closed
                30000 phone attempt.began - room=1 number=1 kind=quick
                30000 phone path.lost - cause=interface

                """,
                Self.silence(30_000),
                """
                30000 phone attempt.ended - room=1 failure=socket-broken
                30000 phone attempt.waiting - room=1 duration_ns=1080000000
                31000 phone path.usable -

                """,
                Self.flow("to-phone", at: 31_020, heard: 31_110),
                Self.flow("from-phone", at: 31_040, heard: 31_060),
                """
                31080 phone attempt.began - room=1 number=2 kind=quick
                31230 phone attempt.ended - room=1 failure=none
                90000 phone loss.detected - room=1 cause=server-leave
                180000 - run.ended -
                """,
            ].joined()
        )
        #expect(
            told == [
                "The system launches the app.",
                "1.7 s after the app was launched: user and agent hear each other.",
                "The app notices: its signal connection was closed; "
                    + "attempt 1 to resume the connection begins.",
                "The path to the servers is lost: the phone has no network.",
                "No voice passes any more.",
                "Attempt 1 to resume the connection fails at once: the socket breaks.",
                "1 s after the path was lost: the path is back.",
                "80 ms after the path was back: attempt 2 to resume the connection begins "
                    + "after a wait of 1.08 s.",
                "110 ms after the path was back: user and agent hear each other again, "
                    + "1.11 s after the voice stopped; since the path was back: "
                    + "80 ms with no attempt under way, 30 ms for signalling.",
                "230 ms after the path was back: attempt 2 to resume the connection succeeds.",
                "The app notices: the server tells it to leave.",
                "The run ends.",
            ]
        )
    }

    @Test("What timers find out when the voice is back is laid to the path's loss, for a while")
    func lateNotice() throws {
        let told = try Told.lines(
            "phone",
            [
                Self.connected,
                "40000 phone path.lost - cause=link\n",
                Self.silence(40_000),
                "44500 phone path.usable -\n",
                Self.flow("to-phone", at: 44_520, heard: 44_600),
                Self.flow("from-phone", at: 44_520, heard: 44_580),
                """
                45660 phone loss.detected - room=1 cause=transport
                45660 phone attempt.began - room=1 number=1 kind=quick
                45900 phone attempt.ended - room=1 failure=none
                200000 phone loss.detected - room=1 cause=transport
                """,
            ].joined()
        )
        let notice = "its media transport is disconnected"
        #expect(
            told.suffix(3) == [
                "5.66 s after the path was lost: the app notices: \(notice); "
                    + "attempt 1 to resume the connection begins.",
                "Attempt 1 to resume the connection succeeds.",
                "The app notices: \(notice).",
            ]
        )
    }

    @Test("A wait of a room that was left, and a time-out that was not waited out, are not told")
    func otherRoom() throws {
        let told = try Told.lines(
            "phone",
            [
                Self.connected,
                "10000 phone path.lost - cause=link\n",
                Self.silence(10_000),
                """
                12000 phone attempt.began - room=1 number=1 kind=quick
                22000 phone attempt.ended - room=1 failure=socket-timeout
                22000 phone attempt.waiting - room=1 duration_ns=900000000
                22500 phone room.left - room=1 manner=let-go
                22500 phone attempt.began - room=2 number=1 kind=connect
                25000 phone path.usable -
                25100 phone room.left - room=2 manner=let-go
                25100 phone attempt.ended - room=2 failure=cancelled
                25100 phone attempt.began - room=3 number=1 kind=connect
                25400 phone attempt.ended - room=3 failure=none
                """,
            ].joined()
        )
        #expect(told.contains("12.5 s after the path was lost: an attempt to connect begins."))
        #expect(
            told.suffix(4) == [
                "100 ms after the path was back: the app lets go of its room object.",
                "100 ms after the path was back: the attempt to connect fails after 2.6 s: "
                    + "the app gives it up.",
                "100 ms after the path was back: an attempt to connect begins.",
                "400 ms after the path was back: the attempt to connect succeeds.",
            ]
        )
    }

    @Test("What befalls the Internet is not laid to the radio, nor to what brought it up before")
    func internet() throws {
        let sound = "ann-phone.intercom frame.concealed bob-phone.intercom index=1 samples=9600"
        let end = "ann-phone.intercom frame.played bob-phone.intercom index=2 samples=960"
        let told = try Told.lines(
            "ann-phone,bob-phone,ann-phone.intercom,bob-phone.intercom,ann-phone/bob-phone,"
                + "ann-phone/cellular",
            """
            1000 ann-phone.intercom group.joined - group=1
            1000 bob-phone.intercom group.joined - group=1
            5000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=internet-connecting cause=quality
            9000 ann-phone.intercom connection.up bob-phone.intercom path=internet
            40000 ann-phone.intercom connection.down bob-phone.intercom path=internet
            60000 ann-phone.intercom connection.up bob-phone.intercom path=internet
            70000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=internet-connected cause=local-lost
            75000 ann-phone/bob-phone link.changed - disruption=restored parameter=0
            76000 \(sound) heard_ns=76000000000 means=extrapolated
            76200 \(end) heard_ns=76200000000 captured_ns=76100000000
            80000 ann-phone/cellular link.changed - disruption=stopped parameter=0
            80300 \(sound) heard_ns=80300000000 means=extrapolated
            80500 \(end) heard_ns=80500000000 captured_ns=80400000000
            82000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=disconnected cause=internet-lost
            """
        )
        let up = "a connection to bob-phone is up over the Internet."
        #expect(told.contains("4 s after the app began to bring it up: \(up)"))
        #expect(told.contains("A connection to bob-phone is up over the Internet."))
        let voice = "the voice of bob-phone breaks off, and is made up for a moment."
        #expect(told.contains("T\(voice.dropFirst())"))
        #expect(told.contains("300 ms after the link ann-phone/cellular stopped: \(voice)"))
        #expect(
            told.last == "2 s after the link ann-phone/cellular stopped: there is no way to "
                + "bob-phone any more, because the Internet was lost."
        )
    }

    @Test("Where a phone has several apps each sentence says which one it is of")
    func severalApps() throws {
        let told = try Told.lines(
            "mika-phone,mika-phone.calls,mika-phone.session,taro-phone,taro-phone.calls",
            """
            0 mika-phone user.acted mika-phone.session action=open-app
            0 mika-phone.session app.launched -
            0 taro-phone user.acted - action=open-app
            1000 mika-phone.session scene.changed - phase=active
            2000 mika-phone user.acted mika-phone.calls action=open-app
            2300 mika-phone.session scene.changed - phase=background
            2300 mika-phone.session status.shown - stage=disconnected
            3000 mika-phone user.acted mika-phone.calls action=kill-app
            3000 mika-phone.calls app.terminated -
            """
        )
        #expect(
            told == [
                "The user opens the session app.",
                "The user opens the app.",
                "The user opens the calls app.",
                "The session app is in the background.",
                "The session app says that it is disconnected.",
                "The user throws the calls app out of the app switcher.",
                "The calls app's process ends.",
            ]
        )
    }

    @Test("A new act of users is written, read and told by its declaration alone (HN-02)")
    func declaredOnce() throws {
        var system = EvidenceSystem(SystemID(201), forms: [])
        system.acts = [UserAct("wind-clock", number: 201 << 8, "winds {app} up")]
        let systems = Systems.core + [system]
        let names = ["ann-phone", "ann-phone.clock"]
        var builder = TraceBuilder(names)
        builder.add(UserActed(action: system.acts[0]), at: 0, names[0], names[1])
        let trace = RecordedTrace(
            scenario: "clock",
            seed: 1,
            directory: TraceDirectory(names: names, systems: systems),
            records: builder.records
        )
        let written = TraceText.write(trace, instants: .nanoseconds)
        let text = String(decoding: written, as: UTF8.self)
        #expect(text.contains("ann-phone.clock action=wind-clock\n"), "\(text)")
        #expect(try TraceText.parse(written, systems: systems).records == trace.records)
        #expect(Told.lines(trace) == ["The user winds the app up."])
    }

    /// A record of a system that nobody tells of.
    private struct TeaReady: TraceForm {
        static let kind = TraceKind(SystemID(202), 1)
        static let text = TraceFormText(
            "tea.ready",
            .milestone,
            "The app says that tea is ready.",
            "waited_ns",
            "cups_left"
        )
        var waitedNanoseconds: Int64
        var cupsLeft: Int64
    }

    @Test(
        "A system without a narrator is told by its milestones, in the words of their forms (HN-06)"
    )
    func milestones() throws {
        let systems = Systems.core + [EvidenceSystem(SystemID(202), forms: [TeaReady.self])]
        let names = ["ann-phone", "ann-phone.tea", "kettle"]
        var builder = TraceBuilder(names)
        builder.add(TeaReady(waitedNanoseconds: 1_500_000_000, cupsLeft: 2), at: 1, names[1])
        builder.add(TeaReady(waitedNanoseconds: 0, cupsLeft: 1), at: 2, names[1], names[2])
        let trace = RecordedTrace(
            scenario: "tea",
            seed: 1,
            directory: TraceDirectory(names: names, systems: systems),
            records: builder.records
        )
        #expect(
            Told.lines(trace) == [
                "The app says that tea is ready: waited 1.5 s, cups left 2.",
                "The app says that tea is ready: with kettle, waited 0 s, cups left 1.",
            ]
        )
    }

    @Test("A way that failed its trial is not said to wait for one, nor one that was lost to stay")
    func trial() throws {
        let told = try Told.lines(
            "ann-phone,bob-phone,ann-phone.intercom,bob-phone.intercom",
            """
            1000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=internet-connecting cause=elapsed
            2000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=local-connected cause=appeared
            3000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=local-probing cause=elapsed
            4000 ann-phone.intercom handover.moved bob-phone.intercom \
            phase=local-candidate cause=elapsed
            """
        )
        #expect(
            told == [
                "The app brings the Internet up towards bob-phone, "
                    + "because the radio has not come up in time.",
                "The radio carries the voice to and from bob-phone, because it has come up.",
                "The app tries whether the radio to bob-phone holds, "
                    + "because the wait before a return is over.",
                "The app breaks off the trial of the radio to bob-phone, "
                    + "because it was not good for long enough.",
            ]
        )
    }
}
