public import Foundation

/// A WAV file of 16-bit PCM, one channel.
public struct WaveFile: Sendable, Equatable {
    /// Samples per second.
    public var sampleRateHertz: Int
    /// The samples.
    public var samples: [Int16]

    /// Makes a file from samples.
    public init(sampleRateHertz: Int, samples: [Int16]) {
        self.sampleRateHertz = sampleRateHertz
        self.samples = samples
    }

    /// How long the sound lasts, in microseconds, cut to whole ones.
    public var microseconds: Int { samples.count * 1_000_000 / max(1, sampleRateHertz) }

    /// Reads a file's bytes (RIFF, Microsoft and IBM 1991).
    ///
    /// - Parameter data: The whole file.
    /// - Throws: What is wrong, in words for the user.
    public init(_ data: Data) throws(WaveFileError) {
        let bytes = [UInt8](data)
        guard bytes.count >= 12, Self.tag(bytes, 0) == "RIFF", Self.tag(bytes, 8) == "WAVE" else {
            throw WaveFileError("it does not begin with RIFF … WAVE")
        }
        var format: (channels: Int, rate: Int, bits: Int)?
        var position = 12
        while position + 8 <= bytes.count {
            let name = Self.tag(bytes, position)
            let size = Self.number(bytes, position + 4, 4)
            let body = position + 8
            if name == "fmt " {
                format = try Self.format(bytes, body, size)
            } else if name == "data" {
                guard let format else { throw WaveFileError("'data' comes before 'fmt '") }
                let end = try Self.end(ofSoundAt: body, size, in: bytes)
                sampleRateHertz = format.rate
                samples = stride(from: body, to: end - 1, by: 2).map { place in
                    Int16(truncatingIfNeeded: Self.number(bytes, place, 2))
                }
                return
            }
            position = body + size + size % 2
        }
        throw WaveFileError("it has no 'data' chunk")
    }

    /// The file's bytes.
    public var data: Data {
        var bytes: [UInt8] = []
        func add(_ tag: String) { bytes.append(contentsOf: tag.utf8) }
        func add(_ number: Int, _ count: Int) {
            for place in 0..<count {
                bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
            }
        }
        add("RIFF")
        add(36 + samples.count * 2, 4)
        add("WAVEfmt ")
        add(16, 4)
        add(1, 2)
        add(1, 2)
        add(sampleRateHertz, 4)
        add(sampleRateHertz * 2, 4)
        add(2, 2)
        add(16, 2)
        add("data")
        add(samples.count * 2, 4)
        for sample in samples { add(Int(sample), 2) }
        return Data(bytes)
    }

    /// Where the sound ends.
    ///
    /// Writers that stream leave the size at 0 or near the largest that a signed or unsigned number
    /// of 32 bits holds; the sound then goes on to the end of the file. Of a file without sound the
    /// size is 0 too, and its title may follow.
    private static func end(
        ofSoundAt body: Int,
        _ size: Int,
        in bytes: [UInt8]
    ) throws(WaveFileError) -> Int {
        if size >= 0x7FFF_0000 { return bytes.count }
        if size == 0 { return areChunks(bytes, from: body) ? body : bytes.count }
        guard body + size <= bytes.count else {
            throw WaveFileError(
                "it is cut short: \(bytes.count - body) of \(size) bytes of sound are there"
            )
        }
        return body + size
    }

    /// Whether the rest of a file is chunks: names in ASCII, and sizes that lead to its very end.
    private static func areChunks(_ bytes: [UInt8], from start: Int) -> Bool {
        var position = start
        while position + 8 <= bytes.count {
            let isNamed = bytes[position..<position + 4].allSatisfy { (0x20...0x7E).contains($0) }
            guard isNamed else { return false }
            let size = number(bytes, position + 4, 4)
            position += 8 + size + size % 2
        }
        return position == bytes.count
    }

    private static func format(
        _ bytes: [UInt8],
        _ body: Int,
        _ size: Int
    ) throws(WaveFileError) -> (channels: Int, rate: Int, bits: Int) {
        guard size >= 16, body + size <= bytes.count else {
            throw WaveFileError("its 'fmt ' chunk is cut short")
        }
        let coding = number(bytes, body, 2)
        let isExtensiblePCM = coding == 0xFFFE && size >= 26 && number(bytes, body + 24, 2) == 1
        let channels = number(bytes, body + 2, 2)
        let bits = number(bytes, body + 14, 2)
        guard coding == 1 || isExtensiblePCM, channels == 1, bits == 16 else {
            throw WaveFileError(
                "it holds \(counted(channels, "channel")) of \(bits) bits in coding \(coding); "
                    + "one channel of 16-bit PCM (coding 1) is needed"
            )
        }
        return (channels, number(bytes, body + 4, 4), bits)
    }

    private static func tag(_ bytes: [UInt8], _ place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}

/// Says why a file is no WAV file that can be used.
public struct WaveFileError: Error, Equatable, CustomStringConvertible {
    /// The reason, to follow the file's name and a colon.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
