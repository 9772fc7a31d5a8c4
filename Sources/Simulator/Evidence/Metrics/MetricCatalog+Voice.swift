extension MetricCatalog {
    /// The metrics that `VoiceMetrics` folds, in the order of its results.
    ///
    /// Speech is what people truly say at a device (`speech.began`, `speech.ended`). Only devices that
    /// have joined a group give samples, and only towards devices of their own group.
    public static let voice: [MetricDescription] =
        mouthToEar + coverage + playout + transmission + [estimatedMOS]

    private static let mouthToEar: [MetricDescription] = [
        .init(
            name: "voice.mouth_to_ear.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: """
                Heard minus captured, all buffers counted, of each played frame that carries speech \
                and was captured more than 2 s after the onset of that speech.
                """,
            source: "K-12, ITU-T G.114"
        ),
        .init(
            name: "voice.mouth_to_ear.onset.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: "The same of each played frame captured in the first 300 ms of speech.",
            source: "K-12, ITU-T G.114"
        ),
        .init(
            name: "voice.delay.growth.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: """
                For each speaker and listener and each minute with at least 50 frames of steady \
                speech: the minute's mean mouth-to-ear time minus that of the first such minute.
                """,
            source: "A-F-007"
        ),
    ]

    private static let coverage: [MetricDescription] = [
        .init(
            name: "voice.onset.clipped.sender.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: """
                For each spurt: speech before the first of its frames that was sent to anyone; all \
                of it if none was. Spurts count that end at least 2 s before the run does.
                """,
            source: "K-15, 3GPP TS 06.32 A.3"
        ),
        .init(
            name: "voice.onset.clipped.listener.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: "The same for each listener, of frames played there.",
            source: "K-15"
        ),
        .init(
            name: "voice.speech.not_sent",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: "Share of the time of speech not covered by frames sent within 2 s.",
            source: "K-15"
        ),
        .init(
            name: "voice.silence.sent",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: "Share of the time without speech that is covered by frames sent within 2 s.",
            source: "S-VAD-001, ITU-T P.59"
        ),
        .init(
            name: "voice.speech.not_played",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: """
                Share of the time of speech, for each listener, not covered by frames played there \
                within 2 s.
                """,
            source: "K-15"
        ),
        .init(
            name: "voice.speech.gap.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: """
                Stretches of speech, for each listener and after the first frame of a spurt played \
                there, that were not played.
                """,
            source: "K-13, ETSI error kinds: cut in the middle"
        ),
    ]

    private static let playout: [MetricDescription] = [
        .init(
            name: "voice.duplicates.played",
            unit: .count,
            form: .count,
            direction: .lower,
            meaning:
                "Frames heard a second time by the same listener, of the speaker's last 8,128.",
            source: "K-14"
        ),
        .init(
            name: "voice.order.broken",
            unit: .count,
            form: .count,
            direction: .lower,
            meaning: "Frames heard after a later frame of the same speaker.",
            source: "K-14"
        ),
        .init(
            name: "voice.late",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: "Share of the voice frames that arrived that were thrown away as too late.",
            source: "S-AUD"
        ),
        .init(
            name: "voice.concealed",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning:
                "Share of extrapolated sound in that of frames played, extrapolated or repaired.",
            source: "ITU-T G.107.2: what the ear loses"
        ),
        .init(
            name: "voice.repaired",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .neutral,
            meaning:
                "Share of sound repaired from FEC in that of frames played, extrapolated or repaired.",
            source: "RFC 8854"
        ),
        .init(
            name: "voice.stretched",
            unit: .partsPerMillion,
            form: .proportion,
            direction: .lower,
            meaning: "Share of the samples sounded that stretching inserted.",
            source: "RFC 3611"
        ),
        .init(
            name: "voice.concealed.run.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: """
                Sound extrapolated in a row, between frames played or repaired, in place of frames \
                that carry speech.
                """,
            source: "ITU-T G.711 Appendix I: fades out within 60 ms"
        ),
    ]

    private static let transmission: [MetricDescription] = [
        .init(
            name: "voice.keepalive.period",
            unit: .nanoseconds,
            form: .distribution,
            direction: .neutral,
            meaning: "Time from a datagram to the keepalive that follows it on the same path.",
            source: "S-VAD-002, A-F-015"
        ),
        .init(
            name: "voice.send.gap.time",
            unit: .nanoseconds,
            form: .distribution,
            direction: .lower,
            meaning: """
                Pauses of more than 100 ms between datagrams of a device to a peer on any path, with \
                the one still running at the run's end.
                """,
            source: "S-VAD-002"
        ),
        .init(
            name: "voice.bytes",
            unit: .bytes,
            form: .count,
            direction: .lower,
            meaning: "Bytes of the datagrams handed to the network.",
            source: "S-VAD-001"
        ),
        .init(
            name: "voice.frames.sent",
            unit: .count,
            form: .count,
            direction: .neutral,
            meaning: "Datagrams of voice handed to the network, for each peer and path.",
            source: "S-VAD-001"
        ),
        .init(
            name: "voice.packets.dropped",
            unit: .count,
            form: .count,
            direction: .lower,
            meaning: "Datagrams that the network dropped.",
            source: "RFC 3550"
        ),
    ]

    private static let estimatedMOS = MetricDescription(
        name: "voice.mos.estimated",
        unit: .thousandthsMOS,
        form: .distribution,
        direction: .higher,
        meaning: """
            Estimate for each listener with at least 50 frames of speech: G.107.2 (fullband) with \
            published Opus factors (Ie 20.2, Bpl 11.3), from the mean mouth-to-ear time and the \
            share of frames extrapolated. No measurement of a call.
            """,
        source: "ITU-T G.107.2; Alahmadi, Pocta, Melvin, ACM TOMM 17(4) 133, 2021"
    )
}
