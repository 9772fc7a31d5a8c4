import KodamaEvidence

/// The radio's part of the day that is told next; silent for a phone whose radio carried nothing.
struct DayRadio: TraceForm {
    static let kind = TraceKind(.coach, 31)
    static let text = TraceFormText(
        "coach.day-radio",
        .control,
        "What the coach's traffic has cost the phone's battery from one bedtime to the next.",
        "radio_mj"
    )
    /// The radio in use, its promotions and tails.
    var radioMillijoules: Int64
}

struct DayEnergy: TraceForm {
    static let kind = TraceKind(.coach, 30)
    static let text = TraceFormText(
        "coach.day-energy",
        .control,
        "What the coach has cost the phone's battery from one bedtime to the next.",
        "screen_mj",
        "audio_mj",
        "total_mj",
        "battery_mj"
    )
    /// The screen, while the app is in front or an alarm shows.
    var screenMillijoules: Int64
    /// Processor, microphone and loudspeaker.
    var audioMillijoules: Int64
    /// All parts, radio included.
    var totalMillijoules: Int64
    /// A full battery.
    var batteryMillijoules: Int64
}
