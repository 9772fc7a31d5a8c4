import SansIO

/// Where playout should stand: the delay that the frames of every path in use need.
///
/// Statistics are kept per path. A path is in use while it delivers, be it only copies of frames
/// that came sooner by another one, so playout is slow enough before a slower path takes over, and
/// becomes quick again once it falls silent (S-HO-004, D-15). A path that is slower than the
/// quickest by more than the buffer holds does not count: to wait for its frames would lose all
/// others. Burst frames were late before they were sent and count nowhere.
struct PlayoutTarget: Sendable, Equatable {
    /// What is known of one path.
    private struct Path: Sendable, Equatable {
        var number: UInt8
        var heardNanoseconds: Int64
        /// The newest frame that came by it.
        var newestIndex: Int64
        var transits: TransitWindow

        func isInUse(at now: Instant) -> Bool {
            now.nanoseconds - heardNanoseconds <= PlayoutTarget.useNanoseconds
                && transits.count > 0
        }
    }

    /// More paths than any handover uses; a further one takes the place of the longest silent.
    static let pathCountMax = 4
    /// How long after its last frame a path counts as in use.
    static let useNanoseconds: Int64 = 500_000_000
    /// How long the quickest path's frames can wait in the buffer for a slower path's: 2.44 s.
    ///
    /// Six frames less than it holds: a frame is ordered up to a request late, and the longest that
    /// iOS makes by itself, 4096 samples (Apple QA1606), takes 85 ms.
    static let reachNanoseconds = Int64(FrameRing.capacity - 6) * VoiceClock.frameNanoseconds

    private let floorNanoseconds: Int64
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
        floorNanoseconds = limits.floorNanoseconds
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
            paths[place].newestIndex = max(paths[place].newestIndex, captureIndex)
            paths[place].transits.record(
                index: captureIndex,
                transitNanoseconds: transit,
                rule: limits.rule
            )
        }
        decide(now, limits)
    }

    /// The transit that playout should give the frames of one path, at most that of all paths.
    func transitNanoseconds(of number: UInt8) -> Int64 {
        guard paths.count > 1, let path = paths.first(where: { $0.number == number }),
            path.transits.count > 0
        else { return transitNanoseconds }
        let delay = max(path.transits.spreadNanoseconds, floorNanoseconds)
        return min(path.transits.fastestNanoseconds + delay, transitNanoseconds)
    }

    /// Whether a path may still bring a frame that newer ones have overtaken.
    ///
    /// That is a slower path in use by which nothing newer has come: a path keeps order, and of one
    /// path alone a gap is a loss. The quickest path does not count, since none overtakes it: what
    /// it lacks is lost, as where a radio ended.
    func mayBring(_ captureIndex: Int64, at now: Instant) -> Bool {
        guard paths.count > 1, let quickest = quickestNanoseconds(at: now) else { return false }
        return paths.contains { path in
            let behind = path.transits.fastestNanoseconds - quickest
            return path.isInUse(at: now) && path.newestIndex < captureIndex
                && behind > 0 && behind <= Self.reachNanoseconds
        }
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
            newestIndex: .min,
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
        guard let quickest = quickestNanoseconds(at: now) else {
            if paths.isEmpty, let burstNanoseconds {
                transitNanoseconds = burstNanoseconds + delayNanoseconds
            }
            return
        }
        let reached = quickest + Self.reachNanoseconds
        var slowest: Int64?
        for path in paths where path.isInUse(at: now) {
            let fastest = path.transits.fastestNanoseconds
            guard fastest + limits.floorNanoseconds <= reached else { continue }
            let spread = path.transits.spreadNanoseconds
            let wanted = min(max(spread, limits.floorNanoseconds), limits.ceilingNanoseconds)
            let delay = min(wanted, reached - fastest)
            let transit = fastest + delay
            guard transit > slowest ?? .min else { continue }
            slowest = transit
            delayNanoseconds = delay
            latestTransitNanoseconds = fastest + limits.ceilingNanoseconds
        }
        if let slowest { transitNanoseconds = slowest }
    }

    /// The transit of the fastest frame of all paths in use.
    private func quickestNanoseconds(at now: Instant) -> Int64? {
        var quickest: Int64?
        for path in paths where path.isInUse(at: now) {
            quickest = min(quickest ?? .max, path.transits.fastestNanoseconds)
        }
        return quickest
    }
}
