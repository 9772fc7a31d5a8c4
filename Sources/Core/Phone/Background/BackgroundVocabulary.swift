package import KodamaSimulation
package import SansIO

/// What an app asks of the scheduler (`BGTaskRequest`).
package struct BackgroundTaskRequest: Sendable, Equatable {
    /// Which of the three kinds it is.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A short one, to be up to date (`BGAppRefreshTaskRequest`).
        case refresh
        /// A long one, as a rule while the phone charges (`BGProcessingTaskRequest`).
        case processing
        /// One that the user began in front and that goes on behind (`BGContinuedProcessingTaskRequest`,
        /// iOS 26).
        case continued
    }

    /// Its name.
    package var identifier: String
    /// Which kind it is.
    package var kind: Kind
    /// Not before this wall time (`earliestBeginDate`).
    package var earliestBegin: WallTime?
    /// Whether it runs only while the phone charges.
    package var requiresExternalPower = false
    /// Whether it runs only while there is a network.
    package var requiresNetwork = false

    /// Describes a request.
    package init(_ identifier: String, _ kind: Kind, earliestBegin: WallTime? = nil) {
        self.identifier = identifier
        self.kind = kind
        self.earliestBegin = earliestBegin
    }
}

/// Why a request is not taken (`BGTaskScheduler.Error.Code`).
package enum BackgroundTaskError: String, Error, Sendable, Hashable, CaseIterable {
    /// Background App Refresh is off, or a continued task was not begun in front.
    case unavailable
    /// `tooManyPendingTaskRequests`
    case tooManyPendingTaskRequests
}

/// What the system looks at before it runs a task.
package struct BackgroundCondition: Sendable, Equatable {
    /// The charge of the battery in per cent.
    package var batteryPercent = 100
    /// Whether the phone charges.
    package var isCharging = false
    /// Whether Low Power Mode is on.
    package var isLowPowerMode = false
    /// Whether the phone's thermal state is serious or worse.
    package var isHot = false
    /// Whether there is a network.
    package var hasNetwork = true
    /// Whether the phone is on and was unlocked since it was switched on.
    package var isReady = true

    /// A phone with a full battery.
    package init() {}

    /// Whether tasks run at all: not below 20 % of charge, in Low Power Mode or when hot
    /// (brewkits/kmpworkmanager, IOS_BGTASK_LIMITS.md); that a charging phone's charge does not matter is an
    /// assumption.
    var allowsTasks: Bool {
        isReady && (batteryPercent >= 20 || isCharging) && !isLowPowerMode && !isHot
    }
}

/// When and for how long the system runs tasks.
package struct BackgroundConfiguration: Sendable, Equatable {
    /// The time between an app's refreshes: median 6 h, an assumption; the system goes by the user's habits
    /// (Apple, `BGAppRefreshTaskRequest`).
    package var refreshSpacing = LatencyLaw(median: .seconds(6 * 3_600), sigmaMillionths: 500_000)
    /// How many refreshes an app gets within 24 h; Apple publishes no budget: an assumption.
    package var refreshesPerDayMax = 6
    /// The time between opportunities for processing: 10 to 20 h (wallywallet, merge request 129).
    package var processingSpacing: ClosedRange<Duration> =
        .seconds(10 * 3_600)...(.seconds(20 * 3_600))
    /// How long a refresh runs: 30 s, which is an upper bound (Apple; developer forums, thread 780956).
    package var refreshTime: Duration = .seconds(30)
    /// How often a refresh expires much earlier; off.
    package var refreshExpiresEarly = Probability.zero
    /// When it then does: after 2 to 5 s (Apple, developer forums, thread 780956).
    package var earlyExpiry: ClosedRange<Duration> = .seconds(2)...(.seconds(5))
    /// How long processing runs: minutes (Apple, `BGProcessingTask`); five are an assumption.
    package var processingTime: Duration = .seconds(300)
    /// How long an app may take to end an expired task before its process is ended; an assumption.
    package var expirationGrace: Duration = .seconds(5)
    /// Whether continued tasks never start, as on some models (Apple, developer forums, thread 805088); off.
    package var continuedNeverStarts = false

    /// An iPhone's.
    package init() {}
}
