import AppServer
import CoachExchange
import SansIO
import SansIOTesting
import Testing

@Suite("Whatever one user asks, nothing changes for another (RS-12, VP-05, RP-01)")
struct UserAttackTests {
    /// What `mika` has at the server, and how she finds it.
    private struct Household {
        var server = CallServerBench()
        let jiro: String
        let database: String

        init() {
            jiro = server.bench.session(of: "jiro")
            let token = HTTPRequest.ephemeralToken(deviceID: "phone-1", bearer: server.mika)
            #expect(server.bench.ask(token).statusCode == 200)
            let credential = server.bench.ask(.databaseCredential(bearer: server.mika))
            database = DatabaseCredentialResponse(json: credential.body)?.database ?? ""
            let report = ReflectionReport(
                id: "evening",
                day: "2026-11-27",
                summary: "fine",
                affect: "",
                topics: []
            )
            let kept = server.bench.ask(.coach(.reflection(report), bearer: server.mika))
            #expect(kept.statusCode == 200)
            #expect(server.place("missed").statusCode == 200)
            server.end("cancelled", "hana-phone", "missed")
            #expect(server.place("live").statusCode == 200)
            #expect(server.answer("phone-1", "live").hasPrefix("call-"))
        }

        /// What she finds, as text.
        func found() -> [String] {
            var copy = server
            let answer = copy.bench.ask(.databaseCredential(bearer: server.mika))
            let credential = DatabaseCredentialResponse(json: answer.body)
            let database = credential?.database ?? ""
            let asked: [HTTPRequest] = [
                .snapshot(
                    for: "phone",
                    after: nil,
                    database: database,
                    token: credential?.token ?? ""
                ),
                .ephemeralToken(deviceID: "phone-1", bearer: server.mika),
                .coach(.usage, bearer: server.mika),
            ]
            let answers = asked.map { copy.bench.ask($0) }
            return [
                copy.status("phone-1", "live"), copy.status("hana-phone", "live"),
                "\(copy.missed().contains { $0.callID == "missed" })",
                "\(copy.register("phone-1", token: CallServerBench.token(of: "phone-1")))",
                "\(copy.bench.server.devices.devices(of: "mika").map(\.deviceID))",
                "\(copy.bench.server.coach.reflections(of: "mika").map(\.summary))",
                database, "\(copy.place("next").statusCode)", answers[0].body,
                "\(answers.map(\.statusCode))",
            ]
        }

        /// `jiro` asks anything, with all names that he may have heard.
        mutating func attack(_ random: inout LawRandom) {
            func one(_ of: [String]) -> String { of[random.below(of.count)] }
            let number = random.below(10_000)
            let call = one(["live", "missed", "n\(number)"])
            let device = one(["phone-1", "hana-phone", "m", "m\(number)"])
            let user = one(["mika", "hana", "jiro", "guest \(number)", "m\u{131}ka"])
            let reason = one(["cancelled", "hungUp", "failed", "busy", "declined", "crossed"])
            let token = CallServerBench.token(of: one(["m", "m\(number)"]))
            let targets = [
                "/api/calls", "/api/calls/\(call)", "/api/calls/\(call)/offer",
                "/api/calls/\(call)/answer", "/api/calls/\(call)/end", "/api/me/devices",
                "/api/missed-calls?after=0", "/api/me/database", "/db/\(database)/sync",
                "/db/\(database)/snapshot?replica=phone", "/db/\(database)/schema", "/usage",
                "/reflection", "/metrics", "/voice/profile?profile=p\(number)",
                "/api/mobile/rtc/ephemeral-token", "/auth/passkey-begin", "/entitlement",
            ]
            let bodies = [
                #"{"callId":"\#(call)","toUserId":"\#(user)","hasVideo":false}"#,
                #"{"reason":"\#(reason)"}"#, "{}", "",
                #"{"voipDeviceToken":"\#(token)","bundleId":"a.b","platform":"ios"}"#,
                #"{"id":"evening","day":"2026-11-27","summary":"x","affect":"","topics":[]}"#,
                #"{"replica":"r\#(number)","schema":0,"generation":"","position":0,"changes":[]}"#,
                #"{"versions":[]}"#,
            ]
            let request = HTTPRequest(
                method: one(["GET", "POST", "PUT", "DELETE"]),
                target: one(targets),
                headers: [
                    HTTPField("Authorization", "Bearer " + jiro),
                    HTTPField("X-Device-Id", device),
                ],
                body: one(bodies)
            )
            _ = server.bench.ask(request)
            if random.chance(percent: 1) { _ = server.bench.session(of: "jiro") }
        }
    }

    @Test(
        "10,000 requests of a user who knows all names leave another's calls, devices, rows and sessions as they were",
        arguments: 0..<8 as Range<UInt64>
    )
    func attacked(seed: UInt64) {
        var household = Household()
        let before = household.found()
        #expect(before[0] == "answered" && before[2] == "true" && before[3] == "200")
        #expect(before[7] == "200" && !before[6].isEmpty && before[9] == "[200, 200, 200]")
        var random = LawRandom(seed: seed)
        for _ in 0..<10_000 {
            household.attack(&random)
            household.server.bench.pass(.milliseconds(Int64(random.below(400))))
        }
        #expect(household.found() == before)
    }
}
