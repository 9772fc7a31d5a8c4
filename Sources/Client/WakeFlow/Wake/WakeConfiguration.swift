/// How wakes are armed, repeated and given up.
public struct WakeConfiguration: Sendable, Equatable {
    /// The time between two sounds of a ladder, 10 s to 10 min.
    ///
    /// Wake apps that are read use 10 to 60 s; in dense series on a locked phone sounds came 20 s to more
    /// than 4 min late or bunched (Apple developer forums, thread 825427). Swept against such alarms, and with
    /// notifications, of which each sounds less than 30 s: only 10 s keeps p99.9 of due to audible below a
    /// minute, and it costs no more sounds after getting up (`Scenarios/coach/ladder-front`).
    public var spacing: Duration = .seconds(10)
    /// How many sounds a ladder has, 1 to 60; swept with the spacing: with ten notifications that close
    /// together, one who stops the first half asleep sleeps on.
    public var length = 20
    /// How many entries of all wakes are armed together, 1 to 60.
    ///
    /// The system keeps 64 pending notifications of an app. A change arms the new ladder before it takes the
    /// old one back, so that a kill between leaves one too many and not none: half of 64, less four for
    /// nudges.
    public var entriesMax = 28
    /// How many days ahead a repeating wake is armed, 1 to 7; the days after the next with one sound each.
    ///
    /// A morning that is slept through runs no code that could arm the next one. An assumption: a week.
    public var daysAhead = 7
    /// How long after its time a wake goes on that led to nothing; K-05's half hour.
    ///
    /// A snooze outlasts it: the ladder after it is sounded to its end.
    public var window: Duration = .seconds(1_800)
    /// How long after a stop, or a conversation that led to nothing, the ladder begins again, 1 s to 10 min.
    ///
    /// Apps that are read re-arm 3 s after a stop. A minute leaves time to connect and to answer the first
    /// line; an assumption.
    public var rearmDelay: Duration = .seconds(60)
    /// How long after a line of the guide must have been answered the ladder begins again; zero: not at all.
    ///
    /// Each line moves it on, so that it never sounds in a guide that goes on, and soon after the death of
    /// the process of one that does not. Swept from 10 to 120 s every length saves as many mornings; this one
    /// leaves a late process room (`Scenarios/coach/ladder-front`).
    public var guideGuard: Duration = .seconds(30)
    /// How long a snooze lasts; the usual nine minutes.
    ///
    /// Snoozers use 8 min on average, SD 5 (Sundelin et al., 2023).
    public var snoozeInterval: Duration = .seconds(540)
    /// How often a morning can be snoozed; a press after that counts as a stop.
    ///
    /// Users press 2.4 times on average (Robbins et al., Sci Rep 2025).
    public var snoozesMax = 3
    /// How long a connect may take until the guide begins offline, 1 s to 30 s.
    ///
    /// K-04 asks for 3 s at the 95th percentile; beyond that waiting costs the sleeper's attention.
    public var connectPatience: Duration = .seconds(5)
    /// By how much an entry may sound early and still begin the morning.
    ///
    /// Alarms were seen to fire at midnight instead (Apple developer forums, thread 820388): one that is
    /// answered then is armed anew. Five minutes is an assumption.
    public var earlinessMax: Duration = .seconds(300)
    /// A wake doesn't ring again on the same local day within this time after its morning ended, when the
    /// clock or the zone is set back over it; an assumption.
    public var sameMorning: Duration = .seconds(14_400)
    /// The guide.
    public var script = GuidedScriptConfiguration()
    /// The evening's preload.
    public var preload = WakePreloadConfiguration()

    /// The default preset.
    public init() {}
}

/// How the evening's preload goes.
public struct WakePreloadConfiguration: Sendable, Equatable {
    /// How long before the wake the preload may begin, 1 h to 24 h: the evening before.
    ///
    /// An assumption.
    public var lead: Duration = .seconds(36_000)
    /// How long a fetch or a sync may take until it is tried again, 1 s to 30 s.
    ///
    /// Background time is 30 s at most, and 2 to 5 s have been seen (Apple developer forums, thread 780956).
    public var patience: Duration = .seconds(10)
    /// The pause before the second try; doubled before each further one.
    public var pause: Duration = .seconds(2)
    /// How many tries one background task makes.
    public var triesMax = 4
    /// The soonest that a task which led to nothing is asked for again; an assumption.
    public var retryInterval: Duration = .seconds(1_800)
    /// The longest sound that the system plays; a longer file is silently replaced (Apple, `UNNotificationSound`).
    public var soundLengthMax: Duration = .seconds(30)

    /// The default preset.
    public init() {}
}
