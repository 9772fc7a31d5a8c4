import SansIO

/// A law given by a few quantiles at chosen probabilities, linear between them.
struct QuantilePoints: Sendable, Equatable {
    /// Where a piece starts, how long it is and how it rises.
    private struct Piece: Sendable, Equatable {
        /// The first draw that belongs to the piece: its probability × 2⁶⁴.
        var start: UInt64
        var nanoseconds: Int64
        /// Nanoseconds per draw.
        var slope: Double
    }

    private let pieces: [Piece]

    /// Makes the law of points that reach from 0 to 1,000,000 ppm.
    init(_ points: [QuantilePoint]) {
        pieces = zip(points, points.dropFirst()).map { lower, upper in
            let rise = upper.duration.wholeNanoseconds - lower.duration.wholeNanoseconds
            let width = upper.share.partsPerMillion - lower.share.partsPerMillion
            return Piece(
                start: Self.scaled(lower.share),
                nanoseconds: lower.duration.wholeNanoseconds,
                slope: Double(rise) * 1_000_000 / (Double(width) * 0x1p64)
            )
        }
    }

    /// The quantile at `draw` × 2⁻⁶⁴, in nanoseconds.
    func quantile(at draw: UInt64) -> Int64 {
        // Most draws lie low: a walk beats a search over a dozen pieces.
        var piece = pieces[0]
        for next in pieces.dropFirst() {
            guard next.start <= draw else { break }
            piece = next
        }
        return piece.nanoseconds + Int64(Double(draw - piece.start) * piece.slope)
    }

    /// A probability below 1 times 2⁶⁴, cut to a whole number.
    private static func scaled(_ share: Probability) -> UInt64 {
        UInt64(1_000_000).dividingFullWidth((UInt64(share.partsPerMillion), 0)).quotient
    }
}
