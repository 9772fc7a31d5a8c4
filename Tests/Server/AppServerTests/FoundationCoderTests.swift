import Foundation
import Testing
import TextFormats

/// Why the server reads JSON with a reader of its own: the day that one of these fails, it may go.
@Suite("What Foundation's coders make of bodies that our reader refuses")
struct FoundationCoderTests {
    private struct Body: Decodable, Equatable {
        var callId: String
    }

    private func decoded(_ text: String) -> String? {
        try? JSONDecoder().decode(Body.self, from: Data(text.utf8)).callId
    }

    private func serialized(_ text: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return object?["callId"] as? String
    }

    @Test(
        "Of a name that occurs twice they take one, each another one; ours takes neither",
        arguments: [
            #"{"callId":"first","callId":"second"}"#,
            #"{"callId":"first","\u0063allId":"second"}"#,
        ]
    )
    func duplicateNames(text: String) {
        #expect(decoded(text) == "first")
        #expect(serialized(text) == "second")
        #expect((try? JSONReader.read(text.utf8)) == nil)
    }

    @Test(
        "They read what is no JSON by RFC 8259: a comma behind the last member, a byte order mark",
        arguments: [#"{"callId":"c-1",}"#, "\u{FEFF}" + #"{"callId":"c-1"}"#]
    )
    func lenience(text: String) {
        #expect(decoded(text) == "c-1")
        #expect(serialized(text) == "c-1")
        #expect((try? JSONReader.read(text.utf8)) == nil)
    }

    @Test("They descend 512 levels where ours stops at 32")
    func depth() {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect((try? JSONSerialization.jsonObject(with: Data(deep.utf8))) != nil)
        #expect((try? JSONReader.read(deep.utf8)) == nil)
    }
}
