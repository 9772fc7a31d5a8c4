package import SansIO

/// A version of iOS.
package struct IOSVersion: Sendable, Hashable, Comparable {
    /// Such as 26.
    package var major: Int
    /// Such as 1.
    package var minor: Int

    /// Names a version.
    package init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Orders versions from old to new.
    package static func < (left: IOSVersion, right: IOSVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}

/// An app as AlarmKit knows it.
package struct AlarmApp: Sendable, Equatable {
    /// Whether the user allows its alarms.
    package var permission = PermissionCondition(.undetermined)
    /// Whether `NSAlarmKitUsageDescription` says something; else nothing can be scheduled (Apple, AlarmKit,
    /// "Scheduling an alarm with AlarmKit").
    package var hasUsageDescription = true
    /// Whether it has a widget extension, which a countdown needs (the same source).
    package var hasWidgetExtension = true
    /// Whether the user has hidden it or locked it with Face ID or a passcode.
    package var isProtected = false
    /// The files it has for sounds.
    package var sounds: [SoundFile] = []

    /// An app whose user was never asked.
    package init() {}
}

/// How a system treats alarms.
package struct SystemAlarmsConfiguration: Sendable, Equatable {
    /// The version of the system; AlarmKit begins with iOS 26 (Apple).
    package var version = IOSVersion(26, 1)
    /// Whether it is Apple's simulator, which since iOS 26.1 fires no alarm while it is locked.
    package var isSimulator = false
    /// How many alarms an app may have; the system judges by itself and Apple publishes no number: an
    /// assumption, above the 41 that a published app schedules (Levio).
    package var alarmsMax = 64
    /// Whether a stop by a button of the phone opens an app whose intent asks for it; found nowhere: an
    /// assumption.
    package var opensAppFromHardwareStop = false
    /// Whether a stop on a locked phone opens it, which the user then has to unlock; found nowhere: an
    /// assumption.
    package var opensAppWhenLocked = true
    /// The bugs; all off.
    package var faults = AlarmFaultRates()

    /// An iPhone's.
    package init() {}
}

/// How often AlarmKit fails in ways that single reports describe; each is off until a scenario turns it on.
package struct AlarmFaultRates: Sendable, Equatable {
    /// An alarm of a dense series that is due while the phone is locked rings late (Apple, developer
    /// forums, thread 825427, iOS 26).
    package var denseSeriesLate = Probability.zero
    /// How late: 20 s to more than 4 min in that report; where it ends is an assumption.
    package var denseSeriesDelay: ClosedRange<Duration> = .seconds(20)...(.seconds(300))
    /// How near its neighbour an alarm of a dense series is; Levio's are 10 to 60 s apart.
    package var denseSeriesSpacing: Duration = .seconds(60)
    /// Whether a late alarm brings the others that are late, too ("bunched", the same report).
    package var bunchesLateAlarms = false
    /// An alarm fires at 00:00 instead; reported for 1 to 2 users of several thousand per day (Apple,
    /// developer forums, thread 820388), and not for an alarm that is scheduled after that midnight.
    package var firesAtMidnight = Probability.zero
    /// It says that it alerts, without sound or UI (OpenMinis, issue 115, iOS 26.1; in iOS 26.2 beta 3
    /// without sound, Apple, developer forums, thread 809398).
    package var alertsInSilence = Probability.zero
    /// Its sound was reset to none (9to5Mac, 2026).
    package var soundReset = Probability.zero
    /// A file of the app's is replaced by an error tone, in iOS 26.0 only (Apple, developer forums, thread
    /// 802620).
    package var errorTone = Probability.zero
    /// On an unlocked phone it is a banner with a short buzz, without sound (Apple, developer forums,
    /// thread 808260, unconfirmed).
    package var unlockedOnlyBuzzes = Probability.zero
    /// An alarm with a countdown of an app without a widget extension is dismissed unrung (Apple, "Scheduling
    /// an alarm with AlarmKit": it may be).
    package var dismissedWithoutWidget = Probability.zero
    /// Of two alarms of one instant, one is lost; which is undefined.
    package var collisionLosesOne = Probability.zero
    /// A phone call that comes while it rings ends its sound for good (people's reports, volect, iOS 13).
    package var callEndsSound = Probability.zero
    /// It is silent at first and its buttons are dead (a user's report on rakhim's blog, iOS 26).
    package var freezes = Probability.zero
    /// For how long: 45 min in that report.
    package var freezeTime: Duration = .seconds(45 * 60)
    /// The Live Activity stays after the alarm was swiped away (Apple, developer forums, thread 819556).
    package var liveActivityStays = Probability.zero

    /// A system without these bugs.
    package init() {}
}
