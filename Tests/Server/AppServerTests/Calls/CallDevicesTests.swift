import AppServer
import Testing

@Suite("Calls that ring while their callee's devices change (VP-07)")
struct CallDevicesTests {
    @Test("What rings is pushed to a device with a new token, and to a new device, once (VP-07)")
    func ringingFollowsTokens() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        func pushed() -> [String] {
            server.bench.server.takePushCommands().compactMap { command in
                guard case .send(let order) = command, order.callId == "c-1" else { return nil }
                return order.deviceToken
            }
        }
        _ = server.place()
        #expect(pushed().count == 2)
        server.register("phone-1", token: CallServerBench.token(of: "phone-1"))
        #expect(pushed().isEmpty)
        server.register("phone-1", token: "0a")
        #expect(pushed() == ["0a"])
        server.register("phone-3", token: "0b")
        #expect(pushed() == ["0b"])
        // Whoever has said that it cannot take the call is not asked again, nor is somebody else's.
        server.end("busy", "phone-3")
        server.register("phone-3", token: "0c")
        server.register("phone-4", token: "0d", bearer: server.hana)
        #expect(pushed().isEmpty)
        // The refusal of the token that the call was sent to first says nothing of it now.
        server.pushFinished("phone-1", .unregistered)
        #expect(server.status("hana-phone") == "ringing")
        _ = server.answer("phone-2")
        server.register("phone-1", token: "0e")
        #expect(pushed().isEmpty)
    }

    @Test("A call pushed to a token that was registered after its death is over soon (VP-07)")
    func registeredDead() {
        let token = CallServerBench.token(of: "phone-1")
        func refuse(_ server: inout CallServerBench) {
            let now = server.bench.now
            // Its registration came later than that.
            server.bench.server.forgetDevice(token: token, deadSince: now)
            server.bench.server.pushFinished(
                callId: "c-1",
                deviceToken: token,
                .unregistered,
                at: now
            )
            #expect(server.bench.server.devices.devices(of: "mika").count == 1)
        }
        var server = CallServerBench()
        _ = server.place()
        refuse(&server)
        server.bench.pass(.milliseconds(4_999))
        #expect(server.status("hana-phone") == "ringing")
        server.bench.pass(.milliseconds(1))
        #expect(server.status("hana-phone") == "ended unanswered")
        // Another token comes in time, or the device knew of the call before.
        for isAware in [true, false] {
            var lucky = CallServerBench()
            _ = lucky.place()
            if isAware { _ = lucky.status() }
            refuse(&lucky)
            if !isAware { lucky.register("phone-1", token: "0a") }
            lucky.bench.pass(.seconds(20))
            #expect(lucky.status("hana-phone") == "ringing")
        }
    }

    @Test("A call that loses one push after the other, or the rest's refusal, is over (VP-07)")
    func pushesLostInTurn() {
        func lose(_ phone: String, of server: inout CallServerBench) {
            // The token was registered after its death, and stays.
            server.bench.server.pushFinished(
                callId: "c-1",
                deviceToken: CallServerBench.token(of: phone),
                .unregistered,
                at: server.bench.now
            )
        }
        for isBusy in [true, false] {
            var server = CallServerBench(phones: ["phone-1", "phone-2"])
            _ = server.place()
            lose("phone-1", of: &server)
            server.bench.pass(.seconds(6))
            #expect(server.status("hana-phone") == "ringing")
            if isBusy { server.end("busy", "phone-2") } else { lose("phone-2", of: &server) }
            server.bench.pass(.seconds(5))
            #expect(server.status("hana-phone") == (isBusy ? "ended busy" : "ended unanswered"))
        }
        // Its next token has a push of its own.
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        lose("phone-1", of: &server)
        server.register("phone-1", token: "0a")
        lose("phone-2", of: &server)
        server.bench.pass(.seconds(6))
        #expect(server.status("hana-phone") == "ringing")
    }

    @Test("A device that cannot take a call lets none ring that asks about it late (VP-05, VP-07)")
    func askedBeforeRefused() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        server.end("busy", "phone-1")
        let token = CallServerBench.token(of: "phone-2")
        let bearer = server.bearer(of: "phone-2")
        _ = server.bench.ask(.withdrawToken(token, deviceID: "phone-2", bearer: bearer))
        #expect(server.status("phone-1") == "ringing")
        server.bench.pass(.seconds(5))
        #expect(server.status("hana-phone") == "ended unanswered")
    }

    @Test("A call whose last device another user signs in on is over, and missed (VP-07, VP-09)")
    func takenOver() {
        // By its identity, and by its token under another identity.
        for (phone, token) in [
            ("phone-1", "0a"), ("phone-9", CallServerBench.token(of: "phone-1")),
        ] {
            var server = CallServerBench(phones: ["phone-1", "phone-2"])
            _ = server.place()
            _ = server.bench.server.takePushCommands()
            server.bench.pass(.seconds(2))
            let jiro = server.bench.session(of: "jiro")
            server.register(phone, token: token, bearer: jiro)
            let withdrawal = PushCommand.withdraw(
                callId: "c-1",
                deviceToken: CallServerBench.token(of: "phone-1")
            )
            #expect(server.bench.server.takePushCommands() == [withdrawal])
            #expect(server.status("hana-phone") == "ringing")
            server.register("phone-2", token: "0b", bearer: jiro)
            #expect(server.status("hana-phone") == "ended unanswered")
            #expect(server.missed().map(\.reason) == ["unanswered"])
        }
    }

    @Test("On a phone that is another user's by now a call is over, and rings on elsewhere (VP-07)")
    func askedInFormerName() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        server.bench.pass(.seconds(1))
        let jiro = server.bench.session(of: "jiro")
        server.register("phone-1", token: "0a", bearer: jiro)
        #expect(server.status("phone-1") == "ended signedOut")
        #expect(server.answer("phone-1") == "signedOut")
        #expect(server.status("phone-2") == "ringing")
        #expect(server.status("hana-phone") == "ringing")
        // A phone that nobody has is the callee's all the same: its push service may have lost it.
        #expect(server.status("phone-9") == "ringing")
        server.bench.pass(.seconds(1))
        let again = server.bench.session(of: "mika")
        // Its push may be there before the registration is.
        #expect(server.status("phone-1", bearer: again) == "ringing")
        server.register("phone-1", token: "0a", bearer: again)
        #expect(server.status("phone-1") == "ended signedOut")
        #expect(server.status("phone-1", bearer: again) == "ringing")
    }

    @Test("A question that comes after its user's log-out has no call ring there (RS-12, VP-07)")
    func askedBeforeLogout() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = server.place()
        _ = server.bench.ask(.unregisterDevice(deviceID: "phone-1", bearer: server.mika))
        #expect(server.status("phone-1") == "ended signedOut")
        #expect(server.answer("phone-1") == "signedOut")
        #expect(server.status("phone-2") == "ringing")
        server.end("busy", "phone-2")
        #expect(server.status("hana-phone") == "ended busy")
        // Who has signed in again is asked again.
        _ = server.place("c-2")
        server.bench.pass(.seconds(1))
        let again = server.bench.session(of: "mika")
        server.register("phone-1", token: "0a", bearer: again)
        #expect(server.status("phone-1", "c-2", bearer: again) == "ringing")
    }

    @Test("A call whose last device logs out is over, and missed (VP-09)")
    func ringingOnNothing() {
        var server = CallServerBench(phones: ["phone-1", "phone-2"])
        func leave(_ phone: String) {
            let bearer = server.bearer(of: phone)
            _ = server.bench.ask(.unregisterDevice(deviceID: phone, bearer: bearer))
        }
        _ = server.place()
        leave("phone-1")
        leave("phone-9")
        #expect(server.status("hana-phone") == "ringing")
        leave("phone-2")
        #expect(server.status("hana-phone") == "ended unanswered")
        let again = server.bench.session(of: "mika")
        #expect(server.missed(bearer: again).map(\.reason) == ["unanswered"])
        // One that could not take it before has had its say.
        var busy = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = busy.place()
        busy.end("busy", "phone-1")
        let bearer = busy.bearer(of: "phone-2")
        _ = busy.bench.ask(.unregisterDevice(deviceID: "phone-2", bearer: bearer))
        #expect(busy.status("hana-phone") == "ended failed")
        // Who talks goes on talking.
        var talking = CallServerBench()
        _ = talking.place()
        _ = talking.answer()
        _ = talking.bench.ask(.unregisterDevice(deviceID: "phone-1", bearer: talking.mika))
        #expect(talking.status("hana-phone") == "answered")
    }

    @Test("A call whose push is lost with its token is over soon, unless a device turns up (VP-07)")
    func tokenTakenBack() {
        func withdraw(_ phone: String, of server: inout CallServerBench) {
            let token = CallServerBench.token(of: phone)
            _ = server.bench.ask(.withdrawToken(token, deviceID: phone, bearer: server.mika))
        }
        var server = CallServerBench()
        _ = server.place()
        withdraw("phone-1", of: &server)
        server.bench.pass(.milliseconds(4_999))
        #expect(server.status("hana-phone") == "ringing")
        server.bench.pass(.milliseconds(1))
        #expect(server.status("hana-phone") == "ended unanswered")
        #expect(server.missed().map(\.reason) == ["unanswered"])
        // The push had arrived all the same, or another token comes in time.
        for isAware in [true, false] {
            var lucky = CallServerBench()
            _ = lucky.place()
            withdraw("phone-1", of: &lucky)
            lucky.bench.pass(.seconds(4))
            if isAware { _ = lucky.status() } else { lucky.register("phone-1", token: "0a") }
            lucky.bench.pass(.seconds(20))
            #expect(lucky.status("hana-phone") == "ringing")
            lucky.bench.pass(.seconds(1))
            #expect(lucky.status("hana-phone") == "ended unanswered")
        }
        // Where it rings it goes on, until that user logs out.
        var ringing = CallServerBench(phones: ["phone-1", "phone-2"])
        _ = ringing.place()
        _ = ringing.status()
        withdraw("phone-1", of: &ringing)
        ringing.end("busy", "phone-2")
        ringing.bench.pass(.seconds(6))
        #expect(ringing.status("hana-phone") == "ringing")
        _ = ringing.bench.ask(.unregisterDevice(deviceID: "phone-1", bearer: ringing.mika))
        #expect(ringing.status("hana-phone") == "ended failed")
    }
}
