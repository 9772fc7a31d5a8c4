/// A matrix of weights and a bias for each of its rows.
///
/// The weights lie as they are needed: of 16 rows the first two columns, row by row, then the next two
/// columns, and so on. So two numbers of a vector meet the weights of 16 rows at once, and no sum
/// has to be collected from the places of a vector.
struct NetworkLayer: Sendable {
    private static let rowsAtOnce = 16

    private let columnCount: Int
    private let weights: [Int16]
    private let biases: [Int32]

    /// Reads a layer from base 64 (RFC 4648).
    ///
    /// - Parameters:
    ///   - text: The weights row by row, a signed byte each, then the biases as 16-bit numbers, high
    ///     byte first. Line ends do not matter.
    ///   - rows: How many rows the matrix has.
    ///   - columns: How many columns it has, an even number.
    init(_ text: StaticString, rows: Int, columns: Int) {
        let bytes = Self.bytes(text)
        let weightCount = rows * columns
        precondition(
            bytes.count == weightCount + 2 * rows && columns % 2 == 0,
            "a layer of \(rows) rows and \(columns) columns does not fit \(bytes.count) bytes"
        )
        columnCount = columns
        let groupCount = (rows + Self.rowsAtOnce - 1) / Self.rowsAtOnce
        var weights = [Int16](repeating: 0, count: groupCount * Self.rowsAtOnce * columns)
        var biases = [Int32](repeating: 0, count: groupCount * Self.rowsAtOnce)
        for row in 0..<rows {
            let (group, rowInGroup) = row.quotientAndRemainder(dividingBy: Self.rowsAtOnce)
            for column in 0..<columns {
                let pair = group * columns / 2 + column / 2
                weights[2 * (pair * Self.rowsAtOnce + rowInGroup) + column % 2] =
                    Int16(Int8(bitPattern: bytes[row * columns + column]))
            }
            let place = weightCount + 2 * row
            biases[row] =
                Int32(Int16(bitPattern: UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])))
        }
        (self.weights, self.biases) = (weights, biases)
    }

    /// Multiplies a vector by the matrix, shifts each product down, rounded, and adds the bias.
    ///
    /// - Parameters:
    ///   - vector: The vector, as many numbers as the matrix has columns.
    ///   - output: Room for as many numbers as the matrix has rows, rounded up to whole sixteens.
    ///   - shift: By how many bits.
    @inline(__always)
    func apply(
        to vector: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int32>,
        shift: Int32
    ) {
        let half: Int32 = shift > 0 ? 1 << (shift - 1) : 0
        weights.withUnsafeBufferPointer { weights in
            biases.withUnsafeBufferPointer { biases in
                guard var weights = weights.baseAddress else { return }
                for row in stride(from: 0, to: biases.count, by: Self.rowsAtOnce) {
                    weights = multiply(vector, by: weights, into: output + row)
                }
                for row in biases.indices {
                    output[row] = (output[row] &+ half) >> shift &+ biases[row]
                }
            }
        }
    }

    /// Multiplies a vector by 16 rows and returns where the weights of the next begin.
    @inline(__always)
    private func multiply(
        _ vector: UnsafePointer<Int16>,
        by weights: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int32>
    ) -> UnsafePointer<Int16> {
        var weights = weights
        #if DEBUG
        output.update(repeating: 0, count: Self.rowsAtOnce)
        var column = 0
        while column < columnCount {
            let (first, second) = (Int32(vector[column]), Int32(vector[column &+ 1]))
            var row = 0
            while row < Self.rowsAtOnce {
                output[row] &+= first &* Int32(weights[0]) &+ second &* Int32(weights[1])
                weights += 2
                row &+= 1
            }
            column &+= 2
        }
        #else
        var sums = (SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>())
        var numbers = vector
        while numbers < vector + columnCount {
            let pair = UnsafeRawPointer(numbers).loadUnaligned(as: Int32.self)
            let pairs = unsafeBitCast(SIMD4(repeating: pair), to: SIMD8<Int16>.self)
            sums.0 &+= ScalarProduct.ofPairs(pairs, .at(weights))
            sums.1 &+= ScalarProduct.ofPairs(pairs, .at(weights + 8))
            sums.2 &+= ScalarProduct.ofPairs(pairs, .at(weights + 16))
            sums.3 &+= ScalarProduct.ofPairs(pairs, .at(weights + 24))
            weights += 2 * Self.rowsAtOnce
            numbers += 2
        }
        UnsafeMutableRawPointer(output).storeBytes(of: sums.0, as: SIMD4<Int32>.self)
        UnsafeMutableRawPointer(output + 4).storeBytes(of: sums.1, as: SIMD4<Int32>.self)
        UnsafeMutableRawPointer(output + 8).storeBytes(of: sums.2, as: SIMD4<Int32>.self)
        UnsafeMutableRawPointer(output + 12).storeBytes(of: sums.3, as: SIMD4<Int32>.self)
        #endif
        return weights
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
