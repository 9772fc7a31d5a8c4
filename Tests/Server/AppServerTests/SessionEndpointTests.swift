@testable import AppServer
import SansIO
import Testing

@Suite("Signing in (RS-12)")
struct SessionEndpointTests {
    private func signIn(_ bench: inout ServerBench) throws -> String {
        let begin = bench.ask(.passkeyBegin)
        let challenge = try #require(ChallengeResponse(json: begin.body)?.challenge)
        let end = bench.ask(.passkeyComplete(assertion: "mika:" + challenge))
        #expect(end.statusCode == 200)
        return try #require(SessionResponse(json: end.body)?.token)
    }

    @Test("A session is required where the server is so configured, and lets its user connect")
    func bearer() throws {
        var bench = ServerBench { $0.requiresSession = true }
        #expect(bench.ask(.ephemeralToken(deviceID: "phone-1")).statusCode == 401)
        let session = try signIn(&bench)
        let response = bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: session))
        #expect(response.statusCode == 200)
        let claims = try #require(try bench.claims(in: response))
        #expect(claims.identity == "phone-1")
        #expect(claims.name == "mika")
        for foreign in ["", "x", session + "x", session.lowercased()] {
            let answer = bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: foreign))
            #expect(answer.statusCode == 401, "\(foreign)")
        }
        // A missing device id is still one, once the session is right.
        let anonymous = HTTPRequest(
            method: "GET",
            target: "/api/mobile/rtc/ephemeral-token",
            headers: [HTTPField("authorization", "Bearer " + session)]
        )
        #expect(bench.ask(anonymous).statusCode == 400)
    }

    @Test("An expired session is refused")
    func expiry() throws {
        var bench = ServerBench {
            $0.requiresSession = true
            $0.sessionTimeToLive = .seconds(3_600)
        }
        let session = try signIn(&bench)
        bench.pass(.seconds(3_600))
        let request = HTTPRequest.ephemeralToken(deviceID: "phone-1", bearer: session)
        #expect(bench.ask(request).statusCode == 200)
        bench.pass(.seconds(1))
        #expect(bench.ask(request).statusCode == 401)
    }

    @Test("A challenge is answered once, in time, and only if it was issued here")
    func challenges() throws {
        var bench = ServerBench()
        let begin = bench.ask(.passkeyBegin)
        let challenge = try #require(ChallengeResponse(json: begin.body)?.challenge)
        let answer = HTTPRequest.passkeyComplete(assertion: "mika:" + challenge)
        #expect(bench.ask(.passkeyComplete(assertion: "mika:invented")).statusCode == 401)
        #expect(bench.ask(.passkeyComplete(assertion: "eve:" + challenge)).statusCode == 401)
        #expect(bench.ask(answer).statusCode == 200)
        #expect(bench.ask(answer).statusCode == 401)

        let late = try #require(ChallengeResponse(json: bench.ask(.passkeyBegin).body)?.challenge)
        bench.pass(.seconds(301))
        #expect(bench.ask(.passkeyComplete(assertion: "mika:" + late)).statusCode == 401)
    }

    @Test(
        "Whoever asks for challenges without end takes none from somebody who is about to answer one"
    )
    func flood() throws {
        var bench = ServerBench()
        let begin = bench.ask(.passkeyBegin)
        let challenge = try #require(ChallengeResponse(json: begin.body)?.challenge)
        for _ in 0..<10_001 { _ = bench.ask(.passkeyBegin) }
        #expect(bench.ask(.passkeyComplete(assertion: "mika:" + challenge)).statusCode == 200)
    }

    @Test("An answered challenge is remembered until its time is over, and no longer")
    func forgotten() {
        let secret = "a secret, of thirty-two bytes and more"
        let start = WallTime(secondsSince1970: 1_800_000_000)
        let first = ChallengeBook.issue(
            "a",
            until: start.advanced(by: .seconds(300)),
            secret: secret
        )
        let later = start.advanced(by: .seconds(301))
        let second = ChallengeBook.issue(
            "b",
            until: later.advanced(by: .seconds(300)),
            secret: secret
        )
        var both = ChallengeBook()
        let answers = [
            both.redeem(first, secret: secret, at: start),
            both.redeem(second, secret: secret, at: later),
        ]
        var one = ChallengeBook()
        let answer = one.redeem(second, secret: secret, at: later)
        #expect(answers == [answer, answer])
        #expect(answer)
        #expect(both == one)
    }

    @Test("Each of 400 challenges is taken once, in whatever order they are answered")
    func anyOrder() {
        let secret = "a secret, of thirty-two bytes and more"
        let start = WallTime(secondsSince1970: 1_800_000_000)
        var book = ChallengeBook()
        // 157 and 400 have no factor in common; four challenges each end in the same second.
        let challenges = (0..<400).map { number in
            let end = start.advanced(by: .seconds(number * 157 % 400 / 4))
            return (text: ChallengeBook.issue("c\(number)", until: end, secret: secret), end: end)
        }
        for second in [0, 50] {
            let now = start.advanced(by: .seconds(second))
            for challenge in challenges {
                let isNew = second == 0
                let answer = book.redeem(challenge.text, secret: secret, at: now)
                #expect(answer == isNew, "\(challenge.end)")
            }
        }
        let now = start.advanced(by: .seconds(100))
        let last = ChallengeBook.issue("z", until: now, secret: secret)
        #expect(book.redeem(last, secret: secret, at: now) == true)
        var fresh = ChallengeBook()
        _ = fresh.redeem(last, secret: secret, at: now)
        #expect(book == fresh, "nothing is kept whose time is over")
    }

    @Test("A challenge whose end was moved, or that another secret made, is refused")
    func forgedChallenge() throws {
        var bench = ServerBench()
        let begin = bench.ask(.passkeyBegin)
        let challenge = try #require(ChallengeResponse(json: begin.body)?.challenge)
        var parts = challenge.split(separator: ".").map(String.init)
        parts[1] = "9" + parts[1]
        let later = parts.joined(separator: ".")
        #expect(bench.ask(.passkeyComplete(assertion: "mika:" + later)).statusCode == 401)
        var other = ServerBench {
            $0.sessionSecret = "a third secret, of thirty-two bytes and more"
        }
        #expect(other.ask(.passkeyComplete(assertion: "mika:" + challenge)).statusCode == 401)
    }

    @Test("A secret of fewer than 32 bytes signs nothing, and is named (RFC 7518 §3.2)")
    func weakSecrets() {
        let short = String(repeating: "s", count: 31)
        var session = ServerBench { $0.sessionSecret = short }
        let begun = session.ask(.passkeyBegin)
        #expect(begun.statusCode == 500)
        #expect(begun.body.contains("SESSION_SECRET has fewer than 32 bytes"))
        #expect(!begun.body.contains(short))
        var rooms = ServerBench { $0.liveKitSecret = short }
        let token = rooms.ask(.ephemeralToken(deviceID: "phone-1"))
        #expect(token.statusCode == 500)
        #expect(token.body.contains("LIVEKIT_API_SECRET has fewer than 32 bytes"))
        var enough = ServerBench { $0.liveKitSecret = short + "s" }
        #expect(enough.ask(.ephemeralToken(deviceID: "phone-1")).statusCode == 200)
    }

    @Test("A signed-in user gets no token in the name of another user's device")
    func foreignDevice() throws {
        var bench = ServerBench { $0.requiresSession = true }
        let (mika, hana) = (bench.session(of: "mika"), bench.session(of: "hana"))
        #expect(bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: mika)).statusCode == 200)
        let foreign = bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: hana))
        #expect(foreign.statusCode == 403)
        #expect(foreign.body == #"{"error":"foreign_device"}"#)
        #expect(bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: mika)).statusCode == 200)
        #expect(bench.ask(.ephemeralToken(deviceID: "phone-2", bearer: hana)).statusCode == 200)
        // One user's many devices take none from another; as many as are kept are in use with phone-2.
        for number in 1..<20 {
            let request = HTTPRequest.ephemeralToken(deviceID: "many-\(number)", bearer: hana)
            #expect(bench.ask(request).statusCode == (number < 16 ? 200 : 429))
        }
        #expect(bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: hana)).statusCode == 403)
    }

    @Test("Apple's identity token gives a session to the user it names")
    func apple() throws {
        var bench = ServerBench { $0.requiresSession = true }
        let response = bench.ask(.appleSignIn(identityToken: "apple says mika"))
        let session = try #require(SessionResponse(json: response.body))
        #expect(session.timeToLive == .seconds(86_400))
        let token = bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: session.token))
        #expect(token.statusCode == 200)
        #expect(bench.ask(.appleSignIn(identityToken: "eve")).statusCode == 401)
    }

    @Test("A user whose name no push can carry has no session (RS-12, VP-01)")
    func unnameable() {
        for (length, status) in [(0, 401), (1, 200), (128, 200), (129, 401)] {
            let name = String(repeating: "a", count: length)
            var server = APIServer(
                settings: ServerBench().server.settings,
                verifier: Anybody(),
                entropy: [1]
            )
            let request = HTTPRequest.appleSignIn(identityToken: "is " + name)
            let answer = server.respond(to: request, at: ServerBench().now)
            #expect(answer.statusCode == status, "\(length)")
        }
    }

    @Test("A session is no room token, and a room token no session")
    func confusion() throws {
        var bench = ServerBench { $0.requiresSession = true }
        let session = try signIn(&bench)
        #expect(throws: AccessToken.Refusal.unknownKey) {
            try AccessToken.verify(
                session,
                secrets: { $0 == ServerBench.key ? ServerBench.secret : nil },
                at: bench.now,
                leewaySeconds: 60
            )
        }
        let response = bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: session))
        let room = try #require(TokenResponse(json: response.body)?.token)
        let swapped = bench.ask(.ephemeralToken(deviceID: "phone-1", bearer: room))
        #expect(swapped.statusCode == 401)
    }

    @Test("Bodies without the text that is asked for are refused with 400")
    func badBodies() {
        var bench = ServerBench()
        for body in ["", "{", "[]", "{}", #"{"assertion":1}"#, #"{"assertion":""}"#] {
            for path in ["/auth/passkey-complete", "/auth/apple-signin"] {
                let request = HTTPRequest(method: "POST", target: path, body: body)
                #expect(bench.ask(request).statusCode == 400, "\(path) \(body)")
            }
        }
    }

    @Test("Without a secret for sessions nobody is signed in, and the setting is named")
    func missingSecret() {
        var bench = ServerBench { $0.sessionSecret = nil }
        let apple = HTTPRequest.appleSignIn(identityToken: "apple says mika")
        for request in [.passkeyBegin, .passkeyComplete(assertion: "mika:x"), apple] {
            let response = bench.ask(request)
            #expect(response.statusCode == 500)
            #expect(response.body.contains("SESSION_SECRET"))
        }
        var open = ServerBench {
            $0.sessionSecret = ""
            $0.requiresSession = true
        }
        let forged = open.ask(.ephemeralToken(deviceID: "phone-1", bearer: "x"))
        #expect(forged.statusCode == 500)
    }
}

/// Takes everybody by Apple for who they say they are.
private struct Anybody: CredentialVerifying {
    func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? { nil }

    func appleUser(identityToken: String, at now: WallTime) -> String? {
        String(identityToken.dropFirst(3))
    }
}
