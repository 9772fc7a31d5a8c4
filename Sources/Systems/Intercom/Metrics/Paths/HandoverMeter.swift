import KodamaEvidence
import KodamaSimulation
import PeerTransport
import SansIO

/// How long a listener hears nothing when a talker's way to them changes between radio and Internet.
///
/// A handover is what the packets show: frames went by one path alone, later by another alone. It is
/// looked at from the first frame heard that also went by the other path to the first one that went by
/// that alone; of each pair of sounds that follow each other there, what lies between them counts as
/// silence, and so does made-up sound, over talk spurts, less what nobody said: that cannot be
/// missed. What is not heard again before the run ends, or one of the two leaves, is censored. A frame that playout shortens sounds for its whole length at most: the time scaler cuts
/// where the sound allows it, so that the next one may follow later than its samples say, and still
/// without a break. A frame that the former path lost while it still carried later ones is that
/// path's loss, handover or not, also where a copy came too late by the other: it counts among the
/// concealed frames, not here. A return to the radio because the Internet is gone has a metric of
/// its own: what neither path carries no handover saves. Nor is it the handover's that nothing is
/// heard while a call has the sound of one of the two, or one of them is out of the group, nor what
/// is cut off where a headset comes or goes; that an app stops its own sound is.
struct HandoverMeter {
    private var toLocal = Measure.time(
        "handover.silence.to_local.time",
        """
        For each change from Internet to radio, where neither phone lost its Internet under way: \
        silence and made-up sound from the last frame heard before the first that also went by \
        radio to the first that went by it alone, less what nobody said, but for what a path lost \
        while it still carried, and while a call had the sound of one of the two.
        """,
        "K-13",
        excluding: ["nobody spoke"]
    )
    private var toLocalCut = Measure.time(
        "handover.silence.to_local.cut.time",
        """
        The same where one of the two phones lost its Internet before the change was over, with \
        whatever radio there was.
        """,
        "K-13",
        excluding: ["nobody spoke"]
    )
    private var cut = Measure.time(
        "handover.silence.to_internet.cut.time",
        """
        The same from radio to Internet, where the radio ended from one moment to the next and the \
        Internet stood by.
        """,
        "K-13",
        excluding: ["nobody spoke"]
    )
    private var warned = Measure.time(
        "handover.silence.to_internet.warned.time",
        """
        The same from radio to Internet, where the radio got worse 1 s or more before it ended and \
        the Internet stood by.
        """,
        "K-13",
        excluding: ["nobody spoke"]
    )
    private var other = Measure.time(
        "handover.silence.to_internet.other.time",
        """
        The same from radio to Internet, where the Internet did not stand by or the radio got worse \
        without ending.
        """,
        "K-13",
        excluding: ["nobody spoke"]
    )
    private var interval = Measure.time(
        "handover.interval.time",
        "From one change of a talker's path to a listener to the next.",
        "S-HO-002: no flapping",
        better: .higher,
        occasions: .atOnce
    )

    private var troubles: RadioTroubles
    private var internet: InternetEnds
    /// How long sound may take to run again that a call has had, or that goes another way.
    private static var restartTime: Int64 { 150_000_000 }

    init(_ directory: TraceDirectory) {
        troubles = RadioTroubles(directory)
        internet = InternetEnds(directory)
    }

    private var roundTrip = Measure.time(
        "handover.path.round_trip.time",
        "The smoothed round trip of a path by an app's own pings, each time that it judges the path anew.",
        "S-HO-002, RFC 6298",
        occasions: .atOnce
    )

    var metrics: [any AnyMeasure] {
        [toLocal, toLocalCut, cut, warned, other, interval, roundTrip]
    }

    /// An app judged a path; one whose round trip it does not know yet gives no sample.
    mutating func judged(_ path: PathJudged, _ record: TraceRecord) {
        guard path.roundTripNanoseconds > 0 else { return }
        roundTrip.add(path.roundTripNanoseconds, at: Occurrence(record))
    }

    /// A record that says what befell the radio or the Internet.
    mutating func record(_ record: TraceRecord) {
        troubles.record(record)
        internet.record(record)
    }

    /// How long after an onset its first frame has been carried, if it is.
    static var firstFrameTime: Int64 { 40_000_000 }

    /// A talker has begun to speak, and the first of it has been carried to a listener or not.
    ///
    /// What has befallen the radio is asked now: it may be back before the spurt is over.
    func began(_ onset: Int64, between ends: (ComponentIndex, ComponentIndex), pair: inout Pair) {
        guard let end = troubles.end(between: ends.0, and: ends.1, at: onset),
            pair.firstOnsets.last?.end != end
        else { return }
        if pair.firstOnsets.count == Pair.onsetCount { pair.firstOnsets.removeFirst() }
        pair.firstOnsets.append((end, onset))
    }

    /// A frame was sent to a listener.
    func sent(_ packet: PacketSent, pair: inout Pair) {
        guard packet.content.value == .voice, let path = packet.path.value else { return }
        pair.sent(packet.index, by: TransportPath(path))
    }

    /// A frame arrived.
    func arrived(_ packet: PacketArrived, pair: inout Pair) {
        guard let path = packet.path.value else { return }
        pair.arrived(packet.index, by: TransportPath(path))
        switch path {
        case .local: pair.carriedByRadio = max(pair.carriedByRadio, packet.index)
        case .internet: pair.carriedByInternet = max(pair.carriedByInternet, packet.index)
        }
        if (path == .local) == (pair.settled == .local) { pair.change?.carried(packet.index) }
    }

    /// A frame was dropped on its way by one of the paths.
    func dropped(_ packet: PacketDropped, pair: inout Pair) {
        if packet.reason.value == .loss { pair.lost(packet.index) }
    }

    /// A frame, or its repaired copy, sounds.
    ///
    /// - Parameters:
    ///   - index: Its capture index.
    ///   - heard: When it begins to sound, and for how many samples.
    ///   - captured: When it was said.
    ///   - onset: When the speech in it began; `nil` if it holds none.
    ///   - ends: The talker's and the listener's app.
    ///   - gaps: When the sound of talker and listener was away after somebody's act.
    ///   - truth: When somebody spoke at the talker's.
    ///   - pair: What is kept of the two.
    mutating func sounded(
        _ index: Int64,
        heard: (at: Int64, samples: Int64),
        captured: Int64,
        onset: Int64?,
        between ends: (ComponentIndex, ComponentIndex),
        gaps: (talker: SoundGap, listener: SoundGap),
        truth: SpeechTruth,
        pair: inout Pair
    ) {
        let last = pair.heardUntil
        let isSpokenOn = onset.map { $0 <= pair.capturedAt } ?? false
        let duration = heard.samples * 125_000 / 6
        var gap: Int64 = 0
        var doubtful: [Int64] = []
        let said = Span(start: pair.capturedAt + duration, end: captured)
        if let last, heard.at - last >= pair.silenceMin(before: index),
            let unsaid = unsaid(in: said, isSpokenOn: isSpokenOn, between: ends, truth)
        {
            let lost = pair.lostIndices(around: index)
            doubtful = lost.filter { $0 >= pair.carried }
            gap = Self.unexcused(
                max(0, heard.at - last - unsaid - Int64(lost.count - doubtful.count) * duration),
                said: said,
                heard: Span(start: last, end: heard.at),
                lost: Int64(lost.count) * duration,
                gaps
            )
        }
        pair.heardUntil = heard.at + duration
        pair.capturedAt = captured
        pair.heardIndex = index
        pair.heardDuration = duration
        let paths = pair.paths(of: index)
        guard !paths.isEmpty, let last else { return }
        guard !pair.settled.isEmpty else {
            if paths != .both { pair.settled = paths }
            return
        }
        if pair.change == nil, paths != pair.settled {
            pair.change = HandoverChange(start: last, hasVoice: isSpokenOn)
        }
        pair.change?.add(gap, doubtful: doubtful, frameDuration: duration)
        guard let change = pair.change, paths != .both else { return }
        pair.change = nil
        guard paths != pair.settled else { return }
        pair.settled = paths
        if let former = pair.changedAt {
            let span = Span(start: min(former, heard.at), end: heard.at)
            interval.add(heard.at - former, at: Occurrence(span, of: ends.1, about: ends.0))
        }
        pair.changedAt = heard.at
        add(change, until: heard.at, to: paths, ends)
    }

    /// What of a time between two sounds nobody said, or said while no path carried anything, which no
    /// handover saves; `nil` where too little is left to be missed.
    ///
    /// What a voice detector cuts off the ends of spurts is told from a silence by its length.
    private func unsaid(
        in said: Span,
        isSpokenOn: Bool,
        between ends: (ComponentIndex, ComponentIndex),
        _ truth: SpeechTruth
    ) -> Int64? {
        let open = internet.cuts(between: ends.0, and: ends.1, since: said.start)
            .complement(in: said)
        if isSpokenOn, open.length >= said.length { return 0 }
        let missed = isSpokenOn ? open.length : open.all.reduce(0) { $0 + truth.spoken(in: $1) }
        return missed < Self.restartTime ? nil : said.length - missed
    }

    /// The run is over, or one of the two has left: nothing of the talker's will be heard any more.
    ///
    /// What was said since the last sound is a handover's silence if a change was under way, the path
    /// that was settled on had ended, or frames went by the other.
    mutating func ended(
        at now: Int64,
        between ends: (ComponentIndex, ComponentIndex),
        gaps: (talker: SoundGap, listener: SoundGap),
        truth: SpeechTruth,
        pair: Pair
    ) {
        guard let last = pair.heardUntil, !pair.settled.isEmpty else { return }
        let said = Span(start: pair.capturedAt + pair.heardDuration, end: now - Self.underWay)
        let since = min(said.start, now - 1)
        let cuts = internet.cuts(between: ends.0, and: ends.1, since: since)
        let missed = Self.unexcused(
            cuts.complement(in: said).all.reduce(0) { $0 + truth.spoken(in: $1) },
            said: said,
            heard: Span(start: last, end: now),
            lost: 0,
            gaps
        )
        let isDue = pair.change != nil || pair.isSentElsewhere || hasEnded(pair.settled, ends, last)
        let isCut = cuts.contains(now - 1)
        guard isDue, missed >= Self.restartTime || isCut else { return }
        let silence = missed + (pair.change?.silence ?? 0)
        let start = pair.change?.start ?? last
        let occurrence = Occurrence(Span(start: start, end: now), of: ends.1, about: ends.0)
        let measure = measure(
            of: start,
            to: pair.settled == .local ? .internet : .local,
            ends
        )
        self[keyPath: measure].censor(silence, at: occurrence)
    }

    /// What is under way for so long may still be heard.
    private static var underWay: Int64 { 1_000_000_000 }

    /// Whether the path by which frames went has ended since the last sound.
    private func hasEnded(
        _ settled: TransportPaths,
        _ ends: (ComponentIndex, ComponentIndex),
        _ last: Int64
    ) -> Bool {
        settled == .local
            ? troubles.hasEnd(between: ends.0, and: ends.1)
            : internet.hasEnd(between: ends.0, and: ends.1, since: last)
    }

    /// What of a silence is the handover's, and not of an act that took somebody's sound.
    private static func unexcused(
        _ silence: Int64,
        said: Span,
        heard: Span,
        lost: Int64,
        _ gaps: (talker: SoundGap, listener: SoundGap)
    ) -> Int64 {
        let away = max(gaps.talker.share(of: said), gaps.listener.share(of: heard))
        let isCutOff = gaps.listener.wasTouched(before: heard, lost: lost)
        guard away > 0 || isCutOff else { return silence }
        return silence - away < restartTime ? 0 : silence - away
    }

    private mutating func add(
        _ change: HandoverChange,
        until end: Int64,
        to paths: TransportPaths,
        _ ends: (ComponentIndex, ComponentIndex)
    ) {
        let span = Span(start: change.start, end: max(change.start, end))
        let occurrence = Occurrence(span, of: ends.1, about: ends.0)
        let measure = measure(of: change.start, to: paths, ends)
        if change.hasVoice || change.silence > 0 {
            self[keyPath: measure].add(change.silence, at: occurrence)
        } else {
            self[keyPath: measure].exclude("nobody spoke", at: occurrence)
        }
    }

    /// The metric of a change that began then.
    private func measure(
        of start: Int64,
        to paths: TransportPaths,
        _ ends: (ComponentIndex, ComponentIndex)
    ) -> WritableKeyPath<Self, Measure<Distribution>> {
        guard paths == .internet else {
            let isCut = internet.hasEnd(between: ends.0, and: ends.1, since: start)
            return isCut ? \.toLocalCut : \.toLocal
        }
        switch troubles.cause(between: ends.0, and: ends.1, from: start) {
        case .cut: return \.cut
        case .warned: return \.warned
        case .other: return \.other
        }
    }
}
