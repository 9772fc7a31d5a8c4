import KodamaEvidence

/// A day of the programme is over, at bedtime.
struct HabitDay: TraceForm {
    static let kind = TraceKind(.coach, 70)
    static let text = TraceFormText(
        "habit.day",
        .milestone,
        "A day of the programme is over.",
        "day",
        "alone",
        "uses",
        "streak"
    )
    /// The day's number, from 1.
    var day: Int64
    /// Whether the user ran the routine before the app asked for it; the truth.
    var isAlone: TraceFlag
    /// Whether the user has not left the app.
    var uses: TraceFlag
    /// The self-run days in a row, as the app counts them.
    var streak: Int64
}

/// How strong the habit is after such a day.
struct HabitStrength: TraceForm {
    static let kind = TraceKind(.coach, 71)
    static let text = TraceFormText(
        "habit.strength",
        .control,
        "How strong the habit is, in truth and as the app reckons, in millionths of the most.",
        "truth_ppm",
        "app_ppm"
    )
    var truth: Int64
    var app: Int64
}

struct PhraseCalled: TraceForm {
    static let kind = TraceKind(.coach, 72)
    static let text = TraceFormText(
        "habit.called",
        .milestone,
        "The user says the call phrase: nudges come as often as at first, for this day."
    )
}
