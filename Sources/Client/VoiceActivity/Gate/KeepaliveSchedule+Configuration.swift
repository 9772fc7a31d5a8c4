extension KeepaliveSchedule {
    /// How often a keepalive goes out while no voice does.
    public struct Configuration: Sendable, Equatable {
        /// The period in silence; 0.5 to 5 s (S-VAD-002).
        public var period: Duration = .seconds(1)
        /// The period while a path is probed (S-VAD-002: 10 Hz).
        public var probingPeriod: Duration = .milliseconds(100)

        /// Makes the default configuration.
        public init() {}
    }
}
