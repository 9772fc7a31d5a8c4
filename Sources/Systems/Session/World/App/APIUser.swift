import KodamaEvidence
package import KodamaNetwork
import KodamaPhone
package import KodamaWorld
package import SansIO

/// An app that asks the app's own server.
package protocol APIUser: PhoneApp {
    var api: APIService { get }
    /// Requests to the app's own server that are under way.
    var calls: [APICall] { get set }
    /// How many there were.
    var callCount: UInt32 { get set }

    /// The app's own server answered a request, or its connection is gone.
    func heard(_ response: HTTPResponseOrLoss, to call: APICall, on stage: inout Stage)
    /// Schedules a wake of a request.
    func scheduleWake(of call: APICall, at instant: Instant, on stage: inout Stage)
}

extension APIUser {
    /// Sends a request of the app to its own server.
    package func call(_ request: any APIOrder, _ operation: OperationID, on stage: inout Stage) {
        let address = phone.addresses.first
        let source = SocketAddress(
            address: address ?? NetworkAddress(host: phone.host, interface: 0, lease: 0),
            port: firstPort + RoomPorts.firstRequest + UInt64(callCount)
        )
        if address != nil { callCount += 1 }
        let call = APICall(
            request,
            operation,
            number: callCount,
            from: source,
            of: self,
            at: stage.now
        )
        guard address != nil else { return heard(.offline, to: call, on: &stage) }
        calls.append(call)
        call.tell(.open, on: &stage)
        call.tell(.send(request.httpMessage), on: &stage)
    }

    /// Gives the app the answer to a request, which is over with it.
    package func finish(_ call: APICall, _ response: HTTPResponseOrLoss, on stage: inout Stage) {
        endCall(call.operation)
        heard(response, to: call, on: &stage)
    }

    /// Lets go of a request's connection.
    package func endCall(_ operation: OperationID) {
        for call in calls where call.operation == operation { call.isOpen = false }
        calls.removeAll { !$0.isOpen }
    }

    /// Ends all requests, with their process.
    package func endCalls() {
        for call in calls { call.isOpen = false }
        calls.removeAll()
    }

    /// The connections from an address report an error.
    package func failCalls(from address: NetworkAddress, on stage: inout Stage) {
        for call in calls where call.source.address == address { call.tell(.fail, on: &stage) }
    }

    /// Lets requests go on as the process that holds them does.
    package func armCalls(on stage: inout Stage) {
        for call in calls { call.armWake(on: &stage) }
    }

    /// Gives a packet to the request whose port it came to, if there is one.
    package func deliverToCall(_ packet: Packet, on stage: inout Stage) {
        guard case .stream(let segment) = packet.content,
            let call = calls.first(where: { $0.source == packet.destination })
        else { return }
        call.hear(.received(segment), on: &stage)
    }

    /// Whether packets pass between the phone and the servers.
    package func isReachable(on stage: borrowing Stage) -> Bool { phone.isReachable(on: stage) }
}

/// An app of which the trace says whether packets pass between its phone and the servers.
package protocol PathWitness: APIUser {
    /// Whether no packets pass, as the trace has it.
    var hasLostPath: Bool { get set }
}

extension PathWitness {
    /// Writes down when packets no longer pass, and when they do again.
    package func reviewPath(on stage: inout Stage) {
        let isReachable = isReachable(on: stage)
        guard isReachable == hasLostPath else { return }
        hasLostPath = !isReachable
        if isReachable {
            note(PathUsable(), on: &stage)
        } else {
            note(PathLost(cause: phone.addresses.isEmpty ? .interface : .link), on: &stage)
        }
    }
}
