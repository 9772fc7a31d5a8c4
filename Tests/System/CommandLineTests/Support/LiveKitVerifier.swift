import Foundation
import Testing

/// LiveKit's own check of access tokens.
///
/// It brings PyJWT; with `cryptography` beside it that checks ES256, too.
enum LiveKitVerifier {
    private static let environment = PythonEnvironment(
        "livekit-verifier",
        ["livekit-api==1.2.2", "cryptography==48.0.0"]
    )

    /// Installs it if it is not there yet, which may take minutes.
    static func prepare() throws { try environment.prepare() }

    /// What a script with two arguments prints in the verifier's environment.
    static func run(_ script: String, _ first: String, _ second: String) throws -> String {
        try environment.run(script, first, second)
    }

    /// What the verifier says of a token: `accepted IDENTITY ROOM`, or `refused REASON`.
    static func verdict(on token: String, key: String, secret: String) throws -> String {
        let script = """
            import sys
            from livekit import api
            token, key, secret = sys.argv[1:]
            try:
                claims = api.TokenVerifier(key, secret).verify(token)
                assert claims.video.room_join
                print("accepted", claims.identity, claims.video.room)
            except Exception as error:
                print("refused", type(error).__name__)
            """
        return try environment.run(script, token, key, secret)
    }
}
