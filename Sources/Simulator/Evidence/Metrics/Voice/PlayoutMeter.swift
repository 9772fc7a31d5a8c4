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

    private var playedCount = 0
    private var extrapolatedSamples: Int64 = 0
    private var repairedSamples: Int64 = 0
    private var duplicateCount = 0
    private var disorderCount = 0
    private var arrivedCount = 0
    private var lateCount = 0
    private var soundedSamples: Int64 = 0
    private var stretchedSamples: Int64 = 0
    private(set) var concealedRun = Distribution()

    /// A frame was played.
    mutating func played(_ frame: FramePlayed, pair: inout Pair) {
        closeRun(&pair)
        playedCount += 1
        soundedSamples += frame.samples
        if frame.index < pair.heard.latest {
            disorderCount += 1
        }
        if pair.heard.insert(frame.index) == .duplicate {
            duplicateCount += 1
        }
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
        concealedRun.add(pair.runSamples * 1_000_000 / 48)
        pair.runSamples = 0
    }

    /// A voice frame arrived.
    mutating func arrived() {
        arrivedCount += 1
    }

    /// A voice frame was thrown away.
    mutating func discarded(_ frame: FrameDiscarded) {
        if frame.reason.value == .late {
            lateCount += 1
        }
    }

    var duplicates: Tally { Tally(total: Int64(duplicateCount), samples: playedCount) }
    var disorder: Tally { Tally(total: Int64(disorderCount), samples: playedCount) }
    var late: Proportion {
        Proportion(
            numerator: Int64(lateCount),
            denominator: Int64(arrivedCount),
            samples: arrivedCount
        )
    }
    var extrapolated: Proportion { share(extrapolatedSamples, of: dueSamples) }
    var repaired: Proportion { share(repairedSamples, of: dueSamples) }
    var stretched: Proportion { share(stretchedSamples, of: soundedSamples) }

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
