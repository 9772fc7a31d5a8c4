import Foundation
import Testing

@testable import TextFormats

@Suite("JSON, strictly (RS-01)")
struct JSONTests {
    private func read(_ text: String) -> JSON? { try? JSONReader.read(text.utf8) }

    @Test("Values are read as RFC 8259 says")
    func values() {
        #expect(read(" null ") == .null)
        #expect(read("[true,false]") == .array([.bool(true), .bool(false)]))
        #expect(read("-12") == .integer(-12))
        #expect(read("1.5e1") == .decimal(15))
        #expect(read("\t[ ]\r\n") == .array([]))
        #expect(read(#""\u6728\uD83D\uDE00\n\"\/""#) == .string("木😀\n\"/"))
        let object = read(#"{ "b" : 1, "a" : {} }"#)
        #expect(object == .object([.init("b", .integer(1)), .init("a", .object([]))]))
        #expect(object?["a"] == .object([]))
        #expect(object?["c"] == nil)
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "nul", "nulll", "01", "-", "1.", "1e", ".5", "+1", "1e999", "[1,]", "[1 2]",
            "{\"a\"}", "{a:1}", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "\"", "\"\\x\"", "\"\\u12\"",
            "\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800\\u0041\"", "\"\n\"", "1 1", "'a'", "NaN",
        ]
    )
    func refused(text: String) {
        #expect(read(text) == nil)
    }

    @Test("An object's names take time as they are many, not as their square; none occurs twice")
    func manyNames() throws {
        func text(_ count: Int) -> [UInt8] {
            let members = (0..<count).map { "\"\(String($0, radix: 36))\":1" }
            return Array("{\(members.joined(separator: ","))}".utf8)
        }
        // Of the processor and not of the clock: other tests run beside this one.
        func spent() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        func time(_ count: Int) throws -> Int {
            let text = text(count)
            return try (0..<3).map { _ in
                let before = spent()
                _ = try JSONReader.read(text)
                return spent() - before
            }.min() ?? 0
        }
        #expect(try time(16_000) < time(4_000) * 12)
        for place in [1, 15, 16, 17, 40] {
            let members = (0..<50).map { "\"n\($0 == 49 ? place : $0)\":1" }
            #expect(read("{\(members.joined(separator: ","))}") == nil, "\(place)")
        }
    }

    @Test("Bytes that are no UTF-8 and values that lie too deep are refused")
    func limits() {
        #expect((try? JSONReader.read([0x22, 0xC3, 0x22])) == nil)
        let depth = JSONReader.depthMax
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(read(deep) != nil)
        #expect(read("[\(deep)]") == nil)
        #expect(read(String(repeating: "[", count: 100_000)) == nil)
    }

    @Test("What is written is read again, whatever its characters")
    func roundTrip() {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap(Unicode.Scalar.init)))
        let json = JSON.object([
            .init(text, .string(text)), .init("n", .array([.integer(.min), .null, .bool(false)])),
        ])
        #expect(read(json.text) == json)
    }

    @Test("Base64 for URLs has one spelling for each sequence of bytes")
    func base64() {
        for length in 0..<9 {
            let bytes = (0..<length).map { UInt8($0 * 89 & 0xFF) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)[...]) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        for text in ["A", "AB", "AA=", "AA==", "A+", "A/", "A A", "é"] {
            #expect(Base64URL.decode(text[...]) == nil, "\(text)")
        }
    }
}
