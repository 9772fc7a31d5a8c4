import KodamaEvidence
import PeerTransport
import SansIO

/// What listeners hear in the place of the frames that were due.
struct PlayoutMeter {
    /// What is kept for each speaker and listener.
    struct Pair {
        /// The indices played.
        fileprivate(set) var heard = IndexWindow()
        /// The indices heard as repaired sound; speech counts as played only where its own frames are.
        fileprivate var repaired = IndexWindow()
        /// The frame played last, to tell when another index was captured.
        fileprivate var lastIndex: Int64 = -1
        fileprivate var lastCaptured: Int64 = 0
        /// Whether the sound heard last was extrapolated.
        fileprivate(set) var isExtrapolating = false
        fileprivate var runSamples: Int64 = 0
        /// The first and the last frame of the row of extrapolated sound.
        fileprivate var run: (first: TraceRecord, last: TraceRecord)?

        /// When the frame of an index was captured, as follows from the frame played last.
        func captured(_ index: Int64, _ frameDuration: Int64) -> Int64? {
            lastIndex < 0 ? nil : lastCaptured + (index - lastIndex) * frameDuration
        }
    }

    private var duplicates = Measure.count(
        "voice.duplicates.played",
        "Frames heard a second time by the same listener, played or repaired, of the speaker's last 8,128.",
        "K-14",
        occasions: .atOnce
    )
    private var disorder = Measure.count(
        "voice.order.broken",
        "Frames heard after a later frame of the same speaker.",
        "K-14",
        occasions: .atOnce
    )
    private var late = Measure.share(
        "voice.late",
        "Share of the voice frames that arrived that were thrown away as too late.",
        "S-AUD",
        occasions: .atOnce
    )
    private var concealed = Measure.share(
        "voice.concealed",
        "Share of extrapolated sound in that of frames played, extrapolated or repaired.",
        "ITU-T G.107.2: what the ear loses",
        occasions: .atOnce
    )
    private var repaired = Measure.share(
        "voice.repaired",
        "Share of sound repaired from FEC in that of frames played, extrapolated or repaired.",
        "RFC 8854",
        better: .neutral,
        occasions: .atOnce
    )
    private var stretched = Measure.share(
        "voice.stretched",
        "Share of the samples sounded that stretching inserted.",
        "D-16",
        occasions: .atOnce
    )
    private var concealedRun = Measure.time(
        "voice.concealed.run.time",
        """
        Sound extrapolated in a row, between frames played or repaired, in place of frames that \
        carry speech.
        """,
        "ITU-T G.711 Appendix I: fades out within 60 ms",
        occasions: .atOnce
    )

    private static var samplesPerMillisecond: Int64 { 48 }

    /// What would have sounded had every frame come: a frame counts whole however it was scaled.
    ///
    /// Made-up sound is weighed by its length: a buffer orders it in pieces of 2.5 ms and up.
    private var dueSamples: Int64 = 0

    /// A frame was played.
    mutating func played(_ frame: FramePlayed, _ record: TraceRecord, pair: inout Pair) {
        closeRun(&pair)
        pair.isExtrapolating = false
        let isEarly = frame.index < max(pair.heard.latest, pair.repaired.latest)
        let isRepaired = pair.repaired.contains(frame.index)
        let isAgain = pair.heard.insert(frame.index) == .duplicate || isRepaired
        disorder.add(isEarly ? 1 : 0, at: Occurrence(record))
        duplicates.add(isAgain ? 1 : 0, at: Occurrence(record))
        weigh(
            record,
            due: HeardStream.samplesPerFrame,
            sounded: frame.samples,
            inserted: Self.inserted(in: frame.samples)
        )
        pair.lastIndex = frame.index
        pair.lastCaptured = frame.captured.nanoseconds
    }

    /// Made-up sound was heard.
    ///
    /// When the frame that it stands for was captured follows from the frame played last.
    mutating func concealed(
        _ frame: FrameConcealed,
        _ record: TraceRecord,
        truth: SpeechTruth,
        frameDuration: Int64,
        pair: inout Pair
    ) {
        let samples = frame.samples
        pair.isExtrapolating = frame.means.value == .extrapolated
        switch frame.means.value {
        case .extrapolated:
            weigh(record, due: samples, sounded: samples, extrapolated: samples)
            guard let start = pair.captured(frame.index, frameDuration) else { return }
            if truth.onset(ofSpeechFrom: start, to: start + frameDuration) != nil {
                pair.runSamples += samples
                pair.run = (pair.run?.first ?? record, record)
            } else {
                closeRun(&pair)
            }
        case .repaired:
            let inserted = Self.inserted(in: samples)
            weigh(record, due: samples, sounded: samples, repaired: samples, inserted: inserted)
            let isPlayed = pair.heard.contains(frame.index)
            let isAgain = pair.repaired.insert(frame.index) == .duplicate || isPlayed
            duplicates.add(isAgain ? 1 : 0, samples: 0, at: Occurrence(record))
            closeRun(&pair)
        case nil:
            break
        }
    }

    /// What stretching added to a frame that sounds for so long.
    private static func inserted(in samples: Int64) -> Int64 {
        max(0, samples - HeardStream.samplesPerFrame)
    }

    /// Adds a piece of sound to the shares; so many observations as whole frames become due with it.
    private mutating func weigh(
        _ record: TraceRecord,
        due: Int64,
        sounded: Int64,
        extrapolated: Int64 = 0,
        repaired repairedSamples: Int64 = 0,
        inserted: Int64 = 0
    ) {
        let frames = dueSamples / HeardStream.samplesPerFrame
        dueSamples += due
        let count = Int(dueSamples / HeardStream.samplesPerFrame - frames)
        concealed.add(extrapolated, of: due, samples: count, at: Occurrence(record))
        repaired.add(repairedSamples, of: due, samples: count, at: Occurrence(record))
        stretched.add(inserted, of: sounded, samples: count, at: Occurrence(record))
    }

    /// The row of extrapolated sound, if there is one, is over.
    mutating func closeRun(_ pair: inout Pair) {
        guard let run = pair.run else { return }
        concealedRun.add(
            pair.runSamples * 1_000_000 / Self.samplesPerMillisecond,
            at: Occurrence(
                from: run.first.instant,
                until: run.last.instant,
                of: run.first.component,
                about: run.first.subject
            )
        )
        pair.runSamples = 0
        pair.run = nil
    }

    /// A voice frame arrived.
    mutating func arrived(_ record: TraceRecord) {
        late.add(0, of: 1, at: Occurrence(record))
    }

    /// A voice frame was thrown away.
    mutating func discarded(_ frame: FrameDiscarded, _ record: TraceRecord) {
        guard frame.reason.value == .late else { return }
        // It was counted among all when it arrived.
        late.add(1, of: 0, samples: 0, at: Occurrence(record))
    }

    var metrics: [any AnyMeasure] {
        [
            duplicates, disorder, late, concealed, repaired, stretched, concealedRun,
        ]
    }
}
