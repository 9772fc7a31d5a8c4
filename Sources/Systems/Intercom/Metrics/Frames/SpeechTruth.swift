import KodamaEvidence

/// When people truly speak at one device, as far back as frames can still be under way.
///
/// A stretch is a time in which at least one person speaks; for one person it is a talk spurt. The
/// last 512 stretches are kept, which at ITU-T P.59's rate is more than a quarter of an hour.
struct SpeechTruth {
    private struct Stretch {
        var onset: Int64
        var end: Int64
    }

    private var speakers: [ComponentIndex] = []
    private var stretches: [Stretch] = []
    private var newest = -1

    private static var capacity: Int { 512 }

    /// A person began to speak; a second beginning of the same spurt changes nothing.
    mutating func began(_ person: ComponentIndex, at instant: Int64) {
        guard !speakers.contains(person) else { return }
        speakers.append(person)
        guard speakers.count == 1 else { return }
        newest = (newest + 1) % Self.capacity
        let stretch = Stretch(onset: instant, end: .max)
        if newest < stretches.count {
            stretches[newest] = stretch
        } else {
            stretches.append(stretch)
        }
    }

    /// A person ended to speak.
    mutating func ended(_ person: ComponentIndex, at instant: Int64) {
        guard let index = speakers.firstIndex(of: person) else { return }
        speakers.remove(at: index)
        if speakers.isEmpty {
            stretches[newest].end = instant
        }
    }

    /// How long somebody spoke in a time, as far as that is remembered.
    func spoken(in span: Span) -> Int64 {
        stretches.reduce(0) { sum, stretch in
            sum + max(0, min(stretch.end, span.end) - max(stretch.onset, span.start))
        }
    }

    /// When the latest speech ended, as far as that is remembered; `now` while somebody speaks.
    func latest(before now: Int64) -> Int64? { stretches.map { min($0.end, now) }.max() }

    /// The onset of the latest stretch of speech that lies partly in [start, end), if any does.
    func onset(ofSpeechFrom start: Int64, to end: Int64) -> Int64? {
        var index = newest
        for _ in stretches.indices {
            let stretch = stretches[index]
            if stretch.end <= start {
                return nil
            }
            if stretch.onset < end {
                return stretch.onset
            }
            index = index == 0 ? stretches.count - 1 : index - 1
        }
        return nil
    }
}
