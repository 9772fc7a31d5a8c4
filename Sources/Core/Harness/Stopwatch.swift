#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Processor seconds of this process or thread, for the speed line at the end of a run.
///
/// Nothing measured here enters a result: reports keep it apart from what a scenario shows.
public struct Stopwatch: Sendable {
    private let start = Self.threadSeconds()

    /// Starts the watch on the calling thread.
    public init() {}

    /// The processor seconds that the calling thread has spent since the start.
    public var elapsedSeconds: Double { Self.threadSeconds() - start }

    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
