@testable import KodamaEvidence
@testable import KodamaHarness

/// Stories told from traces in their text form.
enum Stories {
    /// The story of a run of 20 s.
    static func told(by text: String) throws -> RunStory {
        let trace = try TraceText.parse(Array(text.utf8), systems: .shipped)
        var teller = StoryTeller(
            durationNanoseconds: 20_000_000_000,
            seed: trace.seed,
            componentCount: trace.directory.names.count
        )
        teller.begin(trace.directory)
        teller.record(contentsOf: trace.records)
        return teller.story(point: 0, seed: trace.seed, reason: "chosen by a test")
    }

    /// A session that loses its path for three seconds.
    static let outage = """
        kodama-trace 2 scenario=outage seed=13 components=phone,phone/wifi,rooms
        0 phone user.acted - action=open-app
        0 phone app.launched -
        500000000 phone status.shown - stage=connecting
        1000000000 phone status.shown - stage=connected
        1310000000 phone audio.flowing - direction=from-phone captured_ns=1290000000 heard_ns=1300000000
        5000000000 phone fault.began - fault=black-hole parameter=3000000000
        5000000000 phone path.lost - cause=link
        5000000000 phone audio.stopped - direction=from-phone captured_ns=4980000000
        5100000000 phone/wifi fault.began - fault=radio-down parameter=0
        5200000000 phone loss.detected - room=1 cause=transport
        5200000000 phone status.shown - stage=reconnecting
        5200000000 phone attempt.began - room=1 number=1 kind=quick
        7900000000 phone/wifi fault.began - fault=radio-up parameter=0
        8000000000 phone fault.ended - fault=black-hole
        8000000000 phone path.usable -
        8200000000 phone attempt.ended - room=1 failure=socket-timeout
        8200000000 phone attempt.began - room=1 number=2 kind=full
        9000000000 phone attempt.ended - room=1 failure=none
        9000000000 phone status.shown - stage=connected
        9110000000 phone audio.flowing - direction=from-phone captured_ns=9090000000 heard_ns=9100000000
        20000000000 - run.ended -

        """

    /// A session that may not hear its user, gets no token, and is taken over.
    static let failures = """
        kodama-trace 2 scenario=failures seed=5 components=phone
        1000000000 phone status.shown - stage=asking-for-microphone
        2000000000 phone status.shown - stage=microphone-refused
        3000000000 phone status.shown - stage=token-failed
        4000000000 phone status.shown - stage=taken-over
        20000000000 - run.ended -

        """

    /// Two who talk at once for two frames, and one of them again a second later.
    static let chorus = """
        kodama-trace 2 scenario=chorus seed=4 components=left,right,up
        1070000000 right frame.played left index=0 samples=960 heard_ns=1080000000 captured_ns=1000000000
        1071000000 right frame.played up index=0 samples=960 heard_ns=1081000000 captured_ns=1000000000
        1090000000 right frame.played left index=1 samples=960 heard_ns=1100000000 captured_ns=1020000000
        1091000000 right frame.played up index=1 samples=960 heard_ns=1101000000 captured_ns=1020000000
        2090000000 right frame.played left index=2 samples=960 heard_ns=2100000000 captured_ns=2020000000
        20000000000 - run.ended -

        """

    /// Three frames that follow each other, and one later.
    static let talk = """
        kodama-trace 2 scenario=talk seed=4 components=left,right,ann
        1000000000 ann speech.began left spurt=0
        1010000000 left gate.changed - state=attack
        1020000000 left gate.changed - state=talking
        1020000000 left packet.sent right index=0 bytes=60 content=voice path=local
        1040000000 left packet.sent right index=1 bytes=60 content=voice path=local
        1060000000 left packet.sent right index=2 bytes=60 content=voice path=local
        1060000000 left packet.dropped right index=2 bytes=60 content=voice reason=loss
        1070000000 right frame.played left index=0 samples=960 heard_ns=1080000000 captured_ns=1000000000
        1090000000 right frame.played left index=1 samples=960 heard_ns=1100000000 captured_ns=1020000000
        1110000000 right frame.played left index=2 samples=960 heard_ns=1120000000 captured_ns=1040000000
        1130000000 right frame.concealed left index=3 samples=960 heard_ns=1140000000 means=extrapolated
        1400000000 ann speech.ended left spurt=0
        1400000000 left gate.changed - state=release
        1490000000 right frame.played left index=9 samples=960 heard_ns=1500000000 captured_ns=1420000000
        1700000000 left gate.changed - state=idle

        """
}
