import PeerTransport
import SansIO

/// What listeners hear in the place of the frames that were due.
struct PlayoutMeter {
    /// What is kept for each speaker and listener.
    struct Pair {
        /// The indices heard.
        fileprivate(set) var heard = IndexWindow()
        /// The frame played last, to tell when another index was captured.
        fileprivate var lastIndex: Int64 = -1
        fileprivate var lastCaptured: Int64 = 0
        fileprivate var runSamples: Int64 = 0
    }

    private var duplicates = Measure.count(
        "voice.duplicates.played",
        "Frames heard a second time by the same listener, of the speaker's last 8,128.",
        "K-14"
    )
    private var disorder = Measure.count(
        "voice.order.broken",
        "Frames heard after a later frame of the same speaker.",
        "K-14"
    )
    private var late = Measure.share(
        "voice.late",
        "Share of the voice frames that arrived that were thrown away as too late.",
        "S-AUD"
    )
    private let concealed = Measure.share(
        "voice.concealed",
        "Share of extrapolated sound in that of frames played, extrapolated or repaired.",
        "ITU-T G.107.2: what the ear loses"
    )
    private let repaired = Measure.share(
        "voice.repaired",
        "Share of sound repaired from FEC in that of frames played, extrapolated or repaired.",
        "RFC 8854",
        better: .neutral
    )
    private let stretched = Measure.share(
        "voice.stretched",
        "Share of the samples sounded that stretching inserted.",
        "RFC 3611"
    )
    private var concealedRun = Measure.time(
        "voice.concealed.run.time",
        """
        Sound extrapolated in a row, between frames played or repaired, in place of frames that \
        carry speech.
        """,
        "ITU-T G.711 Appendix I: fades out within 60 ms"
    )

    private static var samplesPerMillisecond: Int64 { 48 }

    private var playedCount = 0
    private var extrapolatedSamples: Int64 = 0
    private var repairedSamples: Int64 = 0
    private var soundedSamples: Int64 = 0
    private var stretchedSamples: Int64 = 0

    /// A frame was played.
    mutating func played(_ frame: FramePlayed, pair: inout Pair) {
        closeRun(&pair)
        playedCount += 1
        soundedSamples += frame.samples
        disorder.add(frame.index < pair.heard.latest ? 1 : 0)
        duplicates.add(pair.heard.insert(frame.index) == .duplicate ? 1 : 0)
        pair.lastIndex = frame.index
        pair.lastCaptured = frame.captured.nanoseconds
    }

    /// Made-up sound was heard.
    ///
    /// When the frame that it stands for was captured follows from the frame played last.
    mutating func concealed(
        _ frame: FrameConcealed,
        truth: SpeechTruth,
        frameDuration: Int64,
        pair: inout Pair
    ) {
        soundedSamples += frame.samples
        switch frame.means.value {
        case .extrapolated:
            extrapolatedSamples += frame.samples
            guard pair.lastIndex >= 0 else { return }
            let start = pair.lastCaptured + (frame.index - pair.lastIndex) * frameDuration
            if truth.onset(ofSpeechFrom: start, to: start + frameDuration) != nil {
                pair.runSamples += frame.samples
            } else {
                closeRun(&pair)
            }
        case .repaired:
            repairedSamples += frame.samples
            closeRun(&pair)
        case .stretched, nil:
            stretchedSamples += frame.samples
        }
    }

    /// The row of extrapolated sound, if there is one, is over.
    mutating func closeRun(_ pair: inout Pair) {
        guard pair.runSamples > 0 else { return }
        concealedRun.add(pair.runSamples * 1_000_000 / Self.samplesPerMillisecond)
        pair.runSamples = 0
    }

    /// A voice frame arrived.
    mutating func arrived() {
        late.add(0, of: 1)
    }

    /// A voice frame was thrown away.
    mutating func discarded(_ frame: FrameDiscarded) {
        if frame.reason.value == .late {
            late.found.numerator += 1
        }
    }

    var metrics: [any AnyMeasure] {
        [
            duplicates, disorder, late,
            concealed.with(share(extrapolatedSamples, of: dueSamples)),
            repaired.with(share(repairedSamples, of: dueSamples)),
            stretched.with(share(stretchedSamples, of: soundedSamples)),
            concealedRun,
        ]
    }

    /// What would have sounded had every frame come: a frame counts whole however it was scaled.
    ///
    /// Made-up sound is weighed by its length: a buffer orders it in pieces of 2.5 ms and up.
    private var dueSamples: Int64 {
        Int64(playedCount) * Listening.samplesPerFrame + extrapolatedSamples + repairedSamples
    }

    private func share(_ part: Int64, of whole: Int64) -> Proportion {
        let frameCount = Int(dueSamples / Listening.samplesPerFrame)
        return Proportion(numerator: part, denominator: whole, samples: frameCount)
    }
}
