import GroupSecurity
import SansIO
import Testing

@Suite("What is no invite is refused, and the reason is exact (A-NF-002)")
struct InviteRefusalTests {
    private func text() throws -> String {
        String(decoding: try InviteTests.invite().json, as: UTF8.self)
    }

    /// The invite's JSON with one text in it exchanged.
    private func refusal(_ old: String, _ new: String) throws -> InviteRefusal? {
        let text = try text()
        let changed = text.replacing(old, with: new, maxReplacements: 1)
        #expect(changed != text, "'\(old)' does not occur")
        return InviteTests.refusal(json: Array(changed.utf8))
    }

    @Test("Every broken part of the JSON form is named")
    func json() throws {
        #expect(InviteTests.refusal(json: []) == .malformed(.text(offset: 0)))
        let broken = Array("{\"type\":x}".utf8)
        #expect(InviteTests.refusal(json: broken) == .malformed(.text(offset: 8)))
        #expect(InviteTests.refusal(json: Array("[]".utf8)) == .notAnInvite)
        #expect(InviteTests.refusal(json: Array("{}".utf8)) == .notAnInvite)
        #expect(try refusal("kodama-invite", "kodama-ticket") == .notAnInvite)
        #expect(try refusal("\"version\":1", "\"version\":2") == .unknownVersion(2))
        #expect(try refusal("\"version\":1", "\"version\":\"1\"") == .malformed(.field(.version)))
        #expect(try refusal("\"version\":1", "\"colour\":1") == .malformed(.field(.version)))
        #expect(try refusal("{", "{\"colour\":1,") == .malformed(.unknownField("colour")))
        for field in Invite.Field.allCases where ![.type, .version, .name].contains(field) {
            let expected = InviteRefusal.malformed(.field(field))
            let name = "\"\(field.rawValue)\":"
            #expect(try refusal(name, name + "[],\"x\":") == .malformed(.unknownField("x")))
            let isNumber = field == .created || field == .expires
            let begin = isNumber ? "" : "\""
            #expect(try refusal(name + begin, name + begin + (isNumber ? "-" : "!")) == expected)
        }
        #expect(try refusal("1700000000", "1700000000.5") == .malformed(.field(.created)))
        #expect(try refusal("1700000000", "1700086401") == .malformed(.field(.expires)))
        #expect(try refusal("1700086400", "9223372037") == .malformed(.field(.expires)))
        #expect(try refusal("1700086400", "1700086401") == .badSignature)
        let anna = "\(People.anna.publicKey.memberID)"
        #expect(try refusal(anna, "\(People.ben.publicKey.memberID)") == .wrongInviter)
        #expect(try refusal("Trail", "Crail") == .badSignature)
        #expect(try refusal("Trail", "Tr\\u0000l") == .malformed(.field(.name)))
    }

    @Test("Every broken part of the URL form is named")
    func url() throws {
        let url = try InviteTests.invite().url()
        let base = Invite.urlBase
        #expect(InviteTests.refusal(url: "https://example.org/") == .notAnInvite)
        #expect(InviteTests.refusal(url: "") == .notAnInvite)
        #expect(InviteTests.refusal(url: base) == .malformed(.field(.version)))
        #expect(InviteTests.refusal(url: base + "AB!") == .malformed(.text(offset: base.count + 2)))
        #expect(InviteTests.refusal(url: base + "Ag") == .unknownVersion(2))
        #expect(InviteTests.refusal(url: base + "Afg") == .malformed(.field(.version)))
        #expect(InviteTests.refusal(url: base + "AQAA") == .malformed(.field(.group)))
        #expect(InviteTests.refusal(url: url + "AAAA") == .malformed(.end))
        let bytes = 2 + 16 + 32 + 64
        let content = url.dropFirst(base.count).prefix(bytes * 4 / 3)
        #expect(InviteTests.refusal(url: base + content) == .malformed(.field(.name)))
        for count in 1..<url.count - base.count {
            guard case .malformed = InviteTests.refusal(url: String(url.dropLast(count))) else {
                Issue.record("\(count) characters are missing and nobody says so")
                continue
            }
        }
    }

    @Test("What is too long is not read at all")
    func oversized() throws {
        let json = try InviteTests.invite().json
        let padding = [UInt8](repeating: 0x20, count: Invite.encodedCountMax - json.count)
        #expect(InviteTests.refusal(json: json + padding) == nil)
        #expect(InviteTests.refusal(json: json + padding + [0x20]) == .oversized(byteCount: 1_025))
        let url = Invite.urlBase + String(repeating: "A", count: 1_010)
        #expect(InviteTests.refusal(url: url) == .oversized(byteCount: url.utf8.count))
    }

    @Test("No single flipped bit of either form is accepted")
    func flippedBits() throws {
        let invite = try InviteTests.invite()
        for (form, isJSON) in [(invite.json, true), (Array(invite.url().utf8), false)] {
            for bit in 0..<form.count * 8 {
                var changed = form
                changed[bit / 8] ^= 1 << UInt8(bit % 8)
                if isJSON {
                    #expect(InviteTests.refusal(json: changed) != nil, "bit \(bit)")
                } else if let url = String(validatingUTF8: changed) {
                    #expect(InviteTests.refusal(url: url) != nil, "bit \(bit)")
                }
            }
        }
    }

    @Test("No byte of the JSON form can be blanked, exchanged for a digit, taken out or doubled")
    func changedBytes() throws {
        let json = try InviteTests.invite().json
        for place in json.indices {
            for byte in [0x20, 0x30] as [UInt8] where byte != json[place] {
                var changed = json
                changed[place] = byte
                #expect(InviteTests.refusal(json: changed) != nil, "byte \(place) as \(byte)")
            }
            var shorter = json
            shorter.remove(at: place)
            #expect(InviteTests.refusal(json: shorter) != nil, "without byte \(place)")
            var longer = json
            longer.insert(json[place], at: place)
            #expect(InviteTests.refusal(json: longer) != nil, "byte \(place) twice")
        }
    }

    @Test("Each refusal says what is wrong in words")
    func words() {
        #expect(
            "\(InviteRefusal.unknownVersion(3))"
                == "this invite is of version 3; this app reads version 1, so update the app"
        )
        #expect(
            "\(InviteRefusal.malformed(.field(.keys)))"
                == "the invite's 'keys' is missing or broken; ask for it again"
        )
        #expect("\(InviteRefusal.oversized(byteCount: 2_000))".contains("2000 bytes"))
    }
}

extension String {
    /// The text, if the bytes are one.
    fileprivate init?(validatingUTF8 bytes: [UInt8]) {
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
