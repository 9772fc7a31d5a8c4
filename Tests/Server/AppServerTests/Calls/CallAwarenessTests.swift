import AppServer
import SansIO
import Testing

@Suite("Which devices know of a call that rings (VP-07)")
struct CallAwarenessTests {
    /// What a device of the callee's does before its token turns out to be dead.
    enum Deed: CaseIterable {
        case nothing
        case status
        case offer
    }

    @Test(
        "A device that asked for the call or read its offer knows of it, though its push is lost (VP-07)",
        arguments: Deed.allCases
    )
    func aware(deed: Deed) {
        var server = CallServerBench()
        _ = server.place()
        switch deed {
        case .nothing: break
        case .status: _ = server.status()
        case .offer:
            let request = HTTPRequest.callOffer(
                callID: "c-1",
                deviceID: "phone-1",
                bearer: server.mika
            )
            #expect(server.bench.ask(request).statusCode == 200)
        }
        server.bench.server.pushFinished(
            callId: "c-1",
            deviceToken: CallServerBench.token(of: "phone-1"),
            .unregistered,
            at: server.bench.now
        )
        server.bench.pass(.seconds(6))
        let isOver = deed == .nothing
        #expect(server.status("hana-phone") == (isOver ? "ended unanswered" : "ringing"))
    }
}
