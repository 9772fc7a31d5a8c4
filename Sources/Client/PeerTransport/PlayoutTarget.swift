import SansIO

/// Where playout should stand: the delay that the frames of every path in use need.
///
/// Statistics are kept per path. A path is in use while it delivers, be it only copies of frames
/// that came sooner by another one, so playout is slow enough before a slower path takes over, and
/// becomes quick again once it falls silent (S-HO-004, D-15). Burst frames were late before they
/// were sent and count nowhere.
struct PlayoutTarget: Sendable, Equatable {
    /// What is known of one path.
    private struct Path: Sendable, Equatable {
        var number: UInt8
        var heardNanoseconds: Int64
        var transits: TransitWindow
    }

    /// More paths than any handover uses; a further one takes the place of the longest silent.
    static let pathCountMax = 4
    /// How long after its last frame a path counts as in use.
    static let useNanoseconds: Int64 = 500_000_000

    private var paths: [Path] = []
    /// The transit of the quickest burst frame, which must do while no other frame is known.
    private var burstNanoseconds: Int64?
    /// The transit that playout should give every frame: the target delay plus the fastest transit.
    private(set) var transitNanoseconds: Int64 = 0
    /// The target delay above the fastest packet of the path that needs the most.
    private(set) var delayNanoseconds: Int64

    /// The transit that the ceiling allows a frame of the same path.
    private(set) var latestTransitNanoseconds: Int64 = 0

    init(_ limits: JitterBuffer.Limits) {
        delayNanoseconds = limits.floorNanoseconds
    }

    /// Learns from one frame, or from a copy of it.
    mutating func observe(
        _ captureIndex: Int64,
        marks: FrameMarks,
        path: UInt8,
        at now: Instant,
        limits: JitterBuffer.Limits
    ) {
        let transit = now.nanoseconds - captureIndex * VoiceClock.frameNanoseconds
        if marks.contains(.burst) {
            burstNanoseconds = min(burstNanoseconds ?? transit, transit)
        } else {
            let place = place(of: path, at: now, rule: limits.rule)
            paths[place].heardNanoseconds = now.nanoseconds
            paths[place].transits.record(
                index: captureIndex,
                transitNanoseconds: transit,
                rule: limits.rule
            )
        }
        decide(now, limits)
    }

    private mutating func place(
        of number: UInt8,
        at now: Instant,
        rule: TransitWindow.Rule
    ) -> Int {
        if let place = paths.firstIndex(where: { $0.number == number }) { return place }
        let path = Path(
            number: number,
            heardNanoseconds: now.nanoseconds,
            transits: TransitWindow(rule: rule)
        )
        if paths.count < Self.pathCountMax {
            paths.append(path)
            return paths.count - 1
        }
        var place = 0
        for other in paths.indices
        where paths[other].heardNanoseconds < paths[place].heardNanoseconds {
            place = other
        }
        paths[place] = path
        return place
    }

    private mutating func decide(_ now: Instant, _ limits: JitterBuffer.Limits) {
        var slowest: Int64?
        for path in paths
        where now.nanoseconds - path.heardNanoseconds <= Self.useNanoseconds
            && path.transits.count > 0
        {
            let spread = path.transits.spreadNanoseconds
            let delay = min(max(spread, limits.floorNanoseconds), limits.ceilingNanoseconds)
            let transit = path.transits.fastestNanoseconds + delay
            guard transit > slowest ?? .min else { continue }
            slowest = transit
            delayNanoseconds = delay
            latestTransitNanoseconds = path.transits.fastestNanoseconds + limits.ceilingNanoseconds
        }
        if let slowest {
            transitNanoseconds = slowest
        } else if paths.isEmpty, let burstNanoseconds {
            transitNanoseconds = burstNanoseconds + delayNanoseconds
        }
    }
}
