package import SansIO

/// How loud something is at the user's ear, A-weighted.
package struct SoundLevel: Sendable, Hashable, Comparable {
    /// Decibels above 20 µPa, 0 to 200.
    package let decibelsA: Int

    /// Makes a level, held between 0 and 200 dBA.
    package init(decibelsA: Int) {
        self.decibelsA = max(0, min(200, decibelsA))
    }

    /// Orders levels from quiet to loud.
    package static func < (left: SoundLevel, right: SoundLevel) -> Bool {
        left.decibelsA < right.decibelsA
    }
}

/// What the user's ear gets of the phone's alarms and notifications.
package struct HeardSound: Sendable, Hashable {
    /// What plays.
    package var sound: SystemSound
    /// How loud it is at the ear.
    package var level: SoundLevel

    /// Describes a sound.
    package init(_ sound: SystemSound, _ level: SoundLevel) {
        self.sound = sound
        self.level = level
    }
}

/// How a notification makes itself felt.
package enum AlertModality: String, Sendable, Hashable, CaseIterable {
    /// Neither.
    case silent
    /// It vibrates.
    case vibration
    /// It sounds.
    case sound
    /// It sounds and vibrates.
    case both
}

/// Which sounds of the system come from where, and how loud: ringer volume, mute switch, headset, the
/// face that the phone sees, calls.
///
/// An alarm follows the ringer's volume and ignores the mute switch (Apple, developer forums, threads 813519
/// and 821315); a critical alert ignores both; another notification obeys both.
package struct SoundOutput: StateMachine {
    /// A fact for the output.
    package enum Event: Sendable, Equatable {
        /// The alarms play this from now on, over and over, or nothing.
        case alarm(SystemSound?)
        /// A notification plays this, once.
        case notification(SystemSound, isCritical: Bool)
        /// The user answers the notification that sounds; that its sound ends with it is an assumption.
        case notificationAnswered
        /// The ringer's slider is set, in per cent; no app can read it.
        case ringerVolume(percent: Int)
        /// The mute switch is turned.
        case muteSwitch(isOn: Bool)
        /// A headset is connected or taken away; in the ears, or left somewhere.
        case headset(isConnected: Bool, isWorn: Bool)
        /// The phone sees a face that looks at it, or does not any more.
        case attention(seesFace: Bool)
        /// A call goes on, or is over.
        case phoneCall(isOn: Bool)
    }

    /// An order from the output.
    package enum Effect: Sendable, Equatable {
        /// The ear gets this from now on, or nothing.
        case heard(HeardSound?)
    }

    struct Notification: Sendable, Equatable {
        let sound: SystemSound
        let isCritical: Bool
        let until: Instant
    }

    /// What is heard changes once.
    package static var effectsPerCallMax: Int { 1 }

    /// A phone never ends.
    package var isFinished: Bool { false }

    private let configuration: SoundOutputConfiguration
    private var alarm: SystemSound?
    private var notification: Notification?
    private var volume: Int
    private var isMuted = false
    private var isConnected = false
    private var isWorn = false
    private var seesFace = false
    private var callIsOn = false
    private var told: HeardSound?

    /// Makes a phone that plays nothing.
    ///
    /// - Parameters:
    ///   - ringerVolumePercent: Where the slider is.
    ///   - configuration: How loud the phone is.
    package init(
        ringerVolumePercent: Int = 100,
        configuration: SoundOutputConfiguration = SoundOutputConfiguration()
    ) {
        volume = max(0, min(100, ringerVolumePercent))
        self.configuration = configuration
    }

    /// How a notification with this sound makes itself felt now.
    package func modality(of sound: SystemSound?, isCritical: Bool) -> AlertModality {
        guard sound != nil else { return .silent }
        return (isMuted || volume == 0) && !isCritical ? .vibration : .both
    }

    /// The end of a notification's sound.
    package var deadline: Deadline? {
        notification.map { Deadline($0.until, "notification sound") }
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .alarm(let sound): alarm = sound
        case .notification(let sound, let isCritical):
            let until = turn.now.advanced(by: configuration.length(of: sound))
            notification = Notification(sound: sound, isCritical: isCritical, until: until)
        case .notificationAnswered: notification = nil
        case .ringerVolume(let percent): volume = max(0, min(100, percent))
        case .muteSwitch(let isOn): isMuted = isOn
        case .headset(let isConnected, let isWorn):
            (self.isConnected, self.isWorn) = (isConnected, isWorn && isConnected)
        case .attention(let seesFace): self.seesFace = seesFace
        case .phoneCall(let isOn): callIsOn = isOn
        }
        settle(in: &turn)
    }

    /// Ends a notification's sound.
    package mutating func wake(in turn: inout Turn<Effect>) {
        guard let notification, notification.until <= turn.now else { return }
        self.notification = nil
        settle(in: &turn)
    }

    private mutating func settle(in turn: inout Turn<Effect>) {
        let heard = heardAlarm ?? heardNotification
        guard heard != told else { return }
        told = heard
        turn.order(.heard(heard))
    }

    private var heardAlarm: HeardSound? {
        guard let alarm, volume > 0 else { return nil }
        var level = at(volume, of: configuration.speaker)
        if isConnected {
            switch configuration.alarmRoute {
            case .both: if isWorn { level = max(level, headsetLevel) }
            case .headset: level = headsetLevel
            case .speaker: break
            }
        }
        if seesFace { level -= configuration.attentionDecibels }
        if callIsOn { level -= configuration.callDecibels }
        return HeardSound(alarm, SoundLevel(decibelsA: level))
    }

    private var heardNotification: HeardSound? {
        guard let notification else { return nil }
        guard notification.isCritical || (!isMuted && volume > 0) else { return nil }
        let speaker = at(notification.isCritical ? 100 : volume, of: configuration.speaker)
        let level = isConnected && !notification.isCritical ? headsetLevel : speaker
        return HeardSound(notification.sound, SoundLevel(decibelsA: level))
    }

    /// A headset that is not in the ears is next to inaudible.
    private var headsetLevel: Int {
        at(volume, of: isWorn ? configuration.headset : configuration.headsetNotWorn)
    }

    private func at(_ percent: Int, of full: Int) -> Int {
        full - (100 - percent) * configuration.rangeDecibels / 100
    }
}

/// How loud a phone is; no published measurement of an iPhone at the pillow was found, so all are assumptions.
package struct SoundOutputConfiguration: Sendable, Equatable {
    /// Where an alarm comes from while a headset is connected; Apple does not say for AlarmKit.
    package enum AlarmRoute: String, Sendable, Hashable, CaseIterable {
        /// From both, as the Clock app's alarms do.
        case both
        /// From the headset alone.
        case headset
        /// From the loudspeaker alone.
        case speaker
    }

    /// The loudspeaker at full volume, at the pillow, in dBA; between the 70 and 85 dBA of smoke detectors that
    /// woke everybody in a quiet room (Nober and others, Fire Journal 75(4), 1981).
    package var speaker = 75
    /// A headset in the ears at full volume, in dBA.
    package var headset = 80
    /// A headset that lies beside the pillow, in dBA at the ear.
    package var headsetNotWorn = 30
    /// By how many decibels the slider reaches down; at zero nothing sounds.
    package var rangeDecibels = 40
    /// By how many decibels an alarm is lowered when the phone sees a face; that it is, Apple confirmed in
    /// 2024 (derStandard).
    package var attentionDecibels = 20
    /// By how many decibels an alarm is lowered during a call.
    package var callDecibels = 30
    /// Where an alarm comes from while a headset is connected.
    package var alarmRoute = AlarmRoute.both
    /// How long the system's own notification sound is.
    package var standardLength: Duration = .seconds(2)

    /// An iPhone's.
    package init() {}

    func length(of sound: SystemSound) -> Duration {
        guard case .file(let file) = sound else { return standardLength }
        return max(file.length, .milliseconds(1))
    }
}
