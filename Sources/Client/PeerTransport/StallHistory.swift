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
        /// The first and slowest frame that it held up and that the window still holds.
        var first: Frame
        /// The last frame that it held up.
        var lastIndex: Int32
        /// How many frames that it held up the window holds.
        var frames: Int
    }

    /// How long a lone stall counts after its end: 5 s of media time.
    ///
    /// What 1 s of delay takes to be compressed away by 15 % is 6.7 s, so all is over after 12 s.
    static let recentFrames: Int32 = 250
    /// Frames that come less than this after the one before were held up together: half a frame.
    static let togetherMilliseconds: Int64 = 10
    /// How many stalls are remembered; a further one counts as long as the window holds it.
    static let stallsMax = 16

    /// Stalls from old to new, each worse than all later ones: the first is the worst of the window.
    private var stalls: [Stall] = []
    private var last: Frame?

    /// Makes an empty history.
    init() {
        stalls.reserveCapacity(Self.stallsMax)
    }

    /// Takes in the frame that came last.
    mutating func record(_ frame: Frame) {
        defer { last = frame }
        guard let last, isHeldUp(frame, with: last) else { return }
        if let stall = stalls.last, stall.lastIndex == last.index {
            stalls[stalls.count - 1].lastIndex = frame.index
            stalls[stalls.count - 1].frames += 1
            return
        }
        while let stall = stalls.last, stall.first.bin <= last.bin { stalls.removeLast() }
        guard stalls.count < Self.stallsMax else { return }
        stalls.append(Stall(first: last, lastIndex: frame.index, frames: 2))
    }

    /// Forgets a frame that fell out of the window, where `next` is the oldest now.
    mutating func forget(_ index: Int32, next: Frame) {
        guard let worst = stalls.first, worst.first.index == index else { return }
        stalls[0].first = next
        stalls[0].frames -= 1
        if stalls[0].frames < 2 || stalls.count > 1 && stalls[1].first.bin >= next.bin {
            stalls.removeFirst()
        }
    }

    /// How many frames above `bin` belong to a lone stall and do not count.
    ///
    /// They lie 20 bins apart, since all came at about the same time.
    func framesLeftOut(above bin: Int32) -> Int {
        guard let worst = stalls.first, let last,
            last.index &- worst.lastIndex >= Self.recentFrames
        else { return 0 }
        return min(worst.frames, max(0, Int(worst.first.bin - bin + 19) / 20))
    }

    private func isHeldUp(_ frame: Frame, with last: Frame) -> Bool {
        let steps = frame.index &- last.index
        let gap = Int64(steps) * 20 + Int64(frame.bin) - Int64(last.bin)
        return steps > 0 && gap < Self.togetherMilliseconds
    }
}
