public import SansIO

/// Whether an app may use the microphone (`AVAudioApplication.recordPermission`).
///
/// The first request shows an alert, which the user answers after a while; later ones are answered at
/// once. The alert can lie only over an app in front, not over the lock screen (mattermost-mobile, pull
/// request 10075; livekit/client-sdk-swift, pull request 1047): until then it waits, and the request with it
/// (webrtc-sdk/webrtc, pull request 265). Who changes the answer in Settings ends the app's process
/// (spencerccf/app_settings, issue 201; lionheart/openradar-mirror, issue 3370).
public struct MicrophonePermission: StateMachine {
    /// A fact for the permission.
    public enum Event: Sendable, Equatable {
        /// The app asks.
        case requested(OperationID)
        /// The user turns the switch in Settings.
        case changedInSettings(isGranted: Bool)
        /// The app comes to the front, or is there no more.
        case frontChanged(isInFront: Bool)
        /// The app's process is gone, and an alert with it.
        case appEnded
    }

    /// An order from the permission.
    public enum Effect: Sendable, Equatable {
        /// The alert lies over the app, or does no more.
        case alert(isShown: Bool)
        /// A request is answered.
        case answered(OperationID, isGranted: Bool)
        /// The app's process has to end.
        case settingChanged
    }

    /// An alert that is shown while the app is in front.
    struct Alert: Sendable, Equatable {
        /// When the user answers, if ever; nobody answers one that is not shown.
        var until: Instant?
        /// The requests that wait for it.
        var requests: [OperationID]
    }

    /// How many requests wait for one alert; more are refused.
    static let requestsMax = 8

    /// The alert goes and every request is answered.
    public static var effectsPerCallMax: Int { 1 + requestsMax }

    /// A permission can always be asked for.
    public var isFinished: Bool { false }

    private var condition: MicrophoneCondition
    private var alert: Alert?
    private var isInFront: Bool

    /// Makes a permission of which nothing is asked.
    ///
    /// - Parameters:
    ///   - condition: What the user said before, and says if they are asked.
    ///   - isInFront: Whether the app is in front.
    public init(_ condition: MicrophoneCondition, isInFront: Bool = false) {
        self.condition = condition
        self.isInFront = isInFront
    }

    /// Whether the app may use it.
    var status: MicrophoneStatus { condition.status }

    /// Whether the user sees the alert.
    var isAsking: Bool { alert != nil && isInFront }

    /// When the user answers the alert.
    public var deadline: Deadline? {
        alert.flatMap { $0.until }.map { Deadline($0, "microphone alert") }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .requested(let operation):
            request(operation, in: &turn)
        case .changedInSettings(let isGranted):
            let status: MicrophoneStatus = isGranted ? .granted : .denied
            guard condition.status != status else { return }
            condition.status = status
            close(in: &turn)
            turn.order(.settingChanged)
        case .frontChanged(let isInFront):
            guard isInFront != self.isInFront else { return }
            self.isInFront = isInFront
            guard alert != nil else { return }
            let until = answerTime(at: turn.now)
            alert?.until = until
            turn.order(.alert(isShown: isInFront))
        case .appEnded:
            close(in: &turn)
        }
    }

    /// Lets the user answer the alert.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let alert, let until = alert.until, until <= turn.now else { return }
        condition.status = condition.isGrantedWhenAsked ? .granted : .denied
        close(in: &turn)
        for operation in alert.requests {
            turn.order(.answered(operation, isGranted: condition.isGrantedWhenAsked))
        }
    }

    private mutating func request(_ operation: OperationID, in turn: inout Turn<Effect>) {
        switch condition.status {
        case .granted:
            turn.order(.answered(operation, isGranted: true))
        case .denied:
            turn.order(.answered(operation, isGranted: false))
        case .undetermined:
            guard let alert else {
                self.alert = Alert(until: answerTime(at: turn.now), requests: [operation])
                if isInFront { turn.order(.alert(isShown: true)) }
                return
            }
            guard alert.requests.count < Self.requestsMax else {
                return turn.order(.answered(operation, isGranted: false))
            }
            self.alert?.requests.append(operation)
        }
    }

    /// When the user answers an alert that is shown from now on, if it is and they do.
    private func answerTime(at now: Instant) -> Instant? {
        isInFront ? condition.answerDelay.map { now.advanced(by: $0) } : nil
    }

    private mutating func close(in turn: inout Turn<Effect>) {
        guard alert != nil else { return }
        alert = nil
        if isInFront { turn.order(.alert(isShown: false)) }
    }
}

/// Whether an app may use the microphone.
public enum MicrophoneStatus: String, Sendable, Hashable, CaseIterable {
    /// The user allowed it.
    case granted
    /// The user refused it.
    case denied
    /// The user was never asked.
    case undetermined
}

/// Whether an app may use the microphone, and what the user says if they are asked.
public struct MicrophoneCondition: Sendable, Equatable {
    /// What the user said before.
    public var status = MicrophoneStatus.granted
    /// What the user says when they are asked.
    public var isGrantedWhenAsked = true
    /// How long the user takes to answer: 2 s, an assumption; `nil` for never.
    public var answerDelay: Duration? = .seconds(2)

    /// An app whose user allowed the microphone long ago.
    public init() {}
}
