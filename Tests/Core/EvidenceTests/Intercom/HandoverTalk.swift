@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaSimulation
import PeerTransport
import SansIO

/// A talker who speaks without a pause, frame by frame, and what a listener hears of it.
struct HandoverTalk {
    var builder = TraceBuilder([
        "a", "b", "a.intercom", "b.intercom", "b.calls", "ann", "a/b", "a/cellular",
        "b/cellular", "match",
    ])
    /// What a frame takes to the ear.
    var delay: Int64 = 100
    /// How many samples playout makes of it.
    var playedSamples: Int64 = 960
    /// What it takes to arrive over the Internet, from when it is said.
    var internetTransit: Int64 = 35

    init(spokenUntil end: Int64 = 60_000) {
        for app in ["a.intercom", "b.intercom"] {
            builder.add(GroupJoined(group: 1), at: 0, app)
        }
        builder.add(SpeechBegan(spurt: 1), at: 10, "ann", "a")
        builder.add(SpeechEnded(spurt: 1), at: end, "ann", "a")
    }

    /// Frames that are said between two instants, in milliseconds, and go by these paths; those that
    /// arrive are heard, those that a link lost are dropped on the first path.
    mutating func frames(
        _ range: Range<Int64>,
        by paths: [PacketPath],
        arrive: Bool = true,
        lost reason: LinkDropReason? = nil
    ) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 20) {
            let index = start / 20
            let captured = FrameCaptured(
                index: index,
                start: .ns(start * 1_000_000),
                durationNanoseconds: 20_000_000
            )
            builder.add(captured, at: start + 25, "a.intercom")
            for path in paths {
                let sent = PacketSent(index: index, bytes: 100, content: .voice, path: path)
                builder.add(sent, at: start + 25, "a.intercom", "b.intercom")
            }
            if let reason {
                let dropped = PacketDropped(
                    index: index,
                    bytes: 100,
                    content: .voice,
                    reason: reason
                )
                builder.add(dropped, at: start + 25, "a.intercom", "b.intercom")
            }
            guard arrive, reason == nil else { continue }
            for path in paths {
                let arrived = PacketArrived(
                    index: index,
                    bytes: 100,
                    content: .voice,
                    path: path
                )
                let transit = path == .internet ? internetTransit : 35
                builder.add(arrived, at: start + transit, "b.intercom", "a.intercom")
            }
            let played = FramePlayed(
                index: index,
                samples: playedSamples,
                heard: .ns((start + delay) * 1_000_000),
                captured: .ns(start * 1_000_000)
            )
            builder.add(played, at: start + 80, "b.intercom", "a.intercom")
        }
    }

    /// The frame said at an instant, in milliseconds, arrives by a path and is not heard.
    mutating func came(_ start: Int64, by path: PacketPath) {
        let arrived = PacketArrived(
            index: start / 20,
            bytes: 100,
            content: .voice,
            path: path
        )
        builder.add(arrived, at: start + 35, "b.intercom", "a.intercom")
    }

    /// Frames that the listener's own microphone delivers.
    mutating func listenerCaptures(_ range: Range<Int64>) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 20) {
            let captured = FrameCaptured(
                index: start / 20,
                start: .ns(start * 1_000_000),
                durationNanoseconds: 20_000_000
            )
            builder.add(captured, at: start + 25, "b.intercom")
        }
    }

    mutating func internet(isUp: Bool, at time: Int64) {
        for (app, other) in [("a.intercom", "b.intercom"), ("b.intercom", "a.intercom")] {
            if isUp {
                builder.add(ConnectionUp(path: TraceWord(.internet)), at: time, app, other)
            } else {
                builder.add(ConnectionDown(path: TraceWord(.internet)), at: time, app, other)
            }
        }
    }

    mutating func link(_ change: LinkChange, at time: Int64) {
        builder.add(LinkChanged(disruption: change, parameter: 0), at: time, "a/b")
    }

    /// What was found of a metric.
    private func finding(_ name: String) -> MetricValue? {
        var builder = builder
        builder.end(at: 70_000)
        var meter = RunMeter()
        meter.begin(builder.directory)
        meter.record(contentsOf: builder.sorted)
        return meter.metrics.first { $0.name == name }?.known
    }

    /// The sum of a metric that counts.
    func total(_ name: String) -> Int64? {
        guard case .count(let tally) = finding(name) else { return nil }
        return tally.total
    }

    /// The samples of a metric, in milliseconds: count and greatest.
    func samples(_ name: String) -> (count: Int, max: Int64?) {
        guard case .distribution(let found) = finding(name) else { return (0, nil) }
        return (found.count, found.maximum.map { $0 / 1_000_000 })
    }
}

extension HandoverTalk {
    /// What became of a metric's occasions.
    func occasions(_ name: String) -> Occasions? {
        var builder = builder
        builder.end(at: 70_000)
        var meter = RunMeter()
        meter.begin(builder.directory)
        meter.record(contentsOf: builder.sorted)
        return meter.metrics.first { $0.name == name }?.occasions
    }

    /// Somebody begins and ends to speak.
    mutating func spurt(_ milliseconds: Range<Int64>) {
        builder.add(
            SpeechBegan(spurt: milliseconds.lowerBound),
            at: milliseconds.lowerBound,
            "ann",
            "a"
        )
        builder.add(
            SpeechEnded(spurt: milliseconds.lowerBound),
            at: milliseconds.upperBound,
            "ann",
            "a"
        )
    }
}
