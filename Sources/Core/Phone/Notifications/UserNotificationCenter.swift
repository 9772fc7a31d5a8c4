package import SansIO
package import KodamaSimulation

/// The notifications that apps leave with the system, and the list of those that came
/// (`UNUserNotificationCenter`).
///
/// The system shows them by itself: no code of an app that is suspended or dead learns that one came. It
/// learns so from a tap, or from the list at its next launch if the user has not cleared it. An app in
/// front is asked first.
package struct UserNotificationCenter: StateMachine {
    /// A fact for the centre.
    package enum Event: Sendable, Equatable {
        /// An app orders something.
        case ordered(AppID, NotificationOrder)
        /// The app's extension posts a notification, or a push brings one: it is due at once.
        case posted(AppID, NotificationRequest)
        /// The app in front says whether a notification is shown (`willPresent`).
        case presentationChosen(AppID, identifier: String, isShown: Bool)
        /// The user taps a notification, or clears it.
        case tapped(AppID, identifier: String)
        /// The user presses one of its buttons; another identifier than its category's is none.
        case actionTapped(AppID, identifier: String, action: String)
        /// The user clears the whole list.
        case listCleared
        /// A Focus begins, changes or ends.
        case focusChanged(Focus?)
        /// The user changes an app's settings; the permission in them is as if answered.
        case settingsChanged(AppID, NotificationSettings)
        /// An app comes to the front, or is there no more.
        case frontChanged(AppID, isInFront: Bool)
        /// An app has these sound files now.
        case soundsChanged(AppID, [SoundFile])
        /// The clock or its zone changed.
        case clockChanged(LocalClock.Change)
        /// The phone is switched on, or goes off.
        case powerChanged(isOn: Bool)
        /// An app's process is gone; its notifications stay.
        case appEnded(AppID)
    }

    /// An order from the centre.
    package enum Effect: Sendable, Equatable {
        /// An app is answered.
        case answered(AppID, OperationID, NotificationAnswer)
        /// The app in front is asked how to present a notification.
        case willPresent(AppID, identifier: String)
        /// A notification came to the user.
        case delivered(AppID, identifier: String, NotificationPresentation)
        /// The summary shows what waited for it.
        case summaryShown(AppID, identifiers: [String])
        /// The user tapped a notification: its app opens and is told (`didReceive`).
        case responded(AppID, identifier: String)
        /// The user pressed a button: its app runs in the background and is told (`actionIdentifier`).
        ///
        /// By assumption also on a locked phone, as without `authenticationRequired`.
        case actionChosen(AppID, identifier: String, action: String)
        /// A notification did not come to the user, or only to the list: the truth, which nothing tells.
        case suppressed(AppID, identifier: String, NotificationFault)
    }

    /// A request that waits.
    struct Pending: Sendable, Equatable {
        let app: AppID
        let request: NotificationRequest
        /// Since when an interval runs.
        var base: Instant
        /// The local time that is waited for.
        var target: CivilTime?
        /// How much later than due the system comes to it.
        var delay: Duration
    }

    struct Delivered: Sendable, Equatable {
        let app: AppID
        let notification: DeliveredNotification
        let actions: [String]
        var waitsForSummary: Bool
    }

    struct Client: Sendable, Equatable {
        var settings: NotificationSettings
        var prompt: PermissionPrompt<OperationID>
        var sounds: [SoundFile]
        var isInFront = false
        /// Notifications of which the app in front has been asked.
        var asked: [NotificationRequest] = []
    }

    /// How many notifications of an app wait; Apple, `UILocalNotification`, archive.
    package static let pendingMax = 64
    /// How many notifications the list keeps of an app; an assumption.
    static let deliveredMax = 100

    /// Late, all notifications at once, and the summary; repeating ones come once.
    package static var effectsPerCallMax: Int {
        8 * (2 * pendingMax + PermissionPrompt<OperationID>.waitingMax + 2)
    }

    /// A phone never ends.
    package var isFinished: Bool { false }

    let configuration: NotificationConfiguration
    var clients: [Client]
    var clock: LocalClock
    var pending: [Pending] = []
    var delivered: [Delivered] = []
    var focus: Focus?
    var isOn = true
    /// The local time of the summary that something waits for.
    var nextSummary: CivilTime?
    var draws: RandomStream

    /// Makes a phone without notifications.
    ///
    /// - Parameters:
    ///   - apps: The apps' settings, in the order of their indices; at most eight.
    ///   - clock: The phone's clock.
    ///   - draws: What delays and bugs are drawn from.
    ///   - configuration: How the system treats notifications.
    package init(
        apps: [NotificationSettings],
        clock: LocalClock,
        draws: RandomStream,
        configuration: NotificationConfiguration = NotificationConfiguration()
    ) {
        precondition(apps.count <= 8, "a phone takes 8 apps")
        clients = apps.map {
            Client(settings: $0, prompt: PermissionPrompt($0.permission), sounds: [])
        }
        self.clock = clock
        self.draws = draws
        self.configuration = configuration
    }

    /// The identifiers in an app's list, the oldest first.
    package func list(of app: AppID) -> [String] {
        delivered.filter { $0.app == app }.map(\.notification.identifier)
    }

    /// The next notification, answer or summary; a phone that is off has none.
    package var deadline: Deadline? {
        guard isOn else { return nil }
        var earliest: Deadline?
        for next in pending {
            earliest = .earliest(earliest, Deadline(due(next), "notification"))
        }
        for client in clients {
            let until = client.prompt.until
            earliest = .earliest(earliest, until.map { Deadline($0, "notification permission") })
        }
        let summary = nextSummary.map { Deadline(clock.instant(of: $0), "summary") }
        return .earliest(earliest, summary)
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .ordered(let app, let order): perform(order, of: app, in: &turn)
        case .posted(let app, let request): deliver(request, of: app, in: &turn)
        case .presentationChosen(let app, let identifier, let isShown):
            present(identifier, of: app, isShown: isShown, in: &turn)
        case .tapped(let app, let identifier):
            guard list(of: app).contains(identifier) else { return }
            removeDelivered(app, [identifier])
            turn.order(.responded(app, identifier: identifier))
        case .actionTapped(let app, let identifier, let action):
            choose(action, of: identifier, app, in: &turn)
        case .listCleared: delivered = []
        case .focusChanged(let focus): self.focus = focus
        case .settingsChanged(let app, let settings):
            clients[app.index].settings = settings
            guard settings.permission.status != .undetermined else { return }
            let isGranted = settings.permission.status == .granted
            answer(clients[app.index].prompt.set(isGranted: isGranted), of: app, in: &turn)
        case .frontChanged(let app, let isInFront):
            clients[app.index].isInFront = isInFront
            clients[app.index].prompt.frontChanged(isInFront: isInFront, at: turn.now)
        case .soundsChanged(let app, let sounds): clients[app.index].sounds = sounds
        case .clockChanged(let change):
            clock.apply(change, at: turn.now)
            nextSummary = nextSummary.flatMap { _ in summary(after: clock.local(at: turn.now)) }
            if case .set = change { reschedule(at: turn.now) }
        case .powerChanged(let isOn): power(isOn: isOn, in: &turn)
        case .appEnded(let app):
            clients[app.index].prompt.close()
            // What it was asked of is in nobody's hands: it goes to the list, unseen.
            for request in clients[app.index].asked {
                list(request, of: app, at: turn.now)
            }
            clients[app.index].asked = []
            clients[app.index].isInFront = false
        }
    }

    /// Answers for the user, and lets notifications come.
    package mutating func wake(in turn: inout Turn<Effect>) {
        guard isOn else { return }
        for index in clients.indices {
            let operations = clients[index].prompt.answer(at: turn.now)
            guard !operations.isEmpty else { continue }
            clients[index].settings.permission = clients[index].prompt.condition
            answer(operations, of: AppID(index), in: &turn)
        }
        for next in takeDue(at: turn.now) { deliver(next.request, of: next.app, in: &turn) }
        showSummary(in: &turn)
    }

    private mutating func showSummary(in turn: inout Turn<Effect>) {
        guard let due = nextSummary, clock.instant(of: due) <= turn.now else { return }
        nextSummary = nil
        for index in clients.indices {
            let app = AppID(index)
            let waiting = delivered.filter { $0.app == app && $0.waitsForSummary }
            guard !waiting.isEmpty else { continue }
            let identifiers = waiting.map(\.notification.identifier)
            turn.order(.summaryShown(app, identifiers: identifiers))
        }
        for index in delivered.indices { delivered[index].waitsForSummary = false }
    }

    func summary(after time: CivilTime) -> CivilTime? {
        configuration.summaries.map { time.next($0) }.min()
    }
}

/// How a system treats notifications.
package struct NotificationConfiguration: Sendable, Equatable {
    /// Which requests stay where there are more than 64.
    package enum LimitRule: String, Sendable, Hashable, CaseIterable {
        /// Those that are due soonest (Apple, `UILocalNotification`, archive).
        case soonest
        /// Those that were added last (tests with iOS 10 and later, Stack Overflow question 43424044).
        case lastAdded
    }

    /// Which requests stay; the sources conflict, so that both are tested.
    package var limitRule = LimitRule.soonest
    /// How much later than due a notification comes, drawn evenly; Apple publishes no accuracy: an
    /// assumption.
    package var delay: ClosedRange<Duration> = .zero...(.seconds(1))
    /// When the scheduled summary comes: 8 and 18 o'clock, an assumption about what Settings propose.
    package var summaries = [ClockTime(hour: 8, minute: 0), ClockTime(hour: 18, minute: 0)]
    /// Whether what was due while the phone was off comes when it is switched on; not, by assumption.
    package var deliversMissedAtStart = false
    /// A critical alert is heard as silent in a Sleep Focus (homebridge-securitysystem, issue 473); off.
    package var criticalIsSilentInSleepFocus = Probability.zero

    /// An iPhone's.
    package init() {}
}
