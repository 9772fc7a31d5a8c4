import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO

/// What the coach draws from the battery.
struct Battery {
    var meter = EnergyMeter()
    var load = PhoneLoad()
    /// Whether the day that is counted began at a bedtime.
    var isWholeDay = false
    /// What the radio draws, and which one it is.
    var radioMilliwatts: Int64 = 0
    var interface: NetworkInterface?
    /// Whether a session's packets flow.
    var hasFlow = false
}

// The energy of what the coach does: the screen in front, the guide's voice, the alarm's sound, and the radio
// that carries sessions and requests. Work of the phone beside it is not the coach's.

extension CoachApp {
    /// The phone does something else from now on, perhaps.
    func reviewLoad(on stage: inout Stage) {
        let (isInFront, isLocked) = phone.seat.ask { ($0.isInFront(id), $0.isLocked) }
        var load = PhoneLoad()
        load.screenIsOn = isPowered && (isInFront && !isLocked || person.level != nil)
        load.hasVoice = soundIsOn
        load.isWideband = load.hasVoice && isWideband
        // An alarm costs what audio playback does, by assumption.
        load.hasMusic = person.level != nil
        guard load != battery.load else { return }
        battery.load = load
        battery.meter.apply(load, of: EnergyProfile(), at: stage.now)
    }

    // MARK: The radio

    /// The session begins or ends, or another radio carries it, perhaps.
    func reviewRadio(on stage: inout Stage) {
        let interface = phone.addresses.first.flatMap { NetworkInterface(rawValue: $0.interface) }
        if interface != battery.interface {
            battery.interface = interface
            switch interface {
            case .wifi: radio.tell(.radioChanged(.wifi), on: &stage)
            case .cellular: radio.tell(.radioChanged(.lte), on: &stage)
            // It carries nothing; what it was carries on once it is back.
            case nil: break
            }
        }
        let hasFlow = wantsSession && interface != nil
        guard hasFlow != battery.hasFlow else { return }
        battery.hasFlow = hasFlow
        radio.tell(.flow(isOn: hasFlow), on: &stage)
    }

    /// A request of the app's leaves, or its answer comes.
    func carryBurst(on stage: inout Stage) {
        reviewRadio(on: &stage)
        if battery.interface != nil { radio.tell(.burst, on: &stage) }
    }

    func perform(_ effect: RadioPower.Effect, on stage: inout Stage) {
        switch effect {
        case .powerChanged(let milliwatts):
            battery.radioMilliwatts = milliwatts
            battery.meter.set(.radio, milliwatts: milliwatts, at: stage.now)
        }
    }

    /// A day is over: says what it cost, and begins the next.
    func countDay(on stage: inout Stage) {
        battery.meter.count(until: stage.now)
        let report = battery.meter.report
        if battery.isWholeDay {
            let carried = report.millijoules(of: .radio)
            if carried > 0 { note(DayRadio(radioMillijoules: carried), on: &stage) }
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
        battery.meter.set(.radio, milliwatts: battery.radioMilliwatts, at: stage.now)
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
