/// The detector's classifier: a dense layer, a gated recurrent unit and one output, in whole numbers.
///
/// Weights are signed bytes in units of 1/64, kept as 16-bit numbers so that the compiler multiplies
/// and adds eight at once. The other units: features 1/32; biases, sums before an activation and the
/// dense layer's activations 1/2048; the hidden state 2⁻¹⁵. The recurrent unit is that of Cho et al.
/// (2014) as cuDNN computes it: with the reset gate r, the update gate u and the fresh value n,
/// n = tanh(W x + b + r (U h + c)) and h ← n + u (h − n).
struct SpeechNetwork: Sendable, Equatable {
    private static let denseCount = 64
    private static let hiddenCount = 96

    private static let denseLayer = NetworkLayer(
        SpeechNetworkWeights.dense,
        rows: denseCount,
        columns: SpeechFeatures.count
    )
    private static let inputLayer = NetworkLayer(
        SpeechNetworkWeights.input,
        rows: 3 * hiddenCount,
        columns: denseCount
    )
    private static let hiddenLayer = NetworkLayer(
        SpeechNetworkWeights.hidden,
        rows: 3 * hiddenCount,
        columns: hiddenCount
    )
    private static let outputLayer = NetworkLayer(
        SpeechNetworkWeights.output,
        rows: 1,
        columns: hiddenCount
    )

    private var hidden = Shorts128()

    /// Takes one frame's features.
    ///
    /// - Parameter features: `SpeechFeatures.count` numbers in −127…127.
    /// - Returns: How much the frame is like speech, 0 to 1000.
    mutating func score(_ features: UnsafePointer<Int16>) -> Int16 {
        var storage = Floats1024()
        return withNumbers(in: &storage) { (given: UnsafeMutablePointer<Int32>) in
            let kept = given + 3 * Self.hiddenCount
            let dense = UnsafeMutableRawPointer(kept + 3 * Self.hiddenCount)
                .assumingMemoryBound(to: Int16.self)
            Self.denseLayer.apply(to: features, into: given, shift: 0)
            for index in 0..<Self.denseCount {
                dense[index] = Int16(clamping: max(0, given[index]))
            }
            return withNumbers(in: &hidden) { (hidden: UnsafeMutablePointer<Int16>) in
                Self.inputLayer.apply(to: dense, into: given, shift: 6)
                Self.hiddenLayer.apply(to: hidden, into: kept, shift: 10)
                Self.recur(hidden, given, kept)
                Self.outputLayer.apply(to: hidden, into: given, shift: 10)
                return Int16((Sigmoid.of(given[0]) * 1000 + 1 << 14) >> 15)
            }
        }
    }

    private static func recur(
        _ hidden: UnsafeMutablePointer<Int16>,
        _ given: UnsafePointer<Int32>,
        _ kept: UnsafePointer<Int32>
    ) {
        for index in 0..<hiddenCount {
            let (update, fresh) = (index + hiddenCount, index + 2 * hiddenCount)
            let reset = Sigmoid.of(given[index] &+ kept[index])
            let keeping = Sigmoid.of(given[update] &+ kept[update])
            let recalled = max(-32_768, min(32_767, kept[fresh]))
            let value = Sigmoid.tanh(given[fresh] &+ (reset &* recalled &+ 1 << 14) >> 15)
            let change = keeping &* (Int32(hidden[index]) &- value) &+ 1 << 14
            hidden[index] = Int16(truncatingIfNeeded: value &+ change >> 15)
        }
    }
}
