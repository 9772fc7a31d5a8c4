import Synchronization

/// Says on stderr how many of something are done, and how long the rest will take: over one line on a terminal,
/// elsewhere as soon as it can be said and then a line per tenth.
final class CountedProgress: Sendable {
    private let noun: String
    private let isQuiet: Bool
    private let begin = ContinuousClock.now
    /// The tenths that have been told of.
    private let tenths = Mutex(-1)

    /// Begins to count.
    ///
    /// - Parameters:
    ///   - noun: What is counted, as a plural.
    ///   - isQuiet: Whether nothing is said at all.
    init(_ noun: String, isQuiet: Bool) {
        self.noun = noun
        self.isQuiet = isQuiet
    }

    /// Tells that so many are done, of as many as are expected in all.
    func show(_ done: Int, of expected: Int) {
        guard !isQuiet else { return }
        let left = TimeLeft.text(after: begin.duration(to: .now), done: done, of: expected)
        let news = "\(done) of \(expected) \(noun)\(left)"
        tenths.withLock { tenths in
            if Terminal.isInteractive {
                Terminal.overwrite(news)
            } else if done * 10 / expected > tenths, !left.isEmpty {
                Terminal.remark(news)
                tenths = done * 10 / expected
            }
        }
    }

    /// Leaves nothing behind on a terminal.
    func end() {
        if !isQuiet, Terminal.isInteractive { Terminal.overwrite("") }
    }
}
