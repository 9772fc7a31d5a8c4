import KodamaHarness
import VoiceActivity

/// What one frame costs the speech detector, which does the same work whatever it hears.
enum DetectorCost {
    private static let framesPerRound = 1_000
    private static let rounds = 101

    /// Processor microseconds for a frame: of some rounds the least and the median.
    static func microsecondsPerFrame(_ rate: SampleRate) -> (least: Double, median: Double) {
        let sound = madeUpSound(rate.samplesPerFrame * framesPerRound)
        var detector = SpeechDetector(sampleRate: rate)
        let costs = (0..<rounds).map { _ in
            sound.withUnsafeBufferPointer { sound in
                let watch = Stopwatch()
                for start in stride(from: 0, to: sound.count, by: rate.samplesPerFrame) {
                    let frame = sound[start..<start + rate.samplesPerFrame]
                    _ = detector.decide(UnsafeBufferPointer(rebasing: frame))
                }
                return watch.elapsedSeconds * 1_000_000 / Double(framesPerRound)
            }
        }.sorted()
        return (costs[0], costs[rounds / 2])
    }

    private static func madeUpSound(_ count: Int) -> [Int16] {
        var state: UInt64 = 1
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(
                truncatingIfNeeded: Int64(bitPattern: state) >> (index / 8_000 % 2 == 0 ? 52 : 56)
            )
        }
    }
}
