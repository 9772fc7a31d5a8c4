import PlayoutTrials

extension JitterTraceResult {
    /// How long after `start` the delay is last at `bound` or more; zero if it never is.
    ///
    /// - Parameters:
    ///   - bound: In nanoseconds above the trace's fastest transit.
    ///   - start: A time of sending in nanoseconds.
    /// - Returns: Nanoseconds between `start` and the sending of the last frame so delayed.
    func settlingNanoseconds(below bound: Int64, after start: Int64) -> Int64 {
        var settled: Int64 = 0
        for frame in played where frame.delayNanoseconds >= bound {
            settled = max(settled, Int64(frame.place) * JitterTrace.frameNanoseconds - start)
        }
        return settled
    }
}
