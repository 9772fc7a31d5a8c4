@testable import KodamaPhone
@testable import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

@Suite("What a phone spends")
struct EnergyTests {
    private static func instant(_ seconds: Int64) -> Instant {
        .zero.advanced(by: .seconds(seconds))
    }

    /// The joules of a radio that carries something now and then for so long, and of a load beside it.
    private static func meter(
        _ radio: RadioEnergy?,
        burstEvery gap: Int64? = nil,
        hasFlow: Bool = false,
        _ load: PhoneLoad = PhoneLoad(),
        seconds: Int64
    ) -> EnergyMeter {
        var meter = EnergyMeter()
        meter.apply(load, of: EnergyProfile(), at: .zero)
        guard let radio else {
            meter.count(until: instant(seconds))
            return meter
        }
        var driver = RadioPower(radio)
        func follow(_ effects: [RadioPower.Effect], _ now: Instant) {
            for case .powerChanged(let power) in effects {
                meter.set(.radio, milliwatts: power, at: now)
            }
        }
        var next: Int64 = 0
        if hasFlow { follow(driver.drive(.flow(isOn: true), at: .zero), .zero) }
        while true {
            let burst = gap.map { _ in instant(next) } ?? instant(seconds)
            if let due = driver.deadline?.instant, due <= min(burst, instant(seconds)) {
                follow(driver.drive(nil, at: due), due)
            } else if let gap, next < seconds {
                follow(driver.drive(.burst, at: burst), burst)
                next += gap
            } else {
                break
            }
        }
        meter.count(until: instant(seconds))
        return meter
    }

    private static func voice(screenIsOn: Bool, hasMusic: Bool = false) -> PhoneLoad {
        var load = PhoneLoad()
        load.hasVoice = true
        load.screenIsOn = screenIsOn
        load.hasMusic = hasMusic
        return load
    }

    @Test(
        "A day of a wake, three nudges and a reflection costs 648 to 1,440 J, within 3 % (K-08, D-11)"
    )
    func coachDay() {
        let meter = Self.meter(.lte, hasFlow: true, Self.voice(screenIsOn: true), seconds: 12 * 60)
        let joules = meter.report.totalMillijoules / 1_000
        #expect((648...1_440).contains(joules))
        #expect((930...942).contains(joules), "1.3 W for 12 min")
        for device in DeviceProfile.all {
            #expect(meter.report.millionths(of: device) < 30_000, "\(device.name)")
        }
        #expect((19_900...20_200).contains(meter.report.millionths(of: .iPhone15)))
    }

    @Test("A microphone sampled at 16 kHz spares 45 mW of a conversation, and nothing else (AN-12)")
    func wideband() {
        var slow = Self.voice(screenIsOn: true)
        slow.isWideband = true
        let seconds: Int64 = 12 * 60
        let full = Self.meter(.lte, hasFlow: true, Self.voice(screenIsOn: true), seconds: seconds)
        let spared = Self.meter(.lte, hasFlow: true, slow, seconds: seconds)
        for part in EnergyPart.allCases {
            let difference = full.picojoules(of: part) - spared.picojoules(of: part)
            #expect(difference == (part == .processor ? 45 * seconds * 1_000_000_000 : 0))
        }
        var silent = PhoneLoad()
        silent.hasSilentAudio = true
        silent.isWideband = true
        #expect(EnergyProfile().milliwatts(of: .processor, under: silent) == 80)
    }

    @Test("Eight hours of silent audio cost 1,730 to 2,880 J (D-11)")
    func silentAudio() {
        var load = PhoneLoad()
        load.hasSilentAudio = true
        let meter = Self.meter(nil, load, seconds: 8 * 3_600)
        #expect((1_730...2_880).contains(meter.report.totalMillijoules / 1_000))
    }

    @Test(
        "A sync every minute on LTE costs 2,880 to 15,800 J a day and 120 to 660 J an hour (D-11)"
    )
    func sync() {
        let day = Self.meter(.lte, burstEvery: 60, seconds: 86_400).report
        #expect((2_880...15_800).contains(day.totalMillijoules / 1_000))
        #expect(day.millijoules(of: .radio) == day.totalMillijoules)
        // 60 times 0.26 s at 1,211 mW and 10 s at 180 mW.
        let hour = Self.meter(.lte, burstEvery: 60, seconds: 3_600)
        #expect(hour.totalPicojoules == 60 * (260 * 1_211 + 10_000 * 180) * 1_000_000)
        #expect((120...660).contains(hour.report.totalMillijoules / 1_000))
        let worst = Self.meter(.lteOf2012, burstEvery: 60, seconds: 86_400).report
        #expect(worst.totalMillijoules == 18_123_004, "1,440 times 12.6 J")
    }

    @Test("Four hours of intercom over AWDL with music cost 8,600 to 13,000 J (D-11)")
    func intercom() {
        let load = Self.voice(screenIsOn: false, hasMusic: true)
        let meter = Self.meter(.awdl, hasFlow: true, load, seconds: 4 * 3_600)
        #expect((8_600...13_000).contains(meter.report.totalMillijoules / 1_000))
    }

    @Test("A voice session draws 0.7 W with the screen off")
    func screenOff() {
        let meter = Self.meter(.lte, hasFlow: true, Self.voice(screenIsOn: false), seconds: 100)
        let power = EnergyPart.allCases.reduce(0) { $0 + meter.milliwatts(of: $1) }
        #expect(power == 700)
    }

    @Test(
        "Whatever is switched when, the parts add up to the total, exactly",
        arguments: 0..<100 as Range<UInt64>
    )
    func sums(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var meter = EnergyMeter()
        var now = Instant.zero
        // The reference adds interval by interval over all parts.
        var powers = [Int64](repeating: 0, count: 5)
        var total: Int64 = 0
        for _ in 0..<500 {
            let step = Int64(random.below(2_000_000_000)) * (random.chance(percent: 20) ? 0 : 1)
            total += powers.reduce(0, +) * step
            now = now.advanced(by: .nanoseconds(step))
            let part = EnergyPart.allCases[random.below(5)]
            powers[part.rawValue] = Int64(random.below(3_000))
            meter.set(part, milliwatts: powers[part.rawValue], at: now)
            let report = meter.report
            #expect(meter.totalPicojoules == total)
            #expect(report.totalMillijoules == total / 1_000_000_000)
            for part in EnergyPart.allCases {
                let exact = meter.picojoules(of: part) / 1_000_000_000
                #expect(abs(report.millijoules(of: part) - exact) <= 1)
            }
        }
    }

    @Test(
        "A burst costs a promotion and a tail, one in the tail no promotion; a flow ends in a tail"
    )
    func states() throws {
        var story = Transcript(RadioPower(.lte))
        func draws(_ power: Int64) -> RadioPower.Effect { .powerChanged(milliwatts: power) }
        try story.expect(.burst, at: .zero) { draws(1_211) }
        try story.expectWake(at: .milliseconds(260)) { draws(180) }
        try story.expect(.burst, at: .seconds(5))
        try story.expectWake(at: .seconds(15)) { draws(0) }
        for round in 1...2 as ClosedRange<Int64> {
            let start = Duration.seconds(100 * round)
            try story.expect(.flow(isOn: true), at: start) { draws(1_211) }
            try story.expect(.flow(isOn: true), at: start)
            try story.expectWake(at: start + .milliseconds(260)) { draws(450) }
            try story.expect(.flow(isOn: false), at: start + .seconds(20))
            try story.expect(.flow(isOn: false), at: start + .seconds(21)) { draws(180) }
            try story.expectWake(at: start + .seconds(31)) { draws(0) }
        }
        try story.expect(.flow(isOn: false), at: .seconds(299))
        try story.expect(.flow(isOn: true), at: .seconds(300)) { draws(1_211) }
        try story.expect(.radioChanged(.wifi), at: .seconds(301)) { draws(124) }
        try story.expectWake(at: .milliseconds(301_079)) { draws(133) }
    }

    @Test("Profiles have the batteries of their models (AN-19)")
    func profiles() {
        let joules = DeviceProfile.all.map { $0.batteryMillijoules / 1_000 }
        #expect(joules == [38_808, 44_676, 45_648, 46_728, 49_680])
        // 3 % of the battery of each.
        #expect(joules.map { ($0 * 3 + 50) / 100 } == [1_164, 1_340, 1_369, 1_402, 1_490])
        for (older, newer) in zip(DeviceProfile.all, DeviceProfile.all.dropFirst()) {
            #expect(older.launch.median >= newer.launch.median)
        }
    }

    @Test("Radios keep the laws of their contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(seed: seed, steps: 200, make: { RadioPower(.lte) }) { random, _ in
            switch random.below(5) {
            case 0: .radioChanged(random.chance(percent: 50) ? .awdl : .wifi)
            case 1: .burst
            default: .flow(isOn: random.chance(percent: 50))
            }
        }
    }
}
