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
package func inParallel<Output: Sendable>(
    _ count: Int,
    width: Int,
    job: @Sendable @escaping (_ index: Int) throws -> Output,
    deliver: (_ index: Int, Output) throws -> Void
) async throws {
    try await inParallel(count, sharing: JobSlots(width), rank: 0, job: job, deliver: deliver)
}

/// Runs `count` independent jobs in slots that others use as well, and delivers their results in order.
///
/// - Parameters:
///   - count: How many jobs there are.
///   - slots: How many run at a time, of these and of all others.
///   - rank: The place of these jobs among the others': those of a lower rank go first.
///   - job: Does job number `index`; called from several threads.
///   - deliver: Takes the results, from job 0 on, on the caller's task.
/// - Throws: The first error of a job, in the order of the jobs.
package func inParallel<Output: Sendable>(
    _ count: Int,
    sharing slots: JobSlots,
    rank: Int,
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
            group.addTask {
                await slots.take(rank: rank)
                let result = Result { try job(index) }
                await slots.giveBack()
                return (index, result)
            }
        }

        // As many again stand in line, so that a slot which falls free is not given to a later rank.
        for _ in 0..<2 * slots.count { start() }
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
