import AppServer
import IncomingCalls
import SansIO
import Testing

@Suite("The server's side of a call (VP-05, VP-09)")
struct CallEndpointTests {
    @Test("A placed call is pushed to each of the callee's devices, once (VP-07, VP-08)")
    func placed() throws {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        let room = try #require(CallRoomResponse(json: server.place().body)?.room)
        let commands = server.bench.server.takePushCommands()
        #expect(commands.count == 2)
        guard case .send(let order)? = commands.first else {
            Issue.record("no push: \(commands)")
            return
        }
        #expect(order.deviceToken == CallServerBench.token(of: "phone-1"))
        #expect(order.topic == "example.calls.voip")
        #expect(order.expiresAt == server.bench.now.advanced(by: .seconds(25)))
        #expect(
            order.payload
                == #"{"aps":{"content-available":1},"type":"call.incoming","callId":"c-1","#
                + #""fromUserId":"hana","fromDisplayName":"花子","room":"\#(room)","#
                + #""hasVideo":false,"expiresAt":\#(order.expiresAt.secondsSince1970)}"#
        )
        // Asked again, as after a lost answer: the same room, no other push.
        #expect(CallRoomResponse(json: server.place().body)?.room == room)
        #expect(server.bench.server.takePushCommands().isEmpty)
    }

    @Test("A call is answered by the first device, and over for the others (D-03)")
    func answered() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        let room = CallRoomResponse(json: server.place().body)?.room
        #expect(server.status("phone-1") == "ringing")
        #expect(server.answer("phone-2") == room)
        #expect(server.answer("phone-2") == room)
        #expect(server.answer("phone-1") == "answeredElsewhere")
        #expect(server.status("phone-1") == "ended answeredElsewhere")
        #expect(server.status("phone-2") == "answered")
        #expect(server.status("hana-phone") == "answered")
        // Only who is in the call can end it.
        #expect(server.end("hungUp", "phone-1") == 200)
        #expect(server.status("hana-phone") == "answered")
        #expect(server.end("hungUp", "phone-2") == 200)
        #expect(server.status("hana-phone") == "ended hungUp")
        #expect(server.missed().isEmpty)
    }

    @Test("Whom a call rings for is told how much longer it does, by nobody's clock (D-03)")
    func ringsFor() throws {
        var server = CallServerBench()
        _ = server.place()
        server.bench.pass(.milliseconds(4_200))
        let asked = HTTPRequest.callStatus(
            callID: "c-1",
            deviceID: "phone-1",
            bearer: server.mika
        )
        let status = try #require(CallStatusResponse(json: server.bench.ask(asked).body))
        #expect(status.state == "ringing")
        #expect(status.ringsFor == .milliseconds(20_800))
        for left in [-1, 86_400_000] {
            let body = #"{"state":"ringing","ringsForMilliseconds":\#(left)}"#
            #expect(CallStatusResponse(json: body)?.ringsFor == nil)
        }
    }

    @Test("A decline ends the call everywhere, with the reason as each side sees it (D-03)")
    func declined() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        #expect(server.end("declined", "phone-1") == 200)
        #expect(server.status("phone-1") == "ended declined")
        #expect(server.status("phone-2") == "ended declinedElsewhere")
        #expect(server.status("hana-phone") == "ended declined")
        #expect(server.answer("phone-2") == "declinedElsewhere")
        #expect(server.missed().isEmpty)
    }

    @Test("A call that gave way to another is over for both, and nobody has missed it (VP-05)")
    func crossed() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        #expect(server.end("crossed", "hana-phone") == 200)
        #expect(server.status("phone-1") == "ended crossed")
        #expect(server.status("hana-phone") == "ended crossed")
        #expect(server.missed().isEmpty)
    }

    @Test("Who hangs up before the server has their answer declines, and missed nothing (VP-05)")
    func hungUpBeforeAnswer() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        #expect(server.end("hungUp", "phone-1") == 200)
        #expect(server.status("hana-phone") == "ended declined")
        #expect(server.status("phone-2") == "ended declinedElsewhere")
        #expect(server.answer("phone-1") == "declined")
        #expect(server.missed().isEmpty)
    }

    @Test("A device that is busy leaves the call to the others; when all are, it is over")
    func busy() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        server.end("busy", "phone-1")
        #expect(server.status("hana-phone") == "ringing")
        server.end("busy", "phone-2")
        #expect(server.status("hana-phone") == "ended busy")
        #expect(server.missed().map(\.reason) == ["busy"])
    }

    @Test("A call that no device can be told of is over, and missed (VP-07, VP-09)")
    func unannounced() {
        let refused = PushOutcome.refused(PushResponse(statusCode: 403))
        for (outcome, reason) in [
            (PushOutcome.unregistered, "unanswered"), (refused, "failed"), (.overloaded, "failed"),
        ] {
            var server = CallServerBench(phones: ["phone-1", "phone-2"])
            _ = server.place()
            server.pushFinished("phone-1", outcome)
            #expect(server.status("hana-phone") == "ringing")
            server.pushFinished("phone-2", outcome)
            #expect(server.status("hana-phone") == "ended \(reason)")
            #expect(server.missed().map(\.reason) == [reason])
        }
        var mixed = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = mixed.place()
        mixed.end("busy", "phone-1")
        mixed.pushFinished("phone-2", .unregistered)
        #expect(mixed.status("hana-phone") == "ended failed")
    }

    @Test("A push that arrived, or that is not wanted any more, ends no call (VP-07)")
    func announced() {
        var server = CallServerBench()
        _ = server.place()
        for outcome in [PushOutcome.accepted, .withdrawn, .expired] {
            server.pushFinished("phone-1", outcome)
            #expect(server.status("hana-phone") == "ringing", "\(outcome)")
        }
        // What came of the push to a phone that is not the callee's any more concerns nobody.
        server.pushFinished("phone-9", .refused(PushResponse(statusCode: 403)))
        #expect(server.status("hana-phone") == "ringing")
        _ = server.answer()
        server.pushFinished("phone-1", .unregistered)
        #expect(server.status("hana-phone") == "answered")
    }

    @Test("What ends unanswered is kept for the callee, once, and after the position asked for")
    func missed() throws {
        var server = CallServerBench()
        _ = server.place("c-1")
        server.end("cancelled", "hana-phone", "c-1")
        #expect(server.status("phone-1", "c-1") == "ended cancelled")
        _ = server.place("c-2")
        server.bench.pass(.seconds(25))
        #expect(server.status("phone-1", "c-2") == "ended unanswered")
        let calls = server.missed()
        #expect(calls.map(\.callID) == ["c-1", "c-2"])
        #expect(calls.map(\.reason) == ["cancelled", "unanswered"])
        #expect(calls.map(\.fromDisplayName) == ["花子", "花子"])
        #expect(calls[1].endedAt.secondsSince1970 - calls[0].endedAt.secondsSince1970 == 25)
        #expect(server.missed(after: calls[0].sequence).map(\.callID) == ["c-2"])
        #expect(server.missed(after: calls[1].sequence).isEmpty)
        server.bench.pass(.seconds(8 * 86_400))
        #expect(server.missed().isEmpty)
    }

    @Test("Two calls missed in one instant have a position each (VP-05)")
    func missedTogether() throws {
        var server = CallServerBench(phones: [])
        _ = server.place("c-1")
        _ = server.place("c-2")
        let calls = server.missed()
        #expect(calls.map(\.callID) == ["c-1", "c-2"])
        #expect(server.missed(after: try #require(calls.first).sequence).map(\.callID) == ["c-2"])
    }

    @Test("A call that nobody asks about ends when its time is over, as of that time")
    func unasked() {
        var server = CallServerBench()
        let placedAt = server.bench.now
        _ = server.place()
        server.bench.pass(.seconds(3_600))
        #expect(server.missed().map(\.endedAt) == [placedAt.advanced(by: .seconds(25))])
    }

    @Test("A call to nobody's device is over at once, and missed")
    func unreachable() {
        var server = CallServerBench(phones: [])
        let response = server.place()
        #expect(response.statusCode == 409)
        #expect(CallEndedResponse(json: response.body)?.reason == "unanswered")
        #expect(server.missed().map(\.callID) == ["c-1"])
    }

    @Test("A call whose end overtakes it never rings")
    func endedBeforePlaced() {
        var server = CallServerBench()
        #expect(server.end("cancelled", "hana-phone") == 200)
        let response = server.place()
        #expect(CallEndedResponse(json: response.body)?.reason == "cancelled")
        #expect(server.bench.server.takePushCommands().isEmpty)
    }

    @Test("Who asks about a call has its push: it is not sent again; an end withdraws all of them")
    func withdrawn() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        _ = server.bench.server.takePushCommands()
        _ = server.status("phone-2")
        let second = PushCommand.withdraw(
            callId: "c-1",
            deviceToken: CallServerBench.token(of: "phone-2")
        )
        #expect(server.bench.server.takePushCommands() == [second])
        server.end("cancelled", "hana-phone")
        #expect(server.bench.server.takePushCommands().count == 2)
    }

    @Test("A call that one device has answered is pushed to none of the others any more (VP-07)")
    func withdrawnByAnswer() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        _ = server.bench.server.takePushCommands()
        _ = server.answer("phone-2")
        let withdrawn = ["phone-1", "phone-2"].map { phone in
            PushCommand.withdraw(callId: "c-1", deviceToken: CallServerBench.token(of: phone))
        }
        #expect(server.bench.server.takePushCommands() == withdrawn)
    }

    @Test("Strangers learn nothing of a call, and what is malformed is said")
    func refused() {
        var server = CallServerBench()
        _ = server.place()
        let jiro = server.bench.session(of: "jiro")
        let stranger = [
            HTTPRequest.callStatus(callID: "c-1", deviceID: "x", bearer: jiro),
            .callOffer(callID: "c-1", deviceID: "x", bearer: jiro),
            .answerCall(callID: "c-1", deviceID: "x", bearer: jiro),
            .callStatus(callID: "c-9", deviceID: "x", bearer: jiro),
        ]
        for request in stranger { #expect(server.bench.ask(request).statusCode == 404) }
        for request in stranger {
            var anonymous = request
            anonymous.headers = []
            #expect(server.bench.ask(anonymous).statusCode == 401)
        }
        #expect(server.place("bad id").statusCode == 400)
        #expect(server.place("c-2", to: "hana").statusCode == 400)
        #expect(server.end("because") == 400)
        #expect(server.bench.get("/api/calls/c-1/answer").statusCode == 405)
        #expect(server.bench.get("/api/calls/c-1/other").statusCode == 404)
        #expect(server.bench.get("/api/calls/").statusCode == 404)
        let other = HTTPRequest.placeCall(
            callID: "c-1",
            to: "mika",
            hasVideo: false,
            deviceID: "x",
            bearer: jiro
        )
        #expect(CallEndedResponse(json: server.bench.ask(other).body)?.reason == "failed")
    }

    @Test("Every reason that the server gives is one that the app knows")
    func reasons() {
        for reason in [
            "cancelled", "unanswered", "declined", "answeredElsewhere", "declinedElsewhere",
            "busy", "hungUp", "failed", "crossed", "signedOut",
        ] {
            #expect(CallEndReason(rawValue: reason) != nil)
        }
    }
}

@Suite("The devices that users are called on (VP-03)")
struct DeviceEndpointTests {
    @Test("A device has one token, the newest, and a token one device")
    func newest() {
        var server = CallServerBench()
        func tokens() -> [String] { server.bench.server.devices.devices(of: "mika").map(\.token) }
        #expect(server.register("phone-1", token: "0AFF") == 200)
        #expect(tokens() == ["0aff"])
        #expect(server.register("phone-2", token: "0b") == 200)
        #expect(tokens() == ["0aff", "0b"])
        #expect(server.register("phone-3", token: "0b") == 200)
        #expect(
            server.bench.server.devices.devices(of: "mika").map(\.deviceID) == [
                "phone-1", "phone-3",
            ]
        )
        // Another user signs in on the phone: it rings for them alone.
        #expect(server.register("phone-1", token: "0aff", bearer: server.hana) == 200)
        #expect(tokens() == ["0b"])
        for number in 0..<40 { server.register("p-\(number)", token: "ff\(100 + number)0") }
        #expect(tokens().count == DeviceRegistry.devicesPerUserMax)
    }

    @Test("A dead token goes, unless it was registered since (VP-07)")
    func dead() {
        var server = CallServerBench()
        let token = CallServerBench.token(of: "phone-1")
        let registeredAt = server.bench.now
        server.bench.server.forgetDevice(token: token, deadSince: registeredAt)
        #expect(server.bench.server.devices.devices(of: "mika").count == 1)
        let later = registeredAt.advanced(by: .milliseconds(1))
        server.bench.server.forgetDevice(token: token, deadSince: later)
        #expect(server.bench.server.devices.devices(of: "mika").isEmpty)
        server.bench.server.forgetDevice(token: token, deadSince: later)
    }

    @Test("Who logs out is called on that device no more; who signed in there since is")
    func unregistered() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        func devices(_ user: String) -> [String] {
            server.bench.server.devices.devices(of: user).map(\.deviceID)
        }
        func leave(_ device: String, _ bearer: String) -> Int {
            server.bench.ask(.unregisterDevice(deviceID: device, bearer: bearer)).statusCode
        }
        #expect(leave("phone-1", "nobody") == 401)
        #expect(leave("phone-1", server.mika) == 200)
        #expect(leave("phone-1", server.mika) == 200)
        #expect(devices("mika") == ["phone-2"])
        server.bench.pass(.seconds(2))
        let hana = server.bench.session(of: "hana")
        server.register("phone-2", token: "0b", bearer: hana)
        #expect(leave("phone-2", server.bearer(of: "phone-2")) == 200)
        #expect(devices("hana") == ["phone-2"])
        #expect(leave("phone 2", server.mika) == 400)
        var nameless = HTTPRequest.unregisterDevice(deviceID: "phone-2", bearer: hana)
        nameless.headers.removeAll { $0.name == "X-Device-Id" }
        #expect(server.bench.ask(nameless).statusCode == 400)
        #expect(devices("hana") == ["phone-2"])
    }

    @Test("A log-out that comes late leaves the device to who has signed in there since (VP-03)")
    func lateLogout() {
        var server = CallServerBench()
        let token = CallServerBench.token(of: "phone-1")
        func devices() -> [String] {
            server.bench.server.devices.devices(of: "mika").map(\.deviceID)
        }
        func leave(_ bearer: String) -> Int {
            let request = HTTPRequest.unregisterDevice(deviceID: "phone-1", bearer: bearer)
            return server.bench.ask(request).statusCode
        }
        server.bench.pass(.seconds(1))
        let again = server.bench.session(of: "mika")
        #expect(server.register("phone-1", token: token, bearer: again) == 200)
        #expect(leave(server.mika) == 200)
        let dead = HTTPRequest.withdrawToken(token, deviceID: "phone-1", bearer: server.mika)
        #expect(server.bench.ask(dead).statusCode == 200)
        #expect(devices() == ["phone-1"])
        #expect(leave(again) == 200)
        #expect(devices().isEmpty)
    }

    @Test("Who signs in and out before the phone has registered is not called there (VP-03, RS-12)")
    func shortSession() {
        var server = CallServerBench()
        server.bench.pass(.seconds(1))
        let again = server.bench.session(of: "mika")
        let logout = HTTPRequest.unregisterDevice(deviceID: "phone-1", bearer: again)
        _ = server.bench.ask(logout)
        #expect(server.bench.server.devices.devices(of: "mika").isEmpty)
    }

    @Test("A registration that comes after its user has logged out is refused (VP-03, RS-12)")
    func lateRegistration() {
        var server = CallServerBench(phones: [])
        let logout = HTTPRequest.unregisterDevice(deviceID: "phone-1", bearer: server.mika)
        #expect(server.bench.ask(logout).statusCode == 200)
        #expect(server.bench.ask(logout).statusCode == 200)
        #expect(server.register("phone-1", token: "0a") == 401)
        #expect(server.register("phone-2", token: "0b") == 401, "the session is over everywhere")
        #expect(server.register("phone-1", token: "0a", bearer: server.hana) == 200)
        server.bench.pass(.seconds(1))
        let again = server.bench.session(of: "mika")
        #expect(server.register("phone-1", token: "0a", bearer: again) == 200)
    }

    @Test("A token taken back goes, and not the one that the device has since (VP-03, VP-07)")
    func tokenTakenBack() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        let token = CallServerBench.token(of: "phone-1")
        func devices() -> [String] {
            server.bench.server.devices.devices(of: "mika").map(\.deviceID)
        }
        func withdraw(_ token: String, _ device: String, _ bearer: String) -> Int {
            let request = HTTPRequest.withdrawToken(token, deviceID: device, bearer: bearer)
            return server.bench.ask(request).statusCode
        }
        #expect(withdraw(token, "phone-1", "nobody") == 401)
        #expect(withdraw("a", "phone-1", server.mika) == 400)
        #expect(withdraw("", "phone-1", server.mika) == 400)
        // Somebody else's word, another device's, and one that a new registration has overtaken.
        #expect(withdraw(token, "phone-1", server.hana) == 200)
        #expect(withdraw(token, "phone-2", server.mika) == 200)
        #expect(withdraw("0a", "phone-1", server.mika) == 200)
        #expect(devices() == ["phone-1", "phone-2"])
        // The device that rings may know of the call, and answer it.
        _ = server.place()
        #expect(withdraw(token.uppercased(), "phone-1", server.mika) == 200)
        #expect(devices() == ["phone-2"])
        #expect(server.status("hana-phone") == "ringing")
        let room = server.answer("phone-1")
        #expect(room.hasPrefix("call-"), "\(room)")
    }

    @Test("What is malformed is refused by name; who is nobody by 401")
    func malformed() {
        var server = CallServerBench()
        for (token, bundle, platform, field) in [
            ("", "a.b", "ios", "voipDeviceToken"), ("abc", "a.b", "ios", "voipDeviceToken"),
            ("zz", "a.b", "ios", "voipDeviceToken"), ("ab", "", "ios", "bundleId"),
            ("ab", "a/b", "ios", "bundleId"), ("ab", "a.b", "android", "platform"),
        ] {
            let request = HTTPRequest.registerDevice(
                voipDeviceToken: token,
                bundleID: bundle,
                platform: platform,
                deviceID: "phone-1",
                bearer: server.mika
            )
            let response = server.bench.ask(request)
            #expect(response.statusCode == 400)
            #expect(response.body.contains(field), "\(response.body)")
        }
        #expect(server.register("phone-1", token: "ab", bearer: "nobody") == 401)
        #expect(server.register("phone 1", token: "ab") == 400)
    }
}
