import SansIO
import Testing

@testable import AppServer

@Suite("Users whose names are one to Unicode and two in bytes share nothing")
struct UserNameTests {
    /// "Amélie" with one letter é, and with an e and an accent.
    private static let names = ["guest Am\u{E9}lie", "guest Ame\u{301}lie"]

    /// A server with both, each on a phone of their own.
    private struct Bench {
        var bench = ServerBench {
            $0.requiresSession = true
            $0.displayNames = [UserNameTests.names[0]: "Amélie of the hills"]
        }
        let sessions: [String]
        let hana: String

        init() {
            let names = UserNameTests.names
            sessions = [bench.session(of: names[0]), bench.session(of: names[1])]
            hana = bench.session(of: "hana")
            for (number, session) in sessions.enumerated() {
                _ = bench.ask(
                    .registerDevice(
                        voipDeviceToken: "0\(number)",
                        bundleID: "example.calls",
                        platform: "ios",
                        deviceID: "phone-\(number)",
                        bearer: session
                    )
                )
            }
        }
    }

    @Test("Their names are told apart, and to Swift they are one")
    func names() {
        #expect(Self.names[0] == Self.names[1])
        #expect(UserName(Self.names[0]) != UserName(Self.names[1]))
        #expect(Set(Self.names.map(UserName.init)).count == 2)
        #expect(UserName(Self.names[0]) == UserName("guest Am" + "\u{E9}lie"))
    }

    @Test("A call to one neither rings for the other, nor can they take or miss it (VP-05, VP-07)")
    func calls() {
        var town = Bench()
        for (number, name) in Self.names.enumerated() {
            _ = town.bench.server.takePushCommands()
            let callID = "c-\(number)"
            let place = HTTPRequest.placeCall(
                callID: callID,
                to: name,
                hasVideo: false,
                deviceID: "hana-phone",
                bearer: town.hana
            )
            #expect(town.bench.ask(place).statusCode == 200)
            let tokens = town.bench.server.takePushCommands().compactMap { command in
                if case .send(let push) = command { push.deviceToken } else { nil }
            }
            #expect(tokens == ["0\(number)"])
            let other = town.sessions[1 - number]
            let device = "phone-\(1 - number)"
            for request in [
                HTTPRequest.callStatus(callID: callID, deviceID: device, bearer: other),
                .callOffer(callID: callID, deviceID: device, bearer: other),
                .answerCall(callID: callID, deviceID: device, bearer: other),
            ] {
                #expect(town.bench.ask(request).statusCode == 404)
            }
            _ = town.bench.ask(
                .endCall(
                    callID: callID,
                    reason: "cancelled",
                    deviceID: "hana-phone",
                    bearer: town.hana
                )
            )
            let missed = town.sessions.enumerated().map { index, session in
                let request = HTTPRequest.missedCalls(
                    after: 0,
                    deviceID: "phone-\(index)",
                    bearer: session
                )
                return MissedCallsResponse(json: town.bench.ask(request).body)?.calls.count ?? -1
            }
            #expect(missed == (number == 0 ? [1, 0] : [1, 1]))
        }
    }

    @Test("Each has their own devices, name, rooms and database (VP-03, RS-12, RP-01)")
    func everythingElse() throws {
        var town = Bench()
        let server = town.bench.server
        #expect(server.devices.devices(of: Self.names[0]).map(\.deviceID) == ["phone-0"])
        #expect(server.devices.devices(of: Self.names[1]).map(\.deviceID) == ["phone-1"])
        let called = Self.names.map { server.settings.callerName(of: UserName($0)) }
        #expect(
            called[0] == "Amélie of the hills" && called[1].utf8.elementsEqual(Self.names[1].utf8)
        )
        let rooms = [0, 1].map { number in
            let request = HTTPRequest.ephemeralToken(
                deviceID: "mine",
                bearer: town.sessions[number]
            )
            return town.bench.ask(request).statusCode
        }
        #expect(rooms == [200, 403], "who asked first has the device")
        let databases = town.sessions.map { session in
            let body = town.bench.ask(.databaseCredential(bearer: session)).body
            return DatabaseCredentialResponse(json: body)?.database
        }
        #expect(databases[0] != nil && databases[0] != databases[1])
        // One's log-out is not the other's.
        _ = town.bench.ask(.unregisterDevice(deviceID: "phone-0", bearer: town.sessions[0]))
        let credentials = town.sessions.map { session in
            town.bench.ask(.databaseCredential(bearer: session)).statusCode
        }
        #expect(credentials == [401, 200])
    }
}
