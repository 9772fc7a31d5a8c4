/// Runs `count` independent jobs, at most `width` at a time, and delivers their results in order.
///
/// Each job owns everything it touches, so the results do not depend on `width`; delivery in the
/// order of the jobs keeps everything folded from them independent of it as well.
///
/// - Parameters:
///   - count: How many jobs there are.
///   - width: How many run at a time; at least 1.
///   - job: Does job number `index`; called from several threads.
///   - deliver: Takes the results, from job 0 on, on the caller's task.
/// - Throws: The first error of a job, in the order of the jobs.
func inParallel<Output: Sendable>(
    _ count: Int,
    width: Int,
    job: @Sendable @escaping (_ index: Int) throws -> Output,
    deliver: (_ index: Int, Output) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
        var started = 0
        var delivered = 0
        var waiting: [Int: Result<Output, any Error>] = [:]

        func start() {
            guard started < count else { return }
            let index = started
            started += 1
            group.addTask { (index, Result { try job(index) }) }
        }

        for _ in 0..<max(1, width) { start() }
        while let (index, result) = try await group.next() {
            waiting[index] = result
            // Only jobs before the failed one still count, and those have all been started.
            if case .failure = result { started = count }
            while let next = waiting.removeValue(forKey: delivered) {
                try deliver(delivered, next.get())
                delivered += 1
            }
            start()
        }
    }
}
