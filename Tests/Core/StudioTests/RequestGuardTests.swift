import Testing

@testable import KodamaStudio

@Suite("The studio's address is open to its own page alone (HN-09)")
struct RequestGuardTests {
    private func outcome(
        _ path: String = "/secret/",
        method: String = "GET",
        host: String? = "127.0.0.1:8000",
        origin: String? = nil,
        isOpen: Bool = false
    ) -> String {
        let gate = RequestGuard(token: "secret", port: 8_000, isOpen: isOpen)
        do throws(RequestGuard.Refusal) {
            return "\(try gate.path(method: method, path: path, host: host, origin: origin))"
        } catch {
            return "\(error.status)"
        }
    }

    @Test("With token, host and origin of its own a page gets the page and the socket")
    func own() {
        #expect(outcome() == "page")
        #expect(outcome(host: "localhost:8000", origin: "http://localhost:8000") == "page")
        #expect(outcome("/secret/socket", origin: "http://127.0.0.1:8000") == "socket")
    }

    @Test(
        "A page of another origin gets nothing, whatever it knows",
        arguments: [
            "http://evil.example", "null", "http://127.0.0.1:8001", "https://127.0.0.1:8000",
            "http://localhost:8000", "http://127.0.0.1:8000.evil.example",
        ]
    )
    func origins(origin: String) {
        #expect(outcome("/secret/socket", origin: origin) == "403")
        #expect(outcome(origin: origin) == "403")
    }

    @Test(
        "A name that leads here by DNS rebinding gets nothing",
        arguments: [
            "evil.example:8000", "127.0.0.1", "127.0.0.1:80", "127.0.0.1.evil.example:8000",
            "192.168.0.7:8000", "0.0.0.0:8000", ":8000", "localhost.evil.example:8000",
            "127.1:8000",
        ]
    )
    func hosts(host: String) {
        #expect(outcome(host: host) == "403")
        #expect(outcome("/secret/socket", host: host, origin: "http://\(host)") == "403")
    }

    @Test("A request without a host gets nothing")
    func noHost() {
        #expect(outcome(host: nil) == "403")
    }

    @Test(
        "Without the token, or with a part of it, nothing is had",
        arguments: ["/", "", "/secre/", "/secretx/", "/socket", "//secret/", "/SECRET/"]
    )
    func tokens(path: String) {
        #expect(outcome(path) == "403")
    }

    @Test("A socket without an origin is none of a page's")
    func socketWithoutOrigin() {
        #expect(outcome("/secret/socket") == "403")
    }

    @Test("Only what there is can be read, and nothing be written")
    func others() {
        #expect(outcome("/secret/etc/passwd") == "404")
        #expect(outcome(method: "POST") == "405")
    }

    @Test("Opened for other machines, it takes their address and still no name")
    func open() {
        #expect(outcome(host: "192.168.0.7:8000", isOpen: true) == "page")
        #expect(outcome(host: "evil.example:8000", isOpen: true) == "403")
    }
}
