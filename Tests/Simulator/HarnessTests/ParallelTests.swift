import Foundation
import Testing

@testable import Harness

@Suite("Jobs side by side")
struct ParallelTests {
    private struct Refusal: Error, Equatable {
        var index: Int
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
}
