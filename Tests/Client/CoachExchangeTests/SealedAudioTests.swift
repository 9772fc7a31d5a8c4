import CoachExchange
import Testing

@Suite("Stored audio is sealed, and what was changed opens nothing (AN-10)")
struct SealedAudioTests {
    private static let audio = (0..<300).map { UInt8($0 % 251) }
    private static let salt = [UInt8](repeating: 9, count: 16)

    private static func key(_ byte: UInt8) throws -> AudioKey {
        try #require(AudioKey([UInt8](repeating: byte, count: 32)))
    }

    private static func sealed(_ name: String = "a", byte: UInt8 = 1) throws -> SealedAudio {
        let key = try key(byte)
        return SealedAudio(sealing: audio, as: name, with: key, salt: salt, partByteCount: 100)
    }

    @Test("What was sealed opens with its key, through a file as well")
    func roundTrip() throws {
        let sealed = try Self.sealed()
        #expect(sealed.parts.map(\.count) == [116, 116, 116])
        #expect(try sealed.open(with: Self.key(1)) == Self.audio)
        #expect(try SealedAudio(file: sealed.file).open(with: Self.key(1)) == Self.audio)
    }

    @Test("No sealed byte is one of the audio's, and two sealings differ")
    func hides() throws {
        let other = SealedAudio(
            sealing: Self.audio,
            as: "a",
            with: try Self.key(1),
            salt: [UInt8](repeating: 8, count: 16),
            partByteCount: 100
        )
        let sealed = try Self.sealed()
        #expect(other.parts != sealed.parts)
        #expect(sealed.parts[0].prefix(100) != Self.audio.prefix(100))
    }

    @Test("A changed byte anywhere in the file is refused, and so is a file that was cut")
    func tampered() throws {
        let file = try Self.sealed().file
        let key = try Self.key(1)
        for index in file.indices {
            var changed = file
            changed[index] ^= 1
            #expect(throws: SealedAudio.Refusal.self, "byte \(index)") {
                try SealedAudio(file: changed).open(with: key)
            }
        }
        for count in 0..<file.count {
            #expect(throws: SealedAudio.Refusal.self, "\(count) bytes") {
                try SealedAudio(file: Array(file[..<count])).open(with: key)
            }
        }
        #expect(throws: SealedAudio.Refusal.truncated) { try SealedAudio(file: file + [0]) }
    }

    @Test("Another key, name or order of the parts opens nothing")
    func foreign() throws {
        let sealed = try Self.sealed()
        let key = try Self.key(1)
        #expect(throws: SealedAudio.Refusal.notAuthentic(part: 0)) {
            try sealed.open(with: Self.key(2))
        }
        let renamed = SealedAudio(name: "b", salt: sealed.salt, parts: sealed.parts)
        #expect(throws: SealedAudio.Refusal.notAuthentic(part: 0)) { try renamed.open(with: key) }
        let turned = SealedAudio(name: "a", salt: sealed.salt, parts: sealed.parts.reversed())
        #expect(throws: SealedAudio.Refusal.notAuthentic(part: 0)) { try turned.open(with: key) }
        let cut = SealedAudio(name: "a", salt: sealed.salt, parts: sealed.parts.dropLast())
        #expect(throws: SealedAudio.Refusal.notAuthentic(part: 0)) { try cut.open(with: key) }
    }

    @Test("A key is 32 bytes and shows none of them")
    func keys() throws {
        #expect(AudioKey([1, 2, 3]) == nil)
        #expect("\(try Self.key(7))" == "AudioKey(secret)")
    }
}
