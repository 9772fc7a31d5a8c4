package import KodamaSimulation
package import SansIO

/// An iPhone that a scenario can choose.
package struct DeviceProfile: Sendable, Equatable {
    /// The name, such as `"iPhone 15"`.
    package let name: String
    /// A full battery, in milliwatt hours.
    package let batteryMilliwattHours: Int64
    /// How long an app takes from the tap to its first line of code.
    package let launch: LatencyLaw

    /// A full battery, in millijoules.
    package var batteryMillijoules: Int64 { batteryMilliwattHours * 3_600 }

    private init(_ name: String, milliwattHours: Int64, launchMilliseconds: Int64) {
        self.name = name
        batteryMilliwattHours = milliwattHours
        // Around Apple's goal of 0.4 s to the first frame (WWDC 2016, session 406); that older processors
        // take longer, by how much, and the spread are assumptions.
        launch = LatencyLaw(median: .milliseconds(launchMilliseconds), sigmaMillionths: 500_000)
    }

    /// iPhone 12 (Apple's data sheet at Chemtrec, by 9to5Mac 2021).
    package static let iPhone12 = DeviceProfile(
        "iPhone 12",
        milliwattHours: 10_780,
        launchMilliseconds: 750
    )
    /// iPhone 13 (the same).
    package static let iPhone13 = DeviceProfile(
        "iPhone 13",
        milliwattHours: 12_410,
        launchMilliseconds: 700
    )
    /// iPhone 14 (9to5Mac 2022).
    package static let iPhone14 = DeviceProfile(
        "iPhone 14",
        milliwattHours: 12_680,
        launchMilliseconds: 700
    )
    /// iPhone 15 (9to5Mac 2023).
    package static let iPhone15 = DeviceProfile(
        "iPhone 15",
        milliwattHours: 12_980,
        launchMilliseconds: 600
    )
    /// iPhone 16: 3,561 mAh (Anatel, by Android Authority 2024), by assumption at iPhone 15's 3.88 V.
    package static let iPhone16 = DeviceProfile(
        "iPhone 16",
        milliwattHours: 13_800,
        launchMilliseconds: 500
    )

    /// All profiles, the oldest first.
    package static let all = [iPhone12, iPhone13, iPhone14, iPhone15, iPhone16]
}

/// What the parts of a phone draw while they work, in milliwatts.
///
/// No source gives them by model: they are the same for all, and together they fit Apple's technical
/// specifications: an iPhone 15 plays audio for 80 h (162 mW) and streamed video for 16 h (811 mW), an iPhone 7
/// or 8 talks for 14 h (500 to 530 mW). A voice session draws 700 mW with the screen off and 1,300 mW with it on.
package struct EnergyProfile: Sendable, Equatable {
    /// The screen at indoor brightness: 300 to 600 mW, an assumption.
    package var screen: Int64 = 600
    /// Opus and the echo canceller: 60 to 150 mW, an assumption.
    package var voiceProcessor: Int64 = 105
    /// The same from a microphone sampled at 16 kHz: the lower end of that range, an assumption.
    package var widebandProcessor: Int64 = 60
    /// Silent audio that keeps an app awake, all of it: 60 to 100 mW, an assumption.
    package var silentAudioProcessor: Int64 = 80
    /// The microphone's path: 20 to 50 mW, an assumption.
    package var microphone: Int64 = 35
    /// The loudspeaker: 50 to 200 mW, an assumption.
    package var speaker: Int64 = 110
    /// Music, all of it: 162 mW, Apple's claim of audio playback.
    package var music: Int64 = 162

    /// An iPhone's.
    package init() {}

    /// What a part other than the radio draws under a load.
    package func milliwatts(of part: EnergyPart, under load: PhoneLoad) -> Int64 {
        switch part {
        case .radio: 0
        case .processor:
            switch (load.hasVoice, load.isWideband) {
            case (true, false): voiceProcessor
            case (true, true): widebandProcessor
            case (false, _): load.hasSilentAudio ? silentAudioProcessor : 0
            }
        case .microphone: load.hasVoice ? microphone : 0
        case .sound: (load.hasVoice ? speaker : 0) + (load.hasMusic ? music : 0)
        case .screen: load.screenIsOn ? screen : 0
        }
    }
}

/// What a phone does, as far as it costs energy.
package struct PhoneLoad: Sendable, Equatable {
    /// Whether the screen is on.
    package var screenIsOn = false
    /// Whether a voice engine runs: microphone, codec and loudspeaker.
    package var hasVoice = false
    /// Whether its microphone is sampled at 16 kHz or less, and not at 48.
    package var isWideband = false
    /// Whether an app plays silence to stay awake.
    package var hasSilentAudio = false
    /// Whether music plays.
    package var hasMusic = false

    /// A phone at rest.
    package init() {}
}

extension EnergyMeter {
    /// Lets all parts but the radio draw what a load costs, from `now` on.
    package mutating func apply(_ load: PhoneLoad, of profile: EnergyProfile, at now: Instant) {
        for part in EnergyPart.allCases where part != .radio {
            set(part, milliwatts: profile.milliwatts(of: part, under: load), at: now)
        }
    }
}
