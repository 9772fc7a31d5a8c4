public import SansIO

extension JitterBuffer {
    /// The range and the manners of the adaptive playout delay.
    ///
    /// Delays are counted above the current path's fastest packet (D-15).
    public struct Configuration: Sendable, Equatable {
        /// The least target delay; 0 to 200 ms.
        public var floor: Duration = .milliseconds(20)
        /// The greatest target delay; 20 to 2000 ms.
        public var ceiling: Duration = .milliseconds(600)
        /// The greatest share by which a frame is shortened to catch up (D-16: 15 %).
        public var compressionMax: Probability = Probability(partsPerMillion: 150_000)

        /// Makes the default configuration.
        public init() {}
    }
}
