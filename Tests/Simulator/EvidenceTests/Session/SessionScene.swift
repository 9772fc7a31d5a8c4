import Evidence
import SansIO

/// A phone's session told by hand; times are in milliseconds and multiples of 20.
///
/// Sound is heard 60 ms after its capture. Each side's voice is told as the stretches of capture time that
/// are heard, with every frame or by `audio.flowing` and `audio.stopped`.
struct SessionScene {
    enum Media: CaseIterable {
        case sized
        case reachability
    }

    static let delay: Int64 = 60
    static let names = ["aoi", "aoi-phone", "ren-phone", "rooms"]

    var media = Media.sized
    var phone = "aoi-phone"
    private(set) var builder = TraceBuilder(Self.names)

    /// A phone whose app was launched at 0.
    init(_ media: Media = .sized, launched: Bool = true) {
        self.media = media
        if launched { add(.appLaunched, at: 0) }
    }

    mutating func add(_ kind: TraceKind, at milliseconds: Int64, _ values: Int64...) {
        let others: [TraceKind] = [
            .agentJoined, .agentClosed, .answerBegan, .answerEnded, .speechBegan, .speechEnded,
            .faultBegan,
        ]
        if others.contains(kind) {
            let teller = kind == .speechBegan || kind == .speechEnded ? "aoi" : "rooms"
            builder.add(kind, at: milliseconds, teller, phone, values)
        } else {
            builder.add(kind, at: milliseconds, phone, nil, values)
        }
    }

    mutating func act(_ act: UserAct, at milliseconds: Int64) {
        add(.userActed, at: milliseconds, act.rawValue)
    }

    /// Shows a stage by its number: 10 connecting, 11 connected, 12 reconnecting, 13 reconnected.
    mutating func show(_ stage: Int64, at milliseconds: Int64) {
        add(.statusShown, at: milliseconds, stage)
    }

    mutating func outage(_ milliseconds: Range<Int64>, cause: Int64 = 1) {
        add(.pathLost, at: milliseconds.lowerBound, cause)
        add(.pathUsable, at: milliseconds.upperBound)
    }

    /// One side's voice captured in these stretches is heard: from the phone (0) or to it (1).
    mutating func hear(_ direction: Int64, _ stretches: [Range<Int64>], delay: Int64 = delay) {
        for stretch in stretches {
            switch media {
            case .sized:
                for captured in stride(from: stretch.lowerBound, to: stretch.upperBound, by: 20) {
                    let heard = captured + delay
                    add(.voiceHeard, at: heard, direction, captured * 1_000_000, heard * 1_000_000)
                }
            case .reachability:
                let (first, last) = (stretch.lowerBound, stretch.upperBound)
                let heard = first + delay
                add(.audioFlowing, at: heard, direction, first * 1_000_000, heard * 1_000_000)
                add(.audioStopped, at: last + delay, direction, last * 1_000_000)
            }
        }
    }

    /// Both sides' voice captured in these stretches is heard.
    mutating func talk(_ stretches: Range<Int64>...) {
        hear(0, stretches)
        hear(1, stretches)
    }

    /// The whole life of an attempt of a room; `failure` of −1 is success.
    mutating func attempt(
        _ kind: TracedAttempt,
        _ milliseconds: Range<Int64>,
        room: Int64 = 1,
        signalled: Int64? = nil,
        connected: Int64? = nil,
        failure: Int64 = -1
    ) {
        add(.attemptBegan, at: milliseconds.lowerBound, room, 1, kind.rawValue)
        signalled.map { add(.attemptSignalled, at: $0, room) }
        connected.map { add(.attemptConnected, at: $0, room) }
        add(.attemptEnded, at: milliseconds.upperBound, room, failure)
    }

    func trace(until milliseconds: Int64) -> RecordedTrace {
        var builder = builder
        builder.end(at: milliseconds)
        var trace = builder.trace
        trace.records.removeAll { $0.instant.nanoseconds > milliseconds * 1_000_000 }
        return trace
    }

    func findings(until milliseconds: Int64) -> Findings {
        Findings(trace(until: milliseconds))
    }

    /// The broken invariants with the number of violations.
    func broken(until milliseconds: Int64) -> [String: Int] {
        var meter = RunMeter()
        meter.fold(trace(until: milliseconds))
        return Dictionary(
            uniqueKeysWithValues: meter.invariants.filter { $0.violationCount > 0 }
                .map { ($0.name, $0.violationCount) }
        )
    }
}
