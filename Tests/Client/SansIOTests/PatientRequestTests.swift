import SansIO
import Testing

@Suite("A request that has taken too long may still be answered")
struct PatientRequestTests {
    private typealias Outcome = PatientRequest.Outcome

    private let patience = Duration.seconds(4)

    private func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    private func at(_ seconds: Int64) -> Instant { .zero.advanced(by: .seconds(seconds)) }

    /// The first request has taken too long, and the second has been waited for since 5 s.
    private func twice() -> PatientRequest {
        var requests = PatientRequest()
        requests.sent(id(1), at: .zero, patience: patience)
        requests.leaveLate { _ in Issue.record("nothing was late before") }
        requests.sent(id(2), at: at(5), patience: patience)
        return requests
    }

    /// What an answer leads to, and what it cancels.
    private func answer(
        _ requests: inout PatientRequest,
        _ number: UInt32,
        settles: Bool = true
    ) -> (outcome: Outcome, cancelled: [OperationID]) {
        var cancelled: [OperationID] = []
        let outcome = requests.answered(id(number), settles: settles) { cancelled.append($0) }
        return (outcome, cancelled)
    }

    @Test("One that is answered in time settles what was asked")
    func inTime() {
        var requests = PatientRequest()
        requests.sent(id(1), at: at(1), patience: patience)
        #expect(requests.pending?.until == at(5))
        let (outcome, cancelled) = answer(&requests, 1)
        #expect(outcome == .settled(since: at(1), isLate: false) && cancelled.isEmpty)
        #expect(requests == PatientRequest())
    }

    @Test(
        "Whichever is answered first counts, and the other is cancelled",
        arguments: [1, 2] as [UInt32]
    )
    func firstAnswerCounts(number: UInt32) {
        var requests = twice()
        let (outcome, cancelled) = answer(&requests, number)
        let isLate = number == 1
        #expect(outcome == .settled(since: isLate ? .zero : at(5), isLate: isLate))
        #expect(cancelled == [id(3 - number)])
        #expect(requests == PatientRequest())
    }

    @Test("A late answer that settles nothing leaves alone the request that is waited for")
    func lateFailure() {
        var requests = twice()
        var (outcome, cancelled) = answer(&requests, 1, settles: false)
        #expect(outcome == .ignored && cancelled.isEmpty)
        #expect(requests.pending?.operation == id(2) && requests.late == nil)
        (outcome, cancelled) = answer(&requests, 2)
        #expect(outcome == .settled(since: at(5), isLate: false) && cancelled.isEmpty)
    }

    @Test("What is late may be answered after the one that followed has failed")
    func failsFirst() {
        var requests = twice()
        var (outcome, cancelled) = answer(&requests, 2, settles: false)
        #expect(outcome == .failed && cancelled.isEmpty)
        #expect(requests.pending == nil && requests.late?.operation == id(1))
        (outcome, cancelled) = answer(&requests, 1)
        #expect(outcome == .settled(since: .zero, isLate: true) && cancelled.isEmpty)
    }

    @Test("Only one may be late: the one before it is cancelled, and its answer ignored")
    func oneIsLate() {
        var requests = twice()
        var cancelled: [OperationID] = []
        requests.leaveLate { cancelled.append($0) }
        #expect(cancelled == [id(1)] && requests.late?.operation == id(2))
        for number in [1, 3] as [UInt32] {
            let (outcome, others) = answer(&requests, number)
            #expect(outcome == .ignored && others.isEmpty)
        }
        #expect(requests.late?.operation == id(2))
    }

    @Test("Or the first of all goes on beside the late one, until it is left with the others")
    func firstGoesOn() {
        var requests = twice()
        var cancelled: [OperationID] = []
        requests.leaveLateButFirst { cancelled.append($0) }
        #expect(cancelled.isEmpty && requests.first?.operation == id(1))
        #expect(requests.late?.operation == id(2) && requests.pending == nil)
        requests.sent(id(3), at: at(10), patience: patience)
        var answered = requests
        let (outcome, others) = answer(&answered, 1)
        #expect(outcome == .settled(since: .zero, isLate: true) && others == [id(2), id(3)])
        #expect(answered == PatientRequest())
        requests.leaveLateButFirst { cancelled.append($0) }
        #expect(cancelled == [id(2)] && !requests.isOnly(id(1)))
        requests.leaveLate { cancelled.append($0) }
        #expect(cancelled == [id(2), id(1), id(3)] && requests == PatientRequest())
    }

    @Test("A first one that settles nothing leaves the others alone")
    func firstFails() {
        var requests = twice()
        requests.leaveLateButFirst { _ in Issue.record("nothing was cancelled") }
        let (outcome, cancelled) = answer(&requests, 1, settles: false)
        #expect(outcome == .ignored && cancelled.isEmpty)
        #expect(requests.isOnly(id(2)) && !requests.isOnly(id(1)))
    }

    @Test("Who gives up cancels all that is in flight, the oldest first")
    func givesUp() {
        var requests = twice()
        var cancelled: [OperationID] = []
        requests.giveUp { cancelled.append($0) }
        #expect(cancelled == [id(1), id(2)])
        #expect(requests == PatientRequest())
    }

    @Test("A hurry makes what is waited for late earlier, never later")
    func hurries() {
        var requests = PatientRequest()
        requests.hurry(until: at(1))
        #expect(requests.pending == nil)
        requests.sent(id(1), at: .zero, patience: patience)
        requests.hurry(until: at(2))
        requests.hurry(until: at(3))
        #expect(requests.pending?.until == at(2))
    }
}
