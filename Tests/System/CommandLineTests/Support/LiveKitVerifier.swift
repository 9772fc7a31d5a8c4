import Foundation
import Testing

/// LiveKit's own check of access tokens: the package `livekit-api` in an environment of its own.
///
/// It brings PyJWT; with `cryptography` beside it that checks ES256, too.
enum LiveKitVerifier {
    /// What is installed.
    static let packages = ["livekit-api==1.2.2", "cryptography==48.0.0"]

    /// Why it cannot be had, and the command that helps.
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// The environment's Python; installed at first use into the build folder.
    private static let python: Result<URL, Missing> = Result { () throws(Missing) in try install() }

    private static func install() throws(Missing) -> URL {
        let folder = Kodama.root.appendingPathComponent(".build/livekit-verifier")
        let python = folder.appendingPathComponent("bin/python")
        let done = folder.appendingPathComponent(packages.joined(separator: "+"))
        guard !FileManager.default.fileExists(atPath: done.path) else { return python }
        let line =
            "python3 -m venv --clear '\(folder.path)' && '\(python.path)' -m pip install --quiet "
            + "--disable-pip-version-check \(packages.joined(separator: " ")) && touch '\(done.path)'"
        let end: Kodama.End
        do {
            end = try Kodama.shell(line, in: Kodama.root)
        } catch {
            throw Missing(description: "cannot run a shell: \(error)")
        }
        guard end.status == 0 else {
            throw Missing(
                description: """
                    LiveKit's verifier cannot be installed: \(end.stderr)
                    It needs Python 3 with venv (apt-get install --yes python3-venv) and a network for:
                      \(line)
                    """
            )
        }
        return python
    }

    /// Installs it if it is not there yet, which may take minutes.
    static func prepare() throws { _ = try python.get() }

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
        return try run(script, [token, key, secret])
    }

    /// What a script prints in the verifier's environment.
    static func run(_ script: String, _ arguments: [String]) throws -> String {
        let end = try Running(
            try python.get(),
            ["-c", script] + arguments,
            in: Kodama.root,
            stdin: ""
        ).wait()
        try #require(end.status == 0, "\(end.stderr)")
        return end.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
