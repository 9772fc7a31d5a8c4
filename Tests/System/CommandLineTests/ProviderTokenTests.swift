import AppServer
import SansIO
import Testing

@Suite("Provider tokens that others accept (VP-07)")
struct ProviderTokenTests {
    /// A key made for this test, and its public half.
    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEQ5NTQxhtW0qlrZ8
        OS8s8VKmwyKX8JVFe7Kt2Lok12uhRANCAAS37oJdqKuSiFjh/+vzVz9mGO8efcYE
        QkvK02e1BSQk24wl3aUjOtb03OsayaEib77w5+cB8grtITJfiWz01wyG
        -----END PRIVATE KEY-----
        """
    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEt+6CXairkohY4f/r81c/ZhjvHn3G
        BEJLytNntQUkJNuMJd2lIzrW9NzrGsmhIm++8OfnAfIK7SEyX4ls9NcMhg==
        -----END PUBLIC KEY-----
        """

    /// What PyJWT says of a token: `accepted KEY TEAM TIME`, or `refused REASON`.
    private func verdict(_ token: String) throws -> String {
        let script = """
            import sys
            import jwt
            token, key = sys.argv[1:]
            try:
                claims = jwt.decode(token, key, algorithms=["ES256"], options={"verify_iat": False})
                print("accepted", jwt.get_unverified_header(token)["kid"], claims["iss"], claims["iat"])
            except Exception as error:
                print("refused", type(error).__name__)
            """
        return try LiveKitVerifier.run(script, token, Self.publicKey)
    }

    private func token() throws -> String {
        let signer = try ProviderTokenSigner(
            pem: Self.key,
            keyID: "ABC123DEFG",
            teamID: "TEAM456789"
        )
        return try signer.sign(issuedAt: WallTime(secondsSince1970: 1_800_000_000))
    }

    @Test("PyJWT accepts a provider token, with its key, team and time")
    func accepted() throws {
        #expect(try verdict(try token()) == "accepted ABC123DEFG TEAM456789 1800000000")
    }

    @Test("PyJWT refuses it with one byte changed, wherever that is")
    func changed() throws {
        let parts = try token().split(separator: ".").map(String.init)
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
}
