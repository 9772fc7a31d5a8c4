package import SansIO

/// What an app orders of the notification centre (`UNUserNotificationCenter`).
package enum NotificationOrder: Sendable, Equatable {
    /// `requestAuthorization(options:)`, for alerts and sounds.
    case requestAuthorization(OperationID)
    /// `getNotificationSettings()`
    case getSettings(OperationID)
    /// `add(_:)`; a pending request of the same identifier is replaced.
    case add(OperationID, NotificationRequest)
    /// `removePendingNotificationRequests(withIdentifiers:)`
    case removePending([String])
    /// `removeAllPendingNotificationRequests()`
    case removeAllPending
    /// `getPendingNotificationRequests()`
    case getPending(OperationID)
    /// `getDeliveredNotifications()`
    case getDelivered(OperationID)
    /// `removeDeliveredNotifications(withIdentifiers:)`
    case removeDelivered([String])
}

/// What is shown, and when (`UNNotificationRequest`).
package struct NotificationRequest: Sendable, Equatable {
    /// When a notification is due (`UNNotificationTrigger`).
    package enum Trigger: Sendable, Equatable {
        /// After so long, and again and again if it repeats, which needs 60 s at least
        /// (`UNTimeIntervalNotificationTrigger`).
        case interval(Duration, repeats: Bool = false)
        /// When the local clock shows this (`UNCalendarNotificationTrigger`).
        case calendar(CivilTime)
        /// At this wall time in whatever zone: a calendar trigger whose components name their time zone.
        case date(WallTime)
        /// Whenever the local clock shows this, on these days; every day if there are none.
        case repeating(ClockTime, on: CivilWeekdays = [])
    }

    /// The name by which the app removes or replaces it.
    package var identifier: String
    /// When it is due; `nil` for at once.
    package var trigger: Trigger?
    /// How much it may disturb.
    package var level: InterruptionLevel
    /// What it plays, once; `nil` for nothing.
    package var sound: SoundName?
    /// The identifiers of its category's buttons (`UNNotificationCategory.actions`).
    package var actions: [String]

    /// Describes a notification.
    package init(
        _ identifier: String,
        _ trigger: Trigger?,
        level: InterruptionLevel = .active,
        sound: SoundName? = .standard,
        actions: [String] = []
    ) {
        self.identifier = identifier
        self.trigger = trigger
        self.level = level
        self.sound = sound
        self.actions = actions
    }
}

/// How much a notification may disturb (`UNNotificationInterruptionLevel`).
package enum InterruptionLevel: String, Sendable, Hashable, CaseIterable {
    /// It goes to the list only.
    case passive
    /// It lights the screen and sounds.
    case active
    /// It breaks through a Focus and the scheduled summary unless the user switched that off.
    case timeSensitive
    /// It breaks through those and the mute switch; needs an entitlement of Apple's.
    case critical
}

/// What the user and Apple let an app do (`UNNotificationSettings`).
package struct NotificationSettings: Sendable, Equatable {
    /// Whether the user allows notifications.
    package var permission = PermissionCondition(.undetermined)
    /// Whether they are shown on the screen.
    package var allowsAlerts = true
    /// Whether they sound.
    package var allowsSounds = true
    /// Whether time-sensitive ones are such.
    package var allowsTimeSensitive = true
    /// Whether the user allows critical ones.
    package var allowsCritical = true
    /// Whether Apple gave the entitlement for critical alerts, which it refuses as a rule: even to a
    /// medication reminder (a developer's blog, 2023).
    package var hasCriticalEntitlement = false
    /// Whether the app's notifications wait for the scheduled summary.
    package var isInSummary = false
    /// Whether the user lets the app through a Focus.
    package var isAllowedInFocus = false

    /// An app whose user was never asked, without critical alerts.
    package init() {}

    /// The level at which a notification of `level` is treated.
    func effective(_ level: InterruptionLevel) -> InterruptionLevel {
        switch level {
        case .critical where !hasCriticalEntitlement || !allowsCritical:
            effective(.timeSensitive)
        case .timeSensitive where !allowsTimeSensitive: .active
        default: level
        }
    }
}

/// A Focus that is on.
package struct Focus: Sendable, Equatable {
    /// Which one it is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Sleep.
        case sleep
        /// Do Not Disturb.
        case doNotDisturb
        /// Work, or one that the user made.
        case other
    }

    /// Which one it is.
    package var kind: Kind
    /// Whether it lets time-sensitive notifications through.
    package var allowsTimeSensitive: Bool

    /// Describes a Focus.
    package init(_ kind: Kind, allowsTimeSensitive: Bool = true) {
        self.kind = kind
        self.allowsTimeSensitive = allowsTimeSensitive
    }
}

/// How the system answers an order.
package enum NotificationAnswer: Sendable, Equatable {
    /// It is done; of a request that was dropped for the limit this is no proof.
    case done
    /// The user allows notifications, or does not.
    case authorization(isGranted: Bool)
    /// The app's settings.
    case settings(NotificationSettings)
    /// The requests that wait, in the order in which they were added.
    case pending([NotificationRequest])
    /// The notifications in the list, the oldest first, with the times at which they came.
    case delivered([DeliveredNotification])
    /// It throws: a repeating interval of less than 60 s.
    case failed
}

/// A notification in the list (`UNNotification`).
package struct DeliveredNotification: Sendable, Equatable {
    /// Its identifier.
    package var identifier: String
    /// What the clock showed when it came.
    package var date: WallTime

    /// Describes one.
    package init(_ identifier: String, at date: WallTime) {
        self.identifier = identifier
        self.date = date
    }
}

/// How a notification came to the user.
package struct NotificationPresentation: Sendable, Equatable {
    /// Whether it lights the screen or drops a banner; else it is only in the list.
    package var isShown: Bool
    /// What it plays, once.
    package var sound: SystemSound?
    /// Whether the sound ignores the mute switch and the ringer's volume.
    package var isCritical: Bool

    /// Describes how one came.
    package init(isShown: Bool, sound: SystemSound?, isCritical: Bool = false) {
        self.isShown = isShown
        self.sound = sound
        self.isCritical = isCritical
    }
}

/// Why a notification did not come to the user, or not yet.
package enum NotificationFault: String, Sendable, Hashable, CaseIterable {
    /// The user does not allow notifications.
    case notAuthorized
    /// There were more than 64 (no error tells the app).
    case overLimit
    /// A Focus keeps it in the list, without a sound.
    case focus
    /// It waits for the scheduled summary.
    case summary
    /// The phone was off.
    case phoneOff
}
