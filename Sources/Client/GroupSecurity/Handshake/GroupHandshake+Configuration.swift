import SansIO

extension GroupHandshake {
    /// How patient a handshake is, and how much it bears.
    public struct Configuration: Sendable, Equatable {
        /// How long after a packet it is sent again if nothing came; doubles each time.
        ///
        /// 250 ms lies above the round trip of a radio between phones and of most of cellular
        /// (medians of 45 to 111 ms while driving: NUWiNS, imc2023-cellular-network-performance).
        public var retryDelay = Duration.milliseconds(250)
        /// The longest that the delay becomes.
        public var retryDelayMax = Duration.seconds(1)
        /// How long one attempt is tried, on either side: twelve packets with these delays.
        public var attemptTimeout = Duration.seconds(10)
        /// How many offers may be answered and not yet proven.
        ///
        /// One is the peer's; the rest leaves room for an abandoned one, and bounds the work that
        /// recorded offers can cause: 32 a second, since each keeps its place for `retryDelay`.
        public var halfOpenMax = 8

        /// Makes the values above.
        public init() {}
    }

    /// A configuration in the units of the machine.
    struct Limits: Sendable, Equatable {
        let retryNanoseconds: Int64
        let retryMaxNanoseconds: Int64
        let attemptNanoseconds: Int64
        let halfOpenMax: Int

        init(_ configuration: Configuration) {
            precondition(
                configuration.retryDelay > .zero
                    && configuration.retryDelayMax >= configuration.retryDelay
                    && configuration.attemptTimeout > .zero && configuration.halfOpenMax > 0,
                "a handshake waits and bears something: \(configuration)"
            )
            retryNanoseconds = configuration.retryDelay.wholeNanoseconds
            retryMaxNanoseconds = configuration.retryDelayMax.wholeNanoseconds
            attemptNanoseconds = configuration.attemptTimeout.wholeNanoseconds
            halfOpenMax = configuration.halfOpenMax
        }
    }
}
