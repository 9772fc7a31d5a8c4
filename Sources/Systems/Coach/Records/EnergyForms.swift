import KodamaEvidence

/// What the coach has cost the phone's battery from one bedtime to the next.
struct DayEnergy: TraceForm {
    /// The screen, while the app is in front or an alarm shows.
    var screenMillijoules: Int64
    /// Processor, microphone and loudspeaker.
    var audioMillijoules: Int64
    /// All parts, radio included.
    var totalMillijoules: Int64
    /// A full battery.
    var batteryMillijoules: Int64

    static var kind: TraceKind { TraceKind(.coach, 30) }
    static let text = TraceFormText(
        "coach.day-energy",
        .control,
        ["screen_mj", "audio_mj", "total_mj", "battery_mj"],
        "What the coach has cost the phone's battery from one bedtime to the next."
    )
}
