@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = SoundOutput.Effect

@Suite("What the ear gets of the phone's sounds")
struct SoundOutputTests {
    private static func heard(_ decibelsA: Int, _ sound: SystemSound = .standard) -> Effect {
        .heard(HeardSound(sound, SoundLevel(decibelsA: decibelsA)))
    }

    @Test("An alarm follows the ringer's volume and ignores the mute switch; at zero it is silent")
    func ringer() throws {
        var story = Transcript(SoundOutput())
        try story.expect(.alarm(.standard), at: .zero) { Self.heard(75) }
        try story.expect(.muteSwitch(isOn: true), at: .seconds(1))
        try story.expect(.ringerVolume(percent: 20), at: .seconds(2)) { Self.heard(43) }
        try story.expect(.ringerVolume(percent: 0), at: .seconds(3)) { Effect.heard(nil) }
        try story.expect(.ringerVolume(percent: 100), at: .seconds(4)) { Self.heard(75) }
        try story.expect(.alarm(nil), at: .seconds(5)) { Effect.heard(nil) }
    }

    @Test("A notification obeys volume and mute switch, a critical one neither (D-23)")
    func notification() throws {
        var story = Transcript(SoundOutput(ringerVolumePercent: 50))
        try story.expect(.notification(.standard, isCritical: false), at: .zero) { Self.heard(55) }
        try story.expectWake(at: .seconds(2)) { Effect.heard(nil) }
        let file = SystemSound.file(SoundFile("wake.caf", length: .seconds(30)))
        try story.expect(.muteSwitch(isOn: true), at: .seconds(3))
        try story.expect(.notification(file, isCritical: false), at: .seconds(3))
        #expect(story.machine.modality(of: file, isCritical: false) == .vibration)
        try story.expect(.notification(file, isCritical: true), at: .seconds(4)) {
            Self.heard(75, file)
        }
        #expect(story.machine.modality(of: file, isCritical: true) == .both)
        #expect(story.machine.modality(of: nil, isCritical: true) == .silent)
        try story.expectWake(at: .seconds(34)) { Effect.heard(nil) }
        #expect(story.machine.deadline == nil, "it plays once")
    }

    @Test("A notification that is answered sounds no more, twice in a row; an alarm goes on")
    func answered() throws {
        var story = Transcript(SoundOutput())
        for start in [0, 100] as [Int64] {
            let file = SystemSound.file(SoundFile("wake.caf", length: .seconds(30)))
            try story.expect(.notification(file, isCritical: false), at: .seconds(start)) {
                Self.heard(75, file)
            }
            try story.expect(.notificationAnswered, at: .seconds(start + 4)) { Effect.heard(nil) }
            #expect(story.machine.deadline == nil)
        }
        try story.expect(.alarm(.standard), at: .seconds(200)) { Self.heard(75) }
        try story.expect(.notificationAnswered, at: .seconds(201))
    }

    @Test(
        "A headset left on the table hides what goes there alone, not an alarm that sounds from both"
    )
    func headset() throws {
        var story = Transcript(SoundOutput())
        try story.expect(.headset(isConnected: true, isWorn: false), at: .zero)
        try story.expect(.alarm(.standard), at: .zero) { Self.heard(75) }
        try story.expect(.headset(isConnected: true, isWorn: true), at: .seconds(1)) {
            Self.heard(80)
        }
        try story.expect(.headset(isConnected: false, isWorn: true), at: .seconds(1)) {
            Self.heard(75)
        }
        try story.expect(.alarm(nil), at: .seconds(2)) { Effect.heard(nil) }
        try story.expect(.headset(isConnected: true, isWorn: false), at: .seconds(3))
        try story.expect(.notification(.standard, isCritical: false), at: .seconds(4)) {
            Self.heard(30)
        }
        for (route, level) in [(SoundOutputConfiguration.AlarmRoute.headset, 30), (.speaker, 75)] {
            var configuration = SoundOutputConfiguration()
            configuration.alarmRoute = route
            var other = Transcript(SoundOutput(configuration: configuration))
            try other.expect(.headset(isConnected: true, isWorn: false), at: .zero)
            try other.expect(.alarm(.standard), at: .zero) { Self.heard(level) }
        }
    }

    @Test("An alarm is lowered while the phone sees a face, and during a call, twice in a row")
    func lowered() throws {
        var story = Transcript(SoundOutput())
        try story.expect(.alarm(.standard), at: .zero) { Self.heard(75) }
        for second in [1, 3] as [Int64] {
            try story.expect(.attention(seesFace: true), at: .seconds(second)) { Self.heard(55) }
            try story.expect(.phoneCall(isOn: true), at: .seconds(second)) { Self.heard(25) }
            try story.expect(.attention(seesFace: false), at: .seconds(second)) { Self.heard(45) }
            try story.expect(.phoneCall(isOn: false), at: .seconds(second + 1)) { Self.heard(75) }
        }
    }

    @Test("The output keeps the laws of its contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(seed: seed, steps: 200, make: { SoundOutput() }) { random, _ in
            let flag = random.chance(percent: 50)
            switch random.below(7) {
            case 0: return .alarm(flag ? .standard : nil)
            case 1, 2: return .notification(.standard, isCritical: flag)
            case 3: return .ringerVolume(percent: random.below(140) - 20)
            case 4: return .muteSwitch(isOn: flag)
            case 5: return .headset(isConnected: flag, isWorn: random.chance(percent: 50))
            default:
                return flag
                    ? .attention(seesFace: random.chance(percent: 50)) : .phoneCall(isOn: false)
            }
        }
    }
}
