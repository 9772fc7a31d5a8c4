public import SansIO

extension JitterBuffer {
    /// The range and the manners of the adaptive playout delay.
    ///
    /// Delays are counted above the current path's fastest packet (D-15). The defaults were chosen
    /// on five kinds of delay traces (quiet Wi-Fi, peer-to-peer Wi-Fi, LTE, the edge of coverage, a
    /// route change); `PlayoutTrials` measures them.
    public struct Configuration: Sendable, Equatable {
        /// The least target delay; 0 to 200 ms.
        public var floor: Duration = .milliseconds(20)
        /// The greatest target delay, and the greatest by which a frame that was held up plays late;
        /// `floor` to 2000 ms.
        public var ceiling: Duration = .milliseconds(600)
        /// The greatest share by which a frame is shortened to catch up, or stretched to fall back
        /// (D-16: 15 %); 1 % to 50 %.
        public var compressionMax: Probability = Probability(partsPerMillion: 150_000)
        /// The stretch of media time over which delays are remembered; 1 to 120 s.
        ///
        /// Longer is steadier, shorter forgets bad times sooner. The worst stall in it, and a lone
        /// slow stretch of less than 5 s, count for 5 s only: what happened once is no habit.
        public var window: Duration = .seconds(60)
        /// The share of frames that may come late where the target delay is near zero; up to 10 %.
        public var lateShare: Probability = Probability(partsPerMillion: 4_000)
        /// What 100 ms of target delay add to `lateShare`; up to 10 %.
        ///
        /// The longer the delay already is, the dearer more of it: at 300 ms the defaults let 1.3 %
        /// of the frames come late, at 30 ms 0.5 %.
        public var lateSharePer100Milliseconds: Probability = Probability(partsPerMillion: 3_000)
        /// How much delay above the target is borne for one second; 0 to 1000 ms.
        ///
        /// Twice the excess is borne for half as long; then frames are compressed until it is gone.
        /// Less catches up sooner and adjusts more often.
        public var patience: Duration = .milliseconds(50)

        /// Makes the default configuration.
        public init() {}

        /// The range that the source specification asks for, 20 to 60 ms (D-14, D-15).
        public static var asSpecified: Configuration {
            var configuration = Configuration()
            configuration.ceiling = .milliseconds(60)
            return configuration
        }
    }

    /// The configuration in the integers of the hot path, checked.
    struct Limits: Sendable, Equatable, BitwiseCopyable {
        let floorNanoseconds: Int64
        let ceilingNanoseconds: Int64
        let adjustmentSamplesMax: Int
        let patienceFrameSamples: Int
        let rule: TransitWindow.Rule

        init(_ configuration: Configuration) {
            let share = Int(configuration.compressionMax.partsPerMillion)
            floorNanoseconds = configuration.floor.wholeNanoseconds
            ceilingNanoseconds = configuration.ceiling.wholeNanoseconds
            adjustmentSamplesMax = VoiceClock.frameSamples * share / 1_000_000
            patienceFrameSamples = VoiceClock.samples(configuration.patience.wholeNanoseconds) * 50
            rule = TransitWindow.Rule(
                windowFrames: Int32(
                    configuration.window.wholeNanoseconds / VoiceClock.frameNanoseconds
                ),
                latePartsPerMillion: Int64(configuration.lateShare.partsPerMillion),
                lateGrowthPartsPerMillion: Int64(
                    configuration.lateSharePer100Milliseconds.partsPerMillion
                ),
                ceilingBins: Int32(ceilingNanoseconds / TransitWindow.binNanoseconds)
            )
            precondition(
                (0...200_000_000).contains(floorNanoseconds)
                    && (floorNanoseconds...2_000_000_000).contains(ceilingNanoseconds)
                    && (10_000...500_000).contains(share)
                    && (50...6000).contains(rule.windowFrames)
                    && (0...100_000).contains(rule.latePartsPerMillion)
                    && (0...100_000).contains(rule.lateGrowthPartsPerMillion)
                    && (0...2_400_000).contains(patienceFrameSamples),
                "a jitter buffer setting lies outside its documented range: \(configuration)"
            )
        }
    }
}
