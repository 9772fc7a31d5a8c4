import AppServer
import CoachExchange
import SansIO
import Testing

@Suite("The coach's endpoints refuse clearly, count once and keep users apart")
struct CoachEndpointTests {
    private struct AppleSays: CredentialVerifying {
        func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? { nil }
        func appleUser(identityToken: String, at now: WallTime) -> String? { identityToken }
    }

    private static let now = WallTime(secondsSince1970: 1_800_000_000)

    private static func server(_ change: (inout CoachSettings) -> Void = { _ in }) -> APIServer {
        var settings = APIServerSettings()
        settings.sessionSecret = "a session's secret, of thirty-two bytes and more"
        settings.coach.recordingBytesPerSecond = 1
        change(&settings.coach)
        return APIServer(settings: settings, verifier: AppleSays(), entropy: [5])
    }

    private static func session(
        _ user: String,
        _ server: inout APIServer,
        after seconds: Int64 = 0
    ) -> String {
        let time = now.advanced(by: .seconds(seconds))
        let response = server.respond(to: .appleSignIn(identityToken: user), at: time)
        return SessionResponse(json: response.body)?.token ?? ""
    }

    private static func ask(
        _ request: CoachRequest,
        _ user: String,
        _ server: inout APIServer,
        after seconds: Int64 = 0
    ) -> CoachAnswer {
        let bearer = session(user, &server, after: seconds)
        let http = HTTPRequest.coach(request, bearer: bearer)
        return CoachAnswer(
            server.respond(to: http, at: now.advanced(by: .seconds(seconds))),
            to: request
        )
    }

    private static func report(_ id: String, _ summary: String = "fine") -> ReflectionReport {
        ReflectionReport(id: id, day: "2026-11-27", summary: summary, affect: "", topics: [])
    }

    private static func event(_ id: String, _ time: WallTime = now) -> MetricEvent {
        MetricEvent(id: id, name: .nudgeDone, time: time)
    }

    private static let salt = [UInt8](repeating: 2, count: 16)

    private static func offer(_ profile: String, parts: Int = 2) -> CloneOffer {
        CloneOffer(
            profile: profile,
            consentVersion: 1,
            consented: now,
            salt: salt,
            partCount: parts
        )
    }

    private static func sealed(_ profile: String, bytes: Int = 40) throws -> (SealedAudio, AudioKey)
    {
        let key = try #require(AudioKey([UInt8](repeating: 3, count: 32)))
        let audio = [UInt8](repeating: 1, count: bytes)
        let size = bytes / 2
        return (
            SealedAudio(sealing: audio, as: profile, with: key, salt: salt, partByteCount: size),
            key
        )
    }

    @Test("Each bad request is refused with what is wrong")
    func refusals() throws {
        var server = Self.server()
        let session = Self.session("mika", &server)
        let cases: [(String, String, String, Int, String)] = [
            ("POST", "/reflection", "", 400, "no JSON object"),
            ("POST", "/reflection", #"{"id":"a b"}"#, 400, "no reflection"),
            ("GET", "/reflection", "", 405, "method_not_allowed"),
            ("POST", "/reflection", String(repeating: "x", count: 16_385), 413, "too_large"),
            ("POST", "/summary", #"{"id":"a","began":1,"ended":2,"lines":[]}"#, 400, "no summary"),
            ("GET", "/summary", "", 405, "method_not_allowed"),
            ("POST", "/metrics", #"{"events":[]}"#, 400, "1 to 64"),
            ("POST", "/metrics", #"{"events":[{"name":"x"}]}"#, 400, "has no id"),
            ("POST", "/voice/clone-begin", #"{"profile":"p","parts":2}"#, 400, "no offer"),
            ("PUT", "/voice/clone-part", #"{"profile":"p","index":0,"part":"AA"}"#, 400, "48,000"),
            ("PUT", "/voice/clone-part", #"{"profile":"","index":0}"#, 400, "profile is no name"),
            ("POST", "/voice/clone-complete", #"{"profile":"p","key":"AA"}"#, 400, "32 bytes"),
            ("DELETE", "/voice/profile", "", 400, "profile is no name"),
            ("DELETE", "/voice/profile?profile=a&profile=b", "", 400, "profile is no name"),
            ("GET", "/voice/presign-wake?profile=p", "", 404, "unknown_voice"),
            ("POST", "/entitlement", "{}", 500, "APP_STORE_PUBLIC_KEY"),
            ("POST", "/entitlement/notice", "{}", 500, "APP_STORE_PUBLIC_KEY"),
        ]
        for (method, target, body, statusCode, what) in cases {
            let request = HTTPRequest(
                method: method,
                target: target,
                headers: [HTTPField("Authorization", "Bearer " + session)],
                body: body
            )
            let response = server.respond(to: request, at: Self.now)
            #expect(response.statusCode == statusCode, "\(method) \(target) \(response.body)")
            #expect(response.body.contains(what), "\(method) \(target) \(response.body)")
        }
        let stranger = HTTPRequest.coach(.usage, bearer: "nobody")
        #expect(server.respond(to: stranger, at: Self.now).statusCode == 401)
    }

    @Test(
        "A summary is stored once; another under its id is refused, and long ones are cut (AN-05)"
    )
    func summaries() throws {
        var server = Self.server()
        func summary(_ id: String, _ heard: [String]) -> CoachRequest {
            let end = Self.now.advanced(by: .seconds(20))
            return .summary(
                SummaryReport(id: id, began: Self.now, ended: end, lines: [0, 1], heard: heard)
            )
        }
        for _ in 0..<2 {
            #expect(Self.ask(summary("a-0", ["OK"]), "mika", &server) == .accepted)
        }
        let other = Self.ask(summary("a-0", ["no"]), "mika", &server)
        #expect(other == .rejected("another summary has this id"))
        let long = String(repeating: "木霊", count: 100)
        let many = [String](repeating: long, count: 80)
        #expect(Self.ask(summary("a-1", many), "mika", &server) == .accepted)
        let kept = server.coach.summaries(of: "mika")
        #expect(kept.map(\.report.id) == ["a-0", "a-1"])
        #expect(kept.allSatisfy { $0.times == 1 })
        #expect(kept[0].report.heard == ["OK"] && kept[0].report.lines == [0, 1])
        #expect(kept[1].report.heard.count == 64)
        #expect(kept[1].report.heard.allSatisfy { long.hasPrefix($0) && $0.utf8.count == 255 })
        #expect(server.coach.summaries(of: "tom").isEmpty)
    }

    @Test(
        "A reflection is stored once; another under its id is refused and the first stays (AN-08)"
    )
    func reflections() {
        var server = Self.server()
        for _ in 0..<3 {
            #expect(Self.ask(.reflection(Self.report("a")), "mika", &server) == .accepted)
        }
        let other = Self.ask(.reflection(Self.report("a", "other")), "mika", &server)
        #expect(other == .rejected("another reflection has this id"))
        #expect(server.coach.reflections(of: "mika") == [Self.report("a")])
        #expect(server.coach.reflections(of: "tom").isEmpty)
    }

    @Test("An event is counted once for each user, however often and however late it comes (AN-09)")
    func events() {
        var server = Self.server()
        let old = Self.event("old", Self.now.advanced(by: .seconds(-91 * 86_400)))
        for seconds in [0, 5, 80 * 86_400] as [Int64] {
            let answer = Self.ask(
                .metrics([Self.event("a"), old, Self.event("a")]),
                "mika",
                &server,
                after: seconds == 0 ? 0 : 5
            )
            let refused = RefusedEvent(id: "old", why: "the event is too old")
            #expect(answer == .counted(["a", "a"], refused: [refused]))
        }
        _ = Self.ask(.metrics([Self.event("a")]), "tom", &server)
        #expect(server.coach.count(of: .nudgeDone, of: "mika") == 1)
        #expect(server.coach.count(of: .nudgeDone, of: "tom") == 1)
    }

    @Test("A limit says what is used up and when it is reset, and is one user's alone (AN-20)")
    func limits() {
        var server = Self.server { $0.reflections = UsageAllowance(2, in: .seconds(100)) }
        for id in ["a", "b", "a"] {
            #expect(Self.ask(.reflection(Self.report(id)), "mika", &server) == .accepted)
        }
        let limit = UsageCount(kind: .reflections, used: 2, allowed: 2, resetsIn: .seconds(60))
        let refused = Self.ask(.reflection(Self.report("c")), "mika", &server, after: 40)
        #expect(refused == .limited(limit))
        guard case .usage(let counts) = Self.ask(.usage, "mika", &server, after: 40) else {
            Issue.record("another status")
            return
        }
        #expect(counts.count == 4 && counts.contains(limit))
        #expect(Self.ask(.reflection(Self.report("c")), "tom", &server, after: 40) == .accepted)
        #expect(Self.ask(.reflection(Self.report("c")), "mika", &server, after: 100) == .accepted)
    }

    @Test("A recording that does not open, or does not last, is no voice and is forgotten (AN-17)")
    func badRecordings() throws {
        var server = Self.server()
        for (name, bytes, byte) in [("a", 40, 9), ("b", 20, 3)] as [(String, Int, UInt8)] {
            let (sealed, _) = try Self.sealed(name, bytes: bytes)
            let key = try #require(AudioKey([UInt8](repeating: byte, count: 32)))
            #expect(
                Self.ask(.cloneBegin(Self.offer(name)), "mika", &server)
                    == .uploading(missing: [0, 1])
            )
            let early = Self.ask(.cloneComplete(profile: name, key: key), "mika", &server)
            #expect(early == .beginFirst)
            for index in [1, 1] {
                let part = CoachRequest.clonePart(profile: name, index: index, sealed.parts[index])
                #expect(Self.ask(part, "mika", &server) == .accepted)
            }
            let half = Self.ask(.cloneComplete(profile: name, key: key), "mika", &server)
            #expect(half == .partsMissing([0]))
            _ = Self.ask(.clonePart(profile: name, index: 0, sealed.parts[0]), "mika", &server)
            let out = Self.ask(
                .clonePart(profile: name, index: 2, sealed.parts[0]),
                "mika",
                &server
            )
            #expect(out == .rejected("the recording has no part 2"))
            guard
                case .rejected = Self.ask(.cloneComplete(profile: name, key: key), "mika", &server)
            else {
                Issue.record("another status")
                return
            }
            #expect(!server.coach.keepsRecordings(of: "mika"))
        }
        #expect(server.coach.voices(of: "mika").isEmpty)
    }

    @Test(
        "An offer that comes again counts once and goes on; parts that wait too long are gone (AN-17)"
    )
    func resumed() throws {
        var server = Self.server { $0.voiceClones = UsageAllowance(1, in: .seconds(9_000_000)) }
        let (sealed, key) = try Self.sealed("a")
        let begin = CoachRequest.cloneBegin(Self.offer("a"))
        _ = Self.ask(begin, "mika", &server)
        let part = CoachRequest.clonePart(profile: "a", index: 0, sealed.parts[0])
        _ = Self.ask(part, "mika", &server)
        #expect(Self.ask(begin, "mika", &server) == .uploading(missing: [1]))
        let other = Self.ask(.cloneBegin(Self.offer("a", parts: 3)), "mika", &server)
        #expect(other == .rejected("the profile has another offer"))
        guard case .limited = Self.ask(.cloneBegin(Self.offer("b")), "mika", &server) else {
            Issue.record("another status")
            return
        }
        #expect(
            Self.ask(begin, "mika", &server, after: 86_399) == .uploading(missing: [1])
        )
        #expect(
            Self.ask(begin, "mika", &server, after: 86_400) == .uploading(missing: [0, 1])
        )
        for index in 0..<2 {
            let part = CoachRequest.clonePart(profile: "a", index: index, sealed.parts[index])
            _ = Self.ask(part, "mika", &server, after: 86_400)
        }
        let complete = CoachRequest.cloneComplete(profile: "a", key: key)
        let done = Self.ask(complete, "mika", &server, after: 86_400)
        guard case .registered(let voice) = done else {
            Issue.record("another status")
            return
        }
        #expect(
            Self.ask(complete, "mika", &server) == done && Self.ask(begin, "mika", &server) == done
        )
        #expect(Self.ask(part, "mika", &server) == .accepted, "a late part changes nothing")
        #expect(server.coach.voices(of: "mika") == [voice])
    }

    @Test("What was deleted stays so, also if it was never heard of before (AN-04)")
    func deleted() throws {
        var server = Self.server()
        let (_, key) = try Self.sealed("a")
        for _ in 0..<2 {
            #expect(Self.ask(.deleteVoice(profile: "a"), "mika", &server) == .accepted)
        }
        let all: [CoachRequest] = [
            .cloneBegin(Self.offer("a")), .cloneComplete(profile: "a", key: key),
            .clonePart(profile: "a", index: 0, [UInt8](repeating: 0, count: 20)),
            .presignWake(profile: "a"),
        ]
        for request in all { #expect(Self.ask(request, "mika", &server) == .gone, "\(request)") }
    }

    @Test("One user's uploads make room for each other, and never in another's (bounded per user)")
    func bounded() throws {
        var server = Self.server { $0.voiceClones = UsageAllowance(1_000, in: .seconds(100)) }
        for (user, name) in [("tom", "t"), ("mika", "c"), ("mika", "b"), ("mika", "a")] {
            let (sealed, _) = try Self.sealed(name)
            _ = Self.ask(.cloneBegin(Self.offer(name)), user, &server)
            _ = Self.ask(.clonePart(profile: name, index: 0, sealed.parts[0]), user, &server)
        }
        let missing = ["a", "b", "c"].map { Self.ask(.cloneBegin(Self.offer($0)), "mika", &server) }
        #expect(
            missing == [
                .uploading(missing: [1]), .uploading(missing: [0, 1]), .uploading(missing: [1]),
            ]
        )
        #expect(Self.ask(.cloneBegin(Self.offer("t")), "tom", &server) == .uploading(missing: [1]))
        for number in 0..<61 {
            let begin = CoachRequest.cloneBegin(Self.offer("n\(number)"))
            _ = Self.ask(begin, "mika", &server, after: Int64(number))
        }
        let full = Self.ask(.cloneBegin(Self.offer("more")), "mika", &server, after: 70)
        #expect(full == .rejected("there are too many voice profiles"))
        let unheard = CoachRequest.deleteVoice(profile: "unheard")
        #expect(Self.ask(unheard, "mika", &server, after: 70) == .accepted)
    }

    @Test("A link's time is over at its end")
    func links() throws {
        var server = Self.server()
        let (sealed, key) = try Self.sealed("a")
        _ = Self.ask(.cloneBegin(Self.offer("a")), "mika", &server)
        for index in 0..<2 {
            _ = Self.ask(
                .clonePart(profile: "a", index: index, sealed.parts[index]),
                "mika",
                &server
            )
        }
        _ = Self.ask(.cloneComplete(profile: "a", key: key), "mika", &server)
        guard case .link(let url, let life) = Self.ask(.presignWake(profile: "a"), "mika", &server)
        else {
            Issue.record("another status")
            return
        }
        #expect(life == .seconds(43_200))
        let last = Self.now.advanced(by: .seconds(43_199))
        #expect(server.voice(opened: url, of: "mika", at: last) != nil)
        #expect(server.voice(opened: url, of: "mika", at: last.advanced(by: .seconds(1))) == nil)
    }
}
