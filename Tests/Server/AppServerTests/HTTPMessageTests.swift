import AppServer
import Testing

@Suite("HTTP messages")
struct HTTPMessageTests {
    @Test("A request has no body unless one is given (RS-01)")
    func emptyBody() {
        #expect(HTTPRequest(method: "GET", target: "/").body.isEmpty)
    }
}
