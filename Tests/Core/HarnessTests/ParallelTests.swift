import Foundation
@testable import KodamaHarness
import Synchronization
import Testing

@Suite("Jobs side by side")
struct ParallelTests {
    private struct Refusal: Error, Equatable {
        var index: Int
    }

    /// What jobs of several threads note.
    private final class Notes: Sendable {
        let order = Mutex<[String]>([])
        let going = Mutex((now: 0, most: 0))
    }

    /// Work that takes the longer, the earlier the job: late jobs end first.
    private static func linger(_ index: Int, of count: Int) {
        usleep(UInt32((count - index) * 500))
    }

    @Test(
        "Results come in the order of the jobs, however many run at a time (HN-01)",
        arguments: [1, 2, 5]
    )
    func order(width: Int) async throws {
        var delivered: [Int] = []
        try await inParallel(12, width: width) { index in
            Self.linger(index, of: 12)
            return index * index
        } deliver: { index, result in
            #expect(result == index * index)
            delivered.append(index)
        }
        #expect(delivered == Array(0..<12))
    }

    @Test("No job at all is no error")
    func none() async throws {
        try await inParallel(0, width: 3) {
            $0
        } deliver: { _, _ in
            Issue.record("a result")
        }
    }

    @Test(
        "The first error in the order of the jobs is thrown, not the quickest",
        arguments: [1, 2, 5]
    )
    func firstError(width: Int) async throws {
        var delivered: [Int] = []
        let laterJobFailed = DispatchSemaphore(value: 0)
        let error = await #expect(throws: Refusal.self) {
            try await inParallel(12, width: width) { index in
                if index == 4 { laterJobFailed.signal() }
                // A machine with one processor may never run job 4 meanwhile.
                if index == 3, width > 1 { _ = laterJobFailed.wait(timeout: .now() + 1) }
                if index == 3 { usleep(20_000) }
                if index >= 3 { throw Refusal(index: index) }
                return index
            } deliver: { index, _ in
                delivered.append(index)
            }
        }
        #expect(error == Refusal(index: 3))
        #expect(delivered == [0, 1, 2])
    }

    @Test("An error in delivering ends it")
    func deliveryError() async throws {
        let error = await #expect(throws: Refusal.self) {
            try await inParallel(5, width: 2) {
                $0
            } deliver: { index, _ in
                if index == 1 { throw Refusal(index: index) }
            }
        }
        #expect(error == Refusal(index: 1))
    }

    @Test("A free slot goes to the lowest rank in line, and of one rank to who came first")
    func ranks() async {
        let slots = JobSlots(1)
        let notes = Notes()
        await slots.take(rank: 0)
        await withTaskGroup(of: Void.self) { group in
            for (place, (name, rank)) in [("late", 2), ("first", 1), ("second", 1)].enumerated() {
                group.addTask {
                    await slots.take(rank: rank)
                    notes.order.withLock { $0.append(name) }
                    await slots.giveBack()
                }
                while await slots.lineCount <= place { await Task.yield() }
            }
            await slots.giveBack()
        }
        #expect(notes.order.withLock { $0 } == ["first", "second", "late"])
    }

    @Test("Two who share slots fill no more than there are, and get their results in order")
    func shared() async throws {
        let slots = JobSlots(2)
        let notes = Notes()
        let results = try await withThrowingTaskGroup(of: [Int].self) { group in
            for rank in 0..<2 {
                group.addTask {
                    var delivered: [Int] = []
                    try await inParallel(9, sharing: slots, rank: rank) { index in
                        notes.going.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        Self.linger(index, of: 9)
                        notes.going.withLock { $0.now -= 1 }
                        return index
                    } deliver: { _, result in
                        delivered.append(result)
                    }
                    return delivered
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == [Array(0..<9), Array(0..<9)])
        #expect(notes.going.withLock { $0.most } <= 2)
    }
}
