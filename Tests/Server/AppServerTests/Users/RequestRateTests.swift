import SansIO
import Testing

@testable import AppServer

@Suite("Each user and device may ask so often; one too many is told when to come again")
struct RequestRateTests {
    private func missed(
        _ bench: inout ServerBench,
        _ bearer: String,
        _ device: String
    )
        -> HTTPResponse
    {
        bench.ask(.missedCalls(after: 0, deviceID: device, bearer: bearer))
    }

    @Test(
        "A device's 241st request at once is answered with 429 and the time to wait, others go on"
    )
    func device() {
        var bench = ServerBench()
        let mika = bench.session(of: "mika")
        let hana = bench.session(of: "hana")
        for _ in 0..<240 { #expect(missed(&bench, mika, "phone").statusCode == 200) }
        for _ in 0..<2 {
            let refusal = missed(&bench, mika, "phone")
            #expect(refusal.statusCode == 429 && refusal.retryAfter == RetryAfter(.seconds(1)))
            #expect(refusal.headers == [HTTPField("Retry-After", "1")])
            #expect(FaultResponse(json: refusal.body)?.error == "too_many")
        }
        #expect(missed(&bench, mika, "tablet").statusCode == 200)
        #expect(missed(&bench, hana, "phone").statusCode == 200)
        bench.pass(.milliseconds(500))
        #expect(missed(&bench, mika, "phone").statusCode == 200)
        #expect(missed(&bench, mika, "phone").statusCode == 429)
        // After what is said, whatever it is, the next is taken.
        let wait = missed(&bench, mika, "phone").retryAfter
        bench.pass(wait?.wait ?? .zero)
        #expect(missed(&bench, mika, "phone").statusCode == 200)
    }

    @Test("Devices that a user makes up count together, and nothing is kept of them")
    func inventedDevices() {
        var bench = ServerBench()
        let mika = bench.session(of: "mika")
        var taken = 0
        for number in 0..<2_000 where missed(&bench, mika, "p-\(number)").statusCode == 200 {
            taken += 1
        }
        #expect((240...960).contains(taken), "\(taken)")
        let hana = bench.session(of: "hana")
        #expect(missed(&bench, hana, "phone").statusCode == 200)
    }

    @Test("A clock that is set back lets nobody wait longer than a full count does")
    func clockSetBack() {
        var bench = ServerBench()
        let mika = bench.session(of: "mika")
        for _ in 0..<300 { _ = missed(&bench, mika, "phone") }
        #expect(missed(&bench, mika, "phone").statusCode == 429)
        bench.pass(.seconds(-59))
        // All 240 are used and two minutes pass until none is.
        let wait = missed(&bench, mika, "phone").retryAfter
        #expect(wait.map { $0.wait <= .seconds(121) } ?? true)
    }

    @Test("Whoever shows an ended session takes nothing from what its user may ask")
    func endedSession() {
        var server = CallServerBench()
        let logout = HTTPRequest.unregisterDevice(deviceID: "phone-1", bearer: server.mika)
        _ = server.bench.ask(logout)
        let again = server.bench.session(of: "mika")
        var late: [Int: Int] = [:]
        for number in 0..<3_000 {
            server.bench.pass(.milliseconds(10))
            let asked = HTTPRequest.callStatus(
                callID: "x",
                deviceID: number.isMultiple(of: 2) ? "phone-1" : "p-\(number)",
                bearer: server.mika
            )
            late[server.bench.ask(asked).statusCode, default: 0] += 1
            guard number.isMultiple(of: 100) else { continue }
            #expect(missed(&server.bench, again, "phone-1").statusCode == 200)
        }
        #expect(Set(late.keys) == [404, 429])
        // A burst of 60 and one more in each of the 30 s.
        #expect((85...95).contains(late[404] ?? 0))
    }

    @Test("A user signs in as often as there are seconds for sessions; one too many waits for one")
    func signIns() {
        var bench = ServerBench()
        for _ in 0..<2 {
            let sessions = (0..<61).map { _ in bench.session(of: "mika") }
            #expect(Set(sessions).count == 61 && !sessions.contains(""))
            let refusal = bench.ask(.appleSignIn(identityToken: "apple says mika"))
            #expect(refusal.statusCode == 429 && refusal.retryAfter == RetryAfter(.seconds(1)))
            #expect(!bench.session(of: "hana").isEmpty)
            bench.pass(.seconds(1))
            let next = bench.session(of: "mika")
            #expect(!next.isEmpty && !sessions.contains(next))
            #expect(bench.ask(.databaseCredential(bearer: next)).statusCode == 200)
            bench.pass(.seconds(120))
        }
        // A clock that was set back refuses nobody.
        bench.pass(.seconds(-600))
        #expect(!bench.session(of: "mika").isEmpty)
    }

    @Test("A user places 20 calls at once and one more every 3 s; asking again is no other call")
    func calls() {
        var server = CallServerBench()
        for number in 0..<20 {
            #expect(server.place("c-\(number)").statusCode == 200)
            server.end("cancelled", "hana-phone", "c-\(number)")
        }
        let refusal = server.place("c-20")
        #expect(refusal.statusCode == 429 && refusal.retryAfter == RetryAfter(.seconds(3)))
        _ = server.bench.server.takePushCommands()
        #expect(server.place("c-19").statusCode == 409, "it is known, and over")
        server.bench.pass(.seconds(3))
        #expect(server.place("c-20").statusCode == 200)
        #expect(server.place("c-20").statusCode == 200)
        #expect(server.place("c-21").statusCode == 429)
    }

    @Test("Of a call to a user who does not exist nothing is kept")
    func nobody() {
        var server = CallServerBench()
        for number in 0..<400 {
            server.bench.pass(.seconds(3))
            #expect(server.place("c-\(number)", to: "guest \(number)").statusCode == 409)
        }
        let now = server.bench.now
        for number in 0..<400 {
            #expect(server.bench.server.calls.call("c-\(number)", at: now) == nil)
            let user = UserName("guest \(number)")
            #expect(server.bench.server.calls.missed(by: user, after: 0, at: now).isEmpty)
        }
        // A user who has signed in is somebody, though no device can be called.
        _ = server.bench.session(of: "guest 7")
        #expect(server.place("c-real", to: "guest 7").statusCode == 409)
        let missed = server.bench.server.calls.missed(by: UserName("guest 7"), after: 0, at: now)
        #expect(missed.map(\.callId) == ["c-real"])
    }

    @Test("10,000 ends of calls that were never placed end nobody's call")
    func inventedEnds() {
        var server = CallServerBench()
        #expect(server.place("live").statusCode == 200)
        #expect(server.answer("phone-1", "live").hasPrefix("call-"))
        let jiro = server.bench.session(of: "jiro")
        for number in 0..<10_000 {
            server.bench.pass(.milliseconds(500))
            _ = server.bench.ask(
                .endCall(callID: "m\(number)", reason: "cancelled", deviceID: "m", bearer: jiro)
            )
        }
        #expect(server.status("hana-phone", "live") == "answered")
    }
}
