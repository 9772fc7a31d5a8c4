/// Why bytes are no stored form.
package enum StoredFault: Error, Equatable {
    /// They are not as they were written: cut, or changed.
    case damaged
    /// A later version of the app has written them.
    case newer(UInt8)
}

/// A value that the app stores whole.
///
/// The form is a header (four letters, the version, the length and the CRC-32 of the rest) and the fields in
/// their order, without names. A later version may append fields to a value and reads those that an earlier
/// version lacks as they are in an app that was just installed; it changes no field that is there.
package protocol StoredForm {
    func write(to writer: inout StoredWriter)
    init(from reader: inout StoredReader) throws(StoredFault)
}

extension StoredForm {
    /// The whole form.
    ///
    /// - Parameters:
    ///   - magic: Four letters that name it.
    ///   - version: The version of its fields.
    /// - Returns: Header and fields.
    package func stored(magic: StaticString, version: UInt8) -> [UInt8] {
        var writer = StoredWriter()
        write(to: &writer)
        var header = StoredWriter()
        header.bytes = magic.withUTF8Buffer { Array($0) }
        header.bytes.append(version)
        header.write(UInt32(writer.bytes.count))
        header.write(StoredChecksum.crc32(of: [version] + writer.bytes))
        return header.bytes + writer.bytes
    }

    /// Reads a whole form.
    package init(
        stored bytes: [UInt8],
        magic: StaticString,
        version: UInt8
    ) throws(StoredFault) {
        var reader = StoredReader(bytes[...])
        let letters = magic.withUTF8Buffer { Array($0) }
        guard bytes.starts(with: letters) else { throw .damaged }
        reader.bytes = bytes.dropFirst(letters.count)
        let found: UInt8 = try reader.read()
        let length: UInt32 = try reader.read()
        let checksum: UInt32 = try reader.read()
        guard reader.bytes.count == length,
            StoredChecksum.crc32(of: [found] + reader.bytes) == checksum
        else { throw .damaged }
        guard found <= version else { throw .newer(found) }
        reader.version = found
        try self.init(from: &reader)
        guard reader.bytes.isEmpty else { throw .damaged }
    }
}

/// Writes fields, numbers in little-endian order.
package struct StoredWriter {
    package var bytes: [UInt8] = []

    package mutating func write(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ isSet: Bool) { bytes.append(isSet ? 1 : 0) }

    package mutating func write(_ text: String) {
        let text = Array(text.utf8)
        write(UInt32(text.count))
        bytes += text
    }

    package mutating func write(_ value: some StoredForm) { value.write(to: &self) }

    package mutating func write(_ value: (some StoredForm)?) {
        write(value != nil)
        value?.write(to: &self)
    }

    package mutating func write(_ values: [some StoredForm]) {
        write(UInt32(values.count))
        for value in values { value.write(to: &self) }
    }
}

/// Reads what `StoredWriter` has written.
package struct StoredReader {
    package var bytes: ArraySlice<UInt8>
    /// The version that has written it.
    package var version: UInt8 = 0

    package init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    package mutating func read<Number: FixedWidthInteger>() throws(StoredFault) -> Number {
        let count = MemoryLayout<Number>.size
        guard bytes.count >= count else { throw .damaged }
        var number: Number = 0
        for (index, byte) in bytes.prefix(count).enumerated() {
            number |= Number(truncatingIfNeeded: byte) << (8 * index)
        }
        bytes = bytes.dropFirst(count)
        return number
    }

    /// Reads what was written as an `Int64`.
    package mutating func readInt() throws(StoredFault) -> Int {
        let number: Int64 = try read()
        return Int(clamping: number)
    }

    package mutating func read() throws(StoredFault) -> Bool {
        let byte: UInt8 = try read()
        guard byte <= 1 else { throw .damaged }
        return byte == 1
    }

    package mutating func read() throws(StoredFault) -> String {
        let count: UInt32 = try read()
        guard bytes.count >= count else { throw .damaged }
        let text = String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
        bytes = bytes.dropFirst(Int(count))
        return text
    }

    package mutating func read<Value: StoredForm>() throws(StoredFault) -> Value {
        try Value(from: &self)
    }

    package mutating func read<Value: StoredForm>() throws(StoredFault) -> Value? {
        let isThere: Bool = try read()
        return isThere ? try Value(from: &self) : nil
    }

    package mutating func read<Value: StoredForm>() throws(StoredFault) -> [Value] {
        let count: UInt32 = try read()
        // Each has a byte at least.
        guard bytes.count >= count else { throw .damaged }
        var values: [Value] = []
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }
}

/// The checksum of stored forms.
package enum StoredChecksum {
    /// What a byte adds to the checksum.
    private static let table = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
    }

    /// CRC-32 (ISO-HDLC; IEEE 802.3): finds each change of up to four bytes in a row.
    package static func crc32(of bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var checksum = UInt32.max
        for byte in bytes {
            checksum = table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] ^ checksum >> 8
        }
        return ~checksum
    }
}
