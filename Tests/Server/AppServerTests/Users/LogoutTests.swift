import AppServer
import SansIO
import Testing

@Suite(
    "A log-out ends the session and the database's token, wherever they are shown (RS-12, RP-06)"
)
struct LogoutTests {
    private let room = HTTPRequest.ephemeralToken

    @Test("Nothing is opened by a session that was ended, nor by what it was given")
    func ended() throws {
        for isRepeated in [false, true] {
            var bench = ServerBench { $0.requiresSession = true }
            let mika = bench.session(of: "mika")
            let body = bench.ask(.databaseCredential(bearer: mika)).body
            let credential = try #require(DatabaseCredentialResponse(json: body))
            let snapshot = HTTPRequest.snapshot(
                for: "r",
                after: nil,
                database: credential.database,
                token: credential.token
            )
            #expect(bench.ask(snapshot).statusCode == 200)
            bench.pass(.seconds(5))
            let logout = HTTPRequest.unregisterDevice(deviceID: "phone", bearer: mika)
            for _ in 0...(isRepeated ? 1 : 0) { #expect(bench.ask(logout).statusCode == 200) }
            let placing = HTTPRequest.placeCall(
                callID: "c",
                to: "hana",
                hasVideo: false,
                deviceID: "other",
                bearer: mika
            )
            for request in [
                snapshot, .databaseCredential(bearer: mika), placing,
                .ephemeralToken(deviceID: "phone", bearer: mika),
                .ephemeralToken(deviceID: "other", bearer: mika),
                .missedCalls(after: 0, deviceID: "other", bearer: mika),
            ] {
                #expect(bench.ask(request).statusCode == 401, "\(request.target)")
            }
        }
    }

    @Test("The user's other sessions go on, and one that begins in the same second")
    func others() throws {
        var bench = ServerBench { $0.requiresSession = true }
        let phone = bench.session(of: "mika")
        let tablet = bench.session(of: "mika")
        #expect(phone != tablet, "sessions are told apart")
        _ = bench.ask(.unregisterDevice(deviceID: "phone", bearer: phone))
        let again = bench.session(of: "mika")
        for session in [tablet, again] {
            let response = bench.ask(.databaseCredential(bearer: session))
            let credential = try #require(DatabaseCredentialResponse(json: response.body))
            let snapshot = HTTPRequest.snapshot(
                for: "r",
                after: nil,
                database: credential.database,
                token: credential.token
            )
            #expect(bench.ask(snapshot).statusCode == 200)
        }
        #expect(bench.ask(.databaseCredential(bearer: phone)).statusCode == 401)
    }

    @Test("A stolen session ends at the log-out, and so do the devices registered with it")
    func stolen() {
        for isRepeated in [false, true] {
            var server = CallServerBench()
            // Registers with the phone's own token, which has leaked.
            #expect(server.register("thief", token: CallServerBench.token(of: "thief")) == 200)
            server.bench.pass(.seconds(1))
            let tablet = server.bench.session(of: "mika")
            #expect(server.register("tablet", token: "0c", bearer: tablet) == 200)
            let logout = HTTPRequest.unregisterDevice(deviceID: "phone-1", bearer: server.mika)
            for _ in 0...(isRepeated ? 1 : 0) {
                #expect(server.bench.ask(logout).statusCode == 200)
            }
            #expect(server.bench.server.devices.devices(of: "mika").map(\.deviceID) == ["tablet"])
            _ = server.bench.server.takePushCommands()
            #expect(server.place("c-1").statusCode == 200)
            let rung = server.bench.server.takePushCommands().compactMap { command in
                if case .send(let push) = command { push.deviceToken } else { nil }
            }
            #expect(rung == ["0c"])
            for request in [
                .databaseCredential(bearer: server.mika),
                HTTPRequest.missedCalls(after: 0, deviceID: "thief", bearer: server.mika),
            ] {
                #expect(server.bench.ask(request).statusCode == 401, "\(request.target)")
            }
            #expect(server.register("thief", token: "0d") == 401)
            #expect(server.status("thief") == "ended signedOut")
            #expect(server.status("tablet", bearer: tablet) == "ringing")
        }
    }

    @Test("A log-out ends one session, also where a restart has forgotten their seconds")
    func restarted() {
        var bench = ServerBench()
        let phone = bench.session(of: "mika")
        let tablet = bench.session(of: "mika")
        bench.server = ServerBench().server
        bench.pass(.seconds(1))
        let again = bench.session(of: "mika")
        _ = bench.ask(.unregisterDevice(deviceID: "tablet", bearer: tablet))
        let answers = [phone, tablet, again].map {
            bench.ask(.databaseCredential(bearer: $0)).statusCode
        }
        #expect(answers == [200, 401, 200])
    }

    @Test("What a device that has logged out had asked before is still heard: it ends its calls")
    func lateEnd() {
        var server = CallServerBench()
        #expect(server.place("c-1").statusCode == 200)
        _ = server.bench.ask(.unregisterDevice(deviceID: "hana-phone", bearer: server.hana))
        #expect(server.end("cancelled", "hana-phone") == 200)
        #expect(server.status() == "ended cancelled")
    }

    @Test("A room token needs a session unless the server is told otherwise (RS-12)")
    func required() {
        #expect(APIServerSettings().requiresSession)
    }
}
