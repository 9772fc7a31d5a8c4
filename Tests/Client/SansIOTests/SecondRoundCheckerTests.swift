import SansIO
import SansIOTesting
import Testing

/// Tries something three times when asked, and rests when it is told to stop; it may forget what it must not.
private struct Trier: StateMachine {
    enum Event: Sendable { case asked, failed(OperationID), stop }
    enum Effect: Sendable, Equatable { case attempt(OperationID), gaveUp }
    enum Mistake { case none, failuresKept, dueKept, lateGivingUp }

    static let effectsPerCallMax = 1

    let mistake: Mistake
    var operations: UInt32 = 0
    var failures = 0
    var due: Instant?
    /// Whether it has given up before, which nothing but the mistake asks.
    var hasGivenUp = false

    var isFinished: Bool { false }
    var deadline: Deadline? { due.map { Deadline($0, "again") } }

    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .asked: attempt(in: &turn)
        case .failed(let operation):
            guard operation.number == operations, operations > 0, due == nil else { return }
            failures += 1
            let last = mistake == .lateGivingUp && hasGivenUp ? 4 : 3
            guard failures >= last else {
                return due = turn.now.advanced(by: .seconds(failures))
            }
            failures = 0
            hasGivenUp = true
            turn.order(.gaveUp)
        case .stop:
            if mistake != .failuresKept { failures = 0 }
            due =
                mistake == .dueKept ? due.map { _ in .zero.advanced(by: .seconds(9_999_999)) } : nil
        }
    }

    mutating func wake(in turn: inout Turn<Effect>) {
        guard let due, due <= turn.now else { return }
        attempt(in: &turn)
    }

    private mutating func attempt(in turn: inout Turn<Effect>) {
        due = nil
        operations += 1
        turn.order(.attempt(OperationID(number: operations)))
    }
}

private func violation(of mistake: Trier.Mistake) -> LawViolation? {
    for seed in 0..<20 as Range<UInt64> {
        do throws(LawViolation) {
            try checkSecondRound(
                seed: seed,
                steps: 60,
                make: { Trier(mistake: mistake) },
                rule: SecondRoundRule(rest: [.stop], kept: ["operations", "hasGivenUp"])
            ) { _ in
                var latest = OperationID(number: 0)
                return { random, _, orders in
                    for case .attempt(let operation) in orders { latest = operation }
                    return switch random.below(10) {
                    case 0, 1: .asked
                    case 2: .stop
                    default: .failed(latest)
                    }
                }
            }
        } catch {
            return error
        }
    }
    return nil
}

@Test("A machine whose second round is like the first keeps law L12, whatever its ids are")
func secondRoundKept() {
    #expect(violation(of: .none) == nil)
}

@Test("A reset that is forgotten breaks law L12 at rest, and names its field")
func resetForgotten() {
    let failures = violation(of: .failuresKept)
    #expect(failures?.law == "L12" && failures?.what.contains("failures is ") == true)
    let due = violation(of: .dueKept)
    #expect(due?.law == "L12" && due?.what.contains("due is ") == true)
}

@Test("What only the second story shows breaks law L12 at its step, though the field is listed")
func laterShown() {
    let late = violation(of: .lateGivingUp)
    #expect(late?.law == "L12" && late?.what.contains("second round") == true)
}
