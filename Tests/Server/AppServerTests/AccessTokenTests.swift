import AppServer
import SansIO
import Testing
import TextFormats

@Suite("Room tokens (RS-01)")
struct AccessTokenTests {
    private let key = "APIkodama"
    private let secret = "a secret of at least thirty-two bytes"
    private let noon = WallTime(nanosecondsSince1970: 1_800_000_000_500_000_000)

    private var claims: AccessToken.Claims {
        AccessToken.Claims(
            identity: "device \"7\" 木霊",
            joining: "voice-1",
            at: noon,
            for: .seconds(600)
        )
    }

    private var token: String { AccessToken.sign(claims, key: key, secret: secret) }

    private func verdict(
        _ token: String,
        at offsetSeconds: Int64 = 0
    ) -> Result<AccessToken.Claims, AccessToken.Refusal> {
        let now = WallTime(
            nanosecondsSince1970: noon.nanosecondsSince1970 + offsetSeconds * 1_000_000_000
        )
        return Result { () throws(AccessToken.Refusal) in
            try AccessToken.verify(
                token,
                secrets: { $0 == key ? secret : nil },
                at: now,
                leewaySeconds: 60
            )
        }
    }

    @Test("A token is the same text that Python's hmac and base64 make of the same claims")
    func knownToken() {
        var claims = AccessToken.Claims(
            identity: "me",
            notBefore: WallTime(nanosecondsSince1970: 1_000_000_000),
            expires: WallTime(nanosecondsSince1970: 2_000_000_000),
            video: AccessToken.VideoGrant(joining: "r")
        )
        claims.name = "n"
        // {"iss":"k","sub":"me","nbf":1,"exp":2,"name":"n","video":{"roomJoin":true,"room":"r"}}
        let parts = [
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
            "eyJpc3MiOiJrIiwic3ViIjoibWUiLCJuYmYiOjEsImV4cCI6MiwibmFtZSI6Im4iLCJ2aWRlbyI6"
                + "eyJyb29tSm9pbiI6dHJ1ZSwicm9vbSI6InIifX0",
            "5rD2jIf1g6QTttgPe5aKKqyztq7UFpvIeihlZPSz2aY",
        ]
        #expect(AccessToken.sign(claims, key: "k", secret: "s") == parts.joined(separator: "."))
    }

    @Test("What was signed is accepted and says the same")
    func roundTrip() {
        #expect(verdict(token) == .success(claims))
        var silent = claims
        silent.issuedAt = nil
        silent.name = "Mika"
        silent.video.canPublish = false
        silent.video.canSubscribe = true
        silent.video.canPublishData = false
        let second = AccessToken.sign(silent, key: key, secret: secret)
        #expect(verdict(second) == .success(silent))
        #expect((try? AccessToken.claims(of: second)) == silent)
    }

    @Test("A token with any one character changed is refused")
    func everyCharacter() {
        let characters = Array(token.utf8)
        for index in characters.indices {
            var changed = characters
            changed[index] =
                changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: changed, as: UTF8.self)
            #expect(throws: AccessToken.Refusal.self, "character \(index)") {
                try verdict(text).get()
            }
        }
    }

    @Test("Another key, another secret, no secret, another algorithm and none are refused")
    func foreignSignatures() {
        let foreign = AccessToken.sign(claims, key: "other", secret: secret)
        #expect(verdict(foreign) == .failure(.unknownKey))
        let guessed = AccessToken.sign(claims, key: key, secret: secret + "!")
        #expect(verdict(guessed) == .failure(.wrongSignature))
        let payload = token.split(separator: ".")[1]
        // {"alg":"none"}
        #expect(verdict("eyJhbGciOiJub25lIn0.\(payload).") == .failure(.unsupportedAlgorithm))
        let emptySecret = Result { () throws(AccessToken.Refusal) in
            try AccessToken.verify(token, secrets: { _ in "" }, at: noon, leewaySeconds: 60)
        }
        #expect(emptySecret == .failure(.unknownKey))
    }

    @Test(
        "A token holds from 60 s before its time to 60 s after",
        arguments: [
            (-61, .notYetValid), (-60, nil), (0, nil), (660, nil), (661, .expired),
        ] as [(Int64, AccessToken.Refusal?)]
    )
    func times(offsetSeconds: Int64, refusal: AccessToken.Refusal?) {
        let expected = refusal.map { Result<AccessToken.Claims, _>.failure($0) } ?? .success(claims)
        #expect(verdict(token, at: offsetSeconds) == expected)
    }

    @Test(
        "A time that no clock shows is read, one that is none is refused; neither stops anybody",
        arguments: [
            ("9223372036854775807", true), ("-9223372036854775808", true), ("1.5", true),
            ("-0", true), ("1e300", false), ("9223372036854775808", false), ("null", false),
            ("\"600\"", false), ("[]", false),
        ] as [(String, Bool)]
    )
    func oddTimes(time: String, isTime: Bool) {
        for claim in ["exp", "nbf", "iat"] {
            let others = claim == "exp" ? "" : "\"exp\":1900000000,"
            let payload = "{\"iss\":\"\(key)\",\"sub\":\"me\",\(others)\"\(claim)\":\(time)}"
            let parts = ["{\"alg\":\"HS256\"}", payload].map { Base64URL.encode(Array($0.utf8)) }
            let token = parts.joined(separator: ".") + "."
            #expect(((try? AccessToken.claims(of: token)) != nil) == isTime, "\(claim)")
            #expect(verdict(token) == .failure(isTime ? .wrongSignature : .malformed), "\(claim)")
        }
    }

    @Test("A name may hold what JSON has to escape (RS-01)")
    func oddNames() {
        var odd = claims
        odd.name = "\u{0}\n\"\\/\u{2028}\u{1F468}\u{200D}\u{1F469}木霊"
        let token = AccessToken.sign(odd, key: key, secret: secret)
        #expect(verdict(token) == .success(odd))
    }

    @Test(
        "What is no token is refused as malformed",
        arguments: ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "e30.e30.", " e30.e30.e30"]
    )
    func malformed(text: String) {
        #expect(throws: AccessToken.Refusal.self) { try verdict(text).get() }
    }
}
