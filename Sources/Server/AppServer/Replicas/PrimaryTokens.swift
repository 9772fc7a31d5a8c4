import Crypto
import SansIO
import TextFormats

extension APIServer {
    /// The issuer of tokens for databases.
    private static let databaseIssuer = "kodama-database"

    /// A token that opens this database, and nothing else (RP-01).
    func databaseToken(for primary: Primary, at now: WallTime) throws(APIFault) -> String {
        let claims = AccessToken.Claims(
            identity: primary.database,
            notBefore: now.advanced(by: Duration.zero - Self.clockStepMax),
            expires: now.advanced(by: settings.databaseTokenTimeToLive),
            video: AccessToken.VideoGrant()
        )
        let secret = try databaseSecret(primary.database, series: primary.tokenSeries)
        return AccessToken.sign(claims, key: Self.databaseIssuer, secret: secret)
    }

    /// The user whose database it is, if the request carries a token that opens it.
    ///
    /// Who has none is not told which databases there are.
    func owner(
        of database: String,
        opening request: HTTPRequest,
        at now: WallTime
    ) throws(APIFault) -> UserName {
        let token = try bearer(of: request)
        let known = primaries.owner(of: database)
        let secret = try databaseSecret(database, series: known?.tokenSeries ?? 0)
        guard let known,
            let claims = try? AccessToken.verify(
                token,
                secrets: { $0 == Self.databaseIssuer ? secret : nil },
                at: now,
                leewaySeconds: 0
            ), claims.identity == database
        else { throw .unauthorized }
        return known.user
    }

    /// What the tokens of one database are signed with until they are taken back.
    ///
    /// It is derived (RFC 2104) from what sessions are signed with, so that no token is good for
    /// anything else, whatever it says.
    private func databaseSecret(_ database: String, series: Int) throws(APIFault) -> String {
        let secret = try settings.sessionKey()
        let code = HMAC<SHA256>.authenticationCode(
            for: Array("database \(database) \(series)".utf8),
            using: SymmetricKey(data: Array(secret.utf8))
        )
        return Base64URL.encode(Array(code))
    }
}
