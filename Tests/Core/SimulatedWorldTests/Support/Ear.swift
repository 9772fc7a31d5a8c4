@testable import KodamaWorld
import SansIO

/// Records what a phone's speaker plays.
final class Tape: SpeakerTap {
    private(set) var samples: [Int16] = []
    /// When the first sample sounds; `nil` until one was made.
    private(set) var start: Instant?

    func take(_ samples: UnsafeBufferPointer<Int16>, at instant: Instant) {
        start = start ?? instant
        self.samples.append(contentsOf: samples)
    }
}

/// Compares what went into a microphone with what came out of a speaker, by sound alone.
///
/// Where two sounds match best is found by the normalized cross-correlation of a window of the one
/// with all windows of the other: first at 4 kHz, then around the best place at 12 kHz.
struct Ear: Sendable {
    /// What one window showed.
    struct Match {
        /// The window's start at the microphone, in nanoseconds.
        var start: Int64
        /// How much later the same sound came from the speaker, in nanoseconds.
        var lag: Int64
        /// How alike both are: 1 for the same sound at any loudness.
        var likeness: Double

        /// Whether both are alike enough that no neighbouring period of the voice can be meant.
        var isClear: Bool { likeness >= 0.92 }
    }

    private let coarse: (microphone: [Float], speaker: [Float])
    private let fine: (microphone: [Float], speaker: [Float])
    /// When the speaker's first sample sounds.
    private let speakerStart: Int64

    private static let coarseStep = 12
    private static let fineStep = 4
    private static let lagMax: Int64 = 310_000_000

    /// Hears two recordings at 48 kHz, of which the second begins at `speakerStart` nanoseconds.
    init(microphone: [Int16], speaker: [Int16], speakerStart: Int64) {
        coarse = (
            Self.thinned(microphone, Self.coarseStep), Self.thinned(speaker, Self.coarseStep)
        )
        fine = (Self.thinned(microphone, Self.fineStep), Self.thinned(speaker, Self.fineStep))
        self.speakerStart = speakerStart
    }

    /// Where the sound of a window, bounds in nanoseconds, comes from the speaker.
    func match(from start: Int64, to end: Int64) -> Match? {
        let coarsePlaces = Self.sample(start - speakerStart, Self.coarseStep)
        let range = coarsePlaces...coarsePlaces + Self.sample(Self.lagMax, Self.coarseStep)
        let coarseWindow = Self.window(coarse.microphone, start, end, Self.coarseStep)
        guard let rough = Self.best(coarseWindow, coarse.speaker, range) else { return nil }
        let centre = rough.place * Self.coarseStep / Self.fineStep
        let fineWindow = Self.window(fine.microphone, start, end, Self.fineStep)
        guard let exact = Self.best(fineWindow, fine.speaker, centre - 18...centre + 18) else {
            return nil
        }
        let heard = speakerStart + Int64(exact.place * Self.fineStep) * 125_000 / 6
        // The window begins at a thinned sample, just before `start`.
        let said = Int64(Self.sample(start, Self.fineStep) * Self.fineStep) * 125_000 / 6
        return Match(start: start, lag: heard - said, likeness: exact.likeness)
    }

    /// The place in samples of 48 kHz divided by `step`.
    private static func sample(_ nanoseconds: Int64, _ step: Int) -> Int {
        Int(nanoseconds * 6 / 125_000) / step
    }

    private static func window(
        _ sound: [Float],
        _ start: Int64,
        _ end: Int64,
        _ step: Int
    ) -> ArraySlice<Float> {
        sound[sample(start, step)..<sample(end, step)]
    }

    /// Whole means of `step` samples each.
    private static func thinned(_ sound: [Int16], _ step: Int) -> [Float] {
        (0..<sound.count / step).map { place in
            var sum: Int32 = 0
            for offset in 0..<step { sum += Int32(sound[place * step + offset]) }
            return Float(sum / Int32(step))
        }
    }

    private static func best(
        _ window: ArraySlice<Float>,
        _ sound: [Float],
        _ places: ClosedRange<Int>
    ) -> (place: Int, likeness: Double)? {
        let energy = window.reduce(0) { $0 + Double($1) * Double($1) }
        guard energy > 0 else { return nil }
        var best: (place: Int, likeness: Double)?
        window.withUnsafeBufferPointer { window in
            sound.withUnsafeBufferPointer { sound in
                let places = places.clamped(to: 0...sound.count - window.count)
                // Samples are whole numbers up to 32767, so that sums of squares stay exact.
                var other = sound[places.lowerBound..<places.lowerBound + window.count]
                    .reduce(0) { $0 + Double($1) * Double($1) }
                for place in places {
                    var product: Float = 0
                    var offset = 0
                    while offset < window.count {
                        product += window[offset] * sound[place + offset]
                        offset += 1
                    }
                    let likeness = Double(product) / (energy * max(other, 1)).squareRoot()
                    if likeness > best?.likeness ?? 0 { best = (place, likeness) }
                    guard place < places.upperBound else { break }
                    let (old, new) = (Double(sound[place]), Double(sound[place + window.count]))
                    other += new * new - old * old
                }
            }
        }
        return best
    }
}
