import AppServer
import ArgumentParser
import Foundation
import KodamaCommand
import KodamaHarness
import KodamaLanguage
import SansIO

/// Mints a room token with the code that answers the token endpoint.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Mints a LiveKit access token, to be checked with LiveKit's own tools.",
        discussion: """
            The key and its secret come from LIVEKIT_API_KEY and LIVEKIT_API_SECRET. The token is \
            valid from now on, by this machine's clock.

              LIVEKIT_API_KEY=devkey LIVEKIT_API_SECRET=… kodama-lab token --identity me --room hall
            """
    )

    @Option(help: "Who may join.")
    var identity: String

    @Option(help: "The room that may be joined.")
    var room: String

    @Option(help: "How long the token lives, such as 600s or 6h.")
    var ttl = "600s"

    @Flag(help: "Print token and claims as JSON.")
    var json = false

    func run() throws {
        guard !identity.isEmpty else { throw Failure(.usage, "--identity is empty") }
        guard !room.isEmpty else { throw Failure(.usage, "--room is empty") }
        let life = try timeToLive()
        let key = try environment("LIVEKIT_API_KEY")
        let secret = try environment("LIVEKIT_API_SECRET")
        guard secret.utf8.count >= AccessToken.secretBytesMin else {
            throw Failure(
                .inputMissing,
                "LIVEKIT_API_SECRET has \(counted(secret.utf8.count, "byte")); a token needs at least "
                    + "\(AccessToken.secretBytesMin) (RFC 7518, section 3.2)"
            )
        }
        let now = WallTime(
            nanosecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        )
        let claims = AccessToken.Claims(identity: identity, joining: room, at: now, for: life)
        let token = AccessToken.sign(claims, key: key, secret: secret)
        guard json else { return try Terminal.say(token) }
        try Terminal.say(
            try Outputs.json(
                Result(
                    token: token,
                    key: key,
                    identity: identity,
                    room: room,
                    notBefore: claims.notBefore.secondsSince1970,
                    expires: claims.expires.secondsSince1970
                )
            )
        )
    }

    /// What `--json` prints; times in seconds since 1970.
    private struct Result: Encodable {
        var schemaVersion = 1
        var token: String
        var key: String
        var identity: String
        var room: String
        var notBefore: Int64
        var expires: Int64
    }

    private func timeToLive() throws -> Duration {
        let year: Int64 = 365 * 86_400 * 1_000_000_000
        guard let nanoseconds = QuantityKind.duration.amount(of: ttl),
            (1_000_000_000...year).contains(nanoseconds), nanoseconds % 1_000_000_000 == 0
        else {
            throw Failure(.usage, "--ttl '\(ttl)' is no whole number of seconds from 1s to 8760h")
        }
        return .nanoseconds(nanoseconds)
    }

    private func environment(_ name: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else {
            throw Failure(
                .inputMissing,
                "\(name) is not set; a token is never signed without LiveKit's key and secret"
            )
        }
        return value
    }
}
