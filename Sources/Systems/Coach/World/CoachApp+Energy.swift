import KodamaEvidence
import KodamaPhone
import KodamaWorld
import SansIO

/// What the coach draws from the battery.
struct Battery {
    var meter = EnergyMeter()
    var load = PhoneLoad()
    /// Whether the day that is counted began at a bedtime.
    var isWholeDay = false
}

// The energy of what the coach does: the screen in front, the guide's voice, the alarm's sound.

extension CoachApp {
    /// The phone does something else from now on, perhaps.
    func reviewLoad(on stage: inout Stage) {
        let (isInFront, isLocked) = phone.seat.ask { ($0.isInFront(id), $0.isLocked) }
        var load = PhoneLoad()
        load.screenIsOn = isPowered && (isInFront && !isLocked || person.level != nil)
        load.hasVoice = soundIsOn
        // An alarm costs what audio playback does, by assumption.
        load.hasMusic = person.level != nil
        guard load != battery.load else { return }
        battery.load = load
        battery.meter.apply(load, of: EnergyProfile(), at: stage.now)
    }

    /// A day is over: says what it cost, and begins the next.
    func countDay(on stage: inout Stage) {
        battery.meter.count(until: stage.now)
        let report = battery.meter.report
        if battery.isWholeDay {
            let audio = [EnergyPart.processor, .microphone, .sound]
            let day = DayEnergy(
                screenMillijoules: report.millijoules(of: .screen),
                audioMillijoules: audio.reduce(0) { $0 + report.millijoules(of: $1) },
                totalMillijoules: report.totalMillijoules,
                batteryMillijoules: plan.bedroom.device.profile.batteryMillijoules
            )
            note(day, on: &stage)
        }
        battery.isWholeDay = true
        battery.meter = EnergyMeter(at: stage.now)
        battery.meter.apply(battery.load, of: EnergyProfile(), at: stage.now)
    }
}

extension DeviceKind {
    /// What is known of it.
    var profile: DeviceProfile {
        switch self {
        case .iphone12: .iPhone12
        case .iphone13: .iPhone13
        case .iphone14: .iPhone14
        case .iphone15: .iPhone15
        case .iphone16: .iPhone16
        }
    }
}
