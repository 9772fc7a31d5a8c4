/// The latest stretch in which a device's microphone delivered nothing.
///
/// A call had its sound, the sound was started anew, or its app stood still: nothing is said into it
/// then, and nothing is heard from it.
struct SoundGap: Sendable {
    private var latest = Span(start: 0, end: 0)
    /// Until when its microphone has delivered.
    private var capturedUntil: Int64?

    /// More than a frame that is under way can be late.
    private static var lengthMin: Int64 { 100_000_000 }
    /// More than the latest frame lies behind what a headset is still to sound.
    private static var openMin: Int64 { 500_000_000 }

    /// The microphone delivered a frame.
    mutating func captured(_ frame: CoverageFrame) {
        if let until = capturedUntil, frame.start - until >= Self.lengthMin {
            latest = Span(start: until, end: frame.start)
        }
        capturedUntil = frame.end
    }

    /// How much of a stretch lies in it; the frame that ends it may be still to come.
    func share(of span: Span) -> Int64 {
        guard let until = capturedUntil else { return 0 }
        let closed = max(0, span.intersection(latest).length)
        let open = span.intersection(Span(start: until, end: Span.future)).length
        return open < Self.openMin ? closed : closed + open
    }
}
