/// The worst stall that a sliding window of transits still holds, so that it can be left out.
///
/// In a *stall* nothing comes for a while; then all that was held up comes at once, so each frame's
/// transit is 20 ms less than that of the one before. A stall is told from a slower route by just
/// that: after a change of route frames go on coming 20 ms apart.
///
/// One stall says nothing about the next minute; two are a habit. So the worst stall of the window
/// is left out of account once it is over for a while, and counts only while it is recent. All others
/// count as long as the window holds them. One that is worse than the worst makes the former one
/// count at once.
struct StallHistory: Sendable, Equatable {
    /// A frame: its capture index and its transit in bins of one millisecond, cut to 32 bits.
    struct Frame: Sendable, Equatable, BitwiseCopyable {
        var index: Int32
        var bin: Int32
    }

    /// A stall that may be or become the worst of the window.
    private struct Stall: Sendable, Equatable, BitwiseCopyable {
        /// The first and the last to come of the frames that it held up and the window still holds.
        var firstIndex: Int32
        var lastIndex: Int32
        /// The transit of the slowest of them.
        var bin: Int32
        /// How many frames that it held up the window holds.
        var frames: Int
    }

    /// How long a lone stall counts after its end: 5 s of media time.
    ///
    /// What 1 s of delay takes to be compressed away by 15 % is 6.7 s, so all is over after 12 s.
    static let recentFrames: Int32 = 250
    /// Frames that come less than this after the one before were held up together: half a frame.
    static let togetherMilliseconds: Int64 = 10
    /// The length of a frame in bins.
    private static let frameBins: Int32 = 20
    /// How many stalls are remembered; a further one counts as long as the window holds it.
    static let stallsMax = 16

    /// Stalls from old to new, each worse than all later ones: the first is the worst of the window.
    private var stalls: [Stall] = []
    private var last: Frame?
    /// The frame that has to come before a stall is left out again.
    private var countingUntil: Int32?

    /// Makes an empty history.
    init() {
        stalls.reserveCapacity(Self.stallsMax)
    }

    /// Takes in the frame that came last.
    ///
    /// - Parameter frame: The frame.
    /// - Returns: Whether it was held up together with the one before.
    @discardableResult
    mutating func record(_ frame: Frame) -> Bool {
        defer { last = frame }
        if let end = countingUntil, frame.index &- end >= 0 { countingUntil = nil }
        guard let last, isHeldUp(frame, with: last) else { return false }
        var stall = Stall(firstIndex: last.index, lastIndex: last.index, bin: last.bin, frames: 1)
        if let latest = stalls.last, latest.lastIndex == last.index {
            stall = latest
            stalls.removeLast()
        }
        stall.lastIndex = frame.index
        stall.bin = max(stall.bin, frame.bin)
        stall.frames += 1
        while let other = stalls.last, other.bin <= stall.bin { stalls.removeLast() }
        if stalls.count < Self.stallsMax { stalls.append(stall) }
        return true
    }

    /// Forgets all stalls so far, and leaves none out before a frame: there was other trouble.
    mutating func forget(countingUntil index: Int32) {
        stalls.removeAll(keepingCapacity: true)
        countingUntil = index
    }

    /// Forgets a frame that fell out of the window, where `next` is the oldest now.
    mutating func forget(_ index: Int32, next: Frame) {
        guard var worst = stalls.first, worst.firstIndex == index else { return }
        stalls.removeFirst()
        worst.firstIndex = next.index
        worst.bin -= Self.frameBins
        worst.frames -= 1
        guard worst.frames > 1, worst.bin > stalls.first?.bin ?? .min else { return }
        stalls.insert(worst, at: 0)
    }

    /// How many frames above `bin` belong to a lone stall and do not count.
    ///
    /// They lie 20 bins apart, since all came at about the same time.
    func framesLeftOut(above bin: Int32) -> Int {
        guard countingUntil == nil, let worst = stalls.first, let last,
            last.index &- worst.lastIndex >= Self.recentFrames
        else { return 0 }
        let framesAbove = (worst.bin - bin + Self.frameBins - 1) / Self.frameBins
        return min(worst.frames, max(0, Int(framesAbove)))
    }

    private func isHeldUp(_ frame: Frame, with last: Frame) -> Bool {
        let steps = Int64(frame.index &- last.index)
        let gap = steps * Int64(Self.frameBins) + Int64(frame.bin) - Int64(last.bin)
        return gap < Self.togetherMilliseconds
    }
}
