import Foundation
import Synchronization

/// Threads for runs, apart from those that answer the page.
final class RunWorkers: Sendable {
    private let queue = OperationQueue()

    init(_ count: Int) {
        queue.maxConcurrentOperationCount = count
        queue.qualityOfService = .userInitiated
    }

    /// Does jobs side by side; those that have not begun when they are no longer wanted are left out.
    ///
    /// - Parameters:
    ///   - count: How many there are.
    ///   - isWanted: Asked before each.
    ///   - job: Does job number `index`, on any of the threads.
    func run(
        _ count: Int,
        while isWanted: @escaping @Sendable () -> Bool = { true },
        _ job: @escaping @Sendable (_ index: Int) -> Void
    ) async {
        guard count > 0 else { return }
        let remaining = Remaining(count)
        await withCheckedContinuation { done in
            for index in 0..<count {
                queue.addOperation {
                    if isWanted() { job(index) }
                    if remaining.isLast { done.resume() }
                }
            }
        }
    }

    private final class Remaining: Sendable {
        private let count: Mutex<Int>

        init(_ count: Int) { self.count = Mutex(count) }

        var isLast: Bool {
            count.withLock { count in
                count -= 1
                return count == 0
            }
        }
    }
}

/// The number of the newest move: work for an older one is given up.
final class NewestMove: Sendable {
    private let number = Mutex(0)

    /// Begins a move, which makes all others old.
    func begin() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }

    /// The newest move.
    var current: Int { number.withLock { $0 } }

    /// Whether a move is still the newest.
    func isNewest(_ move: Int) -> Bool { number.withLock { $0 == move } }
}
