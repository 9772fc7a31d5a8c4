import AppServer
import IncomingCalls
@testable import KodamaCalls
import SansIO
import Testing

@Suite("Requests that no app of ours makes")
struct OddRequestTests {
    private func register(
        _ server: CallServerBench,
        _ edit: (inout HTTPRequest) -> Void
    ) -> HTTPRequest {
        var request = HTTPRequest.registerDevice(
            voipDeviceToken: "ab",
            bundleID: "example.calls",
            platform: "ios",
            deviceID: "phone-1",
            bearer: server.mika
        )
        edit(&request)
        return request
    }

    @Test("A body that is longer than any sign-in is refused with 413, whoever sends it (RS-12)")
    func longBodies() {
        var server = CallServerBench()
        func ask(_ request: HTTPRequest) -> HTTPResponse { server.bench.ask(request) }
        let long = ask(.appleSignIn(identityToken: String(repeating: "a", count: 1_000_000)))
        #expect(long.statusCode == 413)
        #expect(FaultResponse(json: long.body)?.error == "too_large")
        let fitting = HTTPRequest.appleSignIn(identityToken: String(repeating: "a", count: 16_000))
        #expect(ask(fitting).statusCode == 401)
        let names = register(server) { request in
            request.body = "{" + String(repeating: "\"a\":1,", count: 50_000) + "\"b\":1}"
        }
        #expect(ask(names).statusCode == 413)
    }

    @Test("A body that is no JSON object is refused with 400, an unknown member is passed over")
    func bodies() {
        var server = CallServerBench()
        let bodies = [
            "", "[]", "null", "{", "{\"a\":1}{}", "{\"platform\":\"ios\",\"platform\":\"ios\"}",
            String(repeating: "[", count: 10_000), "{\"voipDeviceToken\":7}", "\u{FEFF}{}",
            "{\"voipDeviceToken\":\"\\ud800\"}",
        ]
        for body in bodies {
            let request = register(server) { $0.body = body }
            #expect(server.bench.ask(request).statusCode == 400, "\(body.prefix(40))")
        }
        let more = register(server) { request in
            request.body = String(request.body.dropLast()) + ",\"since\":1e400}"
        }
        #expect(server.bench.ask(more).statusCode == 400)
        let known = register(server) { request in
            request.body = String(request.body.dropLast()) + ",\"system\":[\"木霊\",{}]}"
        }
        #expect(server.bench.ask(known).statusCode == 200)
    }

    @Test("A scheme has no case, and of two credentials none counts (RS-12, RFC 9110)")
    func credentials() {
        var server = CallServerBench()
        func status(_ values: String...) -> Int {
            let request = register(server) { request in
                request.headers.removeAll { $0.name == "Authorization" }
                request.headers += values.map { HTTPField("authorization", $0) }
            }
            return server.bench.ask(request).statusCode
        }
        let session = server.mika
        #expect(status("bearer " + session) == 200)
        #expect(status("BEARER " + session) == 200)
        let tabbed = "Bearer\t" + session
        for foreign in ["", "Bearer", "Bearer ", session, "Basic " + session, tabbed] {
            #expect(status(foreign) == 401, "\(foreign.prefix(8))")
        }
        #expect(status("Bearer " + String(repeating: "e30.", count: 250_000)) == 401)
        #expect(status("Bearer " + session, "Bearer " + server.hana) == 401)
        #expect(status() == 401)
    }

    @Test("A device that names itself twice has to say the same (VP-03)")
    func deviceNames() {
        var server = CallServerBench()
        func status(_ names: String...) -> Int {
            let request = register(server) { request in
                request.headers.removeAll { $0.name == "X-Device-Id" }
                request.headers += names.map { HTTPField("x-device-id", $0) }
            }
            return server.bench.ask(request).statusCode
        }
        #expect(status("phone-1", "phone-1") == 200)
        #expect(status("phone-1", "phone-2") == 400)
        #expect(status(String(repeating: "a", count: 1_000_000)) == 400)
        #expect(status("電話") == 400)
        #expect(status("") == 400)
    }

    @Test("A session outlives a clock that is set back by a minute, and no more (RS-12)")
    func clockSetBack() {
        var server = CallServerBench()
        func status() -> Int { server.bench.ask(register(server) { _ in }).statusCode }
        server.bench.pass(.seconds(-60))
        #expect(status() == 200)
        server.bench.pass(.seconds(-1))
        #expect(status() == 401)
    }

    @Test("Times beyond all clocks are refused and stop nobody (RS-12)")
    func farTimes() {
        var server = CallServerBench()
        let claims = AccessToken.Claims(
            identity: "mika",
            notBefore: WallTime(secondsSince1970: .min),
            expires: WallTime(secondsSince1970: .max),
            video: AccessToken.VideoGrant()
        )
        let forged = AccessToken.sign(claims, key: "kodama-session", secret: ServerBench.secret)
        let request = HTTPRequest.missedCalls(after: .max, deviceID: "phone-1", bearer: forged)
        #expect(server.bench.ask(request).statusCode == 401)
        let own = HTTPRequest.missedCalls(after: .max, deviceID: "phone-1", bearer: server.mika)
        #expect(server.bench.ask(own).statusCode == 200)
        let target = "/api/missed-calls?after=9223372036854775808"
        let beyond = server.bench.get(target, HTTPField("Authorization", "Bearer " + server.mika))
        #expect(beyond.statusCode == 400)
    }

    @Test("A call id stands for one call, and what is no truth value for none (VP-09)")
    func placing() {
        var server = CallServerBench()
        _ = server.place()
        #expect(server.place().statusCode == 200)
        #expect(server.place("c-1", to: "jiro").statusCode == 400)
        var odd = HTTPRequest.placeCall(
            callID: "c-2",
            to: "mika",
            hasVideo: true,
            deviceID: "hana-phone",
            bearer: server.hana
        )
        odd.body = "{\"callId\":\"c-2\",\"toUserId\":\"mika\",\"hasVideo\":\"yes\"}"
        #expect(server.bench.ask(odd).statusCode == 400)
        odd.body = "{\"callId\":\"c-2\",\"toUserId\":\"mika\"}"
        #expect(server.bench.ask(odd).statusCode == 200)
    }

    @Test("The end of a call that never was needs a reason, too (VP-05)")
    func endingNothing() {
        var server = CallServerBench()
        #expect(server.end("because", "hana-phone") == 400)
        #expect(server.place().statusCode == 200)
    }

    @Test(
        "However a caller is called, apps take the push for a call (VP-01, D-01)",
        arguments: [
            ("花子", "花子"), ("", "hana"), (" \u{200D}", "hana"), ("\u{200F}حنا\u{200F}", "حنا"),
            ("Ha\u{0}na\n", "Hana"), ("\u{202E}anaH", "anaH"),
            (String(repeating: "花", count: 100), String(repeating: "花", count: 85)),
            ("a" + String(repeating: "\u{301}", count: 200), "hana"),
        ] as [(String, String)]
    )
    func names(said: String, shown: String) throws {
        var server = CallServerBench()
        server.bench.server.settings.displayNames = ["hana": said]
        _ = server.place()
        guard case .send(let order)? = server.bench.server.takePushCommands().first else {
            Issue.record("nothing is pushed")
            return
        }
        let push = try VoIPPush(PayloadValue(json: order.payload))
        #expect(push.fromDisplayName == shown)
        #expect(push.fromUserId == "hana")
    }

    @Test("A token that is dead on one of three devices leaves the call to the two others (VP-07)")
    func oneOfThree() {
        var server = CallServerBench(phones: ["phone-1", "phone-2", "phone-3"])
        _ = server.place()
        server.pushFinished("phone-2", .unregistered)
        let known = server.bench.server.devices.devices(of: "mika").map(\.deviceID)
        #expect(known == ["phone-1", "phone-3"])
        server.pushFinished("phone-1", .refused(PushResponse(statusCode: 413)))
        #expect(server.status("hana-phone") == "ringing")
        server.pushFinished("phone-3", .unregistered)
        #expect(server.status("hana-phone") == "ended failed")
    }
}
