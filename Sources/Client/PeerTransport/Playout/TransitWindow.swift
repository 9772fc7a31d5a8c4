/// The transit times of one path's recent frames: the fastest, and how far the slow ones lag.
///
/// *Transit* is the arrival on the receiver's clock minus the media time on the sender's (the term
/// of RFC 3550 section 6.4.1). The two clocks share no zero, so only differences mean something.
///
/// A sliding window counts transits in bins of one millisecond. Three pointers into the bins (the
/// fastest, the slowest, the mark above which no more frames lie than may come late) move by a few
/// steps per frame, so the quantile is exact, in integers, at a cost that does not depend on the
/// window's length. A lone stall or slow stretch does not count; see `StallHistory` and
/// `StretchHistory`. Where the route changes, all that was learnt is void: at once if it is faster,
/// in a while if it is too slow for the ceiling.
struct TransitWindow: Sendable, Equatable {
    /// How far a window looks back, and what it lets come late.
    struct Rule: Sendable, Equatable, BitwiseCopyable {
        /// The window's length in frames of media time.
        var windowFrames: Int32
        /// The share of frames that may come late at no delay at all.
        var latePartsPerMillion: Int64
        /// What 100 ms of delay add to that share.
        var lateGrowthPartsPerMillion: Int64
        /// The greatest delay that playout may add, in bins.
        var ceilingBins: Int32
    }

    /// A frame in the window: both numbers are cut to 32 bits and compared by their differences.
    private typealias Entry = StallHistory.Frame

    /// The bins, used in a circle; a power of two.
    static let binCount: Int32 = 2048
    static let binNanoseconds: Int64 = 1_000_000
    /// A frame this much faster than all others came by a new route.
    static let routeChangeBins: Int32 = 10
    /// After so long without a frame within the ceiling the route is a slower one.
    ///
    /// Until then every frame is late, and of those that come together all but the last are lost.
    static let slowerRouteNanoseconds: Int64 = 5_000_000_000
    /// So many frames at least must have come in that time: 1 s of speech.
    static let slowerRouteFrames = 50

    private var entries: [Entry]
    private var oldest = 0
    /// How many frames the window holds.
    private(set) var count = 0
    private var counts: [UInt16]
    /// The bin from which bins are counted, so that they fit 32 bits.
    private var originBin: Int64 = 0
    private var fastest: Int32 = 0
    private var slowest: Int32 = 0
    private var mark: Int32 = 0
    private var aboveMark = 0
    private var stalls = StallHistory()
    private var stretches = StretchHistory()
    /// The frame that opened the present route; older ones came by the route before.
    private var routeIndex = Int64.min
    /// How many frames in a row came beyond the ceiling, and when the first of them came.
    private var slowFrames = 0
    private var slowSinceNanoseconds: Int64 = 0

    init(rule: Rule) {
        entries = Array(repeating: Entry(index: 0, bin: 0), count: Int(rule.windowFrames))
        counts = Array(repeating: 0, count: Int(Self.binCount))
    }

    /// The transit of the fastest frame in nanoseconds, cut down to a millisecond.
    var fastestNanoseconds: Int64 {
        (originBin + Int64(fastest)) * Self.binNanoseconds
    }

    /// The delay above the fastest frame that lets no more frames come late than the rule allows.
    var spreadNanoseconds: Int64 {
        Int64(mark + 1 - fastest) * Self.binNanoseconds
    }

    /// Takes one frame in and lets the ones that are too old fall out.
    mutating func record(index: Int64, transitNanoseconds: Int64, rule: Rule) {
        guard index > routeIndex else { return }
        let absolute = Self.bin(of: transitNanoseconds)
        evictOlder(than: Int32(truncatingIfNeeded: index) &- rule.windowFrames)
        let steps = absolute - originBin
        let arrival = transitNanoseconds + index * VoiceClock.frameNanoseconds
        let isSlower = showsSlowerRoute(steps, arrival: arrival, rule)
        if isSlower
            || count == 0
            || steps <= Int64(fastest - Self.routeChangeBins)
            || Int64(slowest) - steps >= Int64(Self.binCount)
        {
            restart(at: absolute, index: index)
        }
        let bin = Int32(min(absolute - originBin, Int64(fastest) + Int64(Self.binCount) - 1))
        let entry = Entry(index: Int32(truncatingIfNeeded: index), bin: bin)
        let (markBefore, countBefore) = (mark, count)
        insert(entry)
        let isHeldUp = stalls.record(entry)
        let lone = stretches.record(
            entry,
            isHeldUp: isHeldUp,
            mark: markBefore,
            count: countBefore,
            windowFrames: rule.windowFrames
        )
        if let lone { forget(lone, windowFrames: rule.windowFrames) }
        settle(rule)
    }

    /// Counts the frames of a lone stretch as if they had been quick, and its end as no stall.
    ///
    /// A stall that comes while the stretch is in the window is no lone trouble: it counts.
    private mutating func forget(_ stretch: StretchHistory.Stretch, windowFrames: Int32) {
        for step in 0..<count {
            var position = oldest + step
            if position >= entries.count { position -= entries.count }
            let entry = entries[position]
            guard stretch.contains(entry) else { continue }
            counts[place(of: entry.bin)] -= 1
            if entry.bin > mark { aboveMark -= 1 }
            entries[position].bin = fastest
            counts[place(of: fastest)] += 1
            if fastest > mark { aboveMark += 1 }
        }
        while counts[place(of: slowest)] == 0 { slowest -= 1 }
        stalls.forget(countingUntil: stretch.lastIndex &+ windowFrames)
    }

    private static func bin(of transitNanoseconds: Int64) -> Int64 {
        let bin = transitNanoseconds / binNanoseconds
        return transitNanoseconds % binNanoseconds < 0 ? bin - 1 : bin
    }

    private func place(of bin: Int32) -> Int {
        Int(bin & (Self.binCount - 1))
    }

    /// Says whether frames have come beyond the ceiling so long that the route is a slower one.
    ///
    /// What a jam held up comes within moments, however much it is.
    private mutating func showsSlowerRoute(_ steps: Int64, arrival: Int64, _ rule: Rule) -> Bool {
        guard count > 0, steps > Int64(fastest + rule.ceilingBins) else {
            slowFrames = 0
            return false
        }
        if slowFrames == 0 { slowSinceNanoseconds = arrival }
        slowFrames += 1
        return slowFrames >= Self.slowerRouteFrames
            && arrival - slowSinceNanoseconds >= Self.slowerRouteNanoseconds
    }

    /// Forgets everything: another route opened with this frame.
    private mutating func restart(at absolute: Int64, index: Int64) {
        while count > 0 { evictOldest() }
        slowFrames = 0
        originBin = absolute
        (fastest, slowest, mark, aboveMark) = (0, 0, 0, 0)
        stalls = StallHistory()
        stretches = StretchHistory()
        routeIndex = index - 1
    }

    private mutating func insert(_ entry: Entry) {
        if count == entries.count { evictOldest() }
        var place = oldest + count
        if place >= entries.count { place -= entries.count }
        entries[place] = entry
        count += 1
        counts[self.place(of: entry.bin)] += 1
        fastest = min(fastest, entry.bin)
        slowest = max(slowest, entry.bin)
        if entry.bin > mark { aboveMark += 1 }
    }

    private mutating func evictOlder(than index: Int32) {
        while count > 0, entries[oldest].index &- index <= 0 {
            evictOldest()
        }
    }

    private mutating func evictOldest() {
        let (index, bin) = (entries[oldest].index, entries[oldest].bin)
        oldest = oldest + 1 == entries.count ? 0 : oldest + 1
        count -= 1
        counts[place(of: bin)] -= 1
        if bin > mark { aboveMark -= 1 }
        guard count > 0 else { return }
        stalls.forget(index, next: entries[oldest])
        while counts[place(of: fastest)] == 0 { fastest += 1 }
        while counts[place(of: slowest)] == 0 { slowest -= 1 }
    }

    /// Moves the mark to the lowest bin above which no more frames lie than may come late.
    private mutating func settle(_ rule: Rule) {
        mark = min(max(mark, fastest - 1), slowest)
        while !allows(aboveMark, upTo: mark, rule) {
            mark += 1
            aboveMark -= Int(counts[place(of: mark)])
        }
        while mark > fastest {
            let above = aboveMark + Int(counts[place(of: mark)])
            guard allows(above, upTo: mark - 1, rule) else { return }
            aboveMark = above
            mark -= 1
        }
    }

    private func allows(_ late: Int, upTo bin: Int32, _ rule: Rule) -> Bool {
        let delayMilliseconds = Int64(bin + 1 - fastest)
        let counted = late - stalls.framesLeftOut(above: bin)
        let share =
            rule.latePartsPerMillion + rule.lateGrowthPartsPerMillion * delayMilliseconds / 100
        return Int64(counted) * 1_000_000 <= Int64(count) * share
    }
}
