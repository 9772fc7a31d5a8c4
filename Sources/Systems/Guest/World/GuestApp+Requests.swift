import AppServer
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import SansIO
import TextFormats

// A guest's requests go the way of every app's: a name lookup, TCP, TLS, one exchange.

extension GuestApp: APIUser {
    /// How many requests may be under way at a time.
    private static let requestsMax = 64

    var api: APIService { system.session.api }

    func scheduleWake(of call: APICall, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.request, call.number, at: instant, on: &stage)
    }

    /// Sends a request.
    func ask(_ request: GuestRequest, on stage: inout Stage) throws(GuestFault) {
        guard request.server == api.name else {
            throw GuestFault("it asks '\(request.server)'; there is \(api.name)")
        }
        let waiting = timers.filter { $0.request != nil }
        guard waiting.count < Self.requestsMax,
            !waiting.contains(where: { $0.name == request.name })
        else {
            throw GuestFault(
                "it asks '\(request.name)'; a name is no other's under way, and there are "
                    + "\(Self.requestsMax) at most"
            )
        }
        requestCount += 1
        let operation = OperationID(number: requestCount)
        let due = stage.now.advanced(by: request.timeout)
        timers.append(GuestTimer(name: request.name, due: due, request: operation))
        note(GuestRequested(request: Int64(requestCount)), on: &stage)
        call(request, operation, on: &stage)
    }

    /// A request has been answered, or will never be.
    func heard(_ response: HTTPResponseOrLoss, to call: APICall, on stage: inout Stage) {
        let index = timers.firstIndex { $0.request == call.operation }
        // One that has timed out is no longer waited for.
        guard let index else { return }
        let timer = timers.remove(at: index)
        switch response {
        case .response(let response):
            noteEnd(of: call.operation, TraceWord(number: Int64(response.statusCode)), on: &stage)
            let fields = response.headers.map { ($0.name, Optional(JSON.string($0.value))) }
            tell(
                [
                    ("event", .string("answered")), ("request", .string(timer.name)),
                    ("status", .integer(Int64(response.statusCode))),
                    ("headers", .object(of: fields)), ("body", .string(response.body)),
                ],
                on: &stage
            )
        case .lost: fail(timer.name, call.operation, .lost, on: &stage)
        case .offline: fail(timer.name, call.operation, .offline, on: &stage)
        }
    }

    /// A request has waited long enough; its connection is reset.
    func expire(_ name: String, _ operation: OperationID, on stage: inout Stage) {
        calls.first { $0.operation == operation }?.tell(.abort, on: &stage)
        fail(name, operation, .timedOut, on: &stage)
    }

    private func fail(
        _ name: String,
        _ operation: OperationID,
        _ failure: RequestFailure,
        on stage: inout Stage
    ) {
        noteEnd(of: operation, TraceWord(failure), on: &stage)
        tell(
            [
                ("event", .string("failed")), ("request", .string(name)),
                ("why", .string(Hyphenation.words(of: "\(failure)"))),
            ],
            on: &stage
        )
    }

    private func noteEnd(
        of operation: OperationID,
        _ outcome: TraceWord<RequestFailure>,
        on stage: inout Stage
    ) {
        note(GuestAnswered(request: Int64(operation.number), outcome: outcome), on: &stage)
    }
}
