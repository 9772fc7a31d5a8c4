import AppServer
import Testing

@Suite("Devices that a late registration or another user would take (VP-03)")
struct DeviceTakingTests {
    @Test("A late registration takes a device from none who has signed in there since (VP-03)")
    func overtakenRegistration() {
        var server = CallServerBench(phones: [])
        let token = CallServerBench.token(of: "phone-1")
        server.bench.pass(.seconds(1))
        let again = server.bench.session(of: "mika")
        let jiro = server.bench.session(of: "jiro")
        func devices(_ user: String) -> [DeviceRegistry.Device] {
            server.bench.server.devices.devices(of: user)
        }
        // The same user's, with a token that has been replaced since.
        #expect(server.register("phone-1", token: token, bearer: again) == 200)
        #expect(server.register("phone-1", token: "0a") == 401)
        #expect(devices("mika").map(\.token) == [token])
        // Another user's, by the device's identity and by the token.
        #expect(server.register("phone-1", token: token, bearer: jiro) == 200)
        #expect(server.register("phone-1", token: "0a") == 401)
        #expect(server.register("phone-9", token: token) == 401)
        #expect(devices("jiro").map(\.token) == [token])
        #expect(server.register("phone-2", token: "0b") == 200)
    }

    @Test("One user's many log-outs make nobody else's be forgotten (RS-12)")
    func manyLogouts() {
        var server = CallServerBench(phones: [])
        let logout = HTTPRequest.unregisterDevice(deviceID: "phone-1", bearer: server.mika)
        _ = server.bench.ask(logout)
        var sessions: [String] = []
        for number in 0..<200 {
            server.bench.pass(.seconds(1))
            sessions.append(server.bench.session(of: "hana"))
            _ = server.bench.ask(
                .unregisterDevice(deviceID: "p-\(number)", bearer: sessions[number])
            )
        }
        #expect(server.register("phone-1", token: "0a") == 401)
        // Nor is one of theirs forgotten: it would open something again.
        for number in [0, 100, 199] {
            #expect(server.register("p-\(number)", token: "0b", bearer: sessions[number]) == 401)
        }
        let last = server.bench.session(of: "hana")
        #expect(server.register("p-0", token: "0c", bearer: last) == 200)
    }

    @Test("Who knows a device's identity from a room does not take it from its owner (VP-03)")
    func takenByPeer() {
        var server = CallServerBench()
        let token = CallServerBench.token(of: "phone-1")
        server.bench.server.settings.requiresSession = true
        let room = HTTPRequest.ephemeralToken(deviceID: "phone-1", bearer: server.mika)
        #expect(server.bench.ask(room).statusCode == 200)
        #expect(server.register("phone-1", token: "0a", bearer: server.hana) == 403)
        #expect(server.bench.server.devices.devices(of: "mika").map(\.token) == [token])
        #expect(server.bench.server.devices.devices(of: "hana").isEmpty)
        // Who has the phone has its token, and needs an identity of their own all the same: no room
        // lets them in by this one.
        #expect(server.register("phone-1", token: token, bearer: server.hana) == 403)
        #expect(server.register("phone-3", token: token, bearer: server.hana) == 200)
        #expect(server.bench.server.devices.devices(of: "mika").isEmpty)
    }

    @Test("Nobody takes a device whose token is gone for a moment (VP-03)")
    func takenWhileWithoutToken() {
        var server = CallServerBench()
        server.bench.server.settings.requiresSession = true
        _ = server.bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: server.mika))
        let token = CallServerBench.token(of: "phone-1")
        _ = server.bench.ask(.withdrawToken(token, deviceID: "phone-1", bearer: server.mika))
        server.bench.pass(.seconds(1))
        // The owner would count as signed out, since that session began later.
        let jiro = server.bench.session(of: "jiro")
        #expect(server.register("phone-1", token: "0a", bearer: jiro) == 403)
        #expect(server.register("phone-1", token: "0b") == 200)
        #expect(server.bench.server.devices.devices(of: "mika").map(\.token) == ["0b"])
    }
}
