import AppServer
import Foundation
import SansIO
import Testing

@Suite("Tokens that LiveKit accepts (RS-01)")
struct TokenTests {
    private let key = "APIkodama"
    private let secret = "a-secret-of-more-than-thirty-two-bytes"

    private func lab(_ arguments: String, key: String?, secret: String?) throws -> Kodama.End {
        let names = [("LIVEKIT_API_KEY", key), ("LIVEKIT_API_SECRET", secret)]
        let settings = names.map { name, value in
            value.map { "\(name)='\($0)'" } ?? "-u \(name)"
        }
        // `env` takes what it unsets before what it sets.
        let sorted =
            settings.filter { $0.hasPrefix("-u") } + settings.filter { !$0.hasPrefix("-u") }
        return try Kodama.shell(
            "env \(sorted.joined(separator: " ")) \"$KODAMA_LAB\" token \(arguments)",
            in: Kodama.root
        )
    }

    private func mint(key: String? = nil, secret: String? = nil) throws -> String {
        let end = try lab(
            "--identity phone-7 --room voice-1",
            key: key ?? self.key,
            secret: secret ?? self.secret
        )
        try #require(end.status == 0, "\(end.stderr)")
        return end.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func verdict(_ token: String) throws -> String {
        try LiveKitVerifier.verdict(on: token, key: key, secret: secret)
    }

    @Test("LiveKit's verifier accepts a token from `kodama-lab token`")
    func accepted() throws {
        #expect(try verdict(try mint()) == "accepted phone-7 voice-1")
    }

    @Test("LiveKit's verifier refuses it with one byte changed, wherever that is")
    func changed() throws {
        let token = try mint()
        let parts = token.split(separator: ".").map(String.init)
        for part in parts.indices {
            var bytes = Array(parts[part].utf8)
            let middle = bytes.count / 2
            bytes[middle] =
                bytes[middle] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            var changed = parts
            changed[part] = String(decoding: bytes, as: UTF8.self)
            let verdict = try verdict(changed.joined(separator: "."))
            #expect(verdict.hasPrefix("refused "), "part \(part): \(verdict)")
        }
    }

    @Test("LiveKit's verifier refuses another secret and another issuer")
    func foreign() throws {
        let otherSecret = try verdict(try mint(secret: secret + "x"))
        #expect(otherSecret == "refused InvalidSignatureError")
        let otherIssuer = try verdict(try mint(key: "APIother"))
        #expect(otherIssuer == "refused InvalidIssuerError")
    }

    @Test(
        "LiveKit's verifier keeps the token's times, with 60 s of leeway",
        arguments: [
            (-700, -5, "accepted phone-7 voice-1"),
            (-700, -61, "refused ExpiredSignatureError"),
            (300, 700, "refused ImmatureSignatureError"),
        ]
    )
    func times(notBefore: Int64, expires: Int64, expected: String) throws {
        // The first case must be judged within 55 s, the third within 240.
        try LiveKitVerifier.prepare()
        let now = Int64(Date().timeIntervalSince1970)
        func time(_ offset: Int64) -> WallTime {
            WallTime(nanosecondsSince1970: (now + offset) * 1_000_000_000)
        }
        let claims = AccessToken.Claims(
            identity: "phone-7",
            notBefore: time(notBefore),
            expires: time(expires),
            video: AccessToken.VideoGrant(joining: "voice-1")
        )
        #expect(try verdict(AccessToken.sign(claims, key: key, secret: secret)) == expected)
    }

    @Test("--json says the claims, and the life is what --ttl says")
    func json() throws {
        let end = try lab(
            "--identity phone-7 --room voice-1 --ttl 6h --json",
            key: key,
            secret: secret
        )
        #expect(end.status == 0)
        let json = try end.json()
        #expect(json["identity"] as? String == "phone-7")
        #expect(json["room"] as? String == "voice-1")
        #expect(json["key"] as? String == key)
        let notBefore = try #require(json["notBefore"] as? Int)
        let expires = try #require(json["expires"] as? Int)
        #expect(expires - notBefore == 6 * 3_600)
        let token = try #require(json["token"] as? String)
        #expect(try verdict(token) == "accepted phone-7 voice-1")
        #expect(!end.stdout.contains(secret))
    }

    @Test("66: without key or secret nothing is signed, and the missing one is named")
    func missing() throws {
        let noKey = try lab("--identity a --room b", key: nil, secret: secret)
        #expect(noKey.status == 66)
        #expect(noKey.stderr.contains("LIVEKIT_API_KEY is not set"))
        #expect(noKey.stdout.isEmpty)
        for secret in [nil, ""] {
            let end = try lab("--identity a --room b", key: key, secret: secret)
            #expect(end.status == 66)
            #expect(end.stderr.contains("LIVEKIT_API_SECRET is not set"))
        }
    }

    @Test("66: a secret of fewer than 32 bytes signs nothing and is not shown (RFC 7518 §3.2)")
    func weak() throws {
        let end = try lab("--identity a --room b", key: key, secret: "devsecret")
        #expect(end.status == 66)
        #expect(end.stderr.contains("LIVEKIT_API_SECRET has 9 bytes; a token needs at least 32"))
        #expect(!end.stderr.contains("devsecret"))
        #expect(end.stdout.isEmpty)
    }

    @Test(
        "64: a missing name or an impossible life is a usage error",
        arguments: [
            "--room b", "--identity a", "--identity '' --room b", "--identity a --room ''",
            "--identity a --room b --ttl 0s", "--identity a --room b --ttl 1500ms",
            "--identity a --room b --ttl 600", "--identity a --room b --ttl 1:30",
        ]
    )
    func usage(arguments: String) throws {
        let end = try lab(arguments, key: key, secret: secret)
        #expect(end.status == 64, "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }
}
