package import SansIO
package import KodamaSimulation

/// The tasks for which the system runs apps in the background when it sees fit (`BGTaskScheduler`).
///
/// `earliestBeginDate` is a lower bound only. The system runs a task at an opportunity of its own: a refresh
/// some hours after the last, processing once or twice a day while the phone charges. It runs none while the
/// battery is low, in Low Power Mode or when the phone is hot (brewkits/kmpworkmanager,
/// IOS_BGTASK_LIMITS.md), none of an app that the user has thrown out of the app switcher until the user
/// opens it. By assumption it runs none of an app in front and none before the first unlock after a start,
/// an opportunity that no request waited for is lost, and one that a request waited for in vain is made up for.
package struct BackgroundTasks: StateMachine {
    /// A fact for the scheduler.
    package enum Event: Sendable, Equatable {
        /// `submit(_:)`; a request of the same identifier is replaced.
        case submitted(AppID, OperationID, BackgroundTaskRequest)
        /// `cancel(taskRequestWithIdentifier:)`
        case cancelled(AppID, identifier: String)
        /// `setTaskCompleted(success:)`
        case completed(AppID, identifier: String)
        /// The user cancels a continued task in its Live Activity.
        case cancelledByUser(AppID, identifier: String)
        /// The phone stands otherwise.
        case conditionChanged(BackgroundCondition)
        /// An app comes to the front, or is there no more; opened, it may run in the background again.
        case frontChanged(AppID, isInFront: Bool)
        /// An app's process is gone; whether the user threw it out.
        case appEnded(AppID, byUser: Bool)
        /// The user turns an app's Background App Refresh.
        case refreshAllowed(AppID, Bool)
        /// The clock or its zone changed.
        case clockChanged(LocalClock.Change)
    }

    /// An order from the scheduler.
    package enum Effect: Sendable, Equatable {
        /// A request was taken, or was not.
        case answered(AppID, OperationID, BackgroundTaskError?)
        /// An app is launched or resumed in the background, and its handler for a task called.
        case began(AppID, identifier: String)
        /// Its expiration handler is called.
        case expired(AppID, identifier: String)
        /// It has not ended its task after that: its process is ended.
        case overran(AppID, identifier: String)
    }

    struct Pending: Sendable, Equatable {
        let app: AppID
        let request: BackgroundTaskRequest
    }

    struct Running: Sendable, Equatable {
        let app: AppID
        let identifier: String
        let kind: BackgroundTaskRequest.Kind
        /// When it expires or, expired, overruns; `nil` for a continued task.
        var until: Instant?
        var isExpired = false
    }

    struct Client: Sendable, Equatable {
        var isInFront = false
        var wasThrownOut = false
        var allowsRefresh = true
        /// The next opportunities, by kind.
        var nextRefresh = Instant.zero
        var nextProcessing = Instant.zero
        /// When refreshes of the last 24 h began, the oldest first.
        var refreshes: [Instant] = []
    }

    /// One refresh task and ten processing tasks wait for each app at most (Apple,
    /// `BGTaskScheduler.submit(_:)`).
    static let refreshMax = 1
    static let processingMax = 10

    /// All tasks of eight apps begin, expire or overrun at once.
    package static var effectsPerCallMax: Int { 8 * 4 * (refreshMax + processingMax) }

    /// A phone never ends.
    package var isFinished: Bool { false }

    private let configuration: BackgroundConfiguration
    private var clients: [Client]
    private var clock: LocalClock
    private var condition: BackgroundCondition
    private var pending: [Pending] = []
    private var running: [Running] = []
    private var draws: RandomStream

    /// Makes a scheduler with no request.
    ///
    /// - Parameters:
    ///   - appCount: How many apps are installed, at most eight.
    ///   - clock: The phone's clock.
    ///   - condition: How the phone stands.
    ///   - draws: What opportunities and run times are drawn from.
    ///   - configuration: How the system treats tasks.
    package init(
        appCount: Int,
        clock: LocalClock,
        condition: BackgroundCondition = BackgroundCondition(),
        draws: RandomStream,
        configuration: BackgroundConfiguration = BackgroundConfiguration()
    ) {
        precondition(appCount <= 8, "a phone takes 8 apps")
        self.configuration = configuration
        self.clock = clock
        self.condition = condition
        self.draws = draws
        clients = Array(repeating: Client(), count: appCount)
        for app in clients.indices.map(AppID.init) {
            drawRefresh(of: app, after: .zero)
            drawProcessing(of: app, after: .zero)
        }
    }

    /// The next opportunity of a task that waits, or end of one that runs.
    package var deadline: Deadline? {
        var earliest: Deadline?
        for task in running {
            earliest = .earliest(earliest, task.until.map { Deadline($0, "background task") })
        }
        for next in pending {
            let start = start(of: next)
            earliest = .earliest(earliest, start.map { Deadline($0, "background opportunity") })
        }
        return earliest
    }

    /// Takes one fact.
    package mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .submitted(let app, let operation, let request):
            submit(request, operation, of: app, in: &turn)
        case .cancelled(let app, let identifier):
            pending.removeAll { $0.app == app && $0.request.identifier == identifier }
        case .completed(let app, let identifier):
            running.removeAll { $0.app == app && $0.identifier == identifier }
        case .cancelledByUser(let app, let identifier):
            for index in running.indices
            where running[index].app == app && running[index].identifier == identifier
                && running[index].kind == .continued
            {
                expire(index, in: &turn)
            }
        case .conditionChanged(let condition): self.condition = condition
        case .frontChanged(let app, let isInFront):
            clients[app.index].isInFront = isInFront
            if isInFront { clients[app.index].wasThrownOut = false }
        case .appEnded(let app, let byUser):
            clients[app.index].isInFront = false
            clients[app.index].wasThrownOut = clients[app.index].wasThrownOut || byUser
            running.removeAll { $0.app == app }
        case .refreshAllowed(let app, let isAllowed):
            clients[app.index].allowsRefresh = isAllowed
        case .clockChanged(let change): clock.apply(change, at: turn.now)
        }
    }

    /// Ends what has run for long enough, and begins what has an opportunity.
    package mutating func wake(in turn: inout Turn<Effect>) {
        for index in running.indices.reversed() {
            guard let until = running[index].until, until <= turn.now else { continue }
            if running[index].isExpired {
                let task = running.remove(at: index)
                turn.order(.overran(task.app, identifier: task.identifier))
            } else {
                expire(index, in: &turn)
            }
        }
        for next in pending {
            guard let start = start(of: next), start <= turn.now else { continue }
            pending.removeAll { $0 == next }
            begin(next, in: &turn)
        }
    }

    private mutating func submit(
        _ request: BackgroundTaskRequest,
        _ operation: OperationID,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        let client = clients[app.index]
        func answer(_ error: BackgroundTaskError?) {
            turn.order(.answered(app, operation, error))
        }
        guard request.kind != .continued else {
            guard client.isInFront else { return answer(.unavailable) }
            answer(nil)
            guard !configuration.continuedNeverStarts else { return }
            running.removeAll { $0.app == app && $0.identifier == request.identifier }
            guard running.count < 8 * Self.processingMax else { return }
            running.append(
                Running(app: app, identifier: request.identifier, kind: .continued)
            )
            return turn.order(.began(app, identifier: request.identifier))
        }
        guard client.allowsRefresh else { return answer(.unavailable) }
        pending.removeAll { $0.app == app && $0.request.identifier == request.identifier }
        let alike = pending.count { $0.app == app && $0.request.kind == request.kind }
        let most = request.kind == .refresh ? Self.refreshMax : Self.processingMax
        guard alike < most else { return answer(.tooManyPendingTaskRequests) }
        passOpportunities(of: app, at: turn.now)
        pending.append(Pending(app: app, request: request))
        answer(nil)
    }

    /// Lets the opportunities go by that nothing waited for.
    private mutating func passOpportunities(of app: AppID, at now: Instant) {
        let kinds = pending.filter { $0.app == app }.map(\.request.kind)
        while !kinds.contains(.refresh), clients[app.index].nextRefresh < now {
            drawRefresh(of: app, after: clients[app.index].nextRefresh)
        }
        while !kinds.contains(.processing), clients[app.index].nextProcessing < now {
            drawProcessing(of: app, after: clients[app.index].nextProcessing)
        }
    }

    private mutating func drawRefresh(of app: AppID, after last: Instant) {
        let gap = max(.seconds(1), draws.latency(configuration.refreshSpacing))
        clients[app.index].nextRefresh = last.advanced(by: gap)
    }

    private mutating func drawProcessing(of app: AppID, after last: Instant) {
        let gap = max(.seconds(1), draws.duration(in: configuration.processingSpacing))
        clients[app.index].nextProcessing = last.advanced(by: gap)
    }

    /// When a request gets its opportunity, as things stand; `nil` if they have to change first.
    private func start(of next: Pending) -> Instant? {
        let client = clients[next.app.index]
        let request = next.request
        guard !client.isInFront, !client.wasThrownOut, client.allowsRefresh, condition.allowsTasks,
            condition.isCharging || !request.requiresExternalPower,
            condition.hasNetwork || !request.requiresNetwork,
            !running.contains(where: {
                $0.app == next.app && $0.identifier == request.identifier
            })
        else { return nil }
        var start: Instant
        switch request.kind {
        case .refresh:
            start = client.nextRefresh
            if client.refreshes.count >= max(1, configuration.refreshesPerDayMax) {
                start = max(start, client.refreshes[0].advanced(by: .seconds(86_400)))
            }
        case .processing, .continued: start = client.nextProcessing
        }
        return request.earliestBegin.map { max(start, clock.instant(of: $0)) } ?? start
    }

    private mutating func begin(_ next: Pending, in turn: inout Turn<Effect>) {
        let (app, request) = (next.app, next.request)
        let runTime: Duration
        if request.kind == .refresh {
            drawRefresh(of: app, after: turn.now)
            clients[app.index].refreshes.append(turn.now)
            let surplus =
                clients[app.index].refreshes.count - max(1, configuration.refreshesPerDayMax)
            clients[app.index].refreshes.removeFirst(max(0, surplus))
            let isShort = draws.bernoulli(configuration.refreshExpiresEarly)
            let shortTime = draws.duration(in: configuration.earlyExpiry)
            runTime = isShort ? shortTime : configuration.refreshTime
        } else {
            drawProcessing(of: app, after: turn.now)
            runTime = configuration.processingTime
        }
        let until = turn.now.advanced(by: runTime)
        running.append(
            Running(app: app, identifier: request.identifier, kind: request.kind, until: until)
        )
        turn.order(.began(app, identifier: request.identifier))
    }

    private mutating func expire(_ index: Int, in turn: inout Turn<Effect>) {
        guard !running[index].isExpired else { return }
        running[index].isExpired = true
        running[index].until = turn.now.advanced(by: configuration.expirationGrace)
        turn.order(.expired(running[index].app, identifier: running[index].identifier))
    }
}
