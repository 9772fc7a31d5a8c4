public import SansIO

/// VoIP pushes on a phone, and the rule that each must be reported as a call (PushKit).
///
/// A push launches or resumes its app and is handed over. The rule is enforced twice: when the
/// delegate's method returns without a report the app is ended by an exception
/// (`_terminateAppIfThereAreUnhandledVoIPPushes`), and about 7 s after the delivery `callservicesd` ends an
/// app that has not reported, which is what happens to one that never got to its delegate (Apple,
/// developer forums, thread 817976). Neither looks at the completion handler. An app in the foreground,
/// or with a call going on, is exempt (thread 768136). After repeats the system launches the app for
/// pushes no more, which the app cannot see; only installing it anew lifts that.
public struct PushInbox: StateMachine {
    /// A fact for the inbox.
    public enum Event: Sendable, Equatable {
        /// An app registers for VoIP pushes (`PKPushRegistry.desiredPushTypes`).
        case registered(AppID)
        /// The push service gave an app a token.
        case tokenIssued(AppID, [UInt8])
        /// The push service took it back.
        case tokenWithdrawn(AppID)
        /// A push came for an app.
        case arrived(AppID, payload: String, isRunning: Bool)
        /// An app's code runs: it was launched or resumed.
        case appRuns(AppID)
        /// An app reported a call.
        case reported(AppID)
        /// An app's handler for a push has returned; with whether the rule spares the app now.
        case handlerReturned(AppID, OperationID, isExempt: Bool)
        /// An app's process is gone.
        case appEnded(AppID, KillReason)
    }

    /// An order from the inbox.
    public enum Effect: Sendable, Equatable {
        /// The push service is asked for a token.
        case tokenWanted(AppID)
        /// An app is told something.
        case news(AppID, PushNews)
        /// An app is launched or resumed for a push.
        case wake(AppID)
        /// An app has broken the rule.
        case unreported(AppID, PushRuleBreach)
        /// Pushes for an app are dropped from now on.
        case blocked(AppID)
    }

    struct Push: Sendable, Equatable {
        let app: AppID
        let payload: String
        let until: Instant
        /// The duty of the handler that has it, once it was handed over.
        var duty: OperationID?
    }

    struct Client: Sendable, Equatable {
        var isRegistered = false
        var token: [UInt8]?
        var breaches = 0
    }

    /// How many pushes wait at most; beyond that the oldest is lost.
    static let pushesMax = 64

    /// Every push that waits is handed over, or breaks the rule.
    public static var effectsPerCallMax: Int { 2 * pushesMax + 4 }

    /// A phone never ends.
    public var isFinished: Bool { false }

    private let configuration: PhoneSystemConfiguration
    private var clients: [Client]
    private var pushes: [Push] = []
    private var pushesMade: UInt32 = 0

    /// Makes an inbox that nothing came to.
    ///
    /// - Parameters:
    ///   - appCount: How many apps are installed.
    ///   - configuration: The system's times.
    public init(appCount: Int, configuration: PhoneSystemConfiguration) {
        clients = Array(repeating: Client(), count: appCount)
        self.configuration = configuration
    }

    /// Whether pushes for an app are dropped.
    public func isBlocked(_ app: AppID) -> Bool {
        clients[app.index].breaches >= configuration.pushBreachesMax
    }

    /// The end of the second enforcement's patience.
    public var deadline: Deadline? {
        pushes.reduce(nil) { .earliest($0, Deadline($1.until, "unreported push")) }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .registered(let app):
            clients[app.index].isRegistered = true
            if let token = clients[app.index].token {
                turn.order(.news(app, .token(token)))
            } else {
                turn.order(.tokenWanted(app))
            }
        case .tokenIssued(let app, let token):
            clients[app.index].token = token
            turn.order(.news(app, .token(token)))
        case .tokenWithdrawn(let app):
            // Who has none loses none.
            guard clients[app.index].token != nil else { return }
            clients[app.index].token = nil
            turn.order(.news(app, .tokenInvalidated))
            turn.order(.tokenWanted(app))
        case .arrived(let app, let payload, let isRunning):
            arrived(app, payload, isRunning: isRunning, in: &turn)
        case .appRuns(let app): handOver(to: app, in: &turn)
        case .reported(let app):
            // One report answers for one push.
            let index = pushes.firstIndex { $0.app == app && $0.duty != nil }
            if let index { pushes.remove(at: index) }
        case .handlerReturned(let app, let duty, let isExempt):
            guard let push = pushes.first(where: { $0.app == app && $0.duty == duty }) else {
                return
            }
            pushes.removeAll { $0 == push }
            if !isExempt { breach(app, .handlerReturned, in: &turn) }
        case .appEnded(let app, let reason):
            // The daemon goes on waiting for the pushes that nobody handed over, unless it was the user who
            // ended the app: no code of its own broke the rule then. That is an assumption.
            pushes.removeAll { $0.app == app && ($0.duty != nil || reason == .user) }
        }
    }

    /// Ends apps that have not reported in time.
    public mutating func wake(in turn: inout Turn<Effect>) {
        for push in pushes where push.until <= turn.now && pushes.contains(push) {
            pushes.removeAll { $0 == push }
            breach(push.app, .timedOut, in: &turn)
        }
    }

    private mutating func arrived(
        _ app: AppID,
        _ payload: String,
        isRunning: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard clients[app.index].isRegistered, !isBlocked(app) else { return }
        if pushes.count == Self.pushesMax { pushes.removeFirst() }
        let until = turn.now.advanced(by: configuration.pushReportTime)
        pushes.append(Push(app: app, payload: payload, until: until))
        // A push lengthens the time of an app that runs, too.
        turn.order(.wake(app))
        if isRunning { handOver(to: app, in: &turn) }
    }

    private mutating func handOver(to app: AppID, in turn: inout Turn<Effect>) {
        for index in pushes.indices where pushes[index].app == app && pushes[index].duty == nil {
            pushesMade += 1
            let duty = Self.duty(of: PushID(number: pushesMade))
            pushes[index].duty = duty
            let push = PushID(number: pushesMade)
            let news = PushNews.received(push, payload: pushes[index].payload, duty: duty)
            turn.order(.news(app, news))
        }
    }

    /// The duty of the handler for a push; apart from those that other facilities number.
    public static func duty(of push: PushID) -> OperationID {
        OperationID(number: push.number | 1 << 31)
    }

    private mutating func breach(
        _ app: AppID,
        _ breach: PushRuleBreach,
        in turn: inout Turn<Effect>
    ) {
        clients[app.index].breaches += 1
        turn.order(.unreported(app, breach))
        if isBlocked(app) {
            pushes.removeAll { $0.app == app }
            turn.order(.blocked(app))
        }
    }
}

/// Which of the two enforcements found that a push was not reported.
public enum PushRuleBreach: Int64, Sendable, Hashable, CaseIterable {
    /// The delegate's method returned without a report.
    case handlerReturned
    /// Nothing was reported within the time that the system waits.
    case timedOut
}
