/// A matrix of weights and a bias for each of its rows.
struct NetworkLayer: Sendable {
    private let weights: [Int16]
    private let biases: [Int32]

    /// Reads a layer from base 64 (RFC 4648).
    ///
    /// - Parameters:
    ///   - text: The weights row by row, a signed byte each, then the biases as 16-bit numbers, high
    ///     byte first. Line ends do not matter.
    ///   - rows: How many rows the matrix has.
    ///   - columns: How many columns it has.
    init(_ text: StaticString, rows: Int, columns: Int) {
        let bytes = Self.bytes(text)
        let weightCount = rows * columns
        precondition(
            bytes.count == weightCount + 2 * rows && columns % 8 == 0,
            "a layer of \(rows) rows and \(columns) columns does not fit \(bytes.count) bytes"
        )
        weights = bytes[..<weightCount].map { Int16(Int8(bitPattern: $0)) }
        biases = (0..<rows).map { row in
            let place = weightCount + 2 * row
            return Int32(Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])))
        }
    }

    /// Multiplies a vector by the matrix, shifts each product down, rounded, and adds the bias.
    ///
    /// - Parameters:
    ///   - vector: The vector.
    ///   - columns: How many numbers it has, as many as the matrix has columns: a multiple of 8 and a
    ///     constant, so that the compiler multiplies and adds pairs in one instruction.
    ///   - output: Room for as many numbers as the matrix has rows.
    ///   - shift: By how many bits.
    @inline(__always)
    func apply(
        to vector: UnsafePointer<Int16>,
        columns: Int,
        into output: UnsafeMutablePointer<Int32>,
        shift: Int32
    ) {
        let half: Int32 = shift > 0 ? 1 << (shift - 1) : 0
        weights.withUnsafeBufferPointer { weights in
            biases.withUnsafeBufferPointer { biases in
                guard var row = weights.baseAddress else { return }
                for index in biases.indices {
                    let sum = ScalarProduct.of(row, vector, columns)
                    output[index] = (sum &+ half) >> shift &+ biases[index]
                    row += columns
                }
            }
        }
    }

    private static func bytes(_ text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { characters in
            var bytes: [UInt8] = []
            var (bits, bitCount): (UInt32, Int) = (0, 0)
            for character in characters {
                guard let digit = digit(character) else { continue }
                bits = bits << 6 | digit
                bitCount += 6
                guard bitCount >= 8 else { continue }
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
            return bytes
        }
    }

    private static func digit(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
