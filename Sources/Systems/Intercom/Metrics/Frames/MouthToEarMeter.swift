import KodamaEvidence

/// How long speech takes from the mouth to the ear.
struct MouthToEarMeter {
    /// What is kept for each speaker and listener: the running minute.
    struct Pair {
        fileprivate var minute: Int64 = 0
        fileprivate var sum: Int64 = 0
        fileprivate var count: Int64 = 0
        fileprivate var firstMean: Int64?
        /// The first frame of the minute and the last.
        fileprivate var frames: (first: TraceRecord, last: TraceRecord)?
    }

    private(set) var steady = Measure.time(
        "voice.mouth_to_ear.time",
        """
        Heard minus captured, all buffers counted, of each played frame that carries speech and was \
        captured more than 2 s after the onset of that speech.
        """,
        "K-12, ITU-T G.114",
        occasions: .atOnce
    )
    private(set) var onset = Measure.time(
        "voice.mouth_to_ear.onset.time",
        "The same of each played frame captured in the first 300 ms of speech.",
        "K-12, ITU-T G.114",
        occasions: .atOnce
    )
    private(set) var growth = Measure.time(
        "voice.delay.growth.time",
        """
        For each speaker and listener and each minute with at least 50 frames of steady speech: the \
        minute's mean mouth-to-ear time minus that of the first such minute.
        """,
        "A-F-007",
        occasions: .atOnce
    )

    /// Speech is steady once it has lasted for so long.
    static var settlingTime: Int64 { 2_000_000_000 }
    private static var onsetTime: Int64 { 300_000_000 }
    private static var minuteTime: Int64 { 60_000_000_000 }
    private static var framesPerMinuteMin: Int64 { 50 }

    /// A frame captured at `captured`, of speech that set in at `onset`, is heard at `heard`.
    mutating func played(
        heard: Int64,
        captured: Int64,
        onset: Int64,
        _ record: TraceRecord,
        pair: inout Pair
    ) {
        let delay = heard - captured
        let age = captured - onset
        if age < Self.onsetTime {
            self.onset.add(delay, at: Self.occurrence(captured, heard, record))
        }
        guard age > Self.settlingTime else { return }
        steady.add(delay, at: Self.occurrence(captured, heard, record))
        let minute = heard / Self.minuteTime
        if minute != pair.minute {
            close(&pair)
            pair.minute = minute
        }
        pair.sum += delay
        pair.count += 1
        pair.frames = (pair.frames?.first ?? record, record)
    }

    private static func occurrence(
        _ captured: Int64,
        _ heard: Int64,
        _ record: TraceRecord
    ) -> Occurrence {
        let span = Span(start: captured, end: heard)
        return Occurrence(span, of: record.component, about: record.subject, record)
    }

    var metrics: [any AnyMeasure] { [steady, onset, growth] }

    /// Counts the minute that runs, if it holds enough.
    mutating func close(_ pair: inout Pair) {
        if pair.count >= Self.framesPerMinuteMin {
            let mean = pair.sum / pair.count
            if let first = pair.firstMean {
                if let frames = pair.frames {
                    growth.add(
                        mean - first,
                        at: Occurrence(
                            from: frames.first.instant,
                            until: frames.last.instant,
                            of: frames.first.component,
                            about: frames.first.subject
                        )
                    )
                }
            } else {
                pair.firstMean = mean
            }
        }
        pair.sum = 0
        pair.count = 0
        pair.frames = nil
    }
}
