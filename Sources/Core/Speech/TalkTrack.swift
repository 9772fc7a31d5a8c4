/// What one person says and when, as sound for a microphone and as the truth about it.
///
/// The track owns its memory. Hot paths use a `Reader`, which touches no reference counts.
public final class TalkTrack: @unchecked Sendable {
    // Sendable although it holds pointers: after `init` nothing is written.

    /// The person's name.
    public let person: String
    /// Where the person talks, in samples at 48 kHz: in order, with 200 ms or more in between.
    ///
    /// Shorter pauses belong to the talk spurt (ITU-T P.56).
    public let speech: [Range<Int64>]
    /// What keeps the samples alive; `nil` for a track without sound.
    private let material: SpeechMaterial?
    private let pieces: UnsafeMutableBufferPointer<SoundPiece>
    private let truth: UnsafeMutableBufferPointer<Range<Int64>>
    private let noise: UnsafeMutableBufferPointer<Int16>

    /// Pauses from this on, 200 ms, end a talk spurt.
    public static let pauseSamplesMin: Int64 = 9_600

    /// Makes a track with sound.
    ///
    /// - Parameters:
    ///   - person: The person's name.
    ///   - material: Where the sound of the pieces lies.
    ///   - pieces: What is said; in any order, and MUST NOT overlap.
    ///   - surroundings: What is heard all the time beside it; no part of the truth.
    public init(
        person: String,
        material: SpeechMaterial,
        pieces: [SoundPiece],
        surroundings: NoiseLoop = .silence
    ) {
        let ordered = pieces.sorted { $0.start < $1.start }
        for (left, right) in zip(ordered, ordered.dropFirst()) {
            precondition(
                left.range.upperBound <= right.start,
                "\(person) says two things at once at sample \(right.start)"
            )
        }
        self.person = person
        self.material = material
        self.pieces = Self.copy(ordered)
        self.noise = Self.copy(surroundings.samples)
        speech = Self.spurts(ordered.map(\.range))
        truth = Self.copy(speech)
    }

    /// Makes a track without sound, for runs in which only the truth counts.
    ///
    /// - Parameters:
    ///   - person: The person's name.
    ///   - speech: The samples in which the person talks; in any order, and MUST NOT overlap.
    public init(person: String, speech: [Range<Int64>]) {
        self.person = person
        material = nil
        pieces = Self.copy([])
        noise = Self.copy([])
        self.speech = Self.spurts(speech.sorted { $0.lowerBound < $1.lowerBound })
        truth = Self.copy(self.speech)
    }

    deinit {
        pieces.deallocate()
        truth.deallocate()
        noise.deallocate()
    }

    /// Makes a reader, which is valid as long as this track lives.
    ///
    /// - Returns: A reader at the start of the track.
    public func makeReader() -> Reader {
        Reader(
            samples: UnsafePointer(material?.samples.baseAddress),
            pieces: UnsafeBufferPointer(pieces),
            truth: UnsafeBufferPointer(truth),
            noise: UnsafeBufferPointer(noise)
        )
    }

    private static func spurts(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        var spurts: [Range<Int64>] = []
        for range in ranges {
            if let last = spurts.last, range.lowerBound - last.upperBound < pauseSamplesMin {
                spurts[spurts.count - 1] = last.lowerBound..<range.upperBound
            } else {
                spurts.append(range)
            }
        }
        return spurts
    }

    private static func copy<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element>
    {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
        _ = memory.initialize(fromContentsOf: elements)
        return memory
    }
}
