import Crypto

/// The key of a sealed recording: 32 bytes of the system's generator, kept in secure storage only
/// (AN-10).
///
/// Its description hides it, so that it can stand in any log.
public struct AudioKey: Sendable, Equatable, CustomStringConvertible {
    /// How many bytes a key has: AES-256.
    public static let byteCount = 32

    /// The bytes that secure storage keeps.
    public let bytes: [UInt8]

    /// Makes a key; `nil` if there are not 32 bytes.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Says what this is and keeps the secret.
    public var description: String { "AudioKey(secret)" }
}

/// Audio sealed with AES-GCM (NIST SP 800-38D) in parts that can be uploaded one by one.
///
/// The parts are sealed under a key derived (HKDF, RFC 5869) from the audio's own key, its name, a
/// salt and the number of parts, with the part's index as nonce: a part that is changed, cut, moved,
/// left out or taken from other audio opens nothing. The pair of key and salt MUST be fresh for each
/// sealing.
public struct SealedAudio: Sendable, Equatable {
    /// Why sealed audio cannot be opened.
    public enum Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// It does not begin as sealed audio does.
        case malformed
        /// It ends before its last part does, or goes on behind it.
        case truncated
        /// The key is another one, or a part was changed.
        case notAuthentic(part: Int)

        /// What is wrong, in one sentence.
        public var description: String {
            switch self {
            case .malformed: "the file is no sealed audio"
            case .truncated: "the sealed audio is not as long as it says"
            case .notAuthentic(let part): "part \(part) does not open with this key"
            }
        }
    }

    /// How many bytes sealing adds to each part: the tag.
    public static let tagByteCount = 16
    /// How many bytes a salt has.
    public static let saltByteCount = 16
    /// The most parts: 128.
    public static let partCountMax = 128
    private static let magic = Array("KSA1".utf8)

    /// The audio's name, bound into every part.
    public let name: String
    /// What keeps two sealings under one key apart.
    public let salt: [UInt8]
    /// The sealed parts, in order.
    public let parts: [[UInt8]]

    /// Puts parts together that were read from somewhere.
    ///
    /// - Parameters:
    ///   - name: The audio's name.
    ///   - salt: 16 bytes.
    ///   - parts: All parts, in order.
    public init(name: String, salt: [UInt8], parts: [[UInt8]]) {
        (self.name, self.salt, self.parts) = (name, salt, parts)
    }

    /// Seals audio.
    ///
    /// - Parameters:
    ///   - audio: What to seal.
    ///   - name: Its name.
    ///   - key: Its key.
    ///   - salt: 16 bytes, fresh with each sealing under this key.
    ///   - partByteCount: How many bytes of audio a part holds; enlarged where there would be more
    ///     than 128 parts.
    public init(
        sealing audio: [UInt8],
        as name: String,
        with key: AudioKey,
        salt: [UInt8],
        partByteCount: Int
    ) {
        precondition(salt.count == Self.saltByteCount, "a salt has \(Self.saltByteCount) bytes")
        let least = (audio.count + Self.partCountMax - 1) / Self.partCountMax
        let size = max(1, partByteCount, least)
        let starts = Array(stride(from: 0, to: max(1, audio.count), by: size))
        let derived = Self.derive(from: key, name: name, salt: salt, partCount: starts.count)
        self.init(
            name: name,
            salt: salt,
            parts: starts.enumerated().map { index, start in
                let plain = audio[start..<min(start + size, audio.count)]
                guard
                    let nonce = try? AES.GCM.Nonce(data: Self.nonce(index)),
                    let box = try? AES.GCM.seal(plain, using: derived, nonce: nonce)
                else { preconditionFailure("AES-GCM seals every message") }
                return Array(box.ciphertext) + Array(box.tag)
            }
        )
    }

    /// Opens it.
    ///
    /// - Parameter key: Its key.
    /// - Returns: The audio.
    /// - Throws: Why not; nothing of it is given then.
    public func open(with key: AudioKey) throws(Refusal) -> [UInt8] {
        guard salt.count == Self.saltByteCount, (1...Self.partCountMax).contains(parts.count) else {
            throw .malformed
        }
        let derived = Self.derive(from: key, name: name, salt: salt, partCount: parts.count)
        var audio: [UInt8] = []
        for (index, part) in parts.enumerated() {
            guard part.count >= Self.tagByteCount,
                let nonce = try? AES.GCM.Nonce(data: Self.nonce(index)),
                let box = try? AES.GCM.SealedBox(
                    nonce: nonce,
                    ciphertext: part.dropLast(Self.tagByteCount),
                    tag: part.suffix(Self.tagByteCount)
                ),
                let plain = try? AES.GCM.open(box, using: derived)
            else { throw .notAuthentic(part: index) }
            audio += plain
        }
        return audio
    }

    private static func derive(
        from key: AudioKey,
        name: String,
        salt: [UInt8],
        partCount: Int
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.bytes),
            salt: salt,
            info: Array("kodama sealed audio 1 \(partCount) \(name)".utf8),
            outputByteCount: AudioKey.byteCount
        )
    }

    private static func nonce(_ index: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: 8) + bigEndian(index)
    }

    // MARK: As a file

    /// The bytes of a file that holds it: a magic number, the salt, the name, and each part behind
    /// its length.
    public var file: [UInt8] {
        let named = Array(name.utf8)
        var bytes = Self.magic + salt + Self.bigEndian(named.count) + named
        bytes += Self.bigEndian(parts.count)
        for part in parts { bytes += Self.bigEndian(part.count) + part }
        return bytes
    }

    /// Reads a file.
    ///
    /// - Parameter file: Its bytes.
    /// - Throws: Why it is none, or not a whole one.
    public init(file: [UInt8]) throws(Refusal) {
        var rest = file[...]
        func take(_ count: Int) throws(Refusal) -> [UInt8] {
            guard count >= 0, rest.count >= count else { throw .truncated }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func number() throws(Refusal) -> Int {
            try take(4).reduce(0) { $0 << 8 | Int($1) }
        }
        guard try take(Self.magic.count) == Self.magic else { throw .malformed }
        salt = try take(Self.saltByteCount)
        guard let name = String(validating: try take(number()), as: UTF8.self) else {
            throw .malformed
        }
        self.name = name
        let count = try number()
        guard (1...Self.partCountMax).contains(count) else { throw .malformed }
        var parts: [[UInt8]] = []
        for _ in 0..<count { parts.append(try take(number())) }
        guard rest.isEmpty else { throw .truncated }
        self.parts = parts
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}
