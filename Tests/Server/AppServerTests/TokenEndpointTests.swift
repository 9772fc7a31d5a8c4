import AppServer
import SansIO
import Testing

@Suite("The token endpoint (RS-01)")
struct TokenEndpointTests {
    private let path = "/api/mobile/rtc/ephemeral-token"

    @Test("A device that names itself gets a token for a room, the URL and 600 s")
    func token() throws {
        var bench = ServerBench()
        let response = bench.ask(.ephemeralToken(deviceID: "phone-1"))
        #expect(response.statusCode == 200)
        let answer = try #require(TokenResponse(json: response.body))
        #expect(answer.url == "wss://rooms.example")
        #expect(answer.timeToLive == .seconds(600))
        let claims = try #require(try bench.claims(in: response))
        #expect(claims.identity == "phone-1")
        #expect(claims.video.roomJoin)
        #expect(claims.expires.secondsSince1970 - claims.notBefore.secondsSince1970 == 600)
        #expect(claims.notBefore == bench.now)
    }

    @Test("The device id may come by query or by header, whose name has no case")
    func deviceID() throws {
        var bench = ServerBench()
        for response in [
            bench.get("\(path)?deviceId=phone-1"),
            bench.get(path, HTTPField("X-Device-Id", "phone-1")),
            bench.get(path, HTTPField("x-device-id", "phone-1")),
            bench.get("\(path)?deviceId=phone%2D1", HTTPField("X-Device-Id", "phone-1")),
        ] {
            #expect(response.statusCode == 200)
            #expect(try bench.claims(in: response)?.identity == "phone-1")
        }
    }

    @Test("A request without a device id, or with an impossible one, is refused with 400")
    func badRequests() {
        var bench = ServerBench()
        for target in [
            path, "\(path)?deviceId=", "\(path)?deviceId", "\(path)?deviceid=a", "\(path)?",
            "\(path)?deviceId=a%20b", "\(path)?deviceId=a%2", "\(path)?deviceId=%FF",
            "\(path)?deviceId=a&deviceId=b", "\(path)?deviceId=a&resume=",
            "\(path)?deviceId=a&resume=x&resume=y", "\(path)?deviceId=a&resume=x/y",
            "\(path)?deviceId=\(String(repeating: "a", count: 129))",
        ] {
            #expect(bench.get(target).statusCode == 400, "\(target)")
        }
        let two = bench.get("\(path)?deviceId=a", HTTPField("X-Device-Id", "b"))
        #expect(two.statusCode == 400)
    }

    @Test("Unknown paths are 404, other methods 405")
    func routing() {
        var bench = ServerBench()
        #expect(bench.get("/").statusCode == 404)
        #expect(bench.get(path + "/").statusCode == 404)
        #expect(bench.get("/auth/passkey-begin").statusCode == 405)
        let post = HTTPRequest(method: "POST", target: path + "?deviceId=a")
        #expect(bench.ask(post).statusCode == 405)
        #expect(bench.get("nonsense").statusCode == 400)
    }

    @Test("A server without one of its settings names it and signs nothing")
    func missingSettings() {
        let settings: [(String, WritableKeyPath<APIServerSettings, String?>)] = [
            ("LIVEKIT_URL", \.liveKitURL), ("LIVEKIT_API_KEY", \.liveKitKey),
            ("LIVEKIT_API_SECRET", \.liveKitSecret),
        ]
        for (name, path) in settings {
            for nothing in [nil, ""] {
                var bench = ServerBench { $0[keyPath: path] = nothing }
                let response = bench.ask(.ephemeralToken(deviceID: "phone-1"))
                #expect(response.statusCode == 500)
                let body = #"{"error":"server_not_configured","missing":["\#(name)"]}"#
                #expect(response.body == body)
            }
        }
    }

    @Test("Every token names a new room unless the request names one to resume (D-18)")
    func rooms() throws {
        var bench = ServerBench()
        var rooms: Set<String> = []
        for _ in 0..<100 {
            let response = bench.ask(.ephemeralToken(deviceID: "phone-1"))
            let room = try #require(try bench.claims(in: response)?.video.room)
            #expect(room.utf8.count == 28)
            rooms.insert(room)
        }
        #expect(rooms.count == 100)
        let room = try #require(rooms.min())
        let again = bench.ask(.ephemeralToken(deviceID: "phone-1", resumeRoom: room))
        #expect(try bench.claims(in: again)?.video.room == room)
    }

    @Test("Servers with other entropy name other rooms, with the same entropy the same")
    func entropy() throws {
        var bodies: [String] = []
        for seed: UInt8 in [1, 2, 1] {
            let settings = ServerBench().server.settings
            var server = APIServer(settings: settings, entropy: [seed])
            let now = WallTime(nanosecondsSince1970: 0)
            bodies.append(server.respond(to: .ephemeralToken(deviceID: "a"), at: now).body)
        }
        #expect(bodies[0] != bodies[1])
        #expect(bodies[0] == bodies[2])
    }

    @Test(
        "An answer with anything missing or of another type is no answer (RS-02)",
        arguments: [
            "", "{}", "[]", #"{"token":"a","url":"b"}"#, #"{"token":"a","url":"b","ttl":"600"}"#,
            #"{"token":"","url":"b","ttl":600}"#, #"{"token":"a","url":1,"ttl":600}"#,
            #"{"token":"a","url":"b","ttl":0}"#, #"{"token":"a","url":"b","ttl":600"#,
        ]
    )
    func malformedAnswers(body: String) {
        #expect(TokenResponse(json: body) == nil)
    }
}
