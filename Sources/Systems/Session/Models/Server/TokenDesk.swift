import AppServer
import KodamaNetwork
import KodamaPhone
import SansIO

/// Verifies tokens as the server's sign-in does, and signs fresh ones.
struct TokenDesk: Sendable, Equatable {
    /// Why a connection is refused: an HTTP status.
    struct Refusal: Error, Equatable {
        var statusCode: Int
    }

    private struct Key: Sendable, Equatable {
        var name: String
        var secret: String
    }

    private let keys: [Key]
    private let leewaySeconds: Int64
    private let leastLifeSeconds: Int64

    init(keys: [(key: String, secret: String)], configuration: RoomServerConfiguration) {
        self.keys = keys.map { Key(name: $0.key, secret: $0.secret) }
        leewaySeconds = configuration.tokenLeewaySeconds
        leastLifeSeconds = configuration.tokenRefreshTimeToLive.components.seconds
    }

    /// Checks a token and what it allows (livekit/livekit, `pkg/service/auth.go` and
    /// `rtcservice.go`).
    ///
    /// Whatever is wrong with the token is a 401, as is a missing permission to join; a token that
    /// names nobody or no room is a 400.
    func verify(_ token: String, at time: WallTime) throws(Refusal) -> (AccessToken.Claims, String)
    {
        let claims: AccessToken.Claims
        do {
            claims = try AccessToken.verify(
                token,
                secrets: { name in keys.first { $0.name == name }?.secret },
                at: time,
                leewaySeconds: leewaySeconds
            )
        } catch {
            throw Refusal(statusCode: 401)
        }
        guard claims.video.roomJoin else { throw Refusal(statusCode: 401) }
        guard !claims.identity.isEmpty, let room = claims.video.room, !room.isEmpty else {
            throw Refusal(statusCode: 400)
        }
        return (claims, room)
    }

    /// A fresh token with the same permissions: valid ten minutes, or as long as the first one was
    /// (livekit/livekit, `pkg/service/roommanager.go`, since 1.13.2).
    func refresh(_ claims: AccessToken.Claims, at time: WallTime) -> String {
        let now = time.secondsSince1970
        let expires = max(now + leastLifeSeconds, claims.expires.secondsSince1970)
        var fresh = claims
        fresh.notBefore = WallTime(nanosecondsSince1970: now * 1_000_000_000)
        fresh.issuedAt = fresh.notBefore
        fresh.expires = WallTime(nanosecondsSince1970: expires * 1_000_000_000)
        return AccessToken.sign(fresh, key: keys[0].name, secret: keys[0].secret)
    }
}
