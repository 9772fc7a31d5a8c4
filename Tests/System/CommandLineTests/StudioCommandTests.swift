import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("kodama studio serves its page on this machine alone (HN-09)")
struct StudioCommandTests {
    private let workshop = Workshop()

    private func write() throws {
        let text = """
            version: 2
            scenario: quiet
            duration: 20s
            seeds: 6
            voice: reachability
            phones:
              - name: phone
                radios: { cellular: lte-good }
                apps: { session: {} }
            """
        try workshop.write(text, to: "quiet.yaml")
    }

    private func get(
        _ address: String,
        _ headers: [String: String] = [:]
    ) async throws -> (
        status: Int, text: String, headers: [AnyHashable: Any]
    ) {
        var request = URLRequest(url: try #require(URL(string: address)))
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        return (answer.statusCode, String(decoding: data, as: UTF8.self), answer.allHeaderFields)
    }

    @Test("It prints an address with a key, serves the page there, and ends with Ctrl-C")
    func serves() async throws {
        try write()
        var keys: Set<String> = []
        // Twice, since the key must be another one.
        for _ in 0..<2 {
            let studio = try Running(
                Kodama.binary,
                ["studio", "quiet.yaml"],
                in: workshop.folder,
                stdin: ""
            )
            try studio.waitForStdout()
            let address = try studio.stdout().trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(address.contains(#/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/#), "\(address)")
            keys.insert(String(address.dropLast().suffix(32)))
            let page = try await get(address)
            #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
            let policy = page.headers["Content-Security-Policy"] as? String ?? ""
            #expect(
                policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'")
            )
            let bare = String(address.dropLast(33))
            for (place, headers) in [
                (bare, [:]), (bare + "socket", [:]),
                (bare + String(repeating: "0", count: 32) + "/", [:]),
                (address, ["Origin": "http://evil.example"]), (address, ["Origin": "null"]),
                (address + "socket", ["Origin": "http://evil.example"]), (address + "socket", [:]),
            ] {
                let answer = try await get(place, headers)
                #expect(answer.status == 403, "\(place) \(headers)")
                #expect(
                    !answer.text.contains("<") && answer.text.hasSuffix(".\n"),
                    "\(answer.text)"
                )
            }
            studio.interrupt()
            let end = try studio.wait()
            #expect(end.status == 130)
        }
        #expect(keys.count == 2)
    }

    @Test("Another address needs --allow, and what cannot be run is refused in sentences")
    func refuses() throws {
        try write()
        func end(_ arguments: String...) throws -> Kodama.End {
            try Kodama.run(["studio"] + arguments, in: workshop.folder)
        }
        let open = try end("quiet.yaml", "--address", "0.0.0.0")
        #expect(open.status == 64 && open.stderr.contains("--allow"), "\(open.stderr)")
        let none = try end("quiet.yaml", "--address", "127.0.0.999", "--allow")
        #expect(none.status == 64 && none.stderr.contains("no IPv4 address"), "\(none.stderr)")
        let auto = try end("quiet.yaml", "--seeds", "auto")
        #expect(auto.status == 64 && auto.stderr.contains("--seeds auto"))
        let missing = try end("nowhere.yaml")
        #expect(missing.status == 66 && missing.stderr.contains("nowhere.yaml"))
        try workshop.write("version: 2\nscenario: broken\n", to: "broken.yaml")
        let broken = try end("broken.yaml")
        #expect(broken.status == 65 && broken.stderr.contains("broken.yaml:"))
        let metric = try end("quiet.yaml", "--objective", "session.recovery.tim:p95")
        #expect(metric.status == 64 && metric.stderr.contains("did you mean"))
    }
}
