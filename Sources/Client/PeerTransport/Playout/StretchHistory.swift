/// The stretch of slow frames that a sliding window of transits may yet forget.
///
/// In a *stretch* frames come 20 ms apart as ever, only later than the window is used to, until the
/// path is as quick as before. As with a stall, one says nothing about the next minute, and two are
/// a habit: a lone stretch is forgotten once it is over for a while; see `StallHistory`. What lasts
/// longer than a few seconds is how the path now is, and counts as long as the window holds it.
struct StretchHistory: Sendable, Equatable {
    /// Slow frames, with less than 5 s of quick ones between two.
    struct Stretch: Sendable, Equatable, BitwiseCopyable {
        /// The first slow frame.
        let firstIndex: Int32
        /// The last one.
        fileprivate(set) var lastIndex: Int32
        /// How many of them came by themselves, not together with the one before.
        fileprivate var frames = 0
        /// What comes later than this is slow.
        fileprivate let slowBin: Int32
        /// Whether enough is known of the time before, and that it had no stretch.
        fileprivate let isLone: Bool

        /// Whether a frame belongs to it.
        func contains(_ frame: StallHistory.Frame) -> Bool {
            frame.bin > slowBin && frame.index &- firstIndex >= 0 && lastIndex &- frame.index >= 0
        }
    }

    /// The longest stretch that is one: 5 s of media time.
    static let lengthMax: Int32 = 250
    /// Fewer slow frames are jitter: 200 ms of speech.
    static let framesMin = 10
    /// How much slower than the window asks for a slow frame is: a frame's length in bins.
    static let marginBins: Int32 = 20
    /// Of a path that is known for less than 10 s nothing is said to be unusual.
    static let knownFrames = 500

    private var stretch: Stretch?
    /// Where the latest stretch ended that is over.
    private var formerIndex: Int32?

    /// Takes in the frame that came last.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - isHeldUp: Whether a stall held it up with the one before.
    ///   - mark: The bin up to which the window wanted frames to be in time before it.
    ///   - count: How many frames the window holds.
    ///   - windowFrames: The window's length.
    /// - Returns: A stretch that is to be forgotten now.
    mutating func record(
        _ frame: StallHistory.Frame,
        isHeldUp: Bool,
        mark: Int32,
        count: Int,
        windowFrames: Int32
    ) -> Stretch? {
        guard var current = stretch else {
            guard frame.bin > mark + Self.marginBins else { return nil }
            stretch = Stretch(
                firstIndex: frame.index,
                lastIndex: frame.index,
                frames: 1,
                slowBin: mark + Self.marginBins,
                isLone: count >= Self.knownFrames
                    && !hasFormer(before: frame.index, within: windowFrames)
            )
            return nil
        }
        guard frame.bin > current.slowBin else {
            let quiet = frame.index &- current.lastIndex
            return quiet >= StallHistory.recentFrames ? end(current) : nil
        }
        if frame.index &- current.lastIndex > 0 { current.lastIndex = frame.index }
        if !isHeldUp { current.frames += 1 }
        stretch = current
        if isTooLong(current) { _ = end(current) }
        return nil
    }

    /// Whether the window would still hold a stretch that is over.
    private func hasFormer(before index: Int32, within windowFrames: Int32) -> Bool {
        // Both ways: a frame that was overtaken lies before it.
        formerIndex.map { (-windowFrames..<windowFrames).contains(index &- $0) } ?? false
    }

    private func isTooLong(_ stretch: Stretch) -> Bool {
        stretch.lastIndex &- stretch.firstIndex >= Self.lengthMax
    }

    private mutating func end(_ over: Stretch) -> Stretch? {
        stretch = nil
        guard over.frames >= Self.framesMin else { return nil }
        formerIndex = over.lastIndex
        return over.isLone && !isTooLong(over) ? over : nil
    }
}
