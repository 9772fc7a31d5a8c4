public import SansIO

/// One pre-armed sound of a wake: a system alarm or a local notification.
public struct WakeEntry: Sendable, Hashable {
    /// Its name with the system.
    public var id: WakeEntryID
    /// How it is armed.
    public var path: WakePath
    /// When it is to sound.
    public var schedule: WakeSchedule
    /// What is to sound.
    public var sound: WakeSound

    /// The identifier of the snooze button that every entry has: an alarm's secondary button, or the action of
    /// a notification's category, which runs the app in the background; `WakeFlow.Event.snoozed` tells of it.
    public static let snoozeAction = "snooze"

    /// Makes an entry.
    public init(id: WakeEntryID, path: WakePath, schedule: WakeSchedule, sound: WakeSound) {
        self.id = id
        self.path = path
        self.schedule = schedule
        self.sound = sound
    }
}

/// Names an entry; no two that are ever armed share a name, since a second notification under a pending
/// identifier replaces the first (nightscout/Trio, pull request 1552).
public struct WakeEntryID: Sendable, Hashable {
    /// The wake.
    public var wake: WakeID
    /// Which arming of ladders made it; counted through the app's life on the phone.
    public var arming: UInt32
    /// Which rung of the ladder it is, from 0.
    public var rung: UInt16

    /// Names an entry.
    public init(wake: WakeID, arming: UInt32, rung: UInt16) {
        self.wake = wake
        self.arming = arming
        self.rung = rung
    }

    /// The identifier of a notification: `wake.3.17.0` is rung 0 of arming 17 of wake 3.
    public var text: String { "wake.\(wake.number).\(arming).\(rung)" }

    /// Reads what `text` writes; `nil` for any other identifier.
    public init?(_ text: String) {
        let words = text.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "wake", let wake = UInt32(words[1]),
            let arming = UInt32(words[2]), let rung = UInt16(words[3])
        else { return nil }
        self.init(wake: WakeID(number: wake), arming: arming, rung: rung)
        guard self.text == text else { return nil }
    }

    /// The identifier of a system alarm, which has to be a UUID (`Alarm.ID`); version 8, made from the
    /// name's numbers (RFC 9562 §5.8).
    public var uuid: UniqueID {
        UniqueID(
            high: UInt64(wake.number) << 32 | 0x8000 | UInt64(rung & 0xFFF),
            low: 0x8000_0000_0000_0000 | UInt64(rung >> 12) << 32 | UInt64(arming)
        )
    }

    /// Reads what `uuid` makes; `nil` for any other UUID.
    public init?(_ uuid: UniqueID) {
        let rung = UInt16(uuid.high & 0xFFF) | UInt16(uuid.low >> 32 & 0xF) << 12
        let wake = WakeID(number: UInt32(uuid.high >> 32))
        self.init(wake: wake, arming: UInt32(uuid.low & 0xFFFF_FFFF), rung: rung)
        guard self.uuid == uuid else { return nil }
    }
}

/// When the system is to sound an entry.
public enum WakeSchedule: Sendable, Hashable {
    /// At an instant of the wall clock.
    case fixed(WallTime)
    /// When the phone's clock shows this, in whatever zone the phone is by then.
    ///
    /// The day is at most a week ahead. As `Alarm.Schedule.Relative` knows weekdays and no dates, a system
    /// alarm for a later day than the next repeats each week until it is disarmed. For it the time is a
    /// whole minute: that type knows no seconds either.
    case relative(LocalTime)
}

/// The ways to wake, the best first (D-23).
public enum WakePath: String, Sendable, Hashable, CaseIterable {
    /// A system alarm (AlarmKit, iOS 26 and later): rings through Focus and mute until it is stopped.
    case systemAlarm
    /// Critical alerts: sound through Focus and mute; need an entitlement.
    case criticalAlert
    /// Time-sensitive notifications: pass Focus unless the user forbids it; silenced by the mute switch.
    case timeSensitive
}

/// What sounds.
public enum WakeSound: Sendable, Hashable {
    /// The sound in the app's bundle.
    case bundled
    /// A file in `Library/Sounds` itself, which the preload put there.
    case preloaded(name: String)
}

/// What the user has answered to a permission.
public enum Grant: String, Sendable, Hashable, CaseIterable {
    /// The user has not been asked.
    case undecided
    /// Granted.
    case granted
    /// Refused, or taken back.
    case denied
}

/// What the phone and its user allow a wake to do.
public struct WakeGrants: Sendable, Hashable {
    /// The system's major version; AlarmKit exists from 26.
    public var systemVersion: Int
    /// System alarms.
    public var systemAlarm: Grant
    /// Notifications with sound.
    public var notifications: Grant
    /// Critical alerts; Apple refuses the entitlement to wake apps as a rule.
    public var criticalAlert: Grant

    /// Makes grants.
    public init(
        systemVersion: Int,
        systemAlarm: Grant = .undecided,
        notifications: Grant = .undecided,
        criticalAlert: Grant = .denied
    ) {
        self.systemVersion = systemVersion
        self.systemAlarm = systemAlarm
        self.notifications = notifications
        self.criticalAlert = criticalAlert
    }
}

/// Flags by which the server changes behaviour without code changes (AN-11).
public struct CoachFlags: Sendable, Hashable {
    /// Whether a granted critical alert is used (`UseCriticalAlert`).
    public var usesCriticalAlert: Bool
    /// Whether conversations are held with the realtime agent (`UseRealtime`); else scripts run on the phone.
    public var usesRealtime: Bool
    /// Whether the cloned voice is used where there is one (`UseElevenLabs`).
    public var usesElevenLabs: Bool

    /// Makes flags; all on unless said otherwise.
    public init(
        usesCriticalAlert: Bool = true,
        usesRealtime: Bool = true,
        usesElevenLabs: Bool = true
    ) {
        self.usesCriticalAlert = usesCriticalAlert
        self.usesRealtime = usesRealtime
        self.usesElevenLabs = usesElevenLabs
    }
}
