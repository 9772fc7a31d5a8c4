import KodamaEvidence

/// Measures what the coach costs the battery.
struct EnergyMeasures {
    private var share = Measure.share(
        "battery.daily.percent",
        """
        What a day from bedtime to bedtime costs: screen, processor, microphone and loudspeaker of \
        alarms, guide and nudges, and the radio of sessions and reports, of a full battery. A day that \
        the run or a journey cuts short is not counted.
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
    private var radio = Measure.number(
        "battery.daily.radio_mj",
        "The radio's part, in millijoules: what it carries for the coach, its promotions and tails.",
        "K-08",
        occasions: .atOnce
    )
    /// The radio's part of the days that are told next, by phone.
    private var radios: [(app: ComponentIndex, millijoules: Int64)] = []
    private var addUp = Invariant(
        "battery.parts-add-up",
        "The parts' energy is the total.",
        "K-08, AN-19"
    )

    var metrics: [any AnyMeasure] { [share, screen, audio, radio] }
    var invariant: Invariant { addUp }

    mutating func take(_ record: TraceRecord, at position: Int) {
        if record.kind == DayRadio.kind {
            radios.append((record.component, DayRadio(record).radioMillijoules))
        }
        guard record.kind == DayEnergy.kind else { return }
        let day = DayEnergy(record)
        let index = radios.firstIndex { $0.app == record.component }
        let radioMillijoules = index.map { radios.remove(at: $0).millijoules } ?? 0
        share.add(day.totalMillijoules, of: day.batteryMillijoules, at: Occurrence(record))
        screen.add(day.screenMillijoules, at: Occurrence(record))
        audio.add(day.audioMillijoules, at: Occurrence(record))
        radio.add(radioMillijoules, at: Occurrence(record))
        let sum = day.screenMillijoules + day.audioMillijoules + radioMillijoules
        addUp.check(sum == day.totalMillijoules, record, at: position)
    }
}
