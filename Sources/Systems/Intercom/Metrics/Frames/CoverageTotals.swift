import KodamaEvidence

/// What the walks along all devices' lines found.
struct CoverageTotals {
    var senderClip = Measure.time(
        "voice.onset.clipped.sender.time",
        """
        For each spurt: speech before the first of its frames that was sent to anyone; all of it if \
        none was. One that a mute breaks off within 100 ms, before any of it was sent, is left out, \
        and so is what is said in the last 3 s of the run.
        """,
        "K-15, 3GPP TS 06.32 A.3",
        excluding: ["went on to the end", "muted before it began", "not in company all the while"]
    )
    var listenerClip = Measure.time(
        "voice.onset.clipped.listener.time",
        "The same for each listener, of frames played there.",
        "K-15",
        excluding: [
            "went on to the end",
            "the listener left the group",
            "the speaker left the group",
        ]
    )
    var handoverClip = Measure.time(
        "handover.onset.clipped.time",
        """
        For the first spurt that begins after the radio between its talker and a listener has ended, \
        the Internet standing by: speech before the first of its frames played there; all of it if \
        none was.
        """,
        "K-13, K-15",
        excluding: [
            "went on to the end",
            "the listener left the group",
            "the speaker left the group",
        ]
    )
    var speechNotSent = Measure.share(
        "voice.speech.not_sent",
        "Share of the time of speech not covered by frames sent within 2 s.",
        "K-15",
        occasions: .atOnce
    )
    var silenceSent = Measure.share(
        "voice.silence.sent",
        "Share of the time without speech that is covered by frames sent within 2 s.",
        "S-VAD-001, ITU-T P.59",
        occasions: .atOnce
    )
    var needlessOpenings = Measure.number(
        "voice.openings.needless",
        """
        How often in an hour without speech a phone begins to send though nobody at it speaks: \
        stretches of frames sent within 2 s that hold no speech, pre-roll and release included. One \
        sample for each phone of which at least 10 s of frames without speech were captured in \
        company.
        """,
        "S-VAD-001, A-F-013",
        occasions: .atOnce
    )
    var speechNotPlayed = Measure.share(
        "voice.speech.not_played",
        """
        Share of the time of speech, for each listener, not covered by frames played there within \
        2 s.
        """,
        "K-15",
        occasions: .atOnce
    )
    var speechGap = Measure.time(
        "voice.speech.gap.time",
        """
        Stretches of speech, for each listener and after the first frame of a spurt played there, \
        that were not played.
        """,
        "K-13, ETSI error kinds: cut in the middle"
    )

    var metrics: [any AnyMeasure] {
        [
            senderClip, listenerClip, speechNotSent, silenceSent, needlessOpenings, speechNotPlayed,
            speechGap,
        ]
    }

    var handoverMetrics: [any AnyMeasure] { [handoverClip] }
}
