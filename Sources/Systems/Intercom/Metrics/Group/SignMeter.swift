import KodamaEvidence
import SansIO

/// For how long phones can be known again by what they show to all who listen nearby.
struct SignMeter {
    private var kept = Measure.time(
        "group.sign.time",
        """
        How long a phone showed the same sign nearby, or went by the same number: for so long it can be \
        followed by whoever listens.
        """,
        "S-GRP-011"
    )
    /// What each phone shows, and since when.
    private var signs: [ComponentIndex: (value: Int64, shown: Occasion)] = [:]
    private var numbers: [ComponentIndex: (value: Int64, shown: Occasion)] = [:]

    var metrics: [any AnyMeasure] { [kept] }

    mutating func record(_ record: TraceRecord) {
        let form = SignShown(record)
        follow(form.sign, record, in: \.signs)
        follow(form.number, record, in: \.numbers)
    }

    private mutating func follow(
        _ value: Int64,
        _ record: TraceRecord,
        in values: WritableKeyPath<SignMeter, [ComponentIndex: (value: Int64, shown: Occasion)]>
    ) {
        let app = record.component
        if let former = self[keyPath: values][app] {
            guard former.value != value else { return }
            let length = former.shown.start.duration(to: record.instant).wholeNanoseconds
            kept.close(former.shown, length, at: record.instant)
        }
        self[keyPath: values][app] =
            value == 0 ? nil : (value, kept.open(at: record.instant, of: app, record))
    }
}
