import KodamaEvidence

/// The latest stretch in which a device's microphone delivered nothing after somebody's act.
///
/// A call had its sound, or an app that its user turned to: nothing is said into it then, and
/// nothing is heard from it. An app that stops its own sound, while nobody touches the phone, has
/// no such gap: it would excuse itself.
struct SoundGap: Sendable {
    private var latest = Span(start: 0, end: 0)
    /// Until when its microphone has delivered.
    private var capturedUntil: Int64?
    /// When somebody last did something to the phone while its microphone delivered.
    private var touchedAt: Int64?

    /// More than a frame that is under way can be late.
    private static var lengthMin: Int64 { 100_000_000 }
    /// More than the latest frame lies behind what a headset is still to sound.
    private static var openMin: Int64 { 500_000_000 }
    /// An app that its user opens has the sound by then.
    private static var effectMax: Int64 { 3_000_000_000 }

    /// The user did something to the phone, or a call in an app of it was given the sound.
    mutating func touched(at now: Int64) {
        guard let until = capturedUntil, now - until < Self.openMin else { return }
        touchedAt = now
    }

    /// The microphone delivered a frame.
    mutating func captured(_ frame: CoverageFrame) {
        if let until = capturedUntil, isExcused(from: until),
            frame.start - until >= Self.lengthMin
        {
            latest = Span(start: until, end: frame.start)
        }
        capturedUntil = frame.end
    }

    /// How much of a stretch lies in it; the frame that ends it may be still to come.
    func share(of span: Span) -> Int64 {
        guard let until = capturedUntil else { return 0 }
        let closed = max(0, span.intersection(latest).length)
        let open = span.intersection(Span(start: until, end: Span.future)).length
        return open >= Self.openMin && isExcused(from: until) ? closed + open : closed
    }

    /// Whether an act may be why a silence began.
    ///
    /// Where sound goes another way than before, playout starts anew while the microphone goes on;
    /// what was to sound next when the act came is part of the silence. A silence that began before
    /// the act has another reason, unless what a path lost was all that was missing by then.
    func wasTouched(before silence: Span, lost: Int64) -> Bool {
        guard let touchedAt else { return false }
        return touchedAt >= silence.start - Self.lengthMin && touchedAt <= silence.start + lost
    }

    /// Whether an act may be why nothing is delivered from an instant on.
    private func isExcused(from instant: Int64) -> Bool {
        touchedAt.map { instant - $0 < Self.effectMax } ?? false
    }
}
