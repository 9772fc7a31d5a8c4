import KodamaEvidence

/// Measures what the coach costs the battery.
struct EnergyMeasures {
    private var share = Measure.share(
        "battery.daily.percent",
        """
        What a day from bedtime to bedtime costs: screen, processor, microphone and loudspeaker of \
        alarms, guide and nudges, of a full battery. There is no radio in it, and no day that the \
        run cuts short.
        """,
        "K-08, D-11",
        occasions: .atOnce
    )
    private var screen = Measure.number(
        "battery.daily.screen_mj",
        "The screen's part of it, in millijoules.",
        "K-08",
        occasions: .atOnce
    )
    private var audio = Measure.number(
        "battery.daily.audio_mj",
        "The part of processor, microphone and loudspeaker, in millijoules.",
        "K-08",
        occasions: .atOnce
    )
    private var addUp = Invariant(
        "battery.parts-add-up",
        "The parts' energy is the total.",
        "K-08, AN-19"
    )

    var metrics: [any AnyMeasure] { [share, screen, audio] }
    var invariant: Invariant { addUp }

    mutating func take(_ record: TraceRecord, at position: Int) {
        guard record.kind == DayEnergy.kind else { return }
        let day = DayEnergy(record)
        share.add(day.totalMillijoules, of: day.batteryMillijoules, at: Occurrence(record))
        screen.add(day.screenMillijoules, at: Occurrence(record))
        audio.add(day.audioMillijoules, at: Occurrence(record))
        let sum = day.screenMillijoules + day.audioMillijoules
        addUp.check(sum == day.totalMillijoules, record, at: position)
    }
}
