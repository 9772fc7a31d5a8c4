package import SansIO

/// What an app orders of AlarmKit (`AlarmManager`).
package enum AlarmOrder: Sendable, Equatable {
    /// `requestAuthorization()`
    case requestAuthorization(OperationID)
    /// `schedule(id:configuration:)`; asks for authorization first if the user was never asked.
    case schedule(OperationID, id: UniqueID, AlarmConfiguration)
    /// `cancel(id:)`
    case cancel(OperationID, id: UniqueID)
    /// `stop(id:)`
    case stop(OperationID, id: UniqueID)
    /// `countdown(id:)`: snoozes an alarm that alerts.
    case countdown(OperationID, id: UniqueID)
    /// Reads `alarms`.
    case listAlarms(OperationID)
}

/// What an alarm is to do (`AlarmManager.AlarmConfiguration`).
package struct AlarmConfiguration: Sendable, Equatable {
    /// When it alerts (`Alarm.Schedule`).
    package enum Schedule: Sendable, Equatable {
        /// At this wall time: travel moves its local hour.
        case fixed(WallTime)
        /// When the local clock shows this; weekly on these days, once if there are none.
        case relative(ClockTime, repeats: CivilWeekdays = [])
    }

    /// The one button beside stop (`secondaryButtonBehavior`).
    package enum SecondaryButton: Sendable, Equatable {
        /// Snoozes for so long (`.countdown`, `postAlert`); the system does it, no app needed.
        case countdown(postAlert: Duration)
        /// Runs the app's intent.
        case custom(AlarmIntent)
    }

    /// When it alerts.
    package var schedule: Schedule
    /// What it plays, over and over.
    package var sound: SoundName
    /// What runs when it is stopped.
    package var stopIntent: AlarmIntent?
    /// The button beside stop.
    package var secondaryButton: SecondaryButton?

    /// Describes an alarm.
    package init(
        _ schedule: Schedule,
        sound: SoundName = .standard,
        stopIntent: AlarmIntent? = nil,
        secondaryButton: SecondaryButton? = nil
    ) {
        self.schedule = schedule
        self.sound = sound
        self.stopIntent = stopIntent
        self.secondaryButton = secondaryButton
    }
}

/// The `LiveActivityIntent` of a button.
package enum AlarmIntent: Sendable, Hashable {
    /// Runs in the background, without UI.
    case inBackground
    /// Opens the app as well (`openAppWhenRun`).
    case opensApp
}

/// Where an alarm is (`Alarm.State`); `paused` is a timer's and not modelled.
package enum AlarmState: String, Sendable, Hashable, CaseIterable {
    /// Waits for its time.
    case scheduled
    /// Snoozed.
    case countdown
    /// Alerts, or says so.
    case alerting
}

/// How the system answers an order.
package enum AlarmAnswer: Sendable, Equatable {
    /// It is done.
    case done
    /// The user allows alarms, or does not.
    case authorization(isGranted: Bool)
    /// The app's alarms, in the order in which they were scheduled.
    case alarms([AlarmEntry])
    /// It throws.
    case failed(AlarmError)
}

/// One of an app's alarms.
package struct AlarmEntry: Sendable, Equatable {
    /// The identifier that the app gave it.
    package var id: UniqueID
    /// Where it is.
    package var state: AlarmState

    /// Describes an alarm.
    package init(_ id: UniqueID, _ state: AlarmState) {
        self.id = id
        self.state = state
    }
}

/// Why AlarmKit refuses.
package enum AlarmError: String, Error, Sendable, Hashable, CaseIterable {
    /// The system is older than iOS 26.
    case unavailable
    /// `NSAlarmKitUsageDescription` is missing or empty, or the user refused.
    case notAuthorized
    /// `AlarmError.maximumLimitReached`
    case maximumLimitReached
    /// The alarm does not exist, is not in a state for that, or is fixed to a time that is past.
    case invalid
}

/// How an alarm appears.
package struct AlarmAlert: Sendable, Equatable {
    /// Where it is shown.
    package enum Presentation: String, Sendable, Hashable, CaseIterable {
        /// Over the whole screen of a locked phone.
        case fullScreen
        /// As a banner over the app in front of an unlocked phone.
        case banner
        /// Nowhere: the state says alerting, and nothing is seen.
        case nowhere
    }

    /// Where it is shown.
    package var presentation: Presentation
    /// What it plays until it is stopped; `nil` for nothing.
    package var sound: SystemSound?

    /// Describes an alert.
    package init(_ presentation: Presentation, sound: SystemSound?) {
        self.presentation = presentation
        self.sound = sound
    }
}

/// What the user does with the alarm that is shown.
package enum AlarmAct: Sendable, Hashable, CaseIterable {
    /// Taps stop, which iOS 26.0 has.
    case tapStop
    /// Slides to stop, which iOS 26.1 and later have.
    case slideToStop
    /// Presses a side or volume button, blindly perhaps.
    case pressHardwareButton
    /// Taps the second button.
    case tapSecondary
}

/// Why an alert is over.
package enum AlarmEnd: String, Sendable, Hashable, CaseIterable {
    /// The user stopped it on the screen.
    case stopped
    /// The user stopped it with a button of the phone.
    case stoppedByHardwareButton
    /// It is snoozed.
    case snoozed
    /// The second button ran the app's intent.
    case secondary
    /// The app stopped, cancelled or replaced it.
    case byApp
    /// The phone was switched off.
    case phoneOff
}

/// Why an alarm that was due did not alert.
package enum AlarmFault: String, Sendable, Hashable, CaseIterable {
    /// Its app is hidden or locked by Face ID or a passcode.
    case appProtected
    /// The user took the permission back.
    case notAuthorized
    /// It has a countdown and its app has no widget extension.
    case dismissedUnrung
    /// Another alarm of the same instant won.
    case lostCollision
    /// Apple's simulator was locked.
    case simulatorLocked
    /// The phone was off.
    case phoneOff
}
