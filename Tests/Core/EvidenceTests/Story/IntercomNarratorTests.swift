import Testing

@Suite("What is told of groups: who is not heard, who is let in, and what the screen says (HN-06)")
struct IntercomNarratorTests {
    private static let components =
        "ann-phone,ben-phone,ann-phone.intercom,ben-phone.intercom,ann,ben,ann-phone/ben-phone"

    /// Two phones in one group.
    private static let joined = """
        0 ann-phone.intercom group.joined - group=1
        1000 ben-phone.intercom group.joined - group=1

        """

    /// A frame of Ben's that Ann hears, 100 ms old.
    private static func heard(_ milliseconds: Int) -> String {
        "\(milliseconds) ann-phone.intercom frame.played ben-phone.intercom index=\(milliseconds) "
            + "samples=960 heard_ns=\(milliseconds)000000 "
            + "captured_ns=\(milliseconds - 100)000000\n"
    }

    /// What Ann hears is made up, in place of Ben's voice.
    private static func madeUp(_ milliseconds: Int, samples: Int) -> String {
        "\(milliseconds) ann-phone.intercom frame.concealed ben-phone.intercom "
            + "index=\(milliseconds) samples=\(samples) heard_ns=\(milliseconds)000000 "
            + "means=extrapolated\n"
    }

    private func told(_ records: String...) throws -> [String] {
        try Told.lines(Self.components, Self.joined + records.joined()).filter {
            !$0.hasSuffix("joins its group.") && $0 != "The run ends."
        }
    }

    @Test("A voice that is still not heard when the run ends is told, though nothing was made up")
    func openSilence() throws {
        let lines = try told(
            "2000 ben speech.began ben-phone spurt=0\n",
            Self.heard(2_200),
            Self.madeUp(2_220, samples: 1_920),
            "150000 - run.ended -\n"
        )
        #expect(
            lines == [
                "The voice of ben-phone breaks off.",
                "148 s after its voice broke off: ben-phone is still not heard.",
            ]
        )
    }

    @Test("A voice that breaks off, is made up and never comes back is told with what led to it")
    func madeUpSilence() throws {
        let lines = try told(
            "2000 ben speech.began ben-phone spurt=0\n",
            Self.heard(9_980),
            "9990 ann-phone/ben-phone link.changed - disruption=stopped parameter=0\n",
            Self.madeUp(10_000, samples: 4_800),
            "20000 - run.ended -\n"
        )
        #expect(
            lines.contains(
                "10 ms after the link ann-phone/ben-phone stopped: "
                    + "the voice of ben-phone breaks off, and is made up for a moment."
            )
        )
        #expect(lines.last == "10 s after its voice broke off: ben-phone is still not heard.")
    }

    @Test("Speech that nobody hears from its onset on is told, a cut onset and a pause are not")
    func laterSilence() throws {
        let lines = try told(
            "2000 ben speech.began ben-phone spurt=0\n",
            Self.heard(2_200),
            "3000 ben speech.ended ben-phone spurt=0\n",
            Self.heard(3_100),
            // A pause is no silence, and an onset that is cut is none either.
            "30000 ben speech.began ben-phone spurt=1\n",
            Self.heard(31_500),
            "32000 ben speech.ended ben-phone spurt=1\n",
            Self.heard(32_100),
            "40000 ben speech.began ben-phone spurt=2\n",
            Self.heard(45_000),
            "45050 ben speech.ended ben-phone spurt=2\n",
            Self.heard(45_100),
            "60000 - run.ended -\n"
        )
        #expect(
            lines == [
                "What is said at ben-phone is not heard.",
                "5 s after the silence began: ben-phone is heard again.",
            ]
        )
    }

    @Test("Who was never heard is told at the end; who is silent, or has left, is not missed")
    func neverHeard() throws {
        let speech = "2000 ben speech.began ben-phone spurt=0\n"
        #expect(
            try told(speech, "61000 - run.ended -\n") == [
                "60 s after both were in the group: nothing has been heard of ben-phone."
            ]
        )
        #expect(try told("61000 - run.ended -\n").isEmpty)
        let left = try told(
            speech,
            "3000 ben-phone.intercom group.left - group=1\n61000 - run.ended -\n"
        )
        #expect(left == ["The app leaves its group."])
        // A trace that was cut off says nothing of what would have come.
        #expect(try told(speech, "61000 ben speech.ended ben-phone spurt=0\n").isEmpty)
    }

    @Test("Who is heard late for the first time is told, and who has not spoken since nobody heard")
    func firstAndLast() throws {
        #expect(
            try told(
                "2000 ben speech.began ben-phone spurt=0\n",
                Self.heard(17_000),
                "17020 ben speech.ended ben-phone spurt=0\n",
                "18000 - run.ended -\n"
            ) == ["16 s after both were in the group: ben-phone is heard for the first time."]
        )
        let lines = try told(
            "2000 ben speech.began ben-phone spurt=0\n",
            Self.heard(2_200),
            "2220 ben speech.ended ben-phone spurt=0\n",
            "32000 ben speech.began ben-phone spurt=1\n",
            "45000 ben speech.ended ben-phone spurt=1\n",
            "90000 - run.ended -\n"
        )
        #expect(
            lines == [
                "What is said at ben-phone is not heard.",
                "58 s after the silence began: ben-phone is still not heard, "
                    + "nor has it spoken for 45 s.",
            ]
        )
    }

    @Test("What became of an invite is told, and why it was refused (S-INV-002)")
    func invites() throws {
        let outcomes = [
            "tampered", "broken", "expired", "not-yet-valid", "foreign-group", "own-invite",
            "already-in", "joined",
        ]
        let records = outcomes.enumerated().map { index, outcome in
            "\(2_000 + index) ann-phone.intercom invite.answered - outcome=\(outcome) bytes=200\n"
        }
        #expect(
            try told(records.joined()) == [
                "The app refuses an invite: it was changed, or is not signed by its inviter.",
                "The app refuses an invite: it is no whole invite.",
                "The app refuses an invite: its time is over.",
                "The app refuses an invite: it is not valid yet.",
                "The app refuses an invite: "
                    + "it leads to another group than the one that the app is in.",
                "The app refuses an invite: the phone's own user made it.",
                "An invite leads to the group that the app is in already.",
                "The app follows an invite into its group.",
            ]
        )
    }

    @Test("Who is given up is told, whose card goes, and that the Internet is wanted (A-F-009)")
    func cards() throws {
        let card = "connection=gone talking=0 owner=0 muted=0"
        let gone = "ben-phone.intercom \(card)"
        let lines = try told(
            """
            60000 ann-phone.intercom internet.shown - unavailable=1
            79000 ann-phone.intercom card.shown \(gone)
            85000 ann-phone.intercom internet.shown - unavailable=0
            90000 ben-phone.intercom group.left - group=1
            90000 ben-phone.intercom card.shown ann-phone.intercom \(card)
            90008 ann-phone.intercom card.shown \(gone)

            """
        )
        #expect(
            lines == [
                "The app says that the Internet cannot be had.",
                "The app gives up on ben-phone and takes its card away.",
                "The app no longer says that the Internet cannot be had.",
                "The app leaves its group.",
                "8 ms after ben-phone left the group: its card is taken away.",
            ]
        )
    }

    @Test("Who is given up and sought again is told; who is sought from the start needs no word")
    func sought() throws {
        func card(_ milliseconds: Int, _ connection: String) -> String {
            "\(milliseconds) ann-phone.intercom card.shown ben-phone.intercom "
                + "connection=\(connection) talking=0 owner=0 muted=0\n"
        }
        let lines = try told(
            card(10, "searching") + card(2_000, "local") + card(30_000, "searching")
                + card(40_000, "gone")
        )
        #expect(
            lines == ["The app gives up on ben-phone, whose card says that it is sought."]
        )
    }

    @Test("A mute is told, and what others' cards make of it; what is said meanwhile is not missed")
    func mute() throws {
        func card(_ milliseconds: Int, isMuted: Bool) -> String {
            "\(milliseconds) ann-phone.intercom card.shown ben-phone.intercom "
                + "connection=local talking=0 owner=0 muted=\(isMuted ? 1 : 0)\n"
        }
        let lines = try told(
            "2000 ben speech.began ben-phone spurt=0\n",
            card(2_100, isMuted: false),
            Self.heard(2_200),
            "3000 ben-phone user.acted ben-phone.intercom action=mute\n",
            "3000 ben-phone.intercom microphone.muted - muted=1\n",
            card(3_008, isMuted: true),
            "40000 ben-phone user.acted ben-phone.intercom action=unmute\n",
            "40000 ben-phone.intercom microphone.muted - muted=0\n",
            Self.heard(40_100),
            card(40_508, isMuted: false),
            "41000 ben speech.ended ben-phone spurt=0\n",
            "60000 - run.ended -\n"
        )
        #expect(
            lines == [
                "The user mutes the microphone.",
                "8 ms after the microphone was turned off: "
                    + "the card of ben-phone says that it is muted.",
                "The user unmutes the microphone.",
                "508 ms after the microphone was turned on: "
                    + "the card of ben-phone no longer says that it is muted.",
            ]
        )
    }

    @Test("A voice that is made up when its microphone goes off has not broken off")
    func mutedGap() throws {
        let lines = try told(
            "2000 ben speech.began ben-phone spurt=0\n",
            Self.heard(2_200),
            Self.madeUp(2_220, samples: 4_800),
            "2250 ben-phone.intercom microphone.muted - muted=1\n",
            Self.madeUp(2_320, samples: 4_800),
            "9000 ben-phone.intercom microphone.muted - muted=0\n",
            Self.heard(9_100),
            "9150 ben speech.ended ben-phone spurt=0\n",
            "10000 - run.ended -\n"
        )
        #expect(lines.isEmpty)
    }

    @Test("A radio that comes up for the first time is not said to be tried again, nor never lost")
    func firstRadio() throws {
        let moved = "ann-phone.intercom handover.moved ben-phone.intercom"
        let lines = try told(
            """
            10000 \(moved) phase=internet-connected cause=appeared
            20000 \(moved) phase=local-candidate cause=appeared
            21000 \(moved) phase=local-probing cause=elapsed
            26000 \(moved) phase=handover-to-local cause=proven
            27000 \(moved) phase=local-connected cause=elapsed
            30000 \(moved) phase=internet-connected cause=quality
            30000 \(moved) phase=local-candidate cause=appeared

            """
        )
        #expect(
            lines.filter { $0.contains("waits") } == [
                "The app waits before it tries the radio to ben-phone, because it has come up.",
                "The app waits before it tries the radio to ben-phone again, "
                    + "because that connection was never lost.",
            ]
        )
    }

    @Test("A radio that is lost before anything goes by it again leaves the voice where it is")
    func radioLostAgain() throws {
        let moved = "ann-phone.intercom handover.moved ben-phone.intercom"
        let lines = try told(
            """
            10000 \(moved) phase=local-connected cause=appeared
            20000 \(moved) phase=internet-connected cause=local-lost
            30000 \(moved) phase=local-candidate cause=appeared
            31000 \(moved) phase=internet-connected cause=local-lost
            40000 \(moved) phase=local-candidate cause=appeared
            41000 \(moved) phase=local-probing cause=elapsed
            42000 \(moved) phase=internet-connected cause=local-lost

            """
        )
        let lost = "because the radio was lost."
        #expect(
            lines.filter { $0.hasSuffix(lost) } == [
                "The Internet carries the voice to and from ben-phone, \(lost)",
                "The voice to and from ben-phone stays on the Internet, \(lost)",
                "The voice to and from ben-phone stays on the Internet, \(lost)",
            ]
        )
    }

    @Test("A connection over which nobody proves who they are is told when it ends, and at the end")
    func unproven() throws {
        let (ann, ben) = ("ann-phone.intercom", "ben-phone.intercom")
        let lines = try told(
            """
            2000 \(ann) connection.up \(ben) path=local
            3000 \(ben) connection.up \(ann) path=local
            20000 \(ann) connection.down \(ben) path=local
            58500 \(ann) connection.up \(ben) path=local
            60000 - run.ended -

            """
        )
        #expect(
            lines == [
                "A connection to ben-phone is up by radio.",
                "A connection to ann-phone is up by radio.",
                "The connection to ben-phone by radio is gone after 18 s, "
                    + "in which ben-phone has not proven who it is.",
                "A connection to ben-phone is up by radio.",
                "57 s after a connection to ann-phone was up: "
                    + "ann-phone has still not proven who it is.",
            ]
        )
    }

    @Test("Who has proven who they are need not do so again on the other way, unless given up")
    func proven() throws {
        let (ann, ben) = ("ann-phone.intercom", "ben-phone.intercom")
        let card = "\(ann) card.shown \(ben) connection="
        let flags = "talking=0 owner=0 muted=0"
        let lines = try told(
            """
            2000 \(ann) connection.up \(ben) path=local
            2100 \(ann) member.joined \(ben)
            2100 \(card)local \(flags)
            9000 \(ann) connection.up \(ben) path=internet
            20000 \(ann) connection.down \(ben) path=local
            30000 \(card)searching \(flags)
            31000 \(ann) connection.down \(ben) path=internet
            40000 \(ann) connection.up \(ben) path=internet
            45000 \(ann) connection.down \(ben) path=internet
            60000 - run.ended -

            """
        )
        let unproven = lines.filter { $0.contains("not proven") }
        #expect(
            unproven == [
                "The connection to ben-phone over the Internet is gone after 5 s, "
                    + "in which ben-phone has not proven who it is."
            ]
        )
    }

    @Test("Refused packets are told once for each reason, with how many there were (S-SEC-004)")
    func refusals() throws {
        let refused = "ann-phone.intercom packet.refused ben-phone.intercom reason="
        let lines = try told(
            """
            2000 \(refused)replayed
            2001 \(refused)forged
            2002 \(refused)replayed
            3000 ann-phone.intercom connection.cut ben-phone.intercom refusal=foreign-group

            """
        )
        #expect(
            lines == [
                "The app refuses the first of 2 packets from its connection with ben-phone, "
                    + "because it has come before.",
                "The app refuses a packet from its connection with ben-phone, "
                    + "because it is forged, or was damaged on the way.",
                "The app cuts the connection to ben-phone, having refused too many of its packets, "
                    + "the last because it offers a handshake to another group.",
            ]
        )
    }
}
