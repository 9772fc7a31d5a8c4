extension TalkGate {
    /// The times of the talk gate, all in whole 20 ms frames.
    public struct Configuration: Sendable, Equatable {
        /// How long speech must last before sending starts; 40 to 60 ms (S-VAD-003).
        ///
        /// 60 ms means speech in three consecutive 20 ms frames, the deciding one included.
        public var attack: Duration = .milliseconds(60)
        /// How long sending goes on after the last speech; 200 to 400 ms (S-VAD-003).
        public var release: Duration = .milliseconds(300)
        /// How much of the past is sent first when sending starts; 0 to 500 ms (S-VAD-004, D-16).
        public var preRoll: Duration = .milliseconds(200)

        /// Makes the default configuration.
        public init() {}
    }
}
