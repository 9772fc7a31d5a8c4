import SansIO

/// Draws what is added to the delay, in nanoseconds.
///
/// Packet `i` owns draw `i`, or all packets of period `k` share draw `k`.
struct JitterProcess: Sendable, Equatable {
    private enum Law: Sendable, Equatable {
        case none
        case uniform(most: Int64)
        case halfNormal(deviation: Int64)
        case table(QuantileTable)
        case points(QuantilePoints)
    }

    private let law: Law
    /// For how long a draw is held, in nanoseconds; 0 if each packet has its own.
    private let period: Int64
    var stream: RandomStream

    init(_ model: JitterModel, stream: RandomStream) {
        self.stream = stream
        if case .held(let law, let period) = model {
            self.law = Self.law(of: law)
            self.period = period.wholeNanoseconds
        } else {
            law = Self.law(of: model)
            period = 0
        }
    }

    /// The jitter of packet `number`, or of its second copy, which leaves at `instant`.
    mutating func jitter(packet number: UInt64, isCopy: Bool, leavingAt instant: Int64) -> Int64 {
        if case .none = law { return 0 }
        // The upper half of the indices belongs to the copies.
        stream.index =
            period > 0 ? UInt64(instant / period) : number | (isCopy ? 1 << 63 : 0)
        switch law {
        case .none: return 0
        case .uniform(let most): return stream.uniform(in: 0...most)
        case .halfNormal(let deviation): return stream.halfNormal(deviation: deviation)
        case .table(let table): return stream.sample(table)
        case .points(let points): return points.quantile(at: stream.next())
        }
    }

    private static func law(of model: JitterModel) -> Law {
        switch model {
        case .none:
            .none
        case .uniform(let most):
            .uniform(most: most.wholeNanoseconds)
        case .halfNormal(let deviation):
            .halfNormal(deviation: deviation.wholeNanoseconds)
        case .quantiles(let durations):
            .table(QuantileTable(durations.map(\.wholeNanoseconds)))
        case .points(let points):
            .points(QuantilePoints(points))
        case .held(let law, _):
            Self.law(of: law)
        }
    }
}
